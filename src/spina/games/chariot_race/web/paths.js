// @ts-check
// The ends of a move, lit on the board and listed as buttons; pointing at one shows the path and what it costs.

import { el } from "../../../web/static/js/dom.js";
import { number } from "../../../web/static/js/keys.js";
import { rove } from "../../../web/static/js/roving.js";
import { roman } from "./pieces.js";

/** @typedef {import("./choice.js").Choice} Choice */
/** @typedef {import("./types.d.ts").Path} Path */
/** @typedef {import("./types.d.ts").PathEnd} PathEnd */
/** @typedef {import("./types.d.ts").ChariotView} ChariotView */

/** More ways to one end are not told apart: the best of them are. */
const MOST_WAYS = 6;

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
    this.list = rove(el("div", { class: "cr-ends-list", role: "toolbar" }));
    /** The ways to the end that is chosen, where there are several. */
    this.several = rove(el("div", { class: "cr-ways", role: "toolbar" }));
    this.detail = el("div", { class: "cr-detail" });
    this.parts = [this.list, this.several, this.detail];
    this.go = el("button", { type: "button", class: "button cr-go deciding", "data-key": "Enter", on: { click: () => this.drive() } });
    /** @type {Path[]} */
    this.ways = [];
    /** @type {Map<number, Path[]>} */
    this.groups = new Map();
    /** The end that is chosen and not yet driven to. @type {number | null} */
    this.chosen = null;
    /** Which of the ways to it. */
    this.nth = 0;
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
    this.several.setAttribute("aria-label", this.choice.t("path.ways"));
    this.choice.foot.append(this.go);
    this.#group(ways);
    // it stays while something is pointed at: the focus may be on its way into it
    const buttons = [...this.groups.keys()].map((space) => this.#button(space));
    if (this.choice.asked.stage === "path") number(buttons);
    this.list.replaceChildren(...buttons);
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
      pick: (space, touch) => this.#pick(space, touch),
    });
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
        type: "button", class: `cr-end-button ${tone}`, "data-space": space, "data-end": words.spaces[space].name, "data-actions": best.actions.join(" | "),
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
   * @param {boolean} touch
   */
  #pick(space, touch) {
    const group = this.groups.get(space);
    if (!group) return;
    const again = this.chosen === space;
    if (!again) this.nth = 0;
    this.chosen = space;
    if (again || (group.length === 1 && !touch)) return this.drive();
    this.point(space);
    this.go.focus({ preventScroll: true });
  }

  /** Drives to the end that is chosen. */
  drive() {
    const way = this.#chosenWay();
    if (way) void this.choice.send(way.actions, way.wrecked);
  }

  #chosenWay() {
    return this.chosen === null ? undefined : this.groups.get(this.chosen)?.[this.nth];
  }

  /**
   * Shows the best path to an end with everything that it costs, or the one that was chosen.
   * @param {number | null} space
   */
  point(space) {
    const group = space === null ? undefined : this.groups.get(space);
    const { board, panels, words } = this.choice;
    if (!this.choice.offer) return;
    board.point(space);
    for (const button of this.list.children) button.classList.toggle("pointed", button.getAttribute("data-space") === String(space));
    const chosen = this.#chosenWay();
    this.go.disabled = !chosen;
    this.go.classList.toggle("primary", Boolean(chosen));
    this.go.dataset.actions = chosen?.actions.join(" | ") ?? "";
    this.go.textContent = chosen ? this.choice.t("path.go", { space: words.spaces[chosen.end].name }) : this.choice.t("path.go.none");
    this.several.replaceChildren(...(chosen ? this.#ways(this.groups.get(chosen.end) ?? []) : []));
    if (!group) {
      board.way(null);
      panels.foresee(null);
      this.detail.replaceChildren(el("p", { class: "soft small", text: this.choice.t("path.hint") }));
      return;
    }
    const way = group[space === this.chosen ? this.nth : 0];
    this.#look(way);
    this.detail.replaceChildren(...this.#cost(way, group.length));
  }

  /** @param {Path} way */
  #look(way) {
    const { board, panels, asked } = this.choice;
    board.way(asked.chariot, way);
    panels.foresee(asked.chariot, { condition: way.condition, speed: way.speed });
  }

  /** A button for each of the best ways to one end. @param {Path[]} group */
  #ways(group) {
    if (group.length < 2) return [];
    return group.slice(0, MOST_WAYS).map((way, index) => {
      const { words, t } = { words: this.choice.words, t: this.choice.t.bind(this.choice) };
      const take = () => {
        this.nth = index;
        this.point(this.chosen);
        /** @type {HTMLElement | null} */ (this.several.children[index])?.focus({ preventScroll: true });
      };
      return el(
        "button",
        {
          type: "button", class: "button cr-small", "aria-pressed": index === this.nth, "aria-label": t("path.way", { number: index + 1, summary: words.summary(way, this.condition) }),
          on: { click: take, pointerenter: () => this.#look(way), pointerleave: () => this.point(this.chosen) },
        },
        roman(index + 1),
        el("span", { class: `cr-loss${way.damage || way.wrecked ? " bad" : ""}`, text: way.wrecked ? "✕" : words.loss(way) }),
      );
    });
  }

  /** What a way costs, part by part. @param {Path} way @param {number} count how many ways lead there */
  #cost(way, count) {
    const { words } = this.choice;
    const t = (/** @type {string} */ id, /** @type {import("../../../web/static/js/types.js").Params} */ params = {}) => this.choice.t(id, params);
    const parts = words.parts(way);
    const total = way.wrecked ? t("value.wrecked") : way.damage ? t("change.condition", { before: this.condition, after: way.condition }) : t("path.unharmed");
    return [
      el(
        "p",
        { class: "cr-detail-head" },
        el("b", { text: words.spaces[way.end].name }),
        el("span", { text: t("value.speed", { value: way.speed }) }),
        el("span", { text: t("path.place", { place: roman(way.place) }) }),
        el("span", { class: `cr-total ${way.wrecked ? "grave" : way.damage ? "bad" : "good"}`, text: total }),
        count > 1 && this.chosen !== way.end ? el("span", { class: "soft", text: t("path.several", { count, space: words.spaces[way.end].name }) }) : null,
      ),
      parts.length ? el("ul", { class: "cr-parts" }, ...parts.map(({ text, tone }) => el("li", { class: tone, text }))) : null,
    ].filter((part) => part !== null);
  }
}
