// @ts-check
// After the race: every seat's chances from start to end, and the choices that cost most. Every point leads to its
// moment in the replay.

import { ask, Failed } from "./requests.js";
import { percent } from "./chances.js";
import { Chart, turns } from "./chart.js";
import { el } from "./dom.js";
import { has, t } from "./messages.js";
import { reasonWords } from "./reasons.js";

/** @typedef {import("./types.js").Boot} Boot */
/**
 * @typedef {object} Point
 * @property {number} moment
 * @property {number} turn
 * @property {number[]} chances
 */
/**
 * @typedef {object} Judged
 * @property {number} moment
 * @property {number} turn
 * @property {number} seat
 * @property {string} chosen
 * @property {string} better
 * @property {number} chance
 * @property {number} cost
 * @property {import("./reasons.js").Reason[]} reasons
 * @property {boolean} checked
 * @property {any} chosen_outcome what it leads to, as the game says it; null if nothing was better
 * @property {any} better_outcome
 */
/** @typedef {{status: "warming up" | "working" | "ready", done: number, of: number, chances: Point[], choices: Judged[]}} Result */

const AGAIN = 1500;
const LATER = 6000;
const MOST_SHOWN = 6;
/** How high the chart of a replay is, in pixels, and as a share of the window. */
const CHART = { least: 140, share: 0.19, most: 420 };
/** Differences below this are within chance. */
const LEAST_COST = 0.015;

export class Analysis {
  /** @type {Chart | null} */
  #chart = null;
  /** @type {number} */
  #moment = -1;
  /** Choices that cost something, the costliest first. @type {Judged[]} */
  #grave = [];

  /**
   * @param {HTMLElement} home
   * @param {Boot} boot
   * @param {{name: (seat: number) => string, badge: (seat: number, long?: boolean) => HTMLElement,
   *   faction: (seat: number) => number, words: (action: string) => string, told?: (points: Point[]) => void,
   *   judged?: () => void}} table
   *   `told`: called once, when the chances of every turn are known; `judged`: when the costly choices are
   */
  constructor(home, boot, table) {
    this.home = home;
    this.boot = boot;
    this.table = table;
    this.work = el("div", { class: "stack tight analysis-work" });
    this.costly = el("div", { class: "stack" });
    this.chartHome = el("div", { class: "chart-home" });
    this.details = el("div");
  }

  /** Asks the server until the analysis is complete. */
  async begin() {
    this.home.replaceChildren(
      el(
        "section",
        { class: "card stack analysis", "aria-labelledby": "analysis-title" },
        el("h2", { id: "analysis-title", text: t("analysis.title") }),
        ...(this.boot.replay ? [this.chartHome, this.work, this.costly, this.details] : [this.chartHome, this.details, this.work, this.costly]),
      ),
    );
    for (;;) {
      let wait = AGAIN;
      try {
        const result = /** @type {Result} */ (await ask(`/api/tables/${this.boot.id}/analysis`));
        this.#show(result);
        if (result.status === "ready") return;
      } catch (error) {
        if (!(error instanceof Failed) || error.code !== "too-fast") {
          this.work.replaceChildren(el("p", { class: "soft small", text: t("analysis.failed") }));
          return;
        }
        wait = LATER;
      }
      // the page is hidden: the server need not go on
      do await new Promise((done) => setTimeout(done, wait));
      while (document.visibilityState === "hidden");
      if (!this.home.isConnected) return;
    }
  }

  /** Marks the moment that the replay shows. @param {number} moment */
  mark(moment) {
    this.#moment = moment;
    this.#chart?.mark(moment);
  }

  /** The costly choice that a seat made after this moment, if there is one. @param {number} moment @param {number | null} seat */
  costlyAt(moment, seat) {
    return this.#grave.find((choice) => choice.moment - 1 === moment && choice.seat === seat) ?? null;
  }

