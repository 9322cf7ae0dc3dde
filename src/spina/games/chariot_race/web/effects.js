// @ts-check
// Short animations on the board of Chariot Race that no other game has: spikes, javelins, Fortuna's favour, repairs.

import { svg } from "../../../web/static/js/dom.js";
import { Moments, star } from "../../../web/static/js/moments.js";
import { sign } from "./dice.js";

/** @typedef {import("./pieces.js").Spot} Spot */

/** What is seen for a moment and leaves nothing behind. */
export class Effects extends Moments {
  /** One chariot rams another. @param {Spot} a @param {Spot} b */
  async ram(a, b) {
    await this.clash({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, turn: 0 });
  }

  /** A whip cracks over the horses, and chevrons rush ahead. @param {Spot} spot @param {number} sprints */
  async whip(spot, sprints) {
    await Promise.all([
      this.lash(spot),
      ...Array.from({ length: sprints }, (_, k) => this.pass(spot, sign("sprint"), 620, [{ x: 20, scale: 0.6, opacity: 0 }, { x: 40 + 16 * k, scale: 1.1, offset: 0.4 }, { x: 84 + 16 * k, scale: 1.1, opacity: 0 }], { upright: false })),
    ]);
  }

  /** A javelin quivers where it has struck. @param {Spot} spot @param {number} angle from where it came, in degrees */
  async strike(spot, angle) {
    const javelin = svg("g", { class: "cr-javelin" }, svg("path", { d: "M-44 0H-6" }), svg("path", { class: "cr-point", d: "M-8-4 4 0-8 4Z" }));
    const sway = [0, 9, -7, 5, -3, 0].map((swing, k) => ({ turn: angle + swing, offset: k * 0.13 }));
    await this.pass(spot, javelin, 620, [...sway, { turn: angle, opacity: 0, offset: 1 }], { easing: "linear" });
  }

  /** Spikes in a hoof: a red ring around three points. @param {Spot} spot */
  async prick(spot) {
    await Promise.all([
      this.pass(spot, svg("path", { class: "cr-spikes", d: star(3, 22, 5) }), 520, [{ scale: 0.3, turn: -30 }, { scale: 1.2, turn: 30, offset: 0.4 }, { turn: 30, opacity: 0 }]),
      this.pass(spot, svg("circle", { class: "cr-sting", r: 20 }), 520, [{ scale: 0.4 }, { scale: 1.5, opacity: 0 }]),
    ]);
  }

  /** Fortuna's wheel turns over a chariot and sinks into it. @param {Spot} spot */
  async bless(spot) {
    await Promise.all([
      this.pass(spot, svg("circle", { class: "cr-halo", r: 26 }), 900, [{ scale: 0.3, opacity: 0 }, { scale: 1.2, opacity: 0.9, offset: 0.5 }, { scale: 1.5, opacity: 0 }]),
      this.pass(spot, svg("g", { class: "cr-favour" }, svg("circle", { r: 13 }), sign("fortuna")), 900, [{ y: -58, turn: -240, scale: 0.5, opacity: 0 }, { y: -40, scale: 1.4, offset: 0.55 }, { turn: 120, scale: 0.5, opacity: 0 }]),
    ]);
  }

  /** A chariot is mended: a green ring closes around it. @param {Spot} spot */
  async mend(spot) {
    await this.pass(spot, svg("circle", { class: "cr-mended", r: 26 }), 620, [{ scale: 1.9, opacity: 0 }, { offset: 0.6 }, { scale: 0.9, opacity: 0 }]);
  }
}
