// @ts-check
// A costly choice beside the better one: what each is, what it leads to, and why. The game draws both on the board.

import { percent } from "./chances.js";
import { el } from "./dom.js";
import { t } from "./messages.js";
import { reasonWords } from "./reasons.js";

/** @typedef {import("./analysis.js").Judged} Judged */
/** @typedef {"chosen" | "better"} Kind */

const KINDS = /** @type {Kind[]} */ (["chosen", "better"]);

export class Comparison {
  /** The choice that is shown. @type {Judged | null} */
  #shown = null;

  /**
   * @param {HTMLElement} home
   * @param {string} game
   * @param {import("./types.js").GamePage} page
   * @param {(seat: number, long?: boolean) => HTMLElement} badge
   */
  constructor(home, game, page, badge) {
    this.home = home;
    this.game = game;
    this.page = page;
    this.badge = badge;
  }

  /** @param {Judged | null} choice null: none was costly here @param {any} view how it stood */
  show(choice, view) {
    this.home.closest("main")?.toggleAttribute("data-comparing", choice !== null);
    if (!choice) {
      if (this.#shown) this.page.compare?.(null, view);
      this.#shown = null;
      this.home.hidden = true;
      this.home.replaceChildren();
      return;
    }
    this.#shown = choice;
    const sides = {
      chosen: { action: choice.chosen, outcome: choice.chosen_outcome },
      better: { action: choice.better, outcome: choice.better_outcome },
    };
    const drawn = this.page.compare?.({ seat: choice.seat, ...sides }, view);
    const why = reasonWords(this.game, choice.reasons);
    this.home.hidden = false;
    this.home.replaceChildren(
      el(
        "header",
        { class: "row tight" },
        el("h2", { class: "comparison-title", text: t("comparison.title") }),
        this.badge(choice.seat, false),
        el("span", { class: "badge bad", text: t("analysis.cost", { percent: percent(choice.cost) }) }),
      ),
      el(
        "div",
        { class: "comparison-sides" },
        ...KINDS.map((kind) => {
          const chance = kind === "better" ? choice.chance : choice.chance - choice.cost;
          return el(
            "section",
            { class: `comparison-side ${kind}`, "aria-label": t(`analysis.${kind}`) },
            el("h3", null, sign(kind), t(`analysis.${kind}`), el("span", { class: "comparison-chance", text: percent(chance) })),
            el("p", { class: "comparison-words", text: this.page.phrase(sides[kind].action, view) }),
            ...(drawn?.[kind] ?? []),
          );
        }),
      ),
      ...why.map((text) => el("p", { class: "small comparison-why", text })),
    );
  }
}

/** @param {Kind} kind */
const sign = (kind) => el("span", { class: `comparison-sign ${kind}`, "aria-hidden": true, text: kind === "better" ? "★" : "○" });
