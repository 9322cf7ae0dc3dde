// @ts-check
// On a small screen the board is looked at from nearby: the camera goes where something happens.

import { el } from "../../../web/static/js/dom.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./pieces.js").Spot} Spot */

const SMALL = 720;
const NEAREST = 2.4;
const MARGIN = 95;

/**
 * Where a window of this size begins, so that its middle is here and it shows nothing beyond the board if it can.
 * @param {number} middle
 * @param {number} size
 * @param {number} whole
 */
const place = (middle, size, whole) => (size >= whole ? (whole - size) / 2 : Math.min(Math.max(middle - size / 2, 0), whole - size));

/** Moves the whole board by a transformation, so that nothing is laid out anew. */
export class Camera {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.far = false;
    /** @type {Spot[]} */
    this.spots = [];
    this.button = el("button", { type: "button", class: "button cr-camera", "aria-pressed": false, text: host.t("chariot-race.camera"), on: { click: () => this.#toggle() } });
    host.board.parentElement?.append(this.button);
    window.addEventListener("resize", () => this.look(this.spots));
  }

  #toggle() {
    this.far = !this.far;
    this.button.setAttribute("aria-pressed", String(this.far));
    this.look(this.spots);
  }

  /**
   * Look at these places; none: at everything.
   * @param {Spot[]} spots
   */
  look(spots) {
    this.spots = spots;
    const { board } = this.host;
    const frame = board.parentElement;
    const [, , width, height] = /** @type {number[]} */ (this.host.places.viewBox);
    const [wide, high] = [frame?.clientWidth ?? 0, frame?.clientHeight ?? 0];
    if (wide === 0 || wide >= SMALL) {
      board.style.transform = "";
      return;
    }
    const unit = wide / width;
    const far = this.far || !spots.length;
    const xs = far ? [0, width] : spots.flatMap(({ x }) => [x - MARGIN, x + MARGIN]);
    const ys = far ? [0, height] : spots.flatMap(({ y }) => [y - MARGIN, y + MARGIN]);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const zoom = Math.max(1, Math.min(NEAREST, wide / unit / (right - left), high / unit / (bottom - top)));
    const [seenWide, seenHigh] = [wide / unit / zoom, high / unit / zoom];
    const x = place((left + right) / 2, seenWide, width);
    const y = place((top + bottom) / 2, seenHigh, height);
    board.style.transform = `translate(${(-x * unit * zoom).toFixed(1)}px, ${(-y * unit * zoom).toFixed(1)}px) scale(${zoom.toFixed(3)})`;
  }
}
