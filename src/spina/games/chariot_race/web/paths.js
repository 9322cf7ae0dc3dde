// @ts-check
// The ends of a move, lit on the board and listed as buttons; pointing at one shows the path and what it costs.

import { el } from "../../../web/static/js/dom.js";
import { roman } from "./pieces.js";

/** @typedef {import("./choice.js").Choice} Choice */
/** @typedef {import("./types.d.ts").Path} Path */
/** @typedef {import("./types.d.ts").PathEnd} PathEnd */
/** @typedef {import("./types.d.ts").ChariotView} ChariotView */

const COARSE = window.matchMedia("(pointer: coarse)");

/** @param {Partial<Path>} way */
const worth = (way) => [way.wrecked ? 1 : 0, way.damage ?? 0, way.rams?.length ?? 0, -(way.speed ?? 0)];

/** @param {Path} a @param {Path} b */
function compare(a, b) {
  const [x, y] = [worth(a), worth(b)];
  for (let k = 0; k < x.length; k += 1) if (x[k] !== y[k]) return x[k] - y[k];
  return 0;
}

/** Paths that can be chosen, by the space where they end. */
export class Paths {
  /** @param {Choice} choice */
  constructor(choice) {
    this.choice = choice;
    this.list = el("div", { class: "cr-ends-list", role: "group" });
    this.detail = el("div", { class: "cr-detail" });
    this.element = el("div", { class: "cr-paths" }, this.list, this.detail);
    /** @type {Path[]} */
    this.ways = [];
    /** @type {Map<number, Path[]>} */
    this.groups = new Map();
    /** @type {number | null} */
    this.chosen = null;
    /** @type {string | null} */
    this.first = null;
    /** The condition of the chariot that moves. */
    this.condition = 0;
    this.open = false;
  }

  /**
   * Lights where dice as they lie would lead; nothing can be chosen yet.
   * @param {PathEnd[]} ways
   */
  preview(ways) {
    this.#group(/** @type {Path[]} */ (ways)); // of these only what an end has is shown
    this.open = false;
    this.choice.board.ends(this.#ends());
    this.choice.board.look(this.choice.asked.chariot, [...this.groups.keys()]);
  }

  /**
   * @param {Path[]} ways
   * @param {ChariotView} own
   */
  show(ways, own) {
    this.ways = ways;
    this.condition = own.condition;
    this.open = true;
    this.chosen = null;
    this.first = null;
    this.list.setAttribute("aria-label", this.choice.t("path.ends"));
    this.#draw();
    this.choice.board.look(this.choice.asked.chariot, [...this.groups.keys()]);
  }

  /** Only paths that begin with this action; null: all. @param {string | null} action */
  only(action) {
    this.first = action;
    this.#draw();
  }

  /** @param {Path[]} ways */
  #group(ways) {
    this.groups = new Map();
    for (const way of ways) {
      const group = this.groups.get(way.end) ?? [];
      group.push(way);
      this.groups.set(way.end, group);
    }
    for (const group of this.groups.values()) group.sort(compare);
  }