  /** @param {number} moment @param {number} [seat] with whose eyes */
  #link(moment, seat) {
    return `/t/${this.boot.id}/replay#moment=${Math.max(0, moment)}${seat === undefined ? "" : `&seat=${seat}`}`;
  }

  /** @param {number} turn */
  #turn(turn) {
    const id = `analysis.${this.boot.turnWord}`;
    return t(has(id) ? id : "analysis.turn", { turn });
  }

  /** @param {Result} result */
  #show(result) {
    if (result.status === "warming up") {
      this.work.replaceChildren(el("p", { class: "small soft", text: t("analysis.warming-up") }));
      return;
    }
    if (!this.#chart) {
      this.#chart = new Chart(this.chartHome, result.chances, {
        name: this.table.name,
        faction: this.table.faction,
        turn: (turn) => this.#turn(turn),
        link: (moment) => this.#link(moment),
        height: this.boot.replay ? () => Math.min(Math.max(CHART.least, CHART.share * window.innerHeight), CHART.most) : undefined,
      });
      this.#chart.mark(this.#moment);
      this.table.told?.(turns(result.chances));
      this.details.replaceChildren(this.#table(result.chances));
    }
    if (result.status === "working") {
      const text = t("analysis.working", { done: result.done, of: result.of });
      this.work.replaceChildren(
        el("p", { class: "small soft", id: "analysis-progress", text }),
        el("progress", { class: "progress", max: Math.max(1, result.of), value: result.done, "aria-labelledby": "analysis-progress" }),
      );
      return;
    }
    this.work.remove();
    const grave = (this.#grave = result.choices.filter((choice) => choice.checked && choice.cost >= LEAST_COST).slice(0, MOST_SHOWN));
    this.costly.replaceChildren(
      el("h3", { text: t("analysis.costly"), "data-help": "analysis.costly", tabindex: "0" }),
      grave.length
        ? el("ol", { class: "costly" }, ...grave.map((choice) => (this.boot.replay ? this.#brief(choice) : this.#choice(choice))))
        : el("p", { class: "soft", text: t("analysis.none") }),
    );
    this.table.judged?.();
  }

  /** A costly choice in a replay, which itself shows all about it. @param {Judged} choice */
  #brief(choice) {
    const cost = percent(choice.cost);
    return el(
      "li",
      { class: "costly-choice" },
      el(
        "a",
        { class: "chip", href: this.#link(choice.moment - 1, choice.seat) },
        this.table.badge(choice.seat, false),
        el("span", { text: this.#turn(choice.turn) }),
        el("strong", { class: "bad", text: `−${cost}`, "aria-hidden": true }),
        el("span", { class: "unseen", text: t("analysis.cost", { percent: cost }) }),
      ),
    );
  }

  /** @param {Judged} choice */
  #choice(choice) {
    const why = reasonWords(this.boot.game, choice.reasons);
    const words = (/** @type {string} */ id, /** @type {string} */ action) => [
      el("dt", { text: t(id) }),
      el("dd", { text: this.table.words(action) }),
    ];
    return el(
      "li",
      { class: "costly-choice stack tight" },
      el(
        "div",
        { class: "row tight" },
        this.table.badge(choice.seat),
        el("span", { class: "soft small", text: this.#turn(choice.turn) }),
        el("span", { class: "badge bad", text: t("analysis.cost", { percent: percent(choice.cost) }) }),
      ),
      el("dl", { class: "facts plain-facts" }, ...words("analysis.chosen", choice.chosen), ...words("analysis.better", choice.better)),
      ...why.map((text) => el("p", { class: "small", text })),
      // the moment before: how it stood when the choice was made
      el("a", { href: this.#link(choice.moment - 1, choice.seat), text: t("analysis.see") }),
    );
  }

  /** The chart as text, a line for every turn. @param {Point[]} points */
  #table(points) {
    const seats = points[0]?.chances.map((_, seat) => seat) ?? [];
    const rows = turns(points).map((point) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, el("a", { href: this.#link(point.moment), text: this.#turn(point.turn) })),
        ...point.chances.map((chance) => el("td", { text: percent(chance) })),
      ),
    );
    return el(
      "details",
      { class: "chance-table" },
      el("summary", { text: t("analysis.table") }),
      el(
        "div",
        { class: "scroller", tabindex: "0", role: "group", "aria-label": t("analysis.table") },
        el(
          "table",
          {},
          el("caption", { class: "unseen", text: t("analysis.title") }),
          el("thead", {}, el("tr", {}, el("td"), ...seats.map((seat) => el("th", { scope: "col", text: this.table.name(seat) })))),
          el("tbody", {}, ...rows),
        ),
      ),
    );
  }
}
