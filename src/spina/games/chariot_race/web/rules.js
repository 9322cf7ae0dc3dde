// @ts-check
// Drawings for the rules page, by the name of the thing.

import { die, SIDES } from "./dice.js";

/** @returns {Record<string, Element[]>} */
export default function marks() {
  return Object.fromEntries(Object.entries(SIDES).map(([side, name]) => [name, [die(side)]]));
}
