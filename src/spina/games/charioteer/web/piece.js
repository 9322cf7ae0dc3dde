// @ts-check
// A chariot as it is drawn: its team, legs and wheels that turn while it moves, and the dust behind it.

import { FACTION_INKS, LETTERS, svg } from "../../../web/static/js/dom.js";
import { CAPITALS } from "./shrine.js";

/**
 * Where a chariot is: its space, its lane in it (0 is the inside), and how far along and deep in the track it is drawn.
 * @typedef {object} Piece
 * @property {SVGGElement} group
 * @property {SVGGElement} body what shakes and surges, within the group
 * @property {SVGTextElement} letter
 * @property {number} space
 * @property {number} lane
 * @property {number} along
 * @property {number} deep
 * @property {number} scale
 * @property {number} lean degrees that it turns into a bend
 */

/** Units of the drawing: from the car's back to the horses' noses. */
export const LENGTH = 42;
/** Where the letter stands, behind the middle of the team. */
export const CAR = -9.5;
const INK = "#2a1911";
/** Legs of the two horses, seen from above: the pairs that reach out together. */
const LEGS = ["M15-7.6h5.5M15 2.8h5.5M5-3h-5.5M5 7.4h-5.5", "M15-3h5.5M15 7.4h5.5M5-7.6h-5.5M5 2.8h-5.5"];
/** Where clouds of dust rise, at the two wheels and between them. */
const DUST = [-8, 8, 0, -5];

/** @param {number} seat @param {number} faction the number of its colour @param {string} kind @returns {Piece} */
export function makePiece(seat, faction, kind) {
  const letter = svg("text", {
    y: 4.1,
    "text-anchor": "middle",
    "font-family": CAPITALS,
    "font-size": 12,
    "font-weight": "bold",
    fill: FACTION_INKS[faction],
    text: LETTERS[faction],
  });
  const stroke = { fill: "none", stroke: INK, "stroke-linecap": "round" };
  const body = svg(
    "g",
    { class: "cx-body" },
    ...LEGS.map((d, k) => svg("path", { class: `cx-legs pair-${k}`, d, ...stroke, "stroke-width": 1.5 })),
    svg("use", { href: `#spina-chariot-${LETTERS[faction].toLowerCase()}` }),
    // notches of the two wheels, which run along them
    svg("path", { class: "cx-spokes", d: "M-14-10.8h.9M-10.5-10.8h.9M-7-10.8h.9M-14 10.8h.9M-10.5 10.8h.9M-7 10.8h.9", ...stroke, stroke: "#f3ead6", "stroke-width": 1.8, "stroke-linecap": "butt" }),
    letter,
  );
  const group = svg(
    "g",
    { class: `${kind} faction-${faction}`, "data-seat": seat },
    svg("ellipse", { class: "cx-glow", rx: 30, ry: 20 }),
    ...(kind === "cx-chariot" ? trail() : []),
    body,
  );
  return { group, body, letter, space: 0, lane: 0, along: 0, deep: 0, scale: 1, lean: 0 };
}

/** Dust and streaks behind a chariot, which are seen while it moves. */
function trail() {
  return [
    svg("path", { class: "cx-streaks", d: "M-24-9H-62M-26 9H-70M-24 0H-84" }),
    ...DUST.map((y, k) => svg("circle", { class: `cx-dust puff-${k}`, cx: -20, cy: y, r: 5 })),
  ];
}
