// @ts-check
// What can be chosen in Chariot Race, stage by stage. Everything shown comes from the server's offer.

import { el, shape } from "../../../web/static/js/dom.js";
import { number } from "../../../web/static/js/keys.js";
import { rove } from "../../../web/static/js/roving.js";
import { attacks } from "./attacks.js";
import { die } from "./dice.js";
import { Draft, start } from "./draft.js";
import { Paths } from "./paths.js";
import { Reroll } from "./reroll.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./panels.js").Panels} Panels */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").Offer} Offer */
/** @typedef {import("./types.d.ts").SignsOffer} SignsOffer */

const WAYS = ["inward", "ahead", "outward"];
const ARROWS = /** @type {Record<string, string>} */ ({ inward: "ArrowLeft", ahead: "ArrowUp", outward: "ArrowRight" });
/** As the arrow keys lie. @param {HTMLElement} a @param {HTMLElement} b */
const byWay = (a, b) => WAYS.indexOf(a.dataset.action ?? "") - WAYS.indexOf(b.dataset.action ?? "");

/** The place where the page asks. */
export class Choice {
  /** @param {Host} host @param {Words} words @param {Board} board @param {Panels} panels */
  constructor(host, words, board, panels) {
    this.host = host;
    this.words = words;
    this.board = board;
    this.panels = panels;
    this.paths = new Paths(this);
    /** @type {Offer | null} */
    this.offer = null;
    /** @type {View | null} */
    this.view = null;
    /** The dice that may be rolled again, while they may. @type {Reroll | null} */
    this.reroll = null;
    this.busy = false;
    /** Whether a first race has been told what matters. */
    this.introduced = false;
    /** What decides: it stands under the question and is always in view. */
    this.foot = el("footer");
  }

  /** @param {string} id @param {import("../../../web/static/js/types.js").Params} [params] */
  t(id, params) {
    return this.words.t(id, params);
  }

  /** The chariot that is asked. */
  get own() {
    return this.race.chariots[this.asked.chariot];
  }

  /** The offer, while something is asked. */
  get asked() {
    return /** @type {Offer} */ (this.offer);
  }

  /** The view, while something is asked. */
  get race() {
    return /** @type {View} */ (this.view);
  }

  /**
   * @param {Offer} offer
   * @param {View} view
   */
  show(offer, view) {
    this.clear();
    this.offer = offer;
    this.view = view;
    this.busy = false;
    if (!offer || !offer.actions?.length) return;
    if (this.host.first && !this.introduced && view.round <= 1) return this.#introduce();
    const stage = offer.stage.replaceAll(" ", "-");
    this.foot = el("footer", { class: "cr-foot" });
    const build = /** @type {Record<string, () => (Node | null)[]>} */ ({
      draft: () => new Draft(this).build(),
      "starting-space": () => start(this),
      repair: () => this.#repair(),
      "free-re-roll": () => this.#dice(),
      fortune: () => this.#dice(),
      signs: () => this.#signs(),
      path: () => this.#path(),
      attack: () => attacks(this),
    })[stage];
    const body = build ? build() : this.#plain();
    const heading = el("h2", { class: "cr-question", "data-help": `chariot-race.stage.${stage}` }, shape(this.words.faction(offer.chariot), this.words.colour(offer.chariot)), this.t(`ask.${stage}`));
    const hint = this.host.first ? el("p", { class: "notice small", text: this.t(`first.${stage}`) }) : null;
    this.#ask(stage, [heading, hint, el("div", { class: "cr-part" }, ...body), this.foot]);
  }

