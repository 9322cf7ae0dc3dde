// @ts-check
// Drawings for the rules page, by the name of the thing.

import { signMark, symbolMark } from "./cards.js";

/** @returns {Record<string, Element[]>} */
export default function marks() {
  return {
    green: ["green-2", "green-4", "green-6"].map(symbolMark),
    red: ["red-1", "red-3", "red-5"].map(symbolMark),
    yellow: ["yellow-0", "yellow-2", "yellow-4"].map(symbolMark),
    black: ["black-0", "black-1", "black-2"].map(symbolMark),
    icons: ["shield", "recovery", "learning", "whip"].map((name) => signMark(name, "currentColor")),
  };
}
