// @ts-check
// Short animations on a board that more than one game shows: dust, skids, collisions, wrecks, a whip, a wreath. Each
// uses a few elements and animates only transform and opacity.

import { svg } from "./dom.js";

/** @typedef {{x: number, y: number, turn: number}} Spot a point of the board, and the heading there in degrees clockwise */
/** @typedef {{x?: number, y?: number, turn?: number, scale?: number, opacity?: number, offset?: number}} Pose */

/** Points of a star with this many rays. @param {number} rays @param {number} outer @param {number} inner */
export const star = (rays, outer, inner) =>
  `M${Array.from({ length: 2 * rays }, (_, k) => {
    const [angle, radius] = [(Math.PI * k) / rays, k % 2 ? inner : outer];
    return `${(Math.cos(angle) * radius).toFixed(1)} ${(Math.sin(angle) * radius).toFixed(1)}`;
  }).join("L")}Z`;

/** @param {Pose} pose @returns {Keyframe} */
const frame = ({ x = 0, y = 0, turn = 0, scale = 1, opacity = 1, offset }) => ({
  transform: `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale})`,
  opacity,
  ...(offset === undefined ? {} : { offset }),
});

/** Directions all around, in radians. @param {number} count @param {number} first in degrees */
const around = (count, first) => Array.from({ length: count }, (_, k) => ((360 / count) * k + first) * (Math.PI / 180));

/** What is seen for a moment and leaves nothing behind. Lengths are those of a piece that is about 40 long. */
export class Moments {
  /**
   * @param {import("./types.js").Motion} motion
   * @param {Element} layer that the drawings are put in
   * @param {number} scale of the pieces
   */
  constructor(motion, layer, scale) {
    this.motion = motion;
    this.layer = layer;
    this.scale = scale;
  }