  /** Puts a question into its place. @param {string} stage @param {(Node | null)[]} parts */
  #ask(stage, parts) {
    this.host.choice.replaceChildren(el("div", { class: `cr-choice cr-at-${stage}` }, ...parts));
  }

  /** Before the first question of a first race: what it is about. */
  #introduce() {
    const { figures } = this.host.places;
    const points = ["aim", "bends", "braking", "dice"].map((point) => el("li", null, el("b", { text: this.t(`intro.${point}.title`) }), " ", this.t(`intro.${point}`, { laps: figures.laps })));
    const on = () => {
      this.introduced = true;
      if (this.offer && this.view) this.show(this.offer, this.view);
    };
    const go = el("button", { type: "button", class: "button primary deciding", "data-key": "Enter", text: this.t("intro.go"), on: { click: on } });
    this.#ask("intro", [el("h2", { class: "cr-question", text: this.t("intro") }), el("ul", { class: "cr-part cr-intro" }, ...points), el("footer", { class: "cr-foot" }, go)]);
  }

  /** Which dice are rolled again? */
  #dice() {
    this.reroll = new Reroll(this);
    return this.reroll.build();
  }

  /** Whether keeping the dice leaves no way to survive the move. */
  get doomed() {
    const preview = this.asked.preview ?? [];
    return preview.length > 0 && preview.every((way) => way.wrecked);
  }

  /** Nothing to choose: who drives, and the dice. @param {number | null} chariot @param {string[]} dice */
  watch(chariot, dice) {
    if (this.offer) return;
    if (chariot === null) {
      this.host.choice.replaceChildren();
      return;
    }
    this.host.choice.replaceChildren(
      el(
        "div",
        { class: "cr-choice cr-watch" },
        el("p", { class: "cr-watch-name" }, shape(this.words.faction(chariot)), this.t("watch", { chariot: this.words.called(chariot) })),
        el("div", { class: "cr-dice", "aria-hidden": true }, ...dice.map((side) => die(side))),
      ),
    );
  }

  clear() {
    this.host.choice.replaceChildren();
    this.host.choice.removeAttribute("aria-busy");
    this.offer = null;
    this.reroll = null;
    this.board.ends([]);
    this.board.way(null);
    this.panels.foresee(null);
  }

  /**
   * Sends actions; what would wreck the own chariot is asked for once more.
   * @param {string[]} actions
   * @param {boolean} [deadly]
   */
  async send(actions, deadly = false) {
    if (this.busy) return;
    if (deadly) {
      const sure = await this.host.confirm({ title: this.t("sure.title"), text: this.t("sure.text"), confirm: this.t("sure.confirm") });
      if (!sure || this.busy) return;
    }
    this.busy = true;
    this.host.choice.setAttribute("aria-busy", "true");
    try {
      await this.host.play(actions);
    } catch {
      this.busy = false;
      this.host.choice.removeAttribute("aria-busy");
    }
  }

  /**
   * A button that does something.
   * @param {{action: string, kind?: string, deadly?: boolean, key?: string, label?: string, on?: import("../../../web/static/js/dom.js").Listeners}} what
   * @param {...(import("../../../web/static/js/dom.js").Child)} content
   */
  button({ action, kind = "", deadly = false, key, label, on = {} }, ...content) {
    return el(
      "button",
      {
        type: "button", class: `button ${kind}`, "data-action": action, "data-key": key, "aria-label": label ?? null,
        on: { click: () => void this.send([action], deadly), ...on },
      },
      ...content,
    );
  }

  /**
   * Listeners that look ahead while something is pointed at, or reached with the keyboard.
   * @param {() => void} enter
   * @param {() => void} leave
   */
  pointing(enter, leave) {
    return {
      pointerenter: enter,
      pointerleave: leave,
      focus: (/** @type {FocusEvent} */ event) => event.target instanceof Element && event.target.matches(":focus-visible") && enter(),
      blur: leave,
    };
  }

  /** @param {string} text @param {string} [tone] @param {string} [help] */
  tag(text, tone = "", help = "") {
    return el("span", { class: `cr-tag ${tone}`, text, "data-help": help || null });
  }

  /** Options side by side, with the keys 1 to 9. @param {string} kind @param {HTMLElement[]} buttons */
  options(kind, buttons) {
    number(buttons);
    return rove(el("div", { class: `cr-options ${kind}`, role: "toolbar", "aria-label": this.t(`ask.${this.asked.stage.replaceAll(" ", "-")}`) }, ...buttons));
  }

  /** A question without a picture. */
  #plain() {
    return [this.options("", this.asked.actions.map((action) => this.button({ action }, action)))];
  }

  // --- repair

  #repair() {
    const own = this.own;
    const cards = (this.asked.repair ?? []).map((one) => {
      const foresee = () => this.panels.foresee(this.asked.chariot, { condition: one.condition, fate: one.fate, speed: one.speed });
      const stop = () => this.panels.foresee(null);
      return el(
        "button",
        {
          type: "button", class: `cr-card deciding${one.cost ? " cr-mend" : ""}`, "data-action": one.action,
          on: { click: () => void this.send([one.action]), ...this.pointing(foresee, stop) },
        },
        el("strong", { class: "cr-card-name", text: this.t(one.cost ? "repair.yes" : "repair.no", { cost: one.cost, count: one.gain }) }),
        el(
          "span",
          { class: "cr-tags" },
          one.cost ? this.tag(this.t("change.condition", { before: own.condition, after: one.condition }), "good") : this.tag(this.t("value.condition", { value: one.condition })),
          one.cost ? this.tag(this.t("change.fate", { before: own.fate, after: one.fate }), "bad") : this.tag(this.t("value.fate", { value: one.fate })),
          one.held_back ? this.tag(this.t("change.speed", { before: own.speed, after: one.speed }), "bad") : this.tag(this.t("value.speed", { value: one.speed })),
          this.tag(this.t("value.dice", { count: one.dice })),
        ),
      );
    });
    return [this.options("cr-wide", cards)];
  }

  // --- signs and path

  #signs() {
    const own = this.own;
    const { signs = [], paths = [] } = this.asked;
    const cards = signs.map((one) => {
      const ways = paths.filter((way) => way.actions[0] === one.action);
      const safe = ways.filter((way) => !way.wrecked);
      const deadly = safe.length === 0;
      const least = deadly ? null : Math.min(...safe.map((way) => way.damage));
      const enter = () => this.paths.only(one.action);
      const leave = () => this.paths.only(null);
      return el(
        "button",
        {
          type: "button", class: `cr-card cr-signs deciding${deadly ? " grave" : ""}`, "data-action": one.action,
          on: { click: () => void this.send([one.action], deadly), ...this.pointing(enter, leave) },
        },
        el("span", { class: "cr-plus", "aria-hidden": true, text: [..."+".repeat(one.plus), ..."−".repeat(one.minus)].join(" ") }),
        el("strong", { class: "cr-card-name", text: this.t("value.speed", { value: one.speed }) }),
        el("span", { class: "small soft", text: this.#addition(one) }),
        el(
          "span",
          { class: "cr-tags" },
          deadly
            ? this.tag(this.t("value.wrecked"), "grave")
            : this.tag(this.t(least ? "signs.least" : "signs.unharmed", { damage: least ?? 0, count: new Set(safe.map((way) => way.end)).size }), least ? "bad" : "good"),
        ),
      );
    });
    this.paths.show(paths, own);
    return [this.options("cr-wide", cards), ...this.paths.parts];
  }

  /** How a speed comes about. @param {SignsOffer} one */
  #addition(one) {
    const boost = this.host.places.figures.sprint_speed * one.sprints;
    const parts = [String(one.before)];
    if (one.plus) parts.push(`+ ${one.plus}`);
    if (one.minus) parts.push(`− ${one.minus}`);
    if (boost) parts.push(this.t("signs.sprint", { boost }));
    const total = one.before + one.plus - one.minus + boost;
    return `${parts.join(" ")} = ${total}${total === one.speed ? "" : ` → ${one.speed}`}`;
  }

  #path() {
    this.paths.show(this.asked.paths ?? [], this.own);
    const steps = (this.asked.steps ?? []).map((one) => {
      const enter = () => this.board.way(this.asked.chariot, { ...one, end: one.space });
      const leave = () => this.paths.point(null);
      return this.button(
        { action: one.action, kind: "cr-step", key: ARROWS[one.action], deadly: one.wrecked, on: { ...this.pointing(enter, leave) } },
        el("span", { class: `cr-arrow ${one.action}`, "aria-hidden": true }),
        el("span", { "aria-hidden": true, text: this.t(`step.${one.action}`) }),
        el("span", { class: "unseen", text: this.t(`step.${one.action}.label`, { space: this.words.spaces[one.space].name, damage: one.damage }) }),
        el("span", { "aria-hidden": true, class: `cr-loss${one.damage || one.wrecked ? " bad" : ""}`, text: one.wrecked ? "✕" : one.damage ? `−${one.damage}` : "" }),
      );
    });
    const left = this.t("path.left", { count: this.race.points, steers: this.race.steers });
    return [
      el("p", { class: "cr-left small soft", text: left, "data-help": "chariot-race.steps" }),
      rove(el("div", { class: "cr-steps", role: "toolbar", "aria-label": this.t("path.stepwise") }, ...steps.sort(byWay))),
      ...this.paths.parts,
    ];
  }
}
