// @ts-check
// What can be chosen in Chariot Race, stage by stage. Everything shown comes from the server's offer.

import { el, shape } from "../../../web/static/js/dom.js";
import { die, icon, SIDES } from "./dice.js";
import { draft, start } from "./draft.js";
import { Paths } from "./paths.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./panels.js").Panels} Panels */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").Offer} Offer */
/** @typedef {import("./types.d.ts").DiceOffer} DiceOffer */
/** @typedef {import("./types.d.ts").DiceSum} DiceSum */
/** @typedef {import("./types.d.ts").SignsOffer} SignsOffer */
/** @typedef {import("./types.d.ts").AttackOffer} AttackOffer */

const WAYS = ["inward", "ahead", "outward"];
/** As the arrow keys lie. @param {HTMLElement} a @param {HTMLElement} b */
const byWay = (a, b) => WAYS.indexOf(a.dataset.action ?? "") - WAYS.indexOf(b.dataset.action ?? "");
const percent = (/** @type {number} */ share) => `${Math.round(share * 100)} %`;

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
    /** @type {Set<number>} */
    this.again = new Set();
    this.focus = false;
    this.busy = false;
    /** What stands beside the question. */
    this.aside = el("div");
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
    this.again.clear();
    const stage = offer.stage.replaceAll(" ", "-");
    const build = /** @type {Record<string, () => (Node | null)[]>} */ ({
      draft: () => draft(this),
      "starting-space": () => start(this),
      repair: () => this.#repair(),
      "free-re-roll": () => this.#dice(),
      fortune: () => this.#dice(),
      signs: () => this.#signs(),
      path: () => this.#path(),
      attack: () => this.#attack(),
    })[stage];
    this.aside = el("div", { class: "cr-aside" });
    const body = build ? build() : this.#plain();
    const heading = el(
      "header",
      { class: "cr-ask" },
      el("h2", { class: "cr-question", "data-help": `chariot-race.stage.${stage}` }, shape(this.words.faction(offer.chariot), this.words.colour(offer.chariot)), this.t(`ask.${stage}`)),
      this.aside,
    );
    const hint = this.host.first ? el("p", { class: "notice small", text: this.t(`first.${stage}`) }) : null;
    this.host.choice.replaceChildren(el("div", { class: `cr-choice cr-at-${stage}` }, heading, hint, ...body));
    const lost = !document.activeElement || document.activeElement === document.body;
    if (this.focus && lost) /** @type {HTMLElement | null} */ (this.host.choice.querySelector("[data-first]"))?.focus({ preventScroll: true });
    this.focus = false;
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
    this.focus ||= this.host.choice.contains(document.activeElement);
    this.host.choice.replaceChildren();
    this.host.choice.removeAttribute("aria-busy");
    this.offer = null;
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
    this.focus = this.host.choice.contains(document.activeElement);
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
   * @param {{action: string, kind?: string, deadly?: boolean, first?: boolean, label?: string, on?: import("../../../web/static/js/dom.js").Listeners}} what
   * @param {...(import("../../../web/static/js/dom.js").Child)} content
   */
  button({ action, kind = "", deadly = false, first = false, label, on = {} }, ...content) {
    return el(
      "button",
      {
        type: "button", class: `button ${kind}`, "data-action": action, "data-first": first, "aria-label": label ?? null,
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

  /** A question without a picture. */
  #plain() {
    return [el("div", { class: "cr-options" }, ...this.asked.actions.map((action) => this.button({ action }, action)))];
  }

  // --- repair

  #repair() {
    const own = this.own;
    const cards = (this.asked.repair ?? []).map((one, index) => {
      const foresee = () => this.panels.foresee(this.asked.chariot, { condition: one.condition, fate: one.fate, speed: one.speed });
      const stop = () => this.panels.foresee(null);
      return el(
        "button",
        {
          type: "button", class: `cr-card cr-option${one.cost ? " cr-mend" : ""}`, "data-action": one.action, "data-first": index === 0,
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
    return [el("div", { class: "cr-options cr-wide" }, ...cards)];
  }

  // --- dice

  #dice() {
    const offered = /** @type {DiceOffer} */ (this.asked.dice);
    const { sides, free, price, fate, later, chances } = offered;
    const sum = el("div", { class: "cr-sum" });
    const roll = el("button", { type: "button", class: "button primary", on: { click: () => void this.send([this.#reroll()]) } });
    const turn = el("div", { class: "cr-turn" });
    const odds = el("p", { class: "cr-odds" });
    const keep = this.button({ action: "keep", deadly: offered.sum.wrecked || this.#doomed() }, this.t("dice.keep"));
    const dice = sides.map((side, index) =>
      el(
        "button",
        {
          type: "button", class: "cr-pick", "aria-pressed": false, "data-die": index + 1, "data-first": index === 0, "data-help": `chariot-race.side.${SIDES[side]}`,
          "aria-label": this.t("dice.die", { number: index + 1, side: this.words.side(side) }),
          on: { click: () => toggle(index) },
        },
        die(side),
        el("span", { class: "cr-pick-name", "aria-hidden": true, text: this.words.side(side) }),
      ),
    );
    const refresh = () => {
      const count = this.again.size;
      dice.forEach((button, index) => button.setAttribute("aria-pressed", String(this.again.has(index))));
      roll.disabled = count === 0;
      roll.textContent = count ? this.t(free ? "dice.roll.free" : "dice.roll.paid", { count, price }) : this.t("dice.roll.none");
      roll.dataset.action = this.#reroll();
      roll.classList.toggle("primary", count > 0);
      keep.classList.toggle("primary", count === 0);
      odds.replaceChildren(...this.#odds(chances, count));
      turn.replaceChildren(...this.#turning(offered));
      sum.replaceChildren(...this.sum(offered.sum, this.t("dice.sum")));
      this.#foresee(offered.sum);
    };
    const toggle = (/** @type {number} */ index) => {
      if (!this.again.delete(index)) this.again.add(index);
      refresh();
    };
    this.toggle = toggle;
    refresh();
    const purse = free
      ? later ? this.t("dice.later", { count: later, price, fate }) : this.t("dice.free")
      : this.t("dice.price", { price, fate, count: later + 1 });
    this.paths.preview(this.asked.preview ?? []);
    this.aside.append(el("p", { class: "cr-purse small", text: purse, "data-help": "chariot-race.fate" }));
    return [
      el(
        "div",
        { class: "cr-table" },
        el("div", { class: "cr-dice", role: "group", "aria-label": this.t("dice.group") }, ...dice),
        el("div", { class: "cr-beside" }, el("div", { class: "cr-actions" }, roll, keep), odds, sum),
      ),
      turn,
    ];
  }

  /** Whether keeping the dice leaves no way to survive the move. */
  #doomed() {
    const preview = this.asked.preview ?? [];
    return preview.length > 0 && preview.every((way) => way.wrecked);
  }

  #reroll() {
    return `re-roll ${[...this.again].sort().map((index) => index + 1).join(" ")}`;
  }

  /** @param {Record<string, number[]>} chances @param {number} count */
  #odds(chances, count) {
    if (!count) return [el("span", { class: "soft small", text: this.t("dice.hint") })];
    return [
      el("span", { class: "soft small", text: this.t("dice.odds", { count }) }),
      ...Object.entries(chances).map(([side, table]) =>
        el("span", { class: "cr-odd small", "aria-label": this.t("dice.odd", { side: this.words.side(side), chance: percent(table[count - 1]) }), role: "img" }, icon(side), percent(table[count - 1])),
      ),
    ];
  }

  /** @param {DiceOffer} offered */
  #turning({ turns, sides, price, sum }) {
    if (!turns.length) return [];
    if (this.again.size !== 1) return [el("p", { class: "soft small", text: this.t("dice.turn.hint", { price }) })];
    const before = sides[[...this.again][0]];
    const own = turns.filter((turn) => turn.before === before);
    return [
      el("span", { class: "small", text: this.t("dice.turn", { side: this.words.side(before), price }) }),
      ...own.map((turn) => {
        const foresee = () => this.#foresee(turn.sum);
        const stop = () => this.#foresee(sum);
        return el(
          "button",
          {
            type: "button", class: "button cr-small", "data-action": turn.action, "aria-label": this.t("dice.turn.to", { side: this.words.side(turn.side), price }),
            on: { click: () => void this.send([turn.action], turn.sum.wrecked), ...this.pointing(foresee, stop) },
          },
          icon(turn.side),
          el("span", { text: this.words.side(turn.side) }),
        );
      }),
    ];
  }

  /** @param {DiceSum} sum */
  #foresee(sum) {
    const speed = sum.speeds.length === 1 ? { speed: sum.speeds[0] } : {};
    this.panels.foresee(this.asked.chariot, { condition: sum.condition, fate: sum.fate, ...speed });
  }

  /**
   * What dice come to.
   * @param {DiceSum} sum
   * @param {string} label
   */
  sum(sum, label) {
    const low = sum.speeds[0];
    const high = sum.speeds[sum.speeds.length - 1];
    return [
      el("span", { class: "cr-sum-label", text: label }),
      this.tag(low === high ? this.t("value.speed", { value: low }) : this.t("value.speeds", { low, high }), "", "chariot-race.speed"),
      this.tag(this.t("value.steers", { count: sum.steers }), "", "chariot-race.side.steer"),
      ...(sum.attacks ? [this.tag(this.t("value.attacks", { count: sum.attacks }), "", "chariot-race.side.attack")] : []),
      ...(sum.sprint ? [this.tag(this.t("part.sprint", { damage: sum.sprint }), "bad", "chariot-race.side.sprint")] : []),
      ...(sum.fate !== this.own.fate ? [this.tag(this.t("change.fate", { before: this.own.fate, after: sum.fate }), sum.fate > this.own.fate ? "good" : "bad", "chariot-race.fate")] : []),
      ...(sum.wrecked || this.#doomed() ? [this.tag(this.t("value.wrecked"), "grave", "chariot-race.wreck")] : []),
    ];
  }

  // --- signs and path

  #signs() {
    const own = this.own;
    const { signs = [], paths = [] } = this.asked;
    const cards = signs.map((one, index) => {
      const ways = paths.filter((way) => way.actions[0] === one.action);
      const safe = ways.filter((way) => !way.wrecked);
      const deadly = safe.length === 0;
      const least = deadly ? null : Math.min(...safe.map((way) => way.damage));
      const enter = () => this.paths.only(one.action);
      const leave = () => this.paths.only(null);
      return el(
        "button",
        {
          type: "button", class: `cr-card cr-option cr-signs${deadly ? " grave" : ""}`, "data-action": one.action, "data-first": index === 0,
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
    return [el("div", { class: "cr-fork" }, el("div", { class: "cr-options cr-wide" }, ...cards), this.paths.element)];
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
        { action: one.action, kind: "cr-step", deadly: one.wrecked, on: { ...this.pointing(enter, leave) } },
        el("span", { class: `cr-arrow ${one.action}`, "aria-hidden": true }),
        el("span", { "aria-hidden": true, text: this.t(`step.${one.action}`) }),
        el("span", { class: "unseen", text: this.t(`step.${one.action}.label`, { space: this.words.spaces[one.space].name, damage: one.damage }) }),
        el("span", { "aria-hidden": true, class: `cr-loss${one.damage || one.wrecked ? " bad" : ""}`, text: one.wrecked ? "✕" : one.damage ? `−${one.damage}` : "" }),
      );
    });
    const left = this.t("path.left", { count: this.race.points, steers: this.race.steers });
    this.aside.append(
      el("span", { class: "small soft", text: left }),
      el("div", { class: "cr-steps", role: "group", "aria-label": this.t("path.stepwise"), "data-help": "chariot-race.steps" }, ...steps.sort(byWay)),
    );
    return [this.paths.element];
  }

  // --- attacks

  #attack() {
    const attacks = this.asked.attacks ?? [];
    const javelins = attacks.filter((one) => one.kind === "javelin");
    const caltrops = attacks.filter((one) => one.kind === "caltrop");
    // a chariot in range may stand where a caltrop may lie: its space on the board is for the javelin, the list has both
    const bySpace = new Map([...caltrops, ...javelins].map((one) => [one.space, one]));
    this.board.ends(
      [...bySpace.values()].map((one) => ({ space: one.space, label: one.kind === "javelin" ? `−${one.damage}` : "", tone: one.kind === "javelin" ? "target" : "trap" })),
      {
        enter: (space) => point(bySpace.get(space) ?? null),
        leave: () => point(null),
        pick: (space) => void this.send([bySpace.get(space)?.action ?? ""]),
      },
    );
    this.board.look(this.asked.chariot, [...bySpace.keys()]);
    const point = (/** @type {AttackOffer | null} */ one) => {
      this.board.point(one?.space ?? null);
      this.panels.foresee(one?.target ?? null, { condition: one?.condition });
      for (const button of this.host.choice.querySelectorAll(".cr-attack")) button.classList.toggle("pointed", button.getAttribute("data-action") === one?.action);
    };
    const make = (/** @type {AttackOffer} */ one, /** @type {boolean} */ first, /** @type {(Node | string | null)[]} */ content) =>
      this.button(
        { action: one.action, kind: `cr-attack ${one.kind}`, first, on: { ...this.pointing(() => point(one), () => point(null)) } },
        ...content,
      );
    const throws = javelins.map((one, index) => {
      const { target = 0, condition = 0 } = one;
      return make(one, index === 0, [
        shape(this.words.faction(target)),
        el("span", { text: this.words.called(target) }),
        this.tag(this.t("change.condition", { before: this.race.chariots[target].condition, after: condition }), "bad"),
        one.wrecked ? this.tag(this.t("attack.wrecks"), "grave") : null,
        one.own ? this.tag(this.t("attack.own"), "grave") : null,
      ]);
    });
    const drops = caltrops.map((one, index) =>
      make(one, index === 0 && !throws.length, [el("b", { text: this.words.spaces[one.space].name }), one.safe ? el("span", { class: "small soft", text: this.t("attack.corner", { safe: one.safe }) }) : null, one.under === null || one.under === undefined ? null : el("span", { class: "small soft", text: this.t("attack.under", { chariot: this.words.called(one.under) }) })]),
    );
    this.aside.append(
      el("span", { class: "small soft", text: this.t("attack.left", { count: this.race.attacks, supply: this.race.supply }) }),
      this.button({ action: "no attack" }, this.t("attack.none")),
    );
    return [
      throws.length ? el("div", { class: "cr-group" }, el("h3", { "data-help": "chariot-race.javelin", text: this.t("attack.javelin") }), el("div", { class: "cr-options" }, ...throws)) : null,
      drops.length ? el("div", { class: "cr-group" }, el("h3", { "data-help": "chariot-race.caltrop", text: this.t("attack.caltrop") }), el("div", { class: "cr-options" }, ...drops)) : null,
    ];
  }

  /**
   * Keys: numbers pick dice, arrows step.
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (!this.offer || event.ctrlKey || event.metaKey || event.altKey) return false;
    const { target } = event;
    const elsewhere = target instanceof Element && !target.matches("body, main") && !this.host.choice.contains(target);
    if (elsewhere) return false; // the log and the tabs have arrow keys of their own
    if (this.offer.dice && /^[1-5]$/.test(event.key) && Number(event.key) <= this.offer.dice.sides.length) {
      this.toggle?.(Number(event.key) - 1);
      return true;
    }
    const way = { ArrowUp: "ahead", ArrowLeft: "inward", ArrowRight: "outward" }[event.key];
    const step = way && this.offer.steps?.find((one) => one.action === way);
    if (step) {
      void this.send([step.action], step.wrecked);
      return true;
    }
    return false;
  }
}
