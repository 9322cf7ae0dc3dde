// @ts-check
// What has happened in one sentence for each chariot, for screen readers.

import { symbolWords } from "./cards.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").GameEvent} GameEvent */
/** @typedef {import("./types.d.ts").View} View */

/** @param {Host} host @param {GameEvent[]} events @param {View} view @returns {string[]} */
export function brief(host, events, view) {
  const t = (/** @type {string} */ id, /** @type {import("../../../web/static/js/types.js").Params} */ params = {}) => host.t(`charioteer.${id}`, params);
  const list = new Intl.ListFormat(document.documentElement.lang || "en");
  /** @type {Map<number, GameEvent[]>} */
  const deeds = new Map();
  for (const event of events) if ("seat" in event) deeds.set(event.seat, [...(deeds.get(event.seat) ?? []), event]);
  const sentences = [];
  const ranked = [...view.chariots].sort((a, b) => a.place - b.place);
  for (const { seat, place, damage } of ranked) {
    const own = deeds.get(seat) ?? [];
    /** @type {string[]} */
    const parts = [];
    let [points, passed, cubes] = [0, /** @type {Set<number>} */ (new Set()), 0];
    for (const event of own) {
      if (event.type === "Revealed") parts.push(event.symbol === "reset" ? t("brief.resets") : symbolWords(host, event.symbol));
      else if (event.type === "Counted") points += event.points;
      else if (event.type === "Passed" && !event.skipped) passed.add(event.rival);
      else if (event.type === "Suffered") cubes += event.cubes;
      else if (event.type === "Whipped") points += event.spaces;
    }
    if (own.some(({ type }) => type === "Counted")) parts.push(t("brief.spaces", { count: points }));
    if (passed.size) parts.push(t("brief.passes", { rivals: list.format(Array.from(passed, (rival) => host.name(rival))) }));
    for (const event of own) {
      if (event.type === "Attacked") parts.push(t("brief.attacks", { count: event.cubes }));
      else if (event.type === "Recovered" || event.type === "Calmed") parts.push(t("brief.damage", { damage }));
      else if (event.type === "Lap") parts.push(t("brief.lap", { lap: event.lap }));
      else if (event.type === "Finished") parts.push(t(event.place === 1 ? "brief.won" : "brief.finished", { place: event.place }));
    }
    if (cubes) parts.push(t("brief.suffers", { count: cubes, damage }));
    if (!parts.length) continue;
    if (!own.some(({ type }) => type === "Finished")) parts.push(t("brief.place", { place }));
    sentences.push(t("brief.chariot", { name: host.name(seat), parts: [...new Set(parts)].join(", ") }));
  }
  return sentences;
}

/** What is asked: the turn, the wish, the crowd card, and how much is possible. @param {Host} host @param {View} view @param {number} moves */
export function question(host, view, moves) {
  const wish = host.t("charioteer.text.turn", { turn: view.turn, wish: host.t(`charioteer.wish.${view.emperor}`) });
  return `${wish} ${host.t("charioteer.text.choose", { count: moves })}`;
}
