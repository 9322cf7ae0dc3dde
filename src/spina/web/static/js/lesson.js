// @ts-check
// A lesson at the table: what a step says, a light on what to touch, and the way to the next step.

import { byId, el } from "./dom.js";
import { messageOr, t } from "./messages.js";
import { complain } from "./people.js";
import { ask } from "./requests.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Refusal} Refusal */
/** @typedef {import("./protocol.d.ts").LessonState} LessonState */

/** Pixels of light around what is lit. */
const GLOW = 6;
/** Milliseconds between looks where the lit place is. */
const LOOK = 120;

export class Lesson {
  /** @type {LessonState | null} */
  #now = null;
  /** Ids of all steps. @type {Promise<string[]>} */
  #steps;
  /** What was said of a wrong try, until the step goes on. */
  #wrong = "";
  /** What the text has made room for. @type {Element | null} */
  #cleared = null;
  /** Names of places that were touched in this step. @type {Set<string>} */
  #touched = new Set();

  /**
   * @param {import("./types.js").Boot} boot
   * @param {{announce: (text: string) => void, place: (name: string) => Element | null}} table
   *   `place`: the element of a place by its name, where the game has it
   */
  constructor(boot, table) {
    this.boot = boot;
    this.table = table;
    this.#steps = ask(`/api/lessons/${boot.game}`).then((steps) => steps.map((/** @type {{id: string}} */ step) => step.id));
    this.count = el("span", { class: "lesson-count" });
    this.text = el("p", { class: "lesson-text", tabindex: "-1" });
    this.next = el("button", { class: "button primary lesson-next", type: "button", on: { click: () => void this.#go() } });
    this.light = el("div", { class: "lesson-light", "aria-hidden": true, hidden: true });
    byId("lesson").replaceChildren(
      el("div", { class: "lesson-head" }, this.count, el("a", { class: "lesson-leave", href: "/", text: t("lesson.leave") })),
      this.text,
      this.next,
    );
    byId("lesson").hidden = false;
    document.body.append(this.light);
    document.addEventListener("pointerdown", (event) => this.#touch(event.target), true);
    document.addEventListener("click", (event) => this.#touch(event.target), true);
    window.setInterval(() => this.#shine(), LOOK);
  }

  /** @param {State} state */
  show(state) {
    const now = state.lesson;
    if (!now) return;
    const fresh = now.step !== this.#now?.step || now.done !== this.#now.done;
    this.#now = now;
    if (fresh) {
      this.#wrong = "";
      this.#touched.clear();
      this.#cleared = null;
      byId("lesson").classList.remove("aside");
    }
    const last = now.number === now.of && now.done;
    this.count.textContent = t("lesson.count", { number: now.number, of: now.of });
    this.next.hidden = !now.done;
    this.next.textContent = t(last ? "lesson.race" : "lesson.next");
    this.#say(fresh);
    this.#shine();
    if (fresh && now.done) this.next.focus({ preventScroll: true });
    else if (fresh) this.text.focus({ preventScroll: true });
  }

  /** Says kindly that something else is asked for. @param {Refusal | null} refusal */
  wrong(refusal) {
    const id = refusal?.parameters?.text;
    this.#wrong = typeof id === "string" ? t(id) : t(`refused.${refusal?.code ?? ""}`);
    this.#touched.clear();
    this.#say(true);
  }

  /** @param {string} name */
  #find(name) {
    return document.querySelector(`[data-place="${CSS.escape(name)}"]`) ?? this.table.place(name);
  }

  /** @param {EventTarget | null} target */
  #touch(target) {
    for (const name of this.#now?.spotlight ?? []) if (target instanceof Node && this.#find(name)?.contains(target)) this.#touched.add(name);
  }

  /** The place that is lit: the first that still has to be touched, or what the step tells of. @returns {Element | null} */
  #lit() {
    const now = this.#now;
    if (!now || (now.asks && now.done)) return null;
    const names = now.spotlight.filter((name) => this.#find(name)?.checkVisibility());
    const open = (/** @type {string} */ name) => {
      const place = this.#find(name);
      return place?.hasAttribute("aria-pressed") ? !isPressed(place) : !this.#touched.has(name);
    };
    const name = now.asks ? (names.find(open) ?? names.at(-1)) : names[0];
    return name === undefined ? null : this.#find(name);
  }

  /** @param {boolean} aloud */
  #say(aloud) {
    const now = this.#now;
    if (!now) return;
    const why = now.asks && now.done ? messageOr(`${now.text}.after`, "") : "";
    const words = this.#wrong || why || t(now.text);
    this.text.textContent = words;
    this.text.classList.toggle("wrong", this.#wrong !== "");
    if (aloud) this.table.announce(words);
  }

  /** Begins the next step; after the last, a race. */
  async #go() {
    const now = this.#now;
    if (!now) return;
    const steps = await this.#steps;
    const step = steps[steps.indexOf(now.step) + 1];
    if (step === undefined) {
      const form = el("form", { method: "post", action: "/race-now", hidden: true }, el("input", { name: "game", value: this.boot.game }), el("input", { name: "after", value: "lesson" }));
      document.body.append(form);
      form.submit();
      return;
    }
    try {
      await ask(`/api/tables/${this.boot.id}/step`, { key: crypto.randomUUID(), step });
    } catch (error) {
      complain(error);
    }
  }

  /** Puts the light where it belongs. */
  #shine() {
    const lit = this.#lit();
    const box = lit?.getBoundingClientRect();
    this.light.hidden = !box?.width;
    if (!lit || !box) return;
    const text = byId("lesson").getBoundingClientRect();
    const covered = box.left < text.right && box.right > text.left && box.top < text.bottom && box.bottom > text.top;
    if (covered && this.#cleared !== lit && box.height < window.innerHeight / 4) {
      this.#cleared = lit; // once: where there is no room at either end, the text stays
      byId("lesson").classList.toggle("aside");
    }
    Object.assign(this.light.style, {
      left: `${box.left - GLOW}px`,
      top: `${box.top - GLOW}px`,
      width: `${box.width + 2 * GLOW}px`,
      height: `${box.height + 2 * GLOW}px`,
    });
  }
}

/** @param {Element} place */
const isPressed = (place) => place.getAttribute("aria-pressed") === "true" || place.getAttribute("aria-checked") === "true";
