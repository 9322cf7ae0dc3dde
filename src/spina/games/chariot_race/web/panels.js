// @ts-check
// The panels of all chariots: condition, speed and fate, the order of the round, and whose turn it is.

import { el, nameTag, shape, svg } from "../../../web/static/js/dom.js";
import { roman } from "./pieces.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").ChariotView} ChariotView */
/** @typedef {"condition" | "speed" | "fate"} Track */

/** @type {Track[]} */
const TRACKS = ["condition", "speed", "fate"];

/** The signs of the tracks, about 24 wide around (0, 0): a shield, a dash, Fortuna's wheel. */
const SIGNS = /** @type {Record<Track, string>} */ ({
  condition: "M0-11 9-8V0C9 6 5 9 0 12C-5 9-9 6-9 0V-8Z",
  speed: "M-11-6H3M-7 0H11M-11 6H3M4-7 11 0 4 7",
  fate: "M0-10.5A10.5 10.5 0 1 1-.1-10.5ZM0-10V10M-10 0H10M-7-7 7 7M7-7-7 7",
});

/** A panel for each chariot: the viewer's own beside the choice, the others in a strip under the board. */
export class Panels {
  /** @param {Host} host @param {Words} words */
  constructor(host, words) {
    this.host = host;
    this.words = words;
    this.order = el("ol", { class: "cr-order", "data-help": "chariot-race.order" });
    this.rivals = el("div", { class: "cr-panels" });
    this.own = el("div", { class: "cr-own" });
    /** @type {Map<number, HTMLElement>} */
    this.cards = new Map();
    /** @type {ChariotView[]} */
    this.chariots = [];
    this.names = "";
    host.panels.replaceChildren(el("div", { class: "cr-side" }, this.order, this.rivals));
    host.own.replaceChildren(this.own);
  }

  /**
   * @param {View} view
   * @param {number | null} looking
   */
  show(view, looking) {
    this.chariots = view.chariots.map((one) => ({ ...one }));
    const names = [looking, ...this.chariots.map((one) => [one.faction, this.words.called(one.chariot)])].join();
    if (this.names !== names) this.#build(looking);
    this.names = names;
    const over = view.over || view.stage === "race over";
    for (const one of this.chariots) this.#refresh(one);
    this.ordered(view.order, view.round);
    this.turn(over ? null : view.chariot);
  }

  /** @param {number | null} looking */
  #build(looking) {
    const bySeat = [...this.chariots].sort((a, b) => a.seat - b.seat || a.chariot - b.chariot);
    this.cards = new Map(bySeat.map((one) => [one.chariot, this.#card(one, one.seat === looking)]));
    const cards = [...this.cards.values()];
    this.own.replaceChildren(...cards.filter((card) => card.classList.contains("mine")));
    this.rivals.replaceChildren(...cards.filter((card) => !card.classList.contains("mine")));
    this.host.own.hidden = looking === null; // a spectator has no chariot: the strip shows all of them
  }

  /** @param {ChariotView} one @param {boolean} mine */
  #card(one, mine) {
    const name = this.words.pairs && mine ? this.words.colour(one.chariot) : this.host.name(one.seat);
    return el(
      "section",
      { class: `panel cr-panel faction-${one.faction}${mine ? " mine" : ""}`, "data-chariot": one.chariot, "data-seat": one.seat, "aria-label": this.words.called(one.chariot) },
      el("header", { class: "cr-head" }, shape(one.faction), nameTag(name, { class: "cr-name" })),
      el("p", { class: "cr-state" }),
      el("span", { class: "cr-place", "data-help": "chariot-race.place" }),
      el("div", { class: "cr-tracks" }, ...TRACKS.map((track) => this.#track(track))),
    );
  }

  /** @param {Track} track */
  #track(track) {
    return el(
      "div",
      { class: `cr-track ${track}`, "data-track": track, role: "meter", "aria-valuemin": 0, "data-help": `chariot-race.${track}` },
      svg("svg", { class: "cr-track-sign", viewBox: "-14 -14 28 28", "aria-hidden": true }, svg("path", { d: SIGNS[track] })),
      el("span", { class: "cr-track-name", text: this.words.t(track) }),
      el("span", { class: "cr-bar" }, el("span", { class: "cr-fill" }), el("span", { class: "cr-then" }), track === "speed" && el("span", { class: "cr-limit" })),
      el("b", { class: "cr-value" }),
    );
  }

  /** @param {ChariotView} one */
  #kind(one) {
    const kinds = this.host.places.kinds;
    return kinds[one.kind ?? "plain"] ?? Object.values(kinds)[0];
  }

  /** @param {ChariotView} one */
  #refresh(one) {
    const card = this.cards.get(one.chariot);
    if (!card) return;
    const { words } = this;
    const laps = this.host.places.figures.laps;
    const kind = this.#kind(one);
    card.classList.toggle("wrecked", one.wrecked);
    card.classList.toggle("finished", one.finished);
    const lap = Math.min(Math.max(one.lap + 1, 0), laps);
    const space = one.name_of_space ?? "";
    const where = one.space === null ? words.t("where.none") : one.wrecked ? space : lap ? words.t("where", { lap: roman(lap), space }) : words.t("where.start", { space });
    const place = card.querySelector(".cr-place");
    if (place) place.textContent = one.space === null ? "" : roman(one.place);
    const state = /** @type {HTMLElement | null} */ (card.querySelector(".cr-state"));
    const facts = [where, one.kind, one.wrecked, one.finished].join();
    if (state && state.dataset.facts !== facts) {
      state.dataset.facts = facts;
      const parts = [el("span", { class: "cr-where", "data-help": "chariot-race.where", text: where })];
      if (one.kind && one.kind !== "plain") parts.push(el("span", { class: "badge", "data-help": `chariot-race.kind`, text: words.character(one.kind) }));
      if (one.wrecked) parts.push(el("span", { class: "badge bad", "data-help": "chariot-race.wreck", text: words.t("state.wrecked") }));
      if (one.finished) parts.push(el("span", { class: "badge good", "data-help": "chariot-race.end", text: words.t("state.finished") }));
      state.replaceChildren(...parts);
    }
    TRACKS.forEach((track, index) => {
      const row = /** @type {HTMLElement | null} */ (card.querySelector(`.cr-track.${track}`));
      if (!row) return;
      const most = Math.max(kind.most[index], one[track], 1);
      const limit = kind.limit[one.condition] ?? most;
      const figures = [one[track], most, track === "speed" && limit].join();
      if (row.dataset.figures === figures) return; // nothing is laid out anew for what has not changed
      row.dataset.figures = figures;
      row.style.setProperty("--most", String(most));
      row.style.setProperty("--share", String(one[track] / most));
      row.setAttribute("aria-valuenow", String(one[track]));
      row.setAttribute("aria-valuemax", String(most));
      row.setAttribute("aria-label", words.t("meter", { track: words.t(track), value: one[track], most }));
      if (track === "condition") row.dataset.level = 2 * one.condition > most ? "sound" : 4 * one.condition > most ? "worn" : "broken";
      if (track === "speed") {
        row.style.setProperty("--limit", String(Math.min(1, limit / most)));
        row.classList.toggle("limited", one.speed > limit);
      }
      const value = row.querySelector(".cr-value");
      if (value) value.textContent = String(one[track]);
    });
  }

