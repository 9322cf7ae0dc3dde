// @ts-check
// Charioteer in words: sums with every part named, and lines of the log.

import { el } from "../../../web/static/js/dom.js";
import { cardWords, signMark, symbolInline, symbolWords, tokenWords } from "./cards.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("../../../web/static/js/types.js").Line} Line */
/** @typedef {import("./types.d.ts").GameEvent} GameEvent */
/** @typedef {import("./types.d.ts").Counted} Counted */
/** @typedef {import("./types.d.ts").Breakdown} Breakdown */
/** @typedef {Pick<Breakdown & Counted, "symbols" | "number" | "token" | "skill" | "damage" | "points">} Sum */

/** @param {Sum} of @returns {[string, string, number][]} operator, name, amount */
function terms(of) {
  /** @type {[string, string, number][]} */
  const found = [["", "symbols", of.symbols], ["+", "number", of.number]];
  if (of.token) found.push(["+", "token", of.token]);
  if (of.skill) found.push(["+", "skill", of.skill]);
  if (of.damage) found.push(["−", "damage", of.damage]);
  return found;
}

/** The sum of a move in a line. @param {Host} host @param {Sum} of */
export function sumWords(host, of) {
  return `${sumSteps(host, of).at(-1)?.words} = ${of.points}`;
}

/** The sum of a move as it is counted up: with every part, the words so far and what they come to. @param {Host} host @param {Sum} of */
export function sumSteps(host, of) {
  let words = "";
  let value = 0;
  const steps = terms(of).map(([operator, name, amount]) => {
    words = `${words} ${operator} ${host.t(`charioteer.sum.${name}`, { count: amount })}`.replaceAll("  ", " ").trim();
    value += operator === "−" ? -amount : amount;
    return { words, value };
  });
  steps[steps.length - 1].value = of.points; // no move goes backwards
  return steps;
}

/** What a choice comes to, part by part. @param {Host} host @param {Breakdown} breakdown */
export function sumParts(host, breakdown) {
  const reset = breakdown.choice.startsWith("reset");
  const effects = consequences(host, breakdown);
  if (reset) {
    return [el("p", { class: "cx-hint", "data-help": "charioteer.reset", text: host.t("charioteer.sum.reset") }), el("div", { class: "cx-effects-row" }, ...effects)];
  }
  const parts = terms(breakdown).map(([operator, name, amount]) =>
    el(
      "span",
      { class: `cx-part is-${name}`, "data-help": `charioteer.sum.${name}` },
      operator ? el("i", { class: "cx-operator", text: operator }) : null,
      el("b", { text: amount }),
      el("small", { text: host.t(`charioteer.part.${name}`, { count: amount }) }),
    ),
  );
  const total = el(
    "span",
    { class: "cx-part is-total", "data-help": "charioteer.length" },
    el("i", { class: "cx-operator", text: "=" }),
    el("b", { text: breakdown.points }),
    el("small", { text: host.t("charioteer.part.total", { count: breakdown.points }) }),
  );
  return [el("div", { class: "cx-terms" }, ...parts, total), el("div", { class: "cx-effects-row" }, ...effects)];
}

/** @param {Host} host @param {Breakdown} b */
function consequences(host, b) {
  /** @param {string} help @param {string} sign @param {string | Node} words @param {string} [tone] */
  const effect = (help, sign, words, tone = "") =>
    el("span", { class: `badge cx-effect ${tone}`, "data-help": `charioteer.${help}` }, signMark(sign, "currentColor"), words);
  const found = [];
  if (b.recovered) found.push(effect("recovery", "recovery", host.t("charioteer.effect.recovers", { count: b.recovered }), "good"));
  if (b.passes.length) {
    const rivals = el("span", { class: "cx-rivals" }, ...[...new Set(b.passes)].map((rival) => host.badge(rival, false)));
    const words = el("span", { class: "cx-inline" }, host.t("charioteer.effect.passes"), rivals);
    found.push(effect("passing", "sprint", words));
  }
  if (b.attack) found.push(effect("attack", "attack", host.t("charioteer.effect.attacks", { count: b.attack }), "lit"));
  if (b.shielded) found.push(effect("icon.shield", "shield", host.t("charioteer.effect.shielded"), "good"));
  if (b.whips) {
    const ended = (b.whip_ended ?? "spent").replace(" ", "-");
    const words = b.whip_spaces ? host.t("charioteer.effect.whips", { count: b.whip_spaces }) : host.t(`charioteer.effect.whip.${ended}`);
    found.push(effect("icon.whip", "whip", words));
  }
  if (b.learns.length) {
    const [colour, , bonus] = b.learns[b.learns.length - 1];
    const words = host.t("charioteer.effect.learns", { colour: host.t(`charioteer.colour.${colour}`), count: b.learns.length, bonus });
    found.push(effect(`skill.${colour}`, "learning", words));
  }
  if (b.fan_token) found.push(effect("fan-token", "fan", host.t("charioteer.effect.fan"), "lit"));
  return found;
}

// --- the log --------------------------------------------------------------------------------------------------------

