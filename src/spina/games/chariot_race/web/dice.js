// @ts-check
// The sides of the dice: their names in messages and styles, and how they are drawn.

import { svg } from "../../../web/static/js/dom.js";

/** Sides in the order of the table of the rules, with the names that messages and styles know them by. */
export const SIDES = /** @type {Record<string, string>} */ ({
  "+/-": "change",
  sprint: "sprint",
  steer: "steer",
  attack: "attack",
  fortuna: "fortuna",
});

/** Stroke width and path of each side's sign, about 24 wide around (0, 0), as on the board. */
const SIGNS = /** @type {Record<string, [number, string]>} */ ({
  "+/-": [3, "M-5-11V1M-11-5H1M1 8H11"],
  sprint: [3.6, "M-10-8-1 0-10 8M1-8 10 0 1 8"],
  steer: [2.8, "M0 11V5C0-1-9 0-9-8M0 5C0-1 9 0 9-8M-12.5-5-9-9.5-5.5-5M12.5-5 9-9.5 5.5-5"],
  attack: [2.4, "M-10 10 10-10M4-10H10V-4M10 10-10-10M-4-10H-10V-4"],
  fortuna: [2.4, "M0-10.5A10.5 10.5 0 1 1-.1-10.5ZM0-10V10M-10 0H10M-7-7 7 7M7-7-7 7"],
});

/**
 * The sign of a side.
 * @param {string} side
 */
export const sign = (side) =>
  svg("path", { class: `cr-sign cr-${SIDES[side]}`, d: SIGNS[side][1], "stroke-width": SIGNS[side][0] });

/**
 * The face of a die, 34 wide around (0, 0), to be set into a picture.
 * @param {string} side
 */
export const face = (side) =>
  svg(
    "g",
    { class: "cr-face" },
    svg("rect", { class: "cr-cube", x: -17, y: -17, width: 34, height: 34, rx: 6.5 }),
    svg("rect", { class: "cr-gleam", x: -14, y: -14, width: 28, height: 28, rx: 5 }),
    sign(side),
  );

/**
 * A die as a separate picture; its name stands beside it or on its button.
 * @param {string} side
 */
export const die = (side) =>
  svg("svg", { class: "cr-die", viewBox: "-18 -18 36 36", "aria-hidden": true }, face(side));

/**
 * The sign alone as a small picture.
 * @param {string} side
 */
export const icon = (side) =>
  svg("svg", { class: "cr-icon", viewBox: "-14 -14 28 28", "aria-hidden": true }, sign(side));

/**
 * Which of the dice that lie there now were not there before; equal sides are the same die.
 * @param {string[]} before
 * @param {string[]} now
 * @returns {boolean[]}
 */
export function fresh(before, now) {
  const left = [...before];
  return now.map((side) => {
    const found = left.indexOf(side);
    if (found < 0) return true;
    left.splice(found, 1);
    return false;
  });
}
