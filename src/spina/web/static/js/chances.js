// @ts-check
// The seats' chances to win, as one bar with the moment that they are from: the beginning of a turn, or the end.

import { el, shape } from "./dom.js";
import { has, language, t } from "./messages.js";

/** @typedef {{word: string, turn: number, over: boolean}} When the turn that chances are from, and what the game calls it */

/** Pixels that a share needs to be named by its shape, and with its percentage. */
const ROOM_FOR_SHAPE = 26;
const ROOM_FOR_TEXT = 60;

/** A chance as a whole percentage. @param {number} chance */
export const percent = (chance) => new Intl.NumberFormat(language(), { style: "percent", maximumFractionDigits: 0 }).format(chance);

/** All chances as one line of text. @param {number[]} chances @param {(seat: number) => string} name */
export const inWords = (chances, name) => chances.map((chance, seat) => t("chances.one", { name: name(seat), percent: percent(chance) })).join(", ");

export class Chances {
  /** @type {{fill: HTMLElement, tag: HTMLElement, text: HTMLElement}[]} */
  #shares = [];

  /**
   * @param {HTMLElement} home the bar
   * @param {HTMLElement} when says beside it when the chances are from
   * @param {(seat: number) => string} name
   * @param {(seat: number) => number} faction whose colour a seat has
   */
  constructor(home, when, name, faction) {
    this.home = home;
    this.when = when;
    this.name = name;
    this.faction = faction;
    this.colours = "";
    /** Its width in pixels, null if that may have changed. @type {number | null} */
    this.width = null;
    new ResizeObserver(() => (this.width = null)).observe(home);
  }

  /**
   * @param {number[] | null | undefined} chances null: nothing is shown
   * @param {When} when
   */
  show(chances, when) {
    this.home.hidden = !chances;
    if (!chances) return;
    const colours = chances.map((_, seat) => this.faction(seat));
    if (this.colours !== colours.join()) this.#build(colours);
    this.colours = colours.join();
    const moment = when.over ? "over" : has(`chances.when.${when.word}`) ? when.word : "turn";
    const { turn } = when;
    this.when.textContent = t(`chances.when.${moment}`, { turn });
    const width = (this.width ??= this.home.clientWidth);
    let begin = 0;
    chances.forEach((chance, seat) => {
      const { fill, tag, text } = this.#shares[seat];
      fill.style.transform = `translateX(${begin * 100}%) scaleX(${chance})`;
      tag.style.transform = `translateX(${(begin + chance / 2 - 0.5) * 100}%)`;
      const room = chance * width;
      tag.dataset.room = room >= ROOM_FOR_TEXT ? "text" : room >= ROOM_FOR_SHAPE ? "shape" : "none";
      text.textContent = percent(chance);
      begin += chance;
    });
    this.home.setAttribute("aria-label", t(`chances.label.${moment}`, { turn, chances: inWords(chances, this.name) }));
  }

  /** @param {number[]} colours of the seats */
  #build(colours) {
    this.#shares = colours.map((faction) => {
      const text = el("span", { class: "percent" });
      const fill = el("span", { class: `share faction-${faction}` });
      const tag = el("span", { class: "tag" }, el("span", { class: `chip-like faction-${faction}` }, shape(faction), text));
      return { fill, tag, text };
    });
    this.home.replaceChildren(...this.#shares.map(({ fill }) => fill), ...this.#shares.map(({ tag }) => tag));
  }
}
