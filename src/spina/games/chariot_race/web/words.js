// @ts-check
// Chariot Race in words: lines of the log, and what a choice comes to.

import { SIDES } from "./dice.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").GameEvent} GameEvent */
/** @typedef {import("../../../web/static/js/types.js").Line} Line */
/** @typedef {import("../../../web/static/js/types.js").Params} Params */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").Path} Path */
/** @typedef {{text: string, tone: "bad" | "good" | "plain"}} Part */

/** Everything that is said about one race. */
export class Words {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.pairs = Boolean(host.options.pairs);
    this.chariots = host.seats * (this.pairs ? 2 : 1);
    /** @type {{name: string, lane: number, safe: number}[]} */
    this.spaces = host.places.spaces;
    this.numbers = new Map(this.spaces.map((space, index) => [space.name, index]));
    /** Whose colour each chariot has: an individual one that of its board (R23). @type {number[]} */
    this.factions = [];
    /** Wrecks that have been told of: at the end nothing more is said about them. @type {Set<number>} */
    this.wrecks = new Set();
  }

  /** @param {string} id @param {Params} [params] */
  t(id, params) {
    return this.host.t(`chariot-race.${id}`, params);
  }

  /** The seat that drives a chariot. @param {number} chariot */
  seat(chariot) {
    return chariot % this.host.seats;
  }

  /** Takes down which colours the chariots have. @param {View} view */
  see(view) {
    this.factions = view.chariots.map((one) => one.faction);
  }

  /** Whose colour a chariot has. @param {number} chariot */
  faction(chariot) {
    return this.factions[chariot] ?? chariot;
  }

  /** @param {number} chariot */
  colour(chariot) {
    return this.host.t(`faction.${this.faction(chariot)}`);
  }

  /** A chariot by its driver, with its colour where a seat has two. @param {number} chariot */
  called(chariot) {
    const name = this.host.name(this.seat(chariot));
    return this.pairs ? this.t("called", { name, colour: this.colour(chariot) }) : name;
  }

  /** @param {string} side */
  side(side) {
    return this.t(`side.${SIDES[side]}`);
  }

  /** Dice in words, those that show the same together. @param {string[]} dice */
  dice(dice) {
    const counts = new Map();
    for (const side of dice) counts.set(side, (counts.get(side) ?? 0) + 1);
    return [...counts].map(([side, count]) => (count > 1 ? `${count} × ${this.side(side)}` : this.side(side))).join(", ");
  }

  /** The name of an individual chariot; characters of other editions go by their own word. @param {string} character */
  character(character) {
    return KNOWN.has(character) ? this.t(`character.${character}`) : character;
  }

  // --- what something would come to

  /**
   * The parts of what a path costs, each by itself.
   * @param {Path} way
   * @returns {Part[]}
   */
  parts(way) {
    /** @type {Part[]} */
    const found = [];
    const bad = (/** @type {string} */ id, /** @type {Params} */ params) => found.push({ text: this.t(id, params), tone: "bad" });
    if (way.sprint) bad("part.sprint", { damage: way.sprint });
    for (const { space, safe, damage } of way.corners) bad("part.corner", { space: this.spaces[space].name, speed: way.speed, safe, damage });
    const each = way.rams.length ? way.ram / way.rams.length : 0;
    for (const { chariot, condition } of way.rams) {
      const id = way.wrecks.includes(chariot) ? "part.ram-wrecks" : "part.ram";
      bad(id, { chariot: this.called(chariot), damage: each, condition });
    }
    for (const space of way.caltrops) bad("part.caltrop", { space: this.spaces[space].name, damage: this.host.places.figures.caltrop_damage });
    if (way.heap) bad("part.heap", {});
    if (way.put_back && !way.wrecked) found.push({ text: this.t("part.put-back", { space: this.spaces[way.end].name }), tone: "plain" });
    if (way.finished && !way.wrecked) found.push({ text: this.t("part.finished"), tone: "good" });
    return found;
  }

  /** Damage as a figure: −2, or 0. @param {{damage: number}} way */
  loss(way) {
    return way.damage ? `−${way.damage}` : "0";
  }

  /** An end of the move in a few words. @param {Path} way @param {number} before */
  summary(way, before) {
    const space = this.spaces[way.end].name;
    if (way.wrecked) return this.t("end.wrecked", { space });
    return this.t("end.summary", { space, place: way.place, damage: way.damage, before, condition: way.condition });
  }

  // --- the log

  /**
   * @param {GameEvent} event
   * @returns {Line | null}
   */
  line(event) {
    if (event.type === "Wrecked") this.wrecks.add(event.chariot);
    const make = /** @type {(event: GameEvent, words: Words) => Said | null} */ (LINES[event.type]);
    const said = make?.(event, this);
    if (!said) return null;
    const { id, params = {}, tone, spaces = [], chariots = [] } = said;
    const own = "chariot" in event ? [event.chariot] : [];
    const place = "space" in event ? [event.space] : [];
    return {
      id: `chariot-race.log.${id}`,
      params: { ...(own.length ? { chariot: this.called(own[0]) } : {}), ...params },
      targets: { chariots: [...own, ...chariots], spaces: [...place, ...spaces] },
      tone,
    };
  }

  // --- a choice in a few words

  /** @param {string} action in notation @param {View | null} view */
  action(action, view) {
    const [word, ...rest] = action.split(" ");
    const last = rest.at(-1) ?? "";
    switch (word) {
      case "draft":
        return this.t("hint.draft", { character: this.character(last) });
      case "start":
        return this.t("hint.start", { space: last });
      case "re-roll": {
        const dice = view ? rest.map((die) => view.dice[Number(die) - 1]) : [];
        const words = dice.length && dice.every(Boolean) ? this.dice(dice) : rest.join(", ");
        return this.t("hint.re-roll", { count: rest.length, dice: words });
      }
      case "turn":
        return this.t("hint.turn", { die: rest[0], side: this.side(last) });
      case "plus":
        return this.t("hint.plus", { count: Number(last) });
      case "javelin":
        return this.t("hint.javelin", { chariot: this.host.t(`faction.${FACTIONS.indexOf(last)}`) });
      case "caltrop":
        return this.t("hint.caltrop", { space: last });
      default:
        return PLAIN.has(action) ? this.t(`hint.${action.replaceAll(" ", "-")}`) : action;
    }
  }
}

