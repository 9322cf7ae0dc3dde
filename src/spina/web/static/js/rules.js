// @ts-check
// The rules page: draws beside a name what it looks like at the table. Without this script the page says the same.

import { el } from "./dom.js";

/** Drawings by the game and the thing. @type {Record<string, () => Promise<Record<string, Element[]>>>} */
const MARKS = {
  charioteer: async () => {
    const { symbolMark, signMark } = await import("./games/charioteer-cards.js");
    return {
      green: ["green-2", "green-4", "green-6"].map(symbolMark),
      red: ["red-1", "red-3", "red-5"].map(symbolMark),
      yellow: ["yellow-0", "yellow-2", "yellow-4"].map(symbolMark),
      black: ["black-0", "black-1", "black-2"].map(symbolMark),
      icons: ["shield", "recovery", "learning", "whip"].map((name) => signMark(name, "currentColor")),
    };
  },
  "chariot-race": async () => {
    const { SIDES, die } = await import("./games/chariot-race-dice.js");
    return Object.fromEntries(Object.entries(SIDES).map(([side, name]) => [name, [die(side)]]));
  },
  chariotmaster: async () =>
    Object.fromEntries(
      ["0", "5", "10"].map((speed) => [`token-${speed}`, [el("span", { class: "speed-token", text: speed, "aria-hidden": true })]]),
    ),
};

const game = /** @type {HTMLElement | null} */ (document.querySelector("[data-game]"))?.dataset.game ?? "";
if (game in MARKS) {
  const marks = await MARKS[game]();
  for (const name of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("dt[data-mark]"))) {
    const drawn = marks[name.dataset.mark ?? ""];
    if (drawn) name.prepend(el("span", { class: "marks" }, ...drawn));
  }
}
