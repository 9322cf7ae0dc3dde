// @ts-check
// Drawings for the rules page, by the name of the thing.

import { el } from "../../../web/static/js/dom.js";

const SPEEDS = ["0", "5", "10"];

/** @returns {Record<string, Element[]>} */
export default function marks() {
  return Object.fromEntries(
    SPEEDS.map((speed) => [`token-${speed}`, [el("span", { class: "speed-token", text: speed, "aria-hidden": true })]]),
  );
}
