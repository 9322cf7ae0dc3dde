// @ts-check
// Before a race with individual chariots: the draft, and the choice of starting spaces.

import { el, shape } from "../../../web/static/js/dom.js";
import { KNOWN } from "./words.js";

/** @typedef {import("./choice.js").Choice} Choice */

/** Which individual chariot? Each card says what it can do. @param {Choice} choice */
export function draft(choice) {
  const kinds = choice.host.places.kinds;
  const cards = (choice.asked.draft ?? []).map(({ action, character, faction }, index) => {
    const { first, most, dice, limit } = kinds[character];
    const rows = /** @type {["condition", "speed", "fate"]} */ (["condition", "speed", "fate"]).map((track, k) =>
      el("div", null, el("dt", { text: choice.t(track) }), el("dd", null, el("b", { text: first[k] }), el("span", { class: "soft", text: ` / ${most[k]}` }))),
    );
    const highest = Math.max(...dice);
    const bars = dice.map((count, speed) => {
      const bar = el("span", { class: "cr-column", title: choice.t("draft.column", { speed, count }) }, el("i", { text: count }), el("small", { text: speed }));
      bar.style.setProperty("--height", String(count / highest));
      return bar;
    });
    const fastest = Math.max(...limit);
    return el(
      "button",
      { type: "button", class: "cr-card", "data-action": action, "data-first": index === 0, on: { click: () => void choice.send([action]) } },
      el("strong", { class: "cr-card-name" }, shape(faction, choice.host.t(`faction.${faction}`)), " ", choice.words.character(character)),
      KNOWN.has(character) && el("span", { class: "cr-card-line", text: choice.t(`character.${character}.line`) }),
      el("dl", { class: "cr-card-tracks" }, ...rows),
      el("span", { class: "cr-card-label", text: choice.t("draft.dice") }),
      el("span", { class: "cr-columns", "aria-hidden": true }, ...bars),
      el("span", { class: "small soft", text: choice.t("draft.limit", { condition: limit.indexOf(fastest), speed: fastest }) }),
    );
  });
  return [el("div", { class: "cr-cards" }, ...cards)];
}

/** From which space? @param {Choice} choice */
export function start(choice) {
  const { grid, lanes } = choice.host.places;
  const lane = (/** @type {number} */ k) => choice.t(k === 0 ? "lane.inside" : k === lanes - 1 ? "lane.outside" : "lane.middle");
  const offered = choice.asked.start ?? [];
  const buttons = offered.map(({ action, space }, index) => {
    const row = grid.indexOf(space) < lanes ? "front" : "rear";
    return choice.button(
      {
        action,
        first: index === 0,
        on: { ...choice.pointing(() => choice.board.point(space), () => choice.board.point(null)) },
      },
      el("b", { text: choice.words.spaces[space].name }),
      el("span", { class: "soft small", text: choice.t(`start.${row}`, { lane: lane(choice.words.spaces[space].lane) }) }),
    );
  });
  const actions = new Map(offered.map((one) => [one.space, one.action]));
  choice.board.ends(
    [...actions.keys()].map((space) => ({ space, label: "", tone: "plain" })),
    { enter: (space) => choice.board.point(space), leave: () => choice.board.point(null), pick: (space) => void choice.send([actions.get(space) ?? ""]) },
  );
  return [el("div", { class: "cr-options cr-grid" }, ...buttons)];
}