  /**
   * Some values of a chariot have changed.
   * @param {number} chariot
   * @param {Partial<ChariotView>} values
   */
  change(chariot, values) {
    const one = this.chariots[chariot];
    if (!one) return;
    const card = this.cards.get(chariot);
    for (const track of TRACKS) {
      if (track in values && values[track] !== one[track] && !this.host.motion.still()) {
        const number = card?.querySelector(`.cr-track.${track} .cr-value`);
        if (number) void this.host.motion.play(number, [{ transform: "scale(1.7)" }, { transform: "scale(1)" }], 450, "ease-out");
      }
    }
    Object.assign(one, values);
    this.#refresh(one);
  }

  /**
   * Shows what would be left of some values; nothing: no longer.
   * @param {number | null} chariot
   * @param {Partial<Record<Track, number>>} [then]
   */
  foresee(chariot, then = {}) {
    for (const [number, card] of this.cards) {
      TRACKS.forEach((track, index) => {
        const row = /** @type {HTMLElement | null} */ (card.querySelector(`.cr-track.${track}`));
        if (!row) return;
        const one = this.chariots[number];
        const value = number === chariot ? then[track] : undefined;
        if (value === undefined && !row.classList.contains("foreseen")) return;
        row.classList.toggle("foreseen", value !== undefined && value !== one[track]);
        row.classList.toggle("rising", value !== undefined && value > one[track]);
        const most = Math.max(this.#kind(one).most[index], one[track], 1);
        row.style.setProperty("--then", String((value ?? one[track]) / most));
        const text = row.querySelector(".cr-value");
        if (text) text.textContent = value !== undefined && value !== one[track] ? `${one[track]} → ${value}` : String(one[track]);
      });
    }
  }

  /** @param {number | null} chariot */
  turn(chariot) {
    for (const [number, card] of this.cards) {
      card.classList.toggle("turn", number === chariot);
      if (number === chariot) card.setAttribute("aria-current", "true");
      else card.removeAttribute("aria-current");
    }
    const items = [...this.order.querySelectorAll("li")];
    const at = items.findIndex((item) => item.dataset.chariot === String(chariot));
    items.forEach((item, index) => {
      item.classList.toggle("now", index === at);
      item.classList.toggle("done", at >= 0 && index > 0 && index < at);
      if (index === at) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    });
  }

  /** @param {number[]} order @param {number} round */
  ordered(order, round) {
    const head = el("li", { class: "cr-round", text: round ? this.words.t("round", { round }) : this.words.t("draft") });
    const wrecked = new Set(this.chariots.filter((one) => one.wrecked).map((one) => one.chariot));
    const rest = order.map((chariot) =>
      el("li", { "data-chariot": chariot, class: wrecked.has(chariot) ? "out" : "" }, shape(this.words.faction(chariot), this.words.called(chariot))),
    );
    this.order.replaceChildren(head, ...rest);
  }

  /** @param {number[]} chariots */
  light(chariots) {
    for (const [number, card] of this.cards) card.classList.toggle("spoken", chariots.includes(number));
  }
}