  #ends() {
    return [...this.groups].map(([space, group]) => {
      const [best] = group;
      const tone = best.wrecked ? "grave" : best.damage ? "bad" : "good";
      return { space, label: best.wrecked ? "✕" : this.choice.words.loss(best), tone };
    });
  }

  #draw() {
    this.#group(this.first === null ? this.ways : this.ways.filter((way) => way.actions[0] === this.first));
    this.choice.board.ends(this.#ends(), {
      enter: (space) => this.point(space),
      leave: () => this.point(this.chosen),
      pick: (space) => this.#pick(space),
    });
    if (this.first === null || !this.list.childElementCount) {
      this.list.replaceChildren(...[...this.groups.keys()].map((space) => this.#button(space)));
    }
    this.point(this.chosen);
  }

  /** @param {number} space */
  #button(space) {
    const group = this.groups.get(space) ?? [];
    const [best] = group;
    const { words } = this.choice;
    const tone = best.wrecked ? "grave" : best.damage ? "bad" : "good";
    return el(
      "button",
      {
        type: "button", class: `cr-end-button ${tone}`, "data-space": space, "data-actions": best.actions.join(" | "), "data-first": space === [...this.groups.keys()][0],
        on: {
          click: (event) => this.#pick(space, event instanceof PointerEvent && event.pointerType === "touch"),
          ...this.choice.pointing(() => this.point(space), () => this.point(this.chosen)),
        },
      },
      el("b", { "aria-hidden": true, text: words.spaces[space].name }),
      el("span", { class: "unseen", text: words.summary(best, this.condition) }),
      el("span", { class: "cr-loss", "aria-hidden": true, text: best.wrecked ? "✕" : words.loss(best) }),
      best.wrecked ? null : best.finished ? el("span", { class: "cr-flag", "aria-hidden": true, text: "⚑" }) : el("span", { class: "cr-rank", "aria-hidden": true, text: roman(best.place) }),
      group.length > 1 && el("span", { class: "cr-more", "aria-hidden": true, text: `${group.length}×` }),
    );
  }

  /**
   * A single way is driven at once, unless a finger has only now pointed at it; of several one is to be chosen.
   * @param {number} space
   * @param {boolean} [touch]
   */
  #pick(space, touch = false) {
    const group = this.groups.get(space);
    if (!group) return;
    if (this.chosen === space || (group.length === 1 && !touch)) {
      void this.choice.send(group[0].actions, group[0].wrecked);
      return;
    }
    this.chosen = space;
    this.point(space);
    /** @type {HTMLElement | null} */ (this.detail.querySelector("button"))?.focus();
  }

  /**
   * Shows the best path to an end with everything that it costs.
   * @param {number | null} space
   */
  point(space) {
    const group = space === null ? undefined : this.groups.get(space);
    const { board, panels } = this.choice;
    if (!this.choice.offer) return;
    board.point(space);
    for (const button of this.list.children) button.classList.toggle("pointed", button.getAttribute("data-space") === String(space));
    if (!group) {
      board.way(null);
      panels.foresee(null);
      this.detail.replaceChildren(el("p", { class: "soft small", text: this.choice.t("path.hint") }));
      return;
    }
    this.#look(group[0]);
    const several = group.length > 1;
    const ask = several || COARSE.matches;
    this.detail.replaceChildren(
      ...(several ? [el("p", { class: "small soft", text: this.choice.t("path.several", { count: group.length, space: this.choice.words.spaces[group[0].end].name }) })] : []),
      ...group.slice(0, 6).map((way) => this.#card(way, ask)),
    );
  }

  /** @param {Path} way */
  #look(way) {
    const { board, panels, asked } = this.choice;
    board.way(asked.chariot, way);
    panels.foresee(asked.chariot, { condition: way.condition, speed: way.speed });
  }

  /**
   * @param {Path} way
   * @param {boolean} ask whether it has its own button
   */
  #card(way, ask) {
    const { words } = this.choice;
    const t = (/** @type {string} */ id, /** @type {import("../../../web/static/js/types.js").Params} */ params) => this.choice.t(id, params);
    const parts = words.parts(way);
    const list = el(
      "ul",
      { class: "cr-parts" },
      ...(parts.length ? parts.map(({ text, tone }) => el("li", { class: tone, text })) : [el("li", { class: "good", text: t("path.unharmed", {}) })]),
    );
    const total = el("p", { class: `cr-total ${way.wrecked ? "grave" : way.damage ? "bad" : "good"}`, text: way.wrecked ? t("value.wrecked", {}) : way.damage ? t("change.condition", { before: this.condition, after: way.condition }) : t("value.condition", { value: way.condition }) });
    const go = ask
      ? el("button", { type: "button", class: "button", "data-actions": way.actions.join(" | "), text: t("path.go", {}), on: { click: () => void this.choice.send(way.actions, way.wrecked), focus: () => this.#look(way), pointerenter: () => this.#look(way) } })
      : null;
    const head = el(
      "p",
      { class: "cr-detail-head" },
      el("b", { text: words.spaces[way.end].name }),
      el("span", { text: t("value.speed", { value: way.speed }) }),
      el("span", { text: t("path.place", { place: roman(way.place) }) }),
      go,
    );
    return el("div", { class: "cr-way" }, head, list, total);
  }
}
