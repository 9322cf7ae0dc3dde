// @ts-check
// The whole race in words: every chariot with all that its board shows, the corners with their safe speeds, and where the
// spaces lie beside each other.

/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").ChariotView} ChariotView */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("../../../web/static/js/types.js").Params} Params */

const AHEAD = 0;
/** Where steps lead, in the order of `places.next`. */
const WAYS = ["ahead", "inward", "outward"];

export class Description {
  /** @param {Words} words */
  constructor(words) {
    this.words = words;
    this.places = words.host.places;
  }

  /** @param {string} id @param {Params} [params] */
  t(id, params) {
    return this.words.t(id, params);
  }

  /** @param {number} space */
  name(space) {
    return this.places.spaces[space].name;
  }

  /** @param {View} view @returns {string[]} */
  lines(view) {
    const { words } = this;
    const over = view.over || view.stage === "race over";
    const lines = [view.round ? this.t("text.round", { round: view.round }) : this.t("text.draft")];
    if (!over) {
      lines.push(this.t("text.turn", { chariot: words.called(view.chariot), stage: words.t(`stage.${view.stage.replaceAll(" ", "-")}`) }));
      if (view.order.length) lines.push(this.t("text.order", { order: view.order.map((chariot) => words.called(chariot)).join(", ") }));
      if (view.dice.length) lines.push(this.t("text.dice", { dice: words.dice(view.dice) }));
      if (view.points || view.steers || view.attacks) lines.push(this.t("text.left", { points: view.points, steers: view.steers, attacks: view.attacks }));
    }
    const ranked = [...view.chariots].sort((a, b) => a.place - b.place || a.chariot - b.chariot);
    const own = ranked.filter(({ seat }) => seat === view.seat);
    const from = (own.length ? own : ranked)[0];
    for (const one of ranked) lines.push(this.#chariot(one, from));
    const names = (/** @type {number[]} */ spaces) => spaces.map((space) => this.name(space)).join(", ");
    if (view.caltrops.length) lines.push(this.t("text.caltrops", { spaces: names(view.caltrops) }));
    lines.push(this.t("text.supply", { count: view.supply }));
    if (view.heaps.length) lines.push(this.t("text.heaps", { spaces: names(view.heaps) }));
    lines.push(...this.#course());
    return lines;
  }

  /**
   * @param {ChariotView} one
   * @param {ChariotView} from the chariot that distances are counted from
   */
  #chariot(one, from) {
    const { words } = this;
    const { figures, kinds } = this.places;
    const params = {
      chariot: words.host.name(one.seat), colour: words.host.t(`faction.${one.faction}`), place: one.place, space: one.name_of_space ?? "–",
      condition: one.condition, speed: one.speed, fate: one.fate, lap: Math.min(Math.max(one.lap + 1, 0), figures.laps), laps: figures.laps,
    };
    const id = one.wrecked ? "text.wrecked" : one.space === null ? "text.unplaced" : one.finished ? "text.finished" : "text.chariot";
    const parts = [this.t(id, params)];
    const kind = one.kind === null ? null : kinds[one.kind];
    if (kind && one.kind !== "plain") parts.push(this.t("text.kind", { character: words.character(one.kind ?? "") }));
    if (one.wrecked || one.finished) return parts.join(" ");
    if (kind) parts.push(this.t("text.board", { dice: kind.dice[one.speed] ?? 0, most: kind.limit[one.condition] ?? 0, condition: kind.most[0], speed: kind.most[1], fate: kind.most[2] }));
    if (one.space === null) return parts.join(" ");
    if (one.chariot !== from.chariot && from.space !== null && !from.wrecked) parts.push(this.#gap(one, from));
    parts.push(this.#corner(one.space), this.t("text.next", { ways: this.#ways(one.space) }));
    return parts.join(" ");
  }

  /** How far one chariot is before or behind another, in spaces of the middle lane. @param {ChariotView} one @param {ChariotView} from */
  #gap(one, from) {
    const { spaces, lanes, figures } = this.places;
    const middle = spaces.filter(({ lane }) => lane === Math.floor(lanes / 2)).length;
    const count = ((one.distance - from.distance) * middle) / figures.length;
    const language = document.documentElement.lang || "en";
    const params = { count: new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(Math.abs(count)), chariot: this.words.called(from.chariot) };
    return this.t(count > 0 ? "text.ahead-of" : count < 0 ? "text.behind" : "text.beside", params);
  }

  /** The next corner straight ahead. @param {number} space */
  #corner(space) {
    const { next, spaces } = this.places;
    let at = space;
    for (let steps = 1; steps <= spaces.length; steps++) {
      at = next[at][AHEAD] ?? at;
      if (spaces[at].safe) return this.t("text.corner", { space: this.name(at), safe: spaces[at].safe, count: steps });
    }
    return this.t("text.no-corner");
  }

  /** @param {number} space */
  #ways(space) {
    const ways = this.places.next[space].map((to, way) => (to === null ? "" : this.t(`text.way.${WAYS[way]}`, { space: this.name(to) })));
    return ways.filter(Boolean).join(", ");
  }

  /** The course: lanes, starting spaces and corners. */
  #course() {
    const { spaces, lanes, grid } = this.places;
    const lines = [];
    for (let lane = 0; lane < lanes; lane++) {
      const own = spaces.filter((space) => space.lane === lane);
      const corners = own.filter(({ safe }) => safe).map(({ name, safe }) => this.t("text.lane.corner", { space: name, safe }));
      lines.push(this.t("text.lane", { first: own[0].name, last: own.at(-1)?.name ?? "", count: own.length, corners: corners.join(", ") || "–" }));
    }
    lines.push(this.t("text.grid", { spaces: grid.map((space) => this.name(space)).join(", ") }));
    return lines;
  }
}
