// @ts-check
// Moves as plans: what is offered, how notation writes it, and how it is read.

import { svg } from "../../../web/static/js/dom.js";

/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").Offer} Offer */
/** @typedef {import("./types.d.ts").WayOffer} WayOffer */

/**
 * What is being considered.
 * @typedef {object} Plan
 * @property {"move" | "run" | "u-turn" | "pivot" | "walk"} kind
 * @property {string} way
 * @property {number} mm
 * @property {number} degrees of a pivot, positive to the left; of a walk, of the map
 * @property {string} about
 */
/**
 * A way to move that is offered.
 * @typedef {object} Mode
 * @property {string} id
 * @property {Plan["kind"]} kind
 * @property {string} way
 * @property {number} least
 * @property {number} most how far the slider goes
 * @property {number} free how far nothing is in the way
 * @property {number} turn how far it may be turned
 * @property {WayOffer | null} [price]
 */

const ASIDE = /** @type {Record<string, number>} */ ({ ahead: 0, left: 90, right: -90 });

/** How far from its heading a chariot travels. @param {string} way */
export const aside = (way) => ASIDE[way] ?? 0;

/**
 * @param {string} notation
 * @returns {Plan | null}
 */
export function read(notation) {
  const plain = { way: "ahead", mm: 0, degrees: 0, about: "centre" };
  /** @param {string | undefined} n @param {string | undefined} side */
  const turned = (n, side) => (n ? Number(n) * (side === "right" ? -1 : 1) : 0);
  let found = /^(ahead|left|right) (\d+)(?:, pivot (\d+) (left|right)(?: about (.+))?)?$/.exec(notation);
  if (found) {
    return { kind: "move", way: found[1], mm: Number(found[2]), degrees: turned(found[3], found[4]), about: found[5] ?? "centre" };
  }
  found = /^run (ahead|left|right) (\d+)$/.exec(notation);
  if (found) return { ...plain, kind: "run", way: found[1], mm: Number(found[2]) };
  found = /^(u-turn|pivot) (\d+)(?: (left|right))?(?: about (.+))?$/.exec(notation);
  if (found) {
    return { ...plain, kind: found[1] === "pivot" ? "pivot" : "u-turn", degrees: turned(found[2], found[3]), about: found[4] ?? "centre" };
  }
  found = /^walk (\d+) (\d+) mm$/.exec(notation);
  if (found) return { ...plain, kind: "walk", degrees: Number(found[1]), mm: Number(found[2]) };
  return null;
}

/**
 * @param {Plan} plan
 * @returns {string}
 */
export function write(plan) {
  const { degrees, about } = plan;
  const turn = `${Math.abs(degrees)} ${degrees > 0 ? "left" : "right"}`;
  if (plan.kind === "walk") return `walk ${((degrees % 360) + 360) % 360} ${plan.mm} mm`;
  if (plan.kind === "run") return `run ${plan.way} ${plan.mm}`;
  if (plan.kind === "u-turn" || plan.kind === "pivot") return degrees ? `${plan.kind} ${turn} about ${about}` : `${plan.kind} 0`;
  const pivot = degrees ? `, pivot ${turn}${about === "centre" ? "" : ` about ${about}`}` : "";
  return `${plan.way} ${plan.mm}${pivot}`;
}

/**
 * @param {Offer} offer
 * @param {View} view
 * @returns {Mode[]}
 */
export function modesOf(offer, view) {
  if (offer.question === "pivot") {
    return [{ id: "pivot", kind: "pivot", way: "", least: 0, most: 0, free: 0, turn: offer.limit ?? 0 }];
  }
  if (offer.question === "walk") {
    if (!offer.legs?.length) return [];
    const most = Math.floor(offer.left ?? 0);
    return [{ id: "walk", kind: "walk", way: "", least: 1, most, free: most, turn: 359 }];
  }
  const driving = view.driving;
  if (!driving || !offer.ways) return [];
  const left = Math.min(Math.floor(driving.maximum - driving.moved), 511);
  /** @type {Mode[]} */
  const found = offer.ways.map((one) => ({
    id: one.way, kind: "move", way: one.way, least: 10, most: Math.max(left, one.most), free: one.most, turn: offer.limit ?? 0,
    price: one.price ? one : null,
  }));
  for (const way of ["ahead", "left", "right"]) {
    const lengths = (offer.runs ?? []).map(read).flatMap((plan) => (plan?.way === way ? [plan.mm] : []));
    if (lengths.length) {
      found.push({ id: `run-${way}`, kind: "run", way, least: Math.max(10, Math.min(...lengths) - 9), most: left, free: Math.max(...lengths), turn: 0 });
    }
  }
  if (offer.turns) found.push({ id: "u-turn", kind: "u-turn", way: "", least: 0, most: 0, free: 0, turn: 180 });
  return found;
}

/** @param {Mode} mode */
export function wayIcon(mode) {
  const arrow = mode.kind === "u-turn" ? "M-5 7V-2A5 5 0 0 1 5-2V5M1 2 5 6 9 2" : "M0 8V-7M-5-2 0-7 5-2";
  const turn = mode.kind === "u-turn" ? 0 : { ahead: 0, left: -90, right: 90 }[mode.way] ?? 0;
  return svg("svg", { class: "cm-icon", viewBox: "-12 -12 24 24", "aria-hidden": true }, svg("path", { d: arrow, transform: `rotate(${turn})` }));
}

/** @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
