// @ts-check
// Dice that are thrown over the board: cubes that tumble, bounce, show their side and go.

import { el } from "../../../web/static/js/dom.js";
import { die, SIDES } from "./dice.js";

/** @typedef {import("./types.d.ts").Host} Host */

/** How the six faces of a cube are turned; the first one is seen when it lies. */
const FACES = ["", "rotateY(180deg)", "rotateY(90deg)", "rotateY(-90deg)", "rotateX(90deg)", "rotateX(-90deg)"];
const ROLL = 620;
const LATER = 70;
const REST = 650;

/** The dice of one throw, in front of the board. */
export class ThrownDice {
  /** @param {Host} host @param {HTMLElement} over what lies over the board */
  constructor(host, over) {
    this.host = host;
    this.place = el("div", { class: "cr-throw", "aria-hidden": true });
    over.append(this.place);
    this.throws = 0;
  }

  /**
   * Throws dice; those that are not new lie there.
   * @param {string[]} dice
   * @param {boolean[]} anew
   */
  async roll(dice, anew) {
    if (this.host.motion.still()) return;
    const number = (this.throws += 1);
    const cubes = dice.map((side, index) => this.#cube(side, anew[index]));
    this.place.replaceChildren(...cubes.map(({ outer }) => outer));
    await Promise.all(cubes.map(({ outer, inner }, index) => (anew[index] ? this.#tumble(outer, inner, index) : null)));
    void this.#leave(number);
  }

  /** @param {string} side @param {boolean} moves */
  #cube(side, moves) {
    const others = Object.keys(SIDES).filter((other) => other !== side);
    const faces = (moves ? FACES : FACES.slice(0, 1)).map((turn, index) => {
      const picture = die(index ? others[index % others.length] : side);
      picture.style.transform = `${turn} translateZ(var(--half))`;
      return picture;
    });
    const inner = el("div", { class: "cr-thrown" }, ...faces);
    return { inner, outer: el("div", { class: "cr-hop" }, inner) };
  }

  /** @param {HTMLElement} outer @param {HTMLElement} inner @param {number} index */
  async #tumble(outer, inner, index) {
    const ms = ROLL + LATER * index;
    const way = index % 2 ? 1 : -1;
    const turns = [540 + 90 * index, way * (360 + 90 * ((index + 1) % 3))];
    await Promise.all([
      this.host.motion.play(
        outer,
        [
          { transform: `translate(${-14 - 3 * index}rem, -9rem)`, opacity: 0 },
          { transform: `translate(${-8 - 2 * index}rem, -5rem)`, opacity: 1, offset: 0.15 },
          { transform: "translate(-3rem, 0.4rem)", opacity: 1, offset: 0.55 },
          { transform: "translate(-1.2rem, -1.6rem)", opacity: 1, offset: 0.72 },
          { transform: "translate(-0.2rem, 0.1rem)", opacity: 1, offset: 0.9 },
          { transform: "translate(0, 0)", opacity: 1 },
        ],
        ms,
        "linear",
      ),
      this.host.motion.play(
        inner,
        [
          { transform: `rotateX(${turns[0]}deg) rotateY(${turns[1]}deg) rotateZ(${way * 200}deg)` },
          { transform: `rotateX(${turns[0] * 0.3}deg) rotateY(${turns[1] * 0.3}deg) rotateZ(${way * 50}deg)`, offset: 0.6 },
          { transform: "rotateX(0deg) rotateY(0deg) rotateZ(0deg)" },
        ],
        ms,
        "ease-out",
      ),
    ]);
  }

  /** The dice go after a while, unless others have been thrown meanwhile. @param {number} number */
  async #leave(number) {
    await this.host.motion.pause(REST);
    if (number !== this.throws) return;
    await Promise.all([...this.place.children].map((each) => this.host.motion.play(each, [{ opacity: 1 }, { opacity: 0 }], 250)));
    if (number === this.throws) this.place.replaceChildren();
  }
}
