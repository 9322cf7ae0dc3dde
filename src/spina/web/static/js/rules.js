// @ts-check
// The rules page: draws beside a name what it looks like at the table, where the game has drawings. Without this script
// the page says the same.

import { el } from "./dom.js";

const module = /** @type {HTMLElement | null} */ (document.querySelector("[data-marks]"))?.dataset.marks;
if (module) {
  /** Drawings by the name of the thing. @type {Record<string, Element[]>} */
  const marks = (await import(module)).default();
  for (const name of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("dt[data-mark]"))) {
    const drawn = marks[name.dataset.mark ?? ""];
    if (drawn) name.prepend(el("span", { class: "marks" }, ...drawn));
  }
}
