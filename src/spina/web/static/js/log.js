// @ts-check
// The story of the race, line by line. Pointing at a line highlights what it is about.

import { el, spoken } from "./dom.js";
import { rich } from "./messages.js";

/** @typedef {import("./types.js").Line} Line */
/** @typedef {import("./types.js").Targets} Targets */

const MOST_LINES = 600;

export class Log {
  /**
   * @param {HTMLElement} list
   * @param {HTMLElement} ticker shows the last line over the board while the story itself is not open
   * @param {(targets: Targets | null) => void} light
   */
  constructor(list, ticker, light) {
    this.list = list;
    this.ticker = ticker;
    this.light = light;
    this.follows = true;
    list.addEventListener("scroll", () => {
      this.follows = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    });
    new ResizeObserver(() => this.#scroll()).observe(list);
    /** Whether the next frame scrolls to the last line: lines come in groups, and each scrolling lays the page out. */
    this.due = false;
    list.addEventListener("pointerover", (event) => this.#point(event.target));
    list.addEventListener("pointerleave", () => this.#point(null));
    list.addEventListener("focusin", (event) => this.#point(event.target));
    list.addEventListener("focusout", () => this.#point(null));
    list.addEventListener("keydown", (event) => this.#walk(event));
    /** @type {WeakMap<Element, Targets>} */
    this.targets = new WeakMap();
    /** @type {Element | null} */
    this.lit = null;
  }

  clear() {
    this.list.replaceChildren();
  }

  /** Adds a line and returns it as a screen reader says it. @param {Line} line */
  add(line) {
    const item = el(
      "li",
      { class: `line ${line.tone ?? ""}`, tabindex: line.targets ? "-1" : null },
      rich(line.id, line.params),
    );
    if (line.targets) this.targets.set(item, line.targets);
    this.list.append(item);
    while (this.list.childElementCount > MOST_LINES) this.list.firstElementChild?.remove();
    if (!this.due) requestAnimationFrame(() => this.#scroll());
    this.due = true;
    this.ticker.replaceChildren(...Array.from(item.childNodes, (node) => node.cloneNode(true)));
    return spoken(item);
  }

  #scroll() {
    this.due = false;
    if (this.follows) this.list.scrollTop = this.list.scrollHeight;
  }

  /** @param {string} id @param {import("./types.js").Params} [params] */
  note(id, params) {
    return this.add({ id, params, tone: "quiet" });
  }

  /** @param {EventTarget | null} target */
  #point(target) {
    const line = target instanceof Element ? target.closest("li") : null;
    if (line === this.lit) return;
    this.lit = line;
    this.light((line && this.targets.get(line)) ?? null);
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    const lines = /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll("li[tabindex]")]);
    const at = lines.findIndex((line) => line === document.activeElement);
    const next = at < 0 ? lines.at(-1) : lines[at + (event.key === "ArrowUp" ? -1 : 1)];
    if (next) {
      event.preventDefault();
      next.focus();
    }
  }
}
