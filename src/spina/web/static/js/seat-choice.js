// @ts-check
// Choosing a seat and a colour before the start: groups of radio buttons among those that are free.

import { el, shape } from "./dom.js";
import { t } from "./messages.js";

/** @typedef {import("./types.js").State} State */

const COLOURS = [0, 1, 2, 3, 4, 5];

/** The colours that no other person has: bots and open seats give theirs away. @param {State} state */
export function freeColours(state) {
  const kept = state.seats.filter(({ kind, seat }) => ["person", "screen"].includes(kind) && !state.own.includes(seat));
  return COLOURS.filter((colour) => !kept.some((person) => person.colour === colour));
}

/**
 * @param {string} name of the group, and the beginning of its ids
 * @param {string} legend
 * @param {{value: number, colour: number, text: string, long?: boolean}[]} choices
 * @param {number | null} chosen
 * @param {(value: number) => void} choose
 */
function radios(name, legend, choices, chosen, choose) {
  return el(
    "fieldset",
    { class: `field ${name}` },
    el("legend", { text: legend }),
    el(
      "div",
      { class: choices.some((choice) => choice.long) ? "chips" : "chips factions" },
      ...choices.map(({ value, colour, text, long }) =>
        el(
          "label",
          { class: "chip", title: long ? null : text },
          el("input", { type: "radio", name, id: `${name}-${value}`, value, checked: value === chosen, on: { change: () => choose(value) } }),
          shape(colour),
          el("span", { class: long ? null : "unseen", text }),
        ),
      ),
    ),
  );
}

/**
 * The open seats, each in its colour.
 * @param {State} state
 * @param {number | null} chosen
 * @param {(seat: number) => void} choose
 */
export function seatChoice(state, chosen, choose) {
  const open = state.seats.filter((person) => person.kind === "open");
  const choices = open.map(({ seat, colour }) => ({ value: seat, colour, text: t("table.seat", { number: seat + 1 }), long: true }));
  return radios("choose-seat", t("table.choose-seat"), choices, chosen, choose);
}

/**
 * The colours that are free.
 * @param {State} state
 * @param {number | null} chosen
 * @param {(colour: number) => void} choose
 */
export function colourChoice(state, chosen, choose) {
  const choices = freeColours(state).map((colour) => ({ value: colour, colour, text: t(`faction.${colour}`) }));
  return radios("choose-colour", t("table.choose-colour"), choices, chosen, choose);
}
