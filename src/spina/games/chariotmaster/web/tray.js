// @ts-check
// Dice and announcements over the board of Chariotmaster.

import { el } from "../../../web/static/js/dom.js";
import { slug } from "./questions.js";
import { die } from "./words.js";

/** @typedef {import("./types.d.ts").Host} Host */

const OUT = "cubic-bezier(0.2, 0.7, 0.3, 1)";
/** Milliseconds after which the tray goes away. */
const STAYS = 2600;

export class Tray {
  /**
   * @param {Host} host
   * @param {import("./words.js").Words} words
   * @param {Element} overlay over the board
   */
  constructor(host, words, overlay) {
    this.host = host;
    this.words = words;
    this.motion = host.motion;
    this.tray = el("div", { class: "cm-tray", "aria-hidden": true });
    this.banner = el("div", { class: "cm-banner", "aria-hidden": true });
    overlay.append(this.tray, this.banner);
  }

  /**
   * @param {number | null} chariot
   * @param {string} what
   * @param {number[]} dice
   * @param {number | null} [other]
   * @param {number[]} [others]
   */
  async roll(chariot, what, dice, other, others) {
    const label = this.host.t(`chariotmaster.roll.${slug(what)}`);
    const hits = ["collision", "bite"].includes(what);
    /** @param {number} face */
    const one = (face) => die(face, hits ? (face >= 4 ? "hit" : "") : "");
    const shown = /** @type {Node[]} */ (dice.map(one));
    if (others) shown.push(el("span", { class: "cm-versus", text: ":" }), ...others.map(one));
    const who = others ? `${this.words.name(chariot)} – ${this.words.name(other)}` : this.words.name(chariot);
    this.host.sound("dice", { strength: (dice.length + (others?.length ?? 0)) / 5 });
    await this.show(who, shown, label, "", others ? 800 : 420);
  }

  /**
   * Something in the tray at the edge of the board.
   * @param {string} title
   * @param {Node[]} dice
   * @param {string} text
   * @param {string} tone
   * @param {number} [ms]
   */
  async show(title, dice, text, tone, ms = 520) {
    if (this.motion.still()) return;
    this.tray.replaceChildren(
      el("span", { class: "cm-tray-title cut", text: title }),
      el("span", { class: "cm-tray-dice" }, ...dice),
      el("span", { class: `cm-tray-text ${tone}`, text }),
    );
    this.tray.classList.add("shown");
    for (const one of this.tray.querySelectorAll(".cm-die")) {
      this.motion.play(one, [{ transform: "rotate(-140deg) scale(0.4)", opacity: 0 }, { transform: "none", opacity: 1 }], 220, OUT);
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hide(), STAYS);
    await this.motion.pause(ms);
  }

  hide() {
    this.tray.classList.remove("shown");
  }

  /** @param {string} text @param {number} [ms] */
  async announce(text, ms = 620) {
    if (this.motion.still()) return;
    this.banner.textContent = text;
    const frames = [
      { opacity: 0, transform: "translateY(10px)" },
      { opacity: 1, transform: "none", offset: 0.25 },
      { opacity: 1, transform: "none", offset: 0.75 },
      { opacity: 0, transform: "translateY(-10px)" },
    ];
    await this.motion.play(this.banner, frames, ms, "ease-out");
  }
}