/** @param {Host} host @param {GameEvent} e @returns {Line | null} */
export function lineOf(host, e) {
  const t = host.t;
  const name = "seat" in e ? host.badge(e.seat, true) : "";
  /** @type {import("../../../web/static/js/types.js").Targets} */
  const targets = "seat" in e ? { seats: [e.seat], chariots: [e.seat] } : {};
  /** @param {string} id @param {import("../../../web/static/js/types.js").Params} [params] @param {Line["tone"]} [tone] @returns {Line} */
  const line = (id, params = {}, tone) => ({ id: `charioteer.log.${id}`, params: { name, ...params }, targets, ...(tone ? { tone } : {}) });

  switch (e.type) {
    case "Turn":
      return line("turn", { turn: e.turn }, "turn");
    case "Emperor":
      return line(`emperor.${e.face}`, {}, "quiet");
    case "CrowdMoved":
      return line("crowd", { card: cardWords(host, e.cards[0] ?? "") }, "quiet");
    case "Revealed": {
      const extras = [];
      if (e.crowd) extras.push(t("charioteer.log.extra.crowd"));
      if (e.token) extras.push(t("charioteer.log.extra.token", { token: tokenWords(host, e.token) }));
      if (e.discards) extras.push(t("charioteer.log.extra.discards", { count: e.discards }));
      const more = extras.length ? ` · ${extras.join(" · ")}` : "";
      if (e.symbol === "reset") return line("resets", { count: e.cards.length, more });
      return line("plays", { symbol: symbolInline(host, e.symbol), count: e.cards.length, more });
    }
    case "Buried":
      return line("buried", { cards: e.cards.map((card) => cardWords(host, card)).join("; ") }, "quiet");
    case "Ordered": {
      const order = el("span", {},
        el("span", { class: "cx-rivals", "aria-hidden": true }, ...e.seats.map((seat) => host.badge(seat, false))),
        el("span", { class: "unseen", text: e.seats.map((seat) => host.name(seat)).join(", ") }),
      );
      return { ...line("order", { order }, "quiet"), targets: { seats: e.seats } };
    }
    case "Shielded":
      return line(e.cubes ? "shield" : "shield.idle", { count: e.cubes }, e.cubes ? undefined : "quiet");
    case "Calmed":
      return line("calmed", { count: e.damage + e.attack });
    case "Recovered":
      return line("recovered", { count: e.cubes, left: e.left });
    case "Counted":
      return line("counted", { count: e.points, sum: sumWords(host, e) });
    case "Attacked":
      return line("attacked", { count: e.cubes, cards: e.cards }, "grave");
    case "Cube":
      return e.by === null ? line("cube.emperor", { box: e.box }, "quiet") : null; // the attack has been told
    case "Passed": {
      const both = { seats: [e.seat, e.rival], chariots: [e.seat, e.rival] };
      return { ...line(e.skipped ? "skipped" : "passed", { rival: host.badge(e.rival, true) }), targets: both };
    }
    case "Whipped":
      return e.spaces ? line("whip", { count: e.spaces }) : line(`whip.${e.ended.replace(" ", "-")}`, {}, "quiet");
    case "Learned": {
      const colour = t(`charioteer.colour.${e.colour}`);
      const was = host.places.skill_bonuses[e.before];
      if (e.bonus > 1) return line("boxed", { colour, bonus: e.bonus }, "grand");
      return line(e.bonus === was ? "learned" : "skilled", { colour, bonus: e.bonus, step: e.place + 1 }, e.bonus === was ? "quiet" : undefined);
    }
    case "FanToken":
      if (e.empty) return line("fan.empty", {}, "quiet");
      return e.token ? line("fan.own", { token: tokenWords(host, e.token) }) : line("fan");
    case "Lap":
      return line(e.lap >= host.places.laps ? "lap.last" : "lap", { lap: e.lap }, "grand");
    case "Suffered":
      return line("suffered", { count: e.cubes, damage: e.damage }, "grave");
    case "Drew":
      return e.cards.length ? line("drew", { cards: e.cards.map((card) => cardWords(host, card)).join("; ") }, "quiet") : null;
    case "Shuffled":
      return line(`shuffled.${e.what}`, { count: e.size }, "quiet");
    case "Finished":
      return e.place === 1 ? line("won", {}, "grand") : line("finished", { place: e.place });
    default:
      return null; // every step and every choice would drown the rest: the board shows them
  }
}

/**
 * A choice as its notation says it.
 * @typedef {object} Played
 * @property {string} symbol such as "red-5", or "reset"
 * @property {string[]} cards slots of the hand
 * @property {boolean} crowd
 * @property {string | null} token
 * @property {string | null} wild the slot that a wild token changes
 * @property {string | null} discardToken
 * @property {string[]} discards slots of the hand
 */

/** @param {string} action a whole choice in notation @returns {Played | null} null: it is none */
export function readAction(action) {
  const found = /^([a-z]+(?:-[^:]+)?): ([a-h ]+?)( \+ crowd)?((?:, .+)?)$/.exec(action);
  if (!found) return null;
  const [, symbol, cards, crowd, rest] = found;
  /** @type {Played} */
  const played = { symbol, cards: cards.split(" "), crowd: Boolean(crowd), token: null, wild: null, discardToken: null, discards: [] };
  for (const extra of rest.split(", ").slice(1)) {
    const token = /^token (.+?)(?: on ([a-h]))?$/.exec(extra);
    const away = /^(.+?)((?: [a-h])+)$/.exec(extra);
    if (token) Object.assign(played, { token: token[1], wild: token[2] ?? null });
    else if (away) Object.assign(played, { discardToken: away[1], discards: away[2].trim().split(" ") });
  }
  return played;
}

/** A choice in notation, in a few words. @param {Host} host @param {string} action */
export function actionWords(host, action) {
  const played = readAction(action);
  if (!played) return action;
  const { symbol, cards, token, discards } = played;
  const id = symbol === "reset" ? "charioteer.hint.reset" : "charioteer.hint.move";
  const parts = [host.t(id, { count: cards.length, symbol: symbolWords(host, symbol) })];
  if (played.crowd) parts.push(host.t("charioteer.log.extra.crowd"));
  if (token) parts.push(host.t("charioteer.log.extra.token", { token: tokenWords(host, token) }));
  if (discards.length) parts.push(host.t("charioteer.log.extra.discards", { count: discards.length }));
  return parts.join(" · ");
}
