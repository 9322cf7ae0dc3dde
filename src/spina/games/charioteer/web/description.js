// @ts-check
// The whole race in words: every chariot with all that lies open, one's own cards and tokens, the piles, and the corners.

import { cardWords, symbolWords, tokenWords } from "./cards.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").ChariotView} ChariotView */

/** @param {Host} host @param {View} view @returns {string[]} */
export function describe(host, view) {
  const t = (/** @type {string} */ id, /** @type {import("../../../web/static/js/types.js").Params} */ params = {}) => host.t(`charioteer.${id}`, params);
  const lines = [
    t("text.turn", { turn: view.turn, wish: host.t(`charioteer.wish.${view.emperor}`) }),
    t("text.crowd", { now: cardWords(host, view.crowd[0]), next: cardWords(host, view.crowd[1]), after: cardWords(host, view.crowd[2]) }),
    t("text.first", { name: host.name(view.first_seat) }),
  ];
  const ranked = [...view.chariots].sort((a, b) => a.place - b.place);
  for (const chariot of ranked) lines.push(chariotWords(host, chariot));
  if (view.hand) {
    for (const [slot, card] of Object.entries(view.hand)) lines.push(host.t("charioteer.card.label", { slot, card: cardWords(host, card) }));
    lines.push(t("text.tokens", { tokens: tokenList(host, view.tokens ?? {}) }));
  }
  const { choice } = view;
  if (choice?.stage === "ready") {
    lines.push(t("text.chosen", { symbol: symbolWords(host, choice.symbol ?? ""), cards: [...choice.cards].join(" ") || "–" }));
    if (choice.crowd) lines.push(t("text.chosen.crowd"));
    if (choice.token) lines.push(t("text.chosen.token", { token: tokenWords(host, choice.token) }));
    if (choice.discards || choice.discard_token) {
      const away = [...choice.discards, ...(choice.discard_token ? [tokenWords(host, choice.discard_token)] : [])];
      lines.push(t("text.chosen.discards", { cards: away.join(", ") }));
    }
  }
  const { open, own, hidden } = view.discards;
  const list = (/** @type {string[]} */ cards) => cards.map((card) => cardWords(host, card)).join("; ") || "–";
  lines.push(t("text.piles", { deck: view.deck, bag: view.bag, hidden, open: list(open), own: list(own) }), t("text.spent", { tokens: tokenList(host, view.spent_tokens) }), course(host));
  return lines;
}

/** @param {Host} host @param {{[name: string]: number}} tokens */
function tokenList(host, tokens) {
  return Object.entries(tokens).map(([name, count]) => (count > 1 ? `${tokenWords(host, name)} ×${count}` : tokenWords(host, name))).join(", ") || "–";
}

/** @param {Host} host @param {ChariotView} chariot */
function chariotWords(host, chariot) {
  const { laps, spaces, skill_bonuses } = host.places;
  const { t } = host;
  const id = chariot.progress >= laps * spaces.length ? "finished" : chariot.progress < 0 ? "starting" : "chariot";
  const skills = Object.entries(chariot.skills).map(([colour, { place, bonus }]) =>
    t("charioteer.text.skill", { colour: t(`charioteer.colour.${colour}`), bonus, step: place, steps: skill_bonuses.length - 1 }));
  const line = t(`charioteer.text.${id}`, {
    place: chariot.place,
    name: host.name(chariot.seat),
    lap: chariot.lap,
    laps,
    space: chariot.space,
    lane: chariot.lane + 1,
    kind: t(`charioteer.text.${spaces[chariot.space].outer ? "outer" : "regular"}`),
    damage: chariot.damage,
    attack: chariot.attack,
    cards: chariot.cards,
    tokens: tokenList(host, chariot.player_tokens),
    fans: chariot.fan_tokens,
    skills: skills.join(", "),
    left: laps * spaces.length - chariot.progress,
  });
  return chariot.ready ? `${line} ${t("charioteer.text.ready")}` : line;
}

/** How long a lap is, and where its outer spaces are. @param {Host} host */
function course(host) {
  const { spaces, laps } = host.places;
  const outer = spaces.flatMap((space, index) => (space.outer ? [index] : []));
  /** @type {[number, number][]} */
  const runs = [];
  for (const index of outer) {
    const last = runs.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else runs.push([index, index]);
  }
  const list = runs.map(([from, to]) => (from === to ? String(from) : host.t("charioteer.text.range", { from, to })));
  return host.t("charioteer.text.course", { count: spaces.length, last: spaces.length - 1, laps, outer: list.join(", ") || "–" });
}
