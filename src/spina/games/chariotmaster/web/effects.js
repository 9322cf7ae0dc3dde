// @ts-check
// Short animations on the board of Chariotmaster, a different one for each kind of event.

import { svg } from "../../../web/static/js/dom.js";
import { Moments, star } from "../../../web/static/js/moments.js";

/** @typedef {import("../../../web/static/js/moments.js").Spot} Spot */

/** How far a point is from another, and in which direction in degrees clockwise. @param {Spot} a @param {Spot} b */
const reach = (a, b) => ({ far: Math.hypot(b.x - a.x, b.y - a.y), turn: (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI });

const CHEVRON = "M-5-8 4 0-5 8";
const TEETH = "M-17-14Q0-22 17-14L13-5 9-13 5-4 1-13-3-4-7-13-11-5Z";
const TUSK = "M-14-3Q2-2 9-15Q11 2-10 7Z";

/** What is seen for a moment and leaves nothing behind. */
export class Effects extends Moments {
  // --- speed

  /** The driver whips his own team: the whip cracks, and chevrons rush ahead. @param {Spot} spot @param {number} chevrons */
  async hasten(spot, chevrons) {
    await Promise.all([
      chevrons > 1 ? this.lash(spot) : null,
      ...Array.from({ length: chevrons }, (_, k) =>
        this.pass(spot, svg("path", { class: "cm-chevron", d: CHEVRON }), 640, [{ x: 16, scale: 0.6, opacity: 0 }, { x: 34 + 13 * k, offset: 0.4 }, { x: 66 + 13 * k, opacity: 0 }], { upright: false }),
      ),
    ]);
  }

  /** The wheels drag: two marks in the sand, and dust ahead of them. @param {Spot} spot */
  async brake(spot) {
    await Promise.all([
      this.pass(spot, svg("path", { class: "moment-skid", d: "M-44-9H-6M-44 9H-6" }), 760, [{ opacity: 0 }, { offset: 0.2 }, { offset: 0.6 }, { opacity: 0 }], { upright: false }),
      ...[-9, 9].map((y) => this.pass(spot, svg("circle", { class: "moment-dust", r: 6 }), 620, [{ x: -6, y, scale: 0.4, opacity: 0.9 }, { x: 10, y: y * 1.7, scale: 1.8, opacity: 0 }], { upright: false })),
    ]);
  }

  /** A furrow in the sand behind a man who is dragged. @param {Spot} spot */
  furrow(spot) {
    void this.pass(spot, svg("path", { class: "cm-furrow", d: "M-26-4Q-18-6-8-3M-26 4Q-18 2-8 5" }), 1400, [{ opacity: 0.9 }, { opacity: 0.9, offset: 0.5 }, { opacity: 0 }], { upright: false });
  }

  // --- attacks

  /** A chariot throws itself against another. @param {Spot} from @param {Spot} to @param {Element | null} body that lunges */
  async lunge(from, to, body) {
    const { turn } = reach(from, to);
    const angle = ((turn - from.turn) * Math.PI) / 180;
    /** @param {number} mm */
    const off = (mm) => `translate(${(Math.cos(angle) * mm).toFixed(1)}px, ${(Math.sin(angle) * mm).toFixed(1)}px)`;
    await Promise.all([
      body ? this.motion.play(body, [{ transform: off(0) }, { transform: off(-5), offset: 0.35 }, { transform: off(8), offset: 0.75 }, { transform: off(0) }], 520) : null,
      ...[0, 1, 2].map((k) => this.pass({ ...from, turn }, svg("path", { class: "cm-charge", d: CHEVRON }), 520, [{ x: 6 * k - 6, opacity: 0 }, { x: 6 + 8 * k, offset: 0.5 }, { x: 20 + 8 * k, opacity: 0 }], { upright: false })),
    ]);
  }

  /** A whip reaches from one chariot to another and cracks there. @param {Spot} from @param {Spot} to */
  async whip(from, to) {
    const { far, turn } = reach(from, to);
    const lash = svg("path", { class: "moment-lash", d: `M0 0C${(far * 0.25).toFixed(1)}-24 ${(far * 0.6).toFixed(1)} 16 ${far.toFixed(1)} 0` });
    await Promise.all([
      this.pass({ ...from, turn }, lash, 520, [{ turn: -55, scale: 0.4, opacity: 0 }, { turn: -10, scale: 0.8, offset: 0.3 }, { offset: 0.5 }, { offset: 0.7 }, { turn: 8, scale: 0.9, opacity: 0 }], { upright: false }),
      this.crack({ ...to, turn: 0 }, { x: 0, y: 0 }),
    ]);
  }

  /** Jaws close on a chariot. @param {Spot} spot */
  async bite(spot) {
    /** @param {1 | -1} side */
    const jaw = (side) =>
      this.pass(spot, svg("path", { class: "cm-jaw", d: TEETH, transform: `scale(1 ${side})` }), 620, [{ y: -14 * side, opacity: 0 }, { y: -10 * side, offset: 0.3 }, { y: 9 * side, offset: 0.55 }, { y: 7 * side, offset: 0.8 }, { opacity: 0 }]);
    await Promise.all([jaw(1), jaw(-1)]);
  }

  /** Two tusks rush at a chariot. @param {Spot} from @param {Spot} to */
  async gore(from, to) {
    const { far, turn } = reach(from, to);
    /** @param {1 | -1} side */
    const tusk = (side) =>
      this.pass({ ...from, turn }, svg("path", { class: "cm-tusk", d: TUSK, transform: `scale(1 ${side})` }), 560, [{ x: far * 0.2, y: 6 * side, scale: 0.7, opacity: 0 }, { x: far * 0.4, y: 6 * side, offset: 0.35 }, { x: far, y: 6 * side, scale: 1.2, offset: 0.75 }, { x: far, opacity: 0 }], { upright: false });
    await Promise.all([tusk(1), tusk(-1)]);
  }

  /** Hooves and wheels go over something: prints, and dust on both sides. @param {Spot} spot */
  async trample(spot) {
    await Promise.all([
      ...[-14, -4, 6, 16].map((x, k) => this.pass(spot, svg("path", { class: "cm-print", d: "M-2-3A3 3 0 1 1-2 3" }), 820, [{ x, y: k % 2 ? 5 : -5, opacity: 0 }, { x, y: k % 2 ? 5 : -5, offset: 0.15 + k * 0.12 }, { x, y: k % 2 ? 5 : -5, opacity: 0 }], { upright: false })),
      this.cloud(spot, 11, 640),
    ]);
  }

  // --- misfortunes

  /** Horses bolt: jagged lines around their heads, and a warning sign. @param {Spot} spot */
  async bolt(spot) {
    const lines = svg("path", { class: "cm-panic", d: "M20-9l5-6 1 5 5-6M20 9l5 6 1-5 5 6M27 0l5-3 1 6 6-3" });
    const sign = svg("g", { class: "cm-warning" }, svg("path", { d: "M0-12 12 9H-12Z" }), svg("text", { y: 7, text: "!" }));
    await Promise.all([
      this.pass(spot, lines, 700, [{ scale: 0.7, opacity: 0 }, { x: 3, offset: 0.25 }, { x: -1, scale: 1.1, offset: 0.5 }, { x: 4, scale: 1.2, opacity: 0 }], { upright: false }),
      this.pass(spot, sign, 860, [{ y: -22, scale: 0.3, opacity: 0 }, { y: -44, scale: 1.2, offset: 0.3 }, { y: -45, scale: 1.1, offset: 0.75 }, { y: -54, opacity: 0 }]),
    ]);
  }

  /** The reins fly out of the driver's hands. @param {Spot} spot */
  async reins(spot) {
    await Promise.all(
      [-1, 1].map((side) => this.pass(spot, svg("path", { class: "cm-rein", d: `M14 ${5 * side}q-6 ${4 * side}-10 0t-10 ${3 * side}t-8 ${-2 * side}` }), 760, [{ opacity: 0 }, { x: -2, y: 4 * side, turn: 6 * side, offset: 0.2 }, { x: -8, y: 15 * side, turn: 30 * side, offset: 0.7 }, { x: -14, y: 22 * side, turn: 48 * side, opacity: 0 }], { upright: false })),
    );
  }

  /** A chariot breaks: splinters, a wheel that rolls away, and a large cloud. @param {Spot} spot of its car */
  async crash(spot) {
    await Promise.all([this.clash(spot, 1.35), this.ruin(spot), this.cloud(spot, 22, 1000)]);
  }

  /** A man is torn off his feet behind his team. @param {Spot} spot @param {SVGElement} man */
  async drag(spot, man) {
    this.furrow(spot);
    await Promise.all([
      this.pass(spot, svg("path", { class: "cm-rope", d: "M-40 0Q-22-5 4 0" }), 820, [{ opacity: 0 }, { offset: 0.2 }, { offset: 0.7 }, { opacity: 0 }], { upright: false }),
      this.pass(spot, man, 820, [{ x: -20, y: -8, turn: 0, scale: 1.3 }, { x: -40, y: 4, turn: 95, scale: 1.5, offset: 0.3 }, { x: -34, y: -4, turn: 80, scale: 1.4, offset: 0.6 }, { x: -14, turn: 90, opacity: 0 }], { upright: false }),
      ...[-1, 1].map((side) => this.pass(spot, svg("circle", { class: "moment-dust", r: 7 }), 760, [{ x: -34, y: 4 * side, scale: 0.4, opacity: 0.9 }, { x: -52, y: 14 * side, scale: 1.7, opacity: 0 }], { upright: false })),
    ]);
  }

  /** A man is thrown through the air. @param {Spot} spot @param {SVGElement} man */
  async tumble(spot, man) {
    await Promise.all([
      this.pass(spot, man, 760, [{ x: -10, scale: 1 }, { x: -22, y: -16, turn: -200, scale: 1.9, offset: 0.45 }, { x: -34, y: -24, turn: -420, scale: 1.1, offset: 0.85 }, { x: -35, y: -24, turn: -430, opacity: 0 }], { upright: false }),
      this.pass(spot, svg("circle", { class: "moment-dust", r: 7 }), 900, [{ x: -34, y: -24, opacity: 0 }, { x: -34, y: -24, scale: 0.4, opacity: 0.9, offset: 0.75 }, { x: -34, y: -24, scale: 1.6, opacity: 0 }], { upright: false }),
    ]);
  }

  /** Stars circle over an unconscious driver. @param {Spot} spot */
  async daze(spot) {
    const stars = svg("g", { class: "cm-daze" }, ...[0, 120, 240].map((turn) => svg("path", { d: star(5, 4.4, 1.9), transform: `rotate(${turn}) translate(13 0)` })));
    await this.pass(spot, stars, 1000, [{ turn: 0, opacity: 0 }, { turn: 70, offset: 0.2 }, { turn: 260, offset: 0.75 }, { turn: 340, opacity: 0 }], { easing: "linear" });
  }

  /** A wheel comes loose and wobbles beside the car. @param {Spot} spot */
  async wobble(spot) {
    const wheel = svg("g", { class: "moment-wheel" }, svg("circle", { r: 7 }), svg("path", { d: "M-7 0H7M0-7V7" }));
    await this.pass(spot, wheel, 800, [{ x: -10, y: 10, turn: -12, opacity: 0 }, { x: -10, y: 17, turn: 14, offset: 0.3 }, { x: -11, y: 16, turn: -14, offset: 0.6 }, { x: -10, y: 12, turn: 0, opacity: 0 }], { upright: false });
  }

  /** Beads of sweat: the team is exhausted. @param {Spot} spot */
  async sweat(spot) {
    await Promise.all([-8, 0, 8].map((x, k) => this.pass(spot, svg("path", { class: "cm-sweat", d: "M0-5C3 0 3 4 0 4S-3 0 0-5Z" }), 700, [{ x, y: -14, scale: 0.4, opacity: 0 }, { x: x * 1.4, y: -20 - 4 * (k % 2), offset: 0.4 }, { x: x * 1.7, y: -6, opacity: 0 }])));
  }
}
