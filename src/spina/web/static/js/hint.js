// @ts-check
// A hint: what a strong bot would do now, how good that is, and why. Only the person who asked sees it.

import { percent } from "./chances.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./messages.js";
import { reasonWords } from "./reasons.js";

/** @typedef {import("./types.js").State} State */
/**
 * @typedef {object} Advice
 * @property {number} seat
 * @property {{action: string, chances: number[], tried: number}[]} candidates
 * @property {number[]} chances
 * @property {import("./reasons.js").Reason[]} reasons
 * @property {string | null} against the choice that the first candidate is compared with
 */

const MOST = 4;

export class Hint {
  /** What was asked about, while an answer is awaited or shown. @type {string | null} */
  #about = null;
  /** @type {State | null} */
  #state = null;

  /**
   * @param {HTMLElement} home
   * @param {HTMLElement} button
   * @param {{game: string, ask: (seat: number) => Promise<Advice>, words: (action: string) => string,
   *   play: (action: string) => Promise<void>, advise: (action: string | null) => void, announce: (text: string) => void}} table
   */
  constructor(home, button, table) {
    this.home = home;
    this.button = button;
    this.table = table;
    button.addEventListener("click", () => void this.open());
    home.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.close();
      button.focus();
    });
  }

  /** Takes the new state; a hint about an earlier question goes away. @param {State} state */
  update(state) {
    this.#state = state;
    this.button.hidden = !this.possible;
    if (this.#about !== null && this.#about !== this.#question()) this.close();
  }

  get possible() {
    const state = this.#state;
    return state !== null && state.status === "running" && state.hints && state.looking !== null && Boolean(state.offer);
  }

  #question() {
    const state = this.#state;
    return state?.offer ? `${state.looking} ${JSON.stringify(state.offer)}` : "";
  }

  close() {
    this.#about = null;
    this.button.removeAttribute("aria-busy");
    this.button.textContent = t("hint.button");
    if (this.home.childElementCount) this.table.advise(null);
    this.button.dataset.help = "hint.button";
    this.home.replaceChildren();
  }

  async open() {
    const seat = this.#state?.looking ?? null;
    if (!this.possible || seat === null || this.button.hasAttribute("aria-busy")) return;
    const about = (this.#about = this.#question());
    this.button.setAttribute("aria-busy", "true");
    this.button.textContent = t("hint.thinking");
    try {
      const advice = await this.table.ask(seat);
      if (this.#about === about) this.#show(advice);
    } catch {
      // the page has said why
      if (this.#about === about) this.close();
    } finally {
      this.button.removeAttribute("aria-busy");
      this.button.textContent = t("hint.button");
    }
  }

  /** @param {Advice} advice */
  #show(advice) {
    const { seat } = advice;
    // candidates with the same words are shown once: they differ in discarded cards or in equal dice
    const words = advice.candidates.map((each) => this.table.words(each.action));
    const candidates = advice.candidates.filter((_, index) => words.indexOf(words[index]) === index).slice(0, MOST);
    const most = Math.max(...candidates.map((each) => each.chances[seat]), 0.01);
    const searched = advice.chances.length > 0;
    const why = searched ? this.#why(advice) : [t("hint.warming-up")];
    const title = searched ? t("hint.title", { percent: percent(advice.chances[seat]) }) : t("hint.button");
    const heading = el("h2", { id: "hint-title", tabindex: "-1", text: title });
    this.home.replaceChildren(
      el(
        "section",
        { class: "panel hint-panel stack tight", "aria-labelledby": "hint-title" },
        el(
          "div",
          { class: "row spread hint-head" },
          el("span", { "data-help": searched && "hint.title" }, heading),
          el("button", { class: "button quiet icon", type: "button", "aria-label": t("common.close"), on: { click: () => this.close() } }, icon("close")),
        ),
        !searched && el("p", { class: "hint-why", text: why[0] }),
        el("ol", { class: "candidates" }, ...candidates.map((each, index) => this.#candidate(each, seat, index, most, index || !searched ? [] : why))),
      ),
    );
    this.table.advise(candidates[0].action);
    this.button.removeAttribute("data-help"); // a pointer that rests on the button would cover the hint with its help
    heading.focus({ preventScroll: true });
    this.home.scrollIntoView({ block: "nearest" });
    const best = this.table.words(candidates[0].action);
    const chance = searched ? t("hint.announce", { action: best, percent: percent(candidates[0].chances[seat]) }) : "";
    this.table.announce(searched ? [chance, ...why].join(" ") : `${why.join(" ")} ${best}`);
  }

  /** Why the first candidate: what sets it apart from another, or else how often each wins. @param {Advice} advice */
  #why({ seat, candidates, reasons, against }) {
    const [best] = candidates;
    const words = (/** @type {{action: string}} */ each) => this.table.words(each.action);
    // a choice of the same words, with equal dice, is no other choice
    const others = candidates.filter((each) => words(each) !== words(best));
    const next = others.find((each) => each.action === against) ?? others[0];
    if (!next) return [t("hint.only")];
    const told = next.action === against ? reasonWords(this.table.game, reasons) : [];
    const other = words(next);
    if (told.length && reasons.some((each) => each.good)) return [...told, t("hint.compared", { other })];
    const [own, its] = [best, next].map((each) => Math.round(each.chances[seat] * 100));
    return [...told, own === its ? t("hint.equal", { other, own }) : t("hint.average", { other, own, its, tried: Math.min(best.tried, next.tried) })];
  }

  /**
   * @param {Advice["candidates"][number]} candidate
   * @param {number} seat
   * @param {number} index
   * @param {number} most the best chance of all
   * @param {string[]} why sentences
   */
  #candidate(candidate, seat, index, most, why) {
    const chance = candidate.chances[seat];
    const words = this.table.words(candidate.action);
    const meter = el("span", { class: "meter", "aria-hidden": true }, el("span"));
    meter.style.setProperty("--share", String(chance / most));
    return el(
      "li",
      { class: `candidate${index ? "" : " best"}`, "data-advised": index ? null : candidate.action },
      el("strong", { class: "candidate-words", text: words }),
      candidate.tried > 0 && el("span", { class: "candidate-chance" }, meter, el("span", { class: "figures", text: percent(chance) })),
      el("button", {
        class: `button${index ? "" : " primary"}`,
        type: "button",
        text: t("hint.do"),
        "aria-label": t("hint.do.label", { action: words }),
        on: { click: () => void this.#play(candidate.action) },
      }),
      ...why.map((text) => el("p", { class: "hint-why small", text })),
    );
  }

  /** @param {string} action */
  async #play(action) {
    this.close();
    try {
      await this.table.play(action);
    } catch {
      // the page has said why
    }
  }
}