export const FACTIONS = ["red", "white", "blue", "green", "purple", "gold"];
const PLAIN = new Set(["repair", "no repair", "keep", "ahead", "inward", "outward", "no attack"]);

/** The characters of the reference edition, which have words in every language. */
export const KNOWN = new Set(["plain", "heavy", "lucky", "steady", "light", "wild", "sprinter"]);

/** @typedef {{id: string, params?: Params, tone?: Line["tone"], spaces?: string[], chariots?: number[]}} Said */

/** @type {{[Type in GameEvent["type"]]: (event: Extract<GameEvent, {type: Type}>, words: Words) => Said | null}} */
const LINES = {
  Drafted: (e, w) => ({ id: "drafted", params: { character: w.character(e.character) } }),
  Placed: (e) => ({ id: "placed", params: { space: e.space } }),
  Round: (e) => ({ id: "round", params: { round: e.number }, tone: "turn" }),
  Ordered: (e, w) => ({ id: "order", params: { order: e.chariots.map((c) => w.called(c)).join(", ") }, tone: "quiet", chariots: e.chariots }),
  Turn: () => null,
  Repaired: (e) => ({ id: "repaired", params: { gained: e.gained, condition: e.condition, fate: e.fate } }),
  HeldBack: (e) => ({ id: "held-back", params: { speed: e.speed } }),
  Rolled: (e, w) => ({ id: `rolled.${e.roll}`, params: { dice: w.dice(e.dice) }, tone: "quiet" }),
  Turned: (e, w) => ({ id: "turned", params: { before: w.side(e.before), side: w.side(e.side), fate: e.fate } }),
  Blessed: (e) => ({ id: "blessed", params: { fate: e.fate, count: e.dice }, tone: "quiet" }),
  Sped: (e, w) => {
    const parts = [];
    if (e.changes) parts.push(w.t("log.sped.signs", { change: signed(2 * e.plus - e.changes), count: e.changes }));
    if (e.sprints) parts.push(w.t("log.sped.sprints", { count: e.sprints, condition: e.condition }));
    const params = { speed: e.speed, parts: parts.join("; ") };
    return { id: parts.length ? "sped.parts" : "sped", params };
  },
  Stepped: (e) => (e.way === "ahead" ? null : { id: `stepped.${e.way}`, params: { space: e.space }, tone: "quiet" }),
  Cornered: (e) => ({ id: "cornered", params: { safe: e.safe_speed, damage: e.damage, condition: e.condition }, tone: "grave" }),
  Rammed: (e, w) => ({
    id: "rammed",
    params: { rammed: w.called(e.rammed), condition: e.condition, other: e.rammed_condition },
    tone: "grave",
    chariots: [e.rammed],
  }),
  Spiked: (e) => ({ id: "spiked", params: { space: e.space, condition: e.condition }, tone: "grave" }),
  PutBack: (e) => ({ id: "put-back", params: { space: e.space } }),
  Crashed: (e) => ({ id: "crashed", params: { space: e.space }, tone: "grave" }),
  Wrecked: (e) => ({ id: "wrecked", params: { space: e.space }, tone: "grave" }),
  Line: (e, w) => (e.laps < 1 ? null : { id: e.laps >= w.host.places.figures.laps ? "home" : "lap", params: { laps: e.laps }, tone: "grand" }),
  JavelinThrown: (e, w) => ({ id: "javelin", params: { target: w.called(e.target), condition: e.condition }, tone: "grave", chariots: [e.target] }),
  CaltropDropped: (e) => ({ id: "caltrop", params: { space: e.space } }),
  Finished: (e, w) => {
    if (w.wrecks.size === w.chariots) return e.chariot === 0 ? { id: "nobody", tone: "grand" } : null;
    if (w.wrecks.has(e.chariot)) return null;
    return { id: e.place === 1 ? "won" : "place", params: { place: e.place }, tone: e.place === 1 ? "grand" : undefined };
  },
};

/** @param {number} value */
export const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "±0");
