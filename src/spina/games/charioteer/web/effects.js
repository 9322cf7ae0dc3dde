// @ts-check
// Short animations around the chariots, a different one for each kind of event.

import { svg } from "../../../web/static/js/dom.js";
import { sign } from "./cards.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {{x: number, y: number, turn: number}} Spot of the board: a point, and the heading there in degrees */

const WIDTH = 1600;
/** Colours of petals and ribbons. */
const PETALS = ["#e9b93f", "#c0331f", "#fdf7e8", "#2b7c4f"];

export class Effects {
  /** How many tags are rising from each chariot. @type {Map<number, number>} */
  #rising = new Map();

  /**
   * @param {Host} host
   * @param {{layer: SVGGElement, spot: (seat: number) => Spot, body: (seat: number) => SVGGElement}} board the layer for
   *   what is shown, where a chariot is drawn, and the part of it that shakes
   */
  constructor({ motion }, { layer, spot, body }) {
    this.motion = motion;
    this.layer = layer;
    this.spot = spot;
    this.body = body;
  }

  clear() {
    this.layer.replaceChildren();
    this.#rising.clear();
  }

  /** Shows an element for as long as it moves. @param {SVGElement} element @param {Keyframe[]} frames @param {number} ms @param {string} [easing] */
  async #show(element, frames, ms, easing = "ease-out") {
    this.layer.append(element);
    await this.motion.play(element, frames, ms, easing);
    element.remove();
  }

  /**
   * A sign and words that rise from a chariot.
   * @param {number} seat @param {{sign?: string, text?: string, tone?: string, ms?: number}} what
   */
  async pop(seat, { sign: name, text = "", tone = "", ms = 800 }) {
    if (this.motion.still()) return;
    // those that are still there keep their place: the next rises above them
    const above = this.#rising.get(seat) ?? 0;
    this.#rising.set(seat, above + 1);
    const { x, y } = this.spot(seat);
    const scale = 0.8;
    const wide = (name ? 34 : 0) + text.length * 12.5 + 22;
    const reach = (wide / 2) * scale + 10;
    const at = Math.min(Math.max(x, reach), WIDTH - reach);
    const from = Math.max(y - 22 - above * 44 * scale, 60);
    await this.#show(makeTag(name, text, tone, wide), risingFrames(at, from, scale), ms, "linear");
    this.#rising.set(seat, Math.max(0, (this.#rising.get(seat) ?? 1) - 1));
  }

  /** A ring that spreads from a chariot: an attack, a shield or a rest. @param {number} seat @param {"attack" | "shield" | "calm"} kind */
  async ring(seat, kind) {
    if (this.motion.still()) return;
    const { x, y } = this.spot(seat);
    const place = `translate(${x}px, ${y}px)`;
    const ring = svg("circle", { class: `cx-ring ${kind}`, r: 40 });
    // an attack reaches far; a shield closes around its chariot
    const [from, to] = kind === "shield" ? [1.5, 0.75] : kind === "attack" ? [0.2, 3.6] : [0.3, 1.3];
    await this.#show(ring, [{ transform: `${place} scale(${from})`, opacity: 0.95 }, { transform: `${place} scale(${to})`, opacity: 0 }], 520);
  }

  /** A cube flies to a chariot, from another or from the emperor. @param {number} seat @param {{x: number, y: number}} from */
  async cube(seat, from) {
    if (this.motion.still()) return;
    const to = this.spot(seat);
    const cube = svg("rect", { class: "cx-cube-flying", x: -8, y: -8, width: 16, height: 16, rx: 2.5 });
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const lift = 40 + Math.hypot(dx, dy) * 0.16;
    const frames = [0, 0.25, 0.5, 0.75, 1].map((share) => ({
      transform: `translate(${from.x + dx * share}px, ${from.y + dy * share - 4 * lift * share * (1 - share)}px) rotate(${share * 360}deg)`,
    }));
    await this.#show(cube, frames, 300, "linear");
    void this.jolt(seat);
  }

  /** A chariot is hit. @param {number} seat */
  async jolt(seat) {
    if (this.motion.still()) return;
    const frames = [0, 3, -3, 2, -1, 0].map((y) => ({ transform: `translate(${-Math.abs(y)}px, ${y}px) rotate(${y * 2}deg)` }));
    await this.motion.play(this.body(seat), frames, 260, "linear");
  }

  /** Splinters fly from a chariot that takes damage. @param {number} seat */
  async splinter(seat) {
    if (this.motion.still()) return;
    void this.jolt(seat);
    this.#scatter(seat, "cx-splinter", 5, () => svg("rect", { x: -5, y: -1.2, width: 10, height: 2.4, fill: "#6d3b1f" }), 34);
    await this.motion.pause(240);
  }

  /** The crowd cheers a chariot on: petals rain on it. @param {number} seat */
  cheer(seat) {
    if (!this.motion.still()) this.#scatter(seat, "cx-petal", 8, (k) => svg("ellipse", { rx: 4.5, ry: 2.2, fill: PETALS[k % PETALS.length] }), 46);
  }

  /** @param {number} seat @param {string} kind @param {number} count @param {(k: number) => SVGElement} make @param {number} reach */
  #scatter(seat, kind, count, make, reach) {
    const { x, y } = this.spot(seat);
    for (let k = 0; k < count; k += 1) {
      const piece = make(k);
      piece.classList.add(kind);
      const angle = (2 * Math.PI * (k + 0.3)) / count;
      const [dx, dy] = [Math.cos(angle) * reach, Math.sin(angle) * reach * 0.8];
      const turn = 90 * k;
      void this.#show(
        piece,
        [
          { transform: `translate(${x}px, ${y}px) rotate(${turn}deg) scale(0.6)`, opacity: 1 },
          { transform: `translate(${x + dx}px, ${y + dy - 14}px) rotate(${turn + 160}deg) scale(1)`, opacity: 1, offset: 0.55 },
          { transform: `translate(${x + dx * 1.1}px, ${y + dy + 8}px) rotate(${turn + 260}deg) scale(0.9)`, opacity: 0 },
        ],
        620,
        "ease-out",
      );
    }
  }

  /** The whip cracks over the team, and the chariot surges. @param {number} seat */
  async crack(seat) {
    if (this.motion.still()) return;
    const { x, y, turn } = this.spot(seat);
    const whip = svg("path", { class: "cx-lash", d: "M-10 0C4-18 16-16 22-4S34 6 40-4" });
    const place = `translate(${x}px, ${y}px) rotate(${turn}deg)`;
    void this.#show(
      whip,
      [
        { transform: `${place} rotate(-70deg) scale(0.7)`, opacity: 0.4 },
        { transform: `${place} rotate(0deg) scale(1.1)`, opacity: 1, offset: 0.55 },
        { transform: `${place} rotate(14deg) scale(1.15)`, opacity: 0 },
      ],
      420,
      "ease-in",
    );
    await this.motion.play(this.body(seat), [{ transform: "translateX(0)" }, { transform: "translateX(-3px)", offset: 0.3 }, { transform: "translateX(9px)", offset: 0.7 }, { transform: "translateX(0)" }], 420);
  }
}

/** @param {string | undefined} name of a sign @param {string} text @param {string} tone @param {number} wide */
function makeTag(name, text, tone, wide) {
  const left = -wide / 2;
  return svg(
    "g",
    { class: `cx-pop ${tone}` },
    svg("rect", { x: left, y: -20, width: wide, height: 40, rx: 20 }),
    name ? sign(name, { x: left + 22, y: 0, scale: 0.95 }) : null,
    svg("text", { x: left + (name ? 38 : 11), y: 7.5, text }),
  );
}

/** @param {number} at @param {number} from @param {number} scale */
function risingFrames(at, from, scale) {
  /** @param {number} lift @param {number} size */
  const frame = (lift, size) => `translate(${at}px, ${from - lift}px) scale(${scale * size})`;
  return [
    { transform: frame(0, 0.6), opacity: 0 },
    { transform: frame(12, 1), opacity: 1, offset: 0.22 },
    { transform: frame(16, 1), opacity: 1, offset: 0.78 },
    { transform: frame(26, 1), opacity: 0 },
  ];
}
