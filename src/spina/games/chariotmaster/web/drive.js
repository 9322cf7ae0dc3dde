// @ts-check
// Driving: a ghost that follows sliders, typed numbers, keys and the pointer, and what the server says of it.

import { el } from "../../../web/static/js/dom.js";
import { rove } from "../../../web/static/js/roving.js";
import { DragTip } from "./drag_tip.js";
import { pivoted, pointOf, translated } from "./pieces.js";
import { aside, clamp, modesOf, read, wayIcon, write } from "./plans.js";

/** @typedef {import("./pieces.js").Pose} Pose */
/** @typedef {import("./page.js").Page} Page */
/** @typedef {import("./plans.js").Plan} Plan */
/** @typedef {import("./plans.js").Mode} Mode */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").Offer} Offer */
/** @typedef {import("./types.d.ts").Considered} Considered */
/** @typedef {import("./pieces.js").Piece} Piece */
/** @typedef {import("../../../web/static/js/types.js").Params} Params */
/** @typedef {import("./types.d.ts").Explanation} Explanation */

const POINTS = ["front left", "front right", "centre", "rear left", "rear right"];
const PAUSE = 70;

export class Drive {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.host = page.host;
    this.words = page.words;
    this.ghost = page.ghost;
    this.t = page.host.t;
    this.opened = false;
    this.tip = new DragTip(page.host, page.camera.overlay, () => this.opened);
    this.wire();
  }

  // --- opening and closing

  /**
   * @param {Offer} offer
   * @param {View} view
   * @returns {{controls: HTMLElement, go: HTMLElement} | null} the controls and the button that drives; null if there
   *   is nothing to steer
   */
  open(offer, view) {
    this.close();
    this.modes = modesOf(offer, view);
    if (!this.modes.length) return null;
    this.view = view;
    const number = (offer.chariot ?? 0) + (offer.question === "walk" ? 24 : 0);
    const piece = this.page.pieces.all.get(number);
    if (!piece) return null;
    this.piece = piece;
    this.from = piece.pose;
    const choices = (offer.ready ?? []).map((one) => (typeof one === "string" ? one : one.action));
    const first = choices.map((text) => read(text)).find((plan) => plan && this.modeOf(plan));
    this.opened = true;
    /** @type {Map<string, Considered>} */
    this.known = new Map();
    this.ghost.of(piece, view.chariots[offer.chariot ?? 0]);
    const built = this.build(offer);
    this.set(first ?? this.begin(this.modes[0]));
    return { controls: built, go: /** @type {HTMLElement} */ (this.go) };
  }

  close() {
    this.opened = false;
    clearTimeout(this.timer);
    this.tip.close();
    this.ghost.hide();
  }

  /** @param {Plan} plan */
  modeOf(plan) {
    return this.modes?.find((mode) => mode.kind === plan.kind && (mode.way === plan.way || plan.kind === "walk" || !mode.way));
  }

  /**
   * @param {Mode} mode
   * @returns {Plan}
   */
  begin(mode) {
    const degrees = mode.kind === "u-turn" ? 180 : 0;
    return { kind: mode.kind, way: mode.way || "ahead", mm: Math.min(mode.free, mode.most), degrees, about: "centre" };
  }

  // --- the plan

  /** @param {Partial<Plan>} change */
  set(change) {
    if (!this.opened) return;
    const plan = /** @type {Plan} */ ({ ...this.plan, ...change });
    const mode = this.modeOf(plan);
    if (!mode) return;
    this.mode = mode;
    plan.mm = clamp(Math.round(plan.mm) || 0, mode.least, mode.most);
    if (plan.kind === "walk") plan.degrees = ((Math.round(plan.degrees) % 360) + 360) % 360;
    else plan.degrees = clamp(Math.round(plan.degrees) || 0, -mode.turn, mode.turn);
    this.plan = plan;
    this.draw();
    this.consider();
  }

  /** Where the straight part ends and where it ends altogether: nothing but geometry. */
  poses() {
    const { kind, way, mm, degrees, about } = /** @type {Plan} */ (this.plan);
    const from = /** @type {Pose} */ (this.from);
    const direction = kind === "walk" ? degrees : from.h + aside(way);
    const middle = translated(from, direction, mm);
    const [ahead, left] = this.pointAt(about);
    const end = kind === "walk" || kind === "run" ? middle : pivoted(middle, ahead, left, degrees);
    return { from, middle, end, direction, point: pointOf(middle, ahead, left) };
  }

  /** @param {string} about */
  pointAt(about) {
    if (about === "centre") return [0, 0];
    const { length, width } = /** @type {Piece} */ (this.piece);
    return [(length / 2) * (about.startsWith("front") ? 1 : -1), (width / 2) * (about.endsWith("left") ? 1 : -1)];
  }

  draw() {
    const plan = /** @type {Plan} */ (this.plan);
    const poses = this.poses();
    const turns = plan.kind !== "walk" && plan.kind !== "run";
    this.ghost.show({ ...poses, turns, sharp: turns && plan.degrees !== 0 });
    this.tick(poses.direction);
    this.controls?.(plan);
  }

  /** @param {number} direction */
  tick(direction) {
    const plan = /** @type {Plan} */ (this.plan);
    const driving = this.view?.driving;
    const ticks = [];
    if (driving && (plan.kind === "move" || plan.kind === "run")) {
      const [least, most] = [driving.minimum - driving.moved, driving.maximum - driving.moved];
      if (least > 0) ticks.push({ mm: least, kind: "least", text: this.words.decimal.format(driving.minimum / 10) });
      ticks.push({ mm: most, kind: "most", text: this.words.decimal.format(driving.maximum / 10) });
    }
    this.ghost.mark(/** @type {Pose} */ (this.from), direction, ticks, plan.way !== "ahead");
  }

  // --- what the server says

  consider() {
    const notation = write(/** @type {Plan} */ (this.plan));
    const known = this.known?.get(notation);
    if (known) return this.judge(known);
    this.judge(null);
    if (this.asking) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), PAUSE);
  }

  async ask() {
    if (!this.opened || this.asking) return;
    const notation = write(/** @type {Plan} */ (this.plan));
    const known = this.known;
    this.asking = true;
    try {
      known?.set(notation, await this.host.consider(notation));
    } catch {
      return; // the page says what is wrong with the connection
    } finally {
      this.asking = false;
    }
    if (!this.opened || known !== this.known) return;
    this.consider();
  }

  /** @param {Considered | null} considered null: not known yet */
  judge(considered) {
    const told = considered?.breakdown;
    const bad = Boolean(considered && !told);
    this.ghost.judge(bad ? "bad" : considered ? "" : "waiting");
    this.verdict = considered;
    this.go?.setAttribute("aria-disabled", String(bad));
    if (!considered) return;
    this.results?.replaceChildren(...(told ? this.facts(told) : [this.objection(considered.refusal)]));
    if (!told) return;
    this.ghost.measure(this.poses().end, { ahead: told.room_ahead, left: told.room_left, right: told.room_right });
  }

  /** @param {import("../../../web/static/js/types.js").Refusal | null} refusal */
  objection(refusal) {
    return el("p", { class: "cm-objection" }, el("span", { class: "cm-cross", "aria-hidden": true, text: "✕" }), this.words.why(refusal));
  }

  /** @param {Explanation} told */
  facts(told) {
    const { words, t } = this;
    const plan = /** @type {Plan} */ (this.plan);
    /** @type {HTMLElement[]} */
    const found = [];
    /** @param {string} id @param {Params} params @param {string} [tone] @param {string} [help] */
    const fact = (id, params, tone = "", help = id) =>
      found.push(el("li", { class: `cm-fact ${tone}`, "data-help": `chariotmaster.fact.${help}`, text: t(`chariotmaster.fact.${id}`, params) }));
    if (plan.kind !== "walk") fact("gained", { cm: words.cm(told.gained) });
    const rooms = /** @type {[string, number][]} */ ([["ahead", told.room_ahead], ["left", told.room_left], ["right", told.room_right]]);
    if (plan.kind !== "walk") {
      fact("room", Object.fromEntries(rooms.map(([name, mm]) => [name, mm >= 600 ? "60+" : words.decimal.format(Math.floor(mm) / 10)])));
    }
    const driving = this.view?.driving;
    if (driving && (plan.kind === "move" || plan.kind === "run")) {
      const short = driving.minimum - driving.moved - plan.mm;
      if (short > 0) fact("short", { cm: words.cm(short) }, "warn");
      if (told.left >= 10) fact("left", { cm: words.cm(told.left) });
    }
    if (told.price) fact(told.exhausts ? "exhausts" : "price", { count: told.price, left: told.stamina }, told.exhausts ? "bad" : "warn", "price");
    if (told.next_test) fact("test", { chance: words.percent(told.next_test.chance) }, told.next_test.chance < 0.5 ? "bad" : "");
    for (const attack of told.attacks) fact("attack", { what: words.attack(attack) }, "lit");
    return [el("ul", { class: "cm-facts" }, ...found)];
  }

  async play() {
    if (!this.opened || this.busy) return;
    const action = write(/** @type {Plan} */ (this.plan));
    const told = this.verdict;
    if (told && !told.breakdown) return this.host.announce(this.words.why(told.refusal));
    if (told?.breakdown?.exhausts && !(await this.page.sure("exhausts"))) return;
    this.busy = true;
    try {
      await this.host.play([action]);
    } catch {
      // the page has said why; the ghost stays where it is
    } finally {
      this.busy = false;
    }
  }

  // --- the controls

  /** @param {Offer} offer */
  build(offer) {
    const { t } = this;
    const modes = /** @type {Mode[]} */ (this.modes);
    const tabs = el("div", { class: "cm-ways", role: "radiogroup", "aria-label": t("chariotmaster.drive.way"), "data-key": "w" });
    const buttons = modes.map((mode) =>
      el(
        "button",
        {
          type: "button", class: "chip cm-way-tab", role: "radio", "data-way": mode.way, "data-help": `chariotmaster.way.${mode.kind === "move" ? (mode.way === "ahead" ? "ahead" : "sweep") : mode.kind}`,
          on: { click: () => this.set(mode.kind === this.plan?.kind ? { way: mode.way } : this.begin(mode)) },
        },
        el("span", { class: "cm-way-top" }, wayIcon(mode), mode.price ? this.page.price(mode.price) : null),
        t(`chariotmaster.way.${mode.id}`),
      ),
    );
    tabs.append(...buttons);
    rove(tabs);
    const walk = modes[0].kind === "walk";
    const distance = this.slider("distance", (value) => this.set({ mm: value }), 10);
    const turn = this.slider(walk ? "direction" : "pivot", (value) => this.set({ degrees: walk ? value : -value }), 1);
    const points = this.points();
    this.results = el("div", { class: "cm-results", "aria-live": "polite" });
    this.go = el(
      "button",
      { type: "button", class: "button primary large cm-go deciding", "data-choice": "go", "data-key": "Enter", "data-help": "chariotmaster.drive.go", on: { click: () => this.play() } },
      t(`chariotmaster.drive.${modes[0].kind === "walk" ? "walk" : modes[0].kind === "pivot" ? "pivot.go" : "go"}`),
    );
    const ready = this.suggestions(offer);
    /** @param {Plan} plan */
    this.controls = (plan) => {
      const mode = /** @type {Mode} */ (this.mode);
      buttons.forEach((button, i) => button.setAttribute("aria-checked", String(modes[i] === mode)));
      const turns = plan.kind !== "run";
      distance.element.hidden = plan.kind === "u-turn" || plan.kind === "pivot";
      turn.element.hidden = !turns;
      points.element.hidden = !turns || walk;
      distance.show(plan.mm, mode.least, mode.most, mode.free);
      turn.show(walk ? plan.degrees : -plan.degrees, walk ? 0 : -mode.turn, walk ? 359 : mode.turn, null);
      turn.tell(walk ? t("chariotmaster.drive.bearing", { n: plan.degrees }) : this.words.turn(plan.degrees));
      distance.tell(this.words.cm(plan.mm));
      points.show(plan.about);
      const now = write(plan);
      for (const chip of ready.querySelectorAll("button")) chip.setAttribute("aria-pressed", String(chip.dataset.action === now));
      this.page.ruler?.(plan.kind === "move" || plan.kind === "run" ? plan.mm : 0);
    };
    return el(
      "div",
      { class: "cm-drive" },
      modes.length > 1 ? tabs : null,
      ready,
      el("div", { class: "cm-sliders" }, distance.element, turn.element, points.element),
      this.results,
    );
  }

  /**
   * A slider with a number that can be typed, and buttons for small steps.
   * @param {"distance" | "pivot" | "direction"} name
   * @param {(value: number) => void} act
   * @param {number} unit how many of the slider's steps are one of the number's
   */
  slider(name, act, unit) {
    const { t } = this;
    const label = t(`chariotmaster.drive.${name}`);
    const range = el("input", { type: "range", class: `cm-range cm-${name}`, step: 1, "aria-label": label, "data-name": name, on: { input: () => act(Number(range.value)) } });
    const number = el("input", {
      type: "number", class: "input cm-number", step: 1 / unit, inputmode: "decimal", "aria-label": t(`chariotmaster.drive.${name}.typed`),
      "data-typed": name,
      on: {
        change: () => act(Math.round(Number(number.value) * unit) * (name === "pivot" ? -1 : 1)),
        keydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          act(Math.round(Number(number.value) * unit) * (name === "pivot" ? -1 : 1));
          this.play();
        },
      },
    });
    /** @param {number} by @param {string} text */
    const step = (by, text) =>
      el("button", {
        type: "button", class: "button cm-step", text, "aria-label": t(`chariotmaster.drive.${name}.${by < 0 ? "less" : "more"}`),
        on: { click: () => act(Number(range.value) + by) },
      });
    const output = el("output", { class: "cm-output" });
    const signs = name === "distance" ? ["−", "+"] : ["↶", "↷"];
    const element = el(
      "div",
      { class: "cm-slider", "data-help": `chariotmaster.drive.${name}` },
      el("div", { class: "cm-slider-head" }, el("span", { class: "label", text: label }), output),
      el("div", { class: "cm-slider-row" }, step(name === "direction" ? 5 : -1, signs[0]), range, step(name === "direction" ? -5 : 1, signs[1]), number),
    );
    return {
      element,
      /** @param {number} value @param {number} least @param {number} most @param {number | null} free */
      show: (value, least, most, free) => {
        range.min = String(least);
        range.max = String(most);
        range.value = String(value);
        const share = free === null || most <= least ? 1 : clamp((free - least) / (most - least), 0, 1);
        range.style.setProperty("--free", String(share));
        if (document.activeElement !== number) number.value = String((name === "pivot" ? -value : value) / unit);
      },
      /** @param {string} text */
      tell: (text) => {
        output.textContent = text;
        range.setAttribute("aria-valuetext", text);
      },
    };
  }

  /** The five points that a pivot can keep in their place, on a picture of the base. */
  points() {
    const { t } = this;
    const buttons = POINTS.map((about) =>
      el("button", {
        type: "button", class: `cm-point-button cm-at-${about.replace(" ", "-")}`, role: "radio",
        "aria-label": t(`chariotmaster.point.${about.replace(" ", "-")}`), "data-point": about,
        on: { click: () => this.set({ about }) },
      }),
    );
    const element = el(
      "div",
      { class: "cm-points", "data-help": "chariotmaster.drive.about" },
      el("span", { class: "label", text: t("chariotmaster.drive.about") }),
      rove(el("div", { class: "cm-base", role: "radiogroup", "aria-label": t("chariotmaster.drive.about") }, ...buttons)),
    );
    return {
      element,
      /** @param {string} about */
      show: (about) => buttons.forEach((button, i) => button.setAttribute("aria-checked", String(POINTS[i] === about))),
    };
  }

  /** @param {Offer} offer */
  suggestions(offer) {
    const { t } = this;
    const element = rove(el("div", { class: "chips cm-ready", role: "toolbar", "aria-label": t("chariotmaster.ready"), "data-key": "r" }));
    for (const one of offer.question === "pivot" ? [] : offer.ready ?? []) {
      if (typeof one !== "string") element.append(this.suggestion(one.action, one.kinds[0]));
    }
    element.hidden = !element.childElementCount;
    this.ready = element;
    return element;
  }

  /** A button that puts the ghost where a move ends. @param {string} action @param {string} kind */
  suggestion(action, kind) {
    return el("button", {
      type: "button", class: "chip cm-suggestion", "data-action": action, "data-help": `chariotmaster.ready.${kind}`,
      text: this.t(`chariotmaster.ready.${kind}`),
      on: { click: () => this.set(/** @type {Plan} */ (read(action))) },
    });
  }

  /** Puts the ghost where a hint says, with a button that leads back there; null: there is no hint any more. @param {string | null} action */
  advise(action) {
    const { ready } = this;
    ready?.querySelector(".cm-hinted")?.remove();
    const plan = action === null || !this.opened ? null : read(action);
    if (action !== null && plan && this.modeOf(plan) && ready) {
      if (!ready.querySelector(`[data-action="${CSS.escape(action)}"]`)) {
        const button = this.suggestion(action, "advice");
        button.classList.add("cm-hinted");
        ready.prepend(button);
      }
      this.set(plan);
    }
    if (ready) ready.hidden = !ready.childElementCount;
  }

  // --- keys and pointer

  /**
   * Keys that move the ghost.
   * @param {KeyboardEvent} event
   * @returns {boolean} whether it was one
   */
  key(event) {
    if (!this.opened || !this.plan || event.ctrlKey || event.metaKey) return false;
    const plan = this.plan;
    const far = event.shiftKey ? 10 : 1;
    const wide = event.shiftKey ? 10 : plan.kind === "walk" || plan.kind === "u-turn" ? 5 : 1;
    switch (event.key) {
      case "ArrowUp":
        this.set({ mm: plan.mm + far });
        return true;
      case "ArrowDown":
        this.set({ mm: plan.mm - far });
        return true;
      case "ArrowLeft":
        this.set({ degrees: plan.degrees + wide });
        return true;
      case "ArrowRight":
        this.set({ degrees: plan.degrees - wide });
        return true;
      case "p":
        this.set({ about: POINTS[(POINTS.indexOf(plan.about) + 1) % POINTS.length] });
        return true;
      default:
        return false;
    }
  }

  wire() {
    /** @param {SVGElement} element @param {(at: {x: number, y: number}) => void} act */
    const drag = (element, act) => {
      element.addEventListener("pointerdown", (event) => {
        if (!this.opened || event.button > 0) return;
        event.preventDefault();
        event.stopPropagation();
        element.setPointerCapture(event.pointerId);
        const move = (/** @type {PointerEvent} */ e) => {
          const at = this.page.camera.onBoard(e.clientX, e.clientY);
          const [left, top] = this.host.places.origin;
          act({ x: at.x - left, y: top - at.y });
          this.tip.close();
        };
        element.addEventListener("pointermove", move);
        element.addEventListener("pointerup", () => element.removeEventListener("pointermove", move), { once: true });
        element.addEventListener("pointercancel", () => element.removeEventListener("pointermove", move), { once: true });
      });
    };
    drag(this.ghost.handle, (at) => this.aim(at));
    drag(this.ghost.body, (at) => this.pull(at));
  }

  /**
   * Turns the nose towards a point.
   * @param {{x: number, y: number}} at
   */
  aim(at) {
    const { middle, point } = this.poses();
    const plan = /** @type {Plan} */ (this.plan);
    const wanted = (Math.atan2(at.y - point.y, at.x - point.x) * 180) / Math.PI;
    const nose = this.ghost.nose(middle);
    const now = (Math.atan2(nose.y - point.y, nose.x - point.x) * 180) / Math.PI;
    const turn = ((((wanted - now) % 360) + 540) % 360) - 180;
    if (plan.kind !== "walk" && plan.kind !== "run") this.set({ degrees: turn });
  }

  /**
   * Brings the ghost as far along its way as a point is.
   * @param {{x: number, y: number}} at
   */
  pull(at) {
    const plan = /** @type {Plan} */ (this.plan);
    const from = /** @type {Pose} */ (this.from);
    const [dx, dy] = [at.x - from.x, at.y - from.y];
    if (plan.kind === "walk") return this.set({ degrees: (Math.atan2(dy, dx) * 180) / Math.PI, mm: Math.hypot(dx, dy) });
    const angle = ((from.h + aside(plan.way)) * Math.PI) / 180;
    if (plan.kind === "move" || plan.kind === "run") this.set({ mm: dx * Math.cos(angle) + dy * Math.sin(angle) });
  }
}