  /**
   * Something at a place goes through these poses, which are relative to the place, and is gone.
   * @param {Spot} spot
   * @param {SVGElement} drawing
   * @param {number} ms
   * @param {Pose[]} poses
   * @param {{easing?: string, upright?: boolean}} [how] upright: not turned with the heading
   */
  async pass({ x, y, turn }, drawing, ms, poses, { easing = "ease-out", upright = true } = {}) {
    if (this.motion.still()) return;
    const inner = svg("g", null, drawing);
    const outer = svg("g", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})${upright ? "" : ` rotate(${turn.toFixed(1)})`} scale(${this.scale})` }, inner);
    this.layer.append(outer);
    await this.motion.play(inner, poses.map(frame), ms, easing);
    outer.remove();
  }

  /** Dust behind wheels, and streaks where they are fast. @param {Spot} spot @param {number} speed from 0 to 10 */
  dust(spot, speed) {
    if (this.motion.still()) return;
    const away = -24 - speed;
    void this.pass(spot, svg("ellipse", { class: "moment-dust", rx: 7, ry: 5 }), 620, [{ x: -16, scale: 0.4, opacity: 0.75 }, { x: away, y: -5, scale: 1.2 + speed / 8, opacity: 0 }], { upright: false });
    if (speed < 6) return;
    void this.pass(spot, svg("path", { class: "moment-streak", d: "M-24-11H-52M-26 0H-62M-24 11H-52" }), 320, [{ opacity: 0.8 }, { x: -8 - speed, opacity: 0 }], { upright: false });
  }

  /** A cloud of dust that spreads. @param {Spot} spot @param {number} radius @param {number} [ms] */
  cloud(spot, radius, ms = 800) {
    return this.pass(spot, svg("circle", { class: "moment-dust", r: radius }), ms, [{ scale: 0.4, opacity: 0.95 }, { scale: 2.2, opacity: 0 }]);
  }

  /** Wheels slide outwards. @param {Spot} spot @param {1 | -1} [side] 1: to the right */
  async skid(spot, side = 1) {
    if (this.motion.still()) return;
    await Promise.all([
      this.pass(spot, svg("path", { class: "moment-skid", d: "M-34-9Q-12-9 6-4M-34 13Q-12 13 6 18", transform: `scale(1 ${side})` }), 900, [{ opacity: 0.9 }, { opacity: 0.9, offset: 0.6 }, { opacity: 0 }], { upright: false }),
      ...[-1, 0, 1].map((k) => this.pass(spot, svg("circle", { class: "moment-dust", r: 8 }), 600, [{ x: -8 + 8 * k, y: 12 * side, scale: 0.4, opacity: 0.9 }, { x: -14 + 12 * k, y: 34 * side, scale: 1.7, opacity: 0 }], { upright: false })),
    ]);
  }

  /** Wood against wood: a star, a ring and splinters. @param {Spot} spot @param {number} [force] */
  async clash(spot, force = 1) {
    if (this.motion.still()) return;
    await Promise.all([
      this.pass(spot, svg("path", { class: "moment-clash", d: star(9, 30, 13) }), 420, [{ scale: 0.2 * force }, { scale: 1.3 * force, turn: 25, offset: 0.35 }, { scale: 1.5 * force, turn: 40, opacity: 0 }]),
      this.pass(spot, svg("circle", { class: "moment-shock", r: 24 }), 480, [{ scale: 0.3 }, { scale: 2 * force, opacity: 0 }]),
      this.splinters(spot, 5),
    ]);
  }

  /** Pieces of wood fly. @param {Spot} spot @param {number} count */
  async splinters(spot, count) {
    if (this.motion.still()) return;
    await Promise.all(
      around(count, 20).map((angle, k) => {
        const [x, y] = [Math.cos(angle) * 46, Math.sin(angle) * 46];
        return this.pass(spot, svg("path", { class: "moment-splinter", d: "M-7 0H7" }), 560, [{ turn: 40 * k }, { x: x * 0.8, y: y * 0.8 - 10, turn: 40 * k + 300, offset: 0.6 }, { x, y, turn: 40 * k + 420, opacity: 0 }]);
      }),
    );
  }

  /** Stones and dust: a chariot drives into stone. @param {Spot} spot */
  async rubble(spot) {
    if (this.motion.still()) return;
    await Promise.all([
      ...around(5, spot.turn + 15).map((angle) =>
        this.pass(spot, svg("path", { class: "moment-stone", d: "M-6 4-5-4 2-6 7 0 3 5Z" }), 620, [{ scale: 0.6 }, { x: Math.cos(angle) * 34, y: Math.sin(angle) * 30 - 26, turn: 160, offset: 0.45 }, { x: Math.cos(angle) * 44, y: Math.sin(angle) * 40, turn: 300, opacity: 0 }]),
      ),
      this.cloud(spot, 20),
    ]);
  }

  /** What is left of a chariot: a wheel rolls away, dust hides the rest. @param {Spot} spot */
  async ruin(spot) {
    if (this.motion.still()) return;
    const wheel = svg("g", { class: "moment-wheel" }, svg("circle", { r: 10 }), svg("path", { d: "M-10 0H10M0-10V10M-7-7 7 7M7-7-7 7" }));
    await Promise.all([
      this.pass(spot, wheel, 1100, [{ y: -6 }, { x: 70, y: 10, turn: 620, offset: 0.75 }, { x: 84, y: 14, turn: 700, opacity: 0 }], { upright: false }),
      ...[-1, 1].map((k) => this.pass(spot, svg("circle", { class: "moment-dust", r: 18 }), 900, [{ x: 4 * k, scale: 0.4, opacity: 0.95 }, { x: 22 * k, y: -8, scale: 1.9, opacity: 0 }])),
      this.splinters(spot, 6),
    ]);
  }

  /** A whip cracks over the team. @param {Spot} spot */
  async lash(spot) {
    if (this.motion.still()) return;
    await Promise.all([
      this.pass(spot, svg("path", { class: "moment-lash", d: "M-10 0C-4-26 16-30 27-9" }), 460, [{ turn: -70, scale: 0.7, opacity: 0 }, { turn: 12, scale: 1.1, offset: 0.45 }, { turn: 4, opacity: 0 }], { upright: false }),
      this.crack(spot, { x: 27, y: -9 }),
    ]);
  }

  /** The tip of a whip hits, at a point beside the place. @param {Spot} spot @param {{x: number, y: number}} tip */
  crack(spot, tip) {
    return this.pass(spot, svg("path", { class: "moment-crack", d: star(6, 9, 3), transform: `translate(${tip.x} ${tip.y})` }), 460, [{ opacity: 0 }, { opacity: 0, offset: 0.4 }, { offset: 0.5 }, { opacity: 0 }], { upright: false, easing: "linear" });
  }

  /** A number in a wreath rises from a chariot. @param {Spot} spot @param {string} text */
  async laurel(spot, text) {
    const wreath = svg("g", { class: "moment-laurel" }, svg("circle", { r: 21 }), svg("path", { class: "moment-wreath", d: "M-8-20A21 21 0 0 0 0 21M8-20A21 21 0 0 1 0 21" }), svg("text", { y: 7, text }));
    await this.pass(spot, wreath, 1150, [{ y: -14, scale: 0.3, opacity: 0 }, { y: -44, scale: 1.25, offset: 0.3 }, { y: -48, scale: 1.15, offset: 0.75 }, { y: -70, scale: 1.1, opacity: 0 }]);
  }

  /** Something that is hit shakes. @param {Element | null} body @param {number} force */
  async shake(body, force) {
    if (!body || this.motion.still()) return;
    const frames = [0, -1, 0.8, -0.6, 0.4, -0.2, 0].map((share, index) => ({
      transform: `translate(${share * force}px, ${(index % 2 ? -0.6 : 0.6) * share * force}px) rotate(${share * force}deg)`,
    }));
    await this.motion.play(body, frames, 340, "linear");
  }
}
