// @ts-check
// What has happened in one sentence for each chariot, for screen readers.

import { WRECK_OF } from "./pieces.js";
import { states } from "./panels.js";

/** @typedef {import("./types.d.ts").GameEvent} GameEvent */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./words.js").Words} Words */

/** Events after which it is said what state a chariot is in. */
const GRAVE = new Set([
  "LostControl", "LostReins", "StunnedNow", "HorseDied", "IsExhausted", "WheelLoose", "Crashed", "Entangled", "Hurled", "Fell",
  "DriverDied", "Eliminated", "StruckOut", "RanOff", "TeamGone", "ControlBack", "Awake", "Grabbed", "CutFree", "CutLoose",
]);

/** What is known of one chariot. */
class Deeds {
  token = "";
  mm = 0;
  /** Points that were lost, by kind, and how many are left. @type {Map<string, number>} */
  lost = new Map();
  /** @type {string[]} */
  parts = [];
  grave = false;
}

/** @param {Words} words @param {GameEvent[]} events @param {View} view @returns {string[]} */
export function brief(words, events, view) {
  /** @param {string} id @param {import("../../../web/static/js/types.js").Params} [params] */
  const t = (id, params) => words.t(`chariotmaster.${id}`, params);
  /** @type {Map<number, Deeds>} */
  const told = new Map();
  /** @param {number} chariot */
  const of = (chariot) => {
    const known = told.get(chariot) ?? new Deeds();
    told.set(chariot, known);
    return known;
  };
  for (const event of events) {
    if (event.type === "Collided") {
      if (event.initiator < WRECK_OF) of(event.initiator).parts.push(t(event.kind === "ram" ? "brief.rams" : event.kind === "run-through" ? "brief.runs-over" : "brief.collides", { what: words.piece(event.target) }));
      continue;
    }
    if (!("chariot" in event) || event.chariot === null) continue;
    const { chariot } = event;
    if (GRAVE.has(event.type)) of(chariot).grave = true;
    const own = view.chariots[chariot]?.seat === view.seat;
    if (event.type === "Tested" && (own || !event.passed)) of(chariot).parts.push(t(event.passed ? "brief.test.passed" : "brief.test.failed"));
    else if (event.type === "Moved" && own && event.piece === chariot) of(chariot).parts.push(t("brief.moves", { cm: words.cm(event.mm) }));
    else if (event.type === "Drawn") of(chariot).token = event.token;
    else if (event.type === "TurnEnds") of(chariot).mm = event.mm;
    else if (event.type === "Lost") of(chariot).lost.set(event.what, event.left);
    else if (event.type === "Attacked" && event.how !== "ram") of(chariot).parts.push(t("brief.attacks", { what: words.piece(event.target) }));
    else if (event.type === "Crashed") of(chariot).parts.push(t("brief.crashes"));
    else if (event.type === "Crossed") of(chariot).parts.push(t("brief.crosses", { place: event.place }));
    else if (event.type === "Finished" && event.place === 1) of(chariot).parts.push(t("brief.wins"));
  }
  return [...told].flatMap(([chariot, { token, mm, lost, parts, grave }]) => {
    const now = view.chariots[chariot];
    const said = [
      ...(token ? [t("brief.token", { token })] : []),
      ...(mm ? [t("brief.drives", { cm: words.cm(mm) })] : []),
      ...new Set(parts),
      ...Array.from(lost, ([what, left]) => t("brief.lost", { what: words.t(`chariotmaster.points.${what}`), left })),
      ...(grave ? states(now).map((name) => words.t(`chariotmaster.state.${name}`)) : []),
      ...(mm && now.place ? [t("brief.place", { place: now.place })] : []),
    ];
    return said.length ? [t("brief.chariot", { who: words.name(chariot), parts: said.join(", ") })] : [];
  });
}
