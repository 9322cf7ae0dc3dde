// @ts-check
// The ghost of a base on the board: where a considered move would end, the way there, and the room that is left.

import { svg } from "../../../web/static/js/dom.js";
import { pointOf } from "./pieces.js";

/** @typedef {import("./pieces.js").Pose} Pose */
/** @typedef {import("./pieces.js").Pieces} Pieces */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("./types.d.ts").ChariotView} ChariotView */
/** @typedef {import("./pieces.js").Piece} Piece */
/**
 * @typedef {{from: Pose, middle: Pose, end: Pose, point: {x: number, y: number} | null, turns: boolean, sharp: boolean}} Shape
 *   where it stands, where the straight part ends, where it ends; the point that a pivot keeps in its place;
 *   whether it can be turned, and whether it is turned now
 */

/** Room beyond this many millimetres is not worth a line. */
const FAR = 320;
/** How far ahead of the base the handle is, and its radius. */
const AHEAD = 13;
const RADIUS = 7.5;
/** Pixels across that a finger needs, and across that the drawing of a handle has there. */
const FINGER = 44;
const DISC = 32;
const touching = window.matchMedia("(pointer: coarse)");

export class Ghost {
  /**
   * @param {Pieces} pieces
   * @param {Words} words
   */
  constructor(pieces, words) {
    this.pieces = pieces;
    this.words = words;
    this.way = svg("path", { class: "cm-way" });
    this.axis = svg("path", { class: "cm-axis" });
    this.ticks = svg("g", { class: "cm-ticks" });
    this.rooms = svg("g", { class: "cm-rooms" });
    this.figure = svg("g", { class: "cm-ghost-figure" });
    this.outline = svg("rect", { class: "cm-outline" });
    this.point = svg("circle", { class: "cm-point", r: 2.2 });
    this.reach = svg("path", { class: "cm-reach" });
    this.knob = svg("g", null, svg("circle", { r: RADIUS }), svg("path", { d: "M-1-4.6Q3.4 0-1 4.6M-3.4-3-1-4.8.4-2.2M-3.4 3-1 4.8.4 2.2" }));
    /** What takes hold of the handle and of the base: as large as a finger. */
    this.grip = svg("circle", { class: "cm-grip", r: RADIUS });
    this.hold = svg("rect", { class: "cm-grip" });
    this.handle = svg("g", { class: "cm-handle" }, this.grip, this.knob);
    this.body = svg("g", { class: "cm-ghost-body" }, this.hold, this.figure, this.outline);
    this.element = svg(
      "g",
      { class: "cm-ghost", hidden: true },
      this.way, this.axis, this.rooms, this.ticks, this.reach, this.body, this.point, this.handle,
    );
    pieces.top.append(this.element);
    /** Pixels that a millimetre has. */
    this.unit = 2;
    /** What it shows. @type {Shape | null} */
    this.shape = null;
    /** Whose ghost it is. @type {Piece} */
    this.piece = { number: 0, kind: "chariot", chariot: 0, length: 0, width: 0, pose: { x: 0, y: 0, h: 0 } };
  }

  /**
   * Whose ghost it is.
   * @param {Piece} piece
   * @param {ChariotView} chariot
   */
  of(piece, chariot) {
    this.piece = piece;
    this.figure.replaceChildren(...this.pieces.draw(piece, chariot).element.childNodes);
    const { length, width } = piece;
    for (const [name, value] of Object.entries({ x: -length / 2, y: -width / 2, width: length, height: width })) {
      this.outline.setAttribute(name, String(value));
    }
    this.element.removeAttribute("hidden");
  }

  hide() {
    this.element.setAttribute("hidden", "");
    this.rooms.replaceChildren();
  }

  /** @param {{x: number, y: number}} at a point of the map */
  place(at) {
    const [left, top] = this.pieces.places.origin;
    return `${(left + at.x).toFixed(2)} ${(top - at.y).toFixed(2)}`;
  }

  /** @param {Pose} pose */
  corners(pose) {
    const [a, b] = [this.piece.length / 2, this.piece.width / 2];
    return [pointOf(pose, a, b), pointOf(pose, a, -b), pointOf(pose, -a, -b), pointOf(pose, -a, b)];
  }

  /** Where the handle is of a base that stands here. @param {Pose} pose */
  nose(pose) {
    return pointOf(pose, this.piece.length / 2 + (touching.matches ? Math.max(AHEAD, (FINGER / 2 + 2) / this.unit) : AHEAD), 0);
  }

  /** The board is drawn with this many pixels for each millimetre. @param {number} unit */
  sized(unit) {
    this.unit = unit;
    if (this.shape && !this.element.hasAttribute("hidden")) this.show(this.shape);
  }

  /** Makes what can be taken hold of as large as a finger. */
  widen() {
    const [long, wide] = [this.piece.length, this.piece.width];
    const least = touching.matches ? FINGER / this.unit : 0;
    const disc = touching.matches ? Math.max(1, DISC / this.unit / (2 * RADIUS)) : 1;
    this.grip.setAttribute("r", Math.max(RADIUS, least / 2).toFixed(2));
    this.knob.setAttribute("transform", `scale(${disc.toFixed(3)})`);
    const [length, width] = [Math.max(long, least), Math.max(wide, least)];
    // it grows to the back and to the sides: ahead of it is the handle
    for (const [name, value] of Object.entries({ x: long / 2 - length, y: -width / 2, width: length, height: width })) {
      this.hold.setAttribute(name, value.toFixed(2));
    }
  }

  /** @param {Shape} shape */
  show(shape) {
    const { from, middle, end, point, turns, sharp } = shape;
    this.shape = shape;
    this.widen();
    this.body.setAttribute("transform", this.pieces.transform(end));
    for (const part of this.figure.querySelectorAll(".cm-letter, g > [href^='#spina-mark']")) {
      const group = /** @type {SVGElement} */ (part);
      if (group.classList.contains("cm-letter")) {
        const at = this.pieces.figures.badges[this.piece.kind];
        group.setAttribute("transform", `translate(${at[0]} ${at[1]}) rotate(${end.h.toFixed(1)})`);
      }
    }
    const swept = [...this.corners(from), ...this.corners(middle)];
    this.way.setAttribute("d", `M${hull(swept).map((at) => this.place(at)).join("L")}Z`);
    this.axis.setAttribute("d", `M${this.place(from)}L${this.place(middle)}`);
    this.point.classList.toggle("off", !point || !sharp);
    if (point) {
      const [x, y] = this.place(point).split(" ");
      this.point.setAttribute("cx", x);
      this.point.setAttribute("cy", y);
    }
    const nose = this.nose(end);
    this.reach.setAttribute("d", `M${this.place(pointOf(end, this.piece.length / 2, 0))}L${this.place(nose)}`);
    this.handle.setAttribute("transform", `translate(${this.place(nose)}) rotate(${(-end.h).toFixed(1)})`);
    for (const part of [this.handle, this.reach]) part.classList.toggle("off", !turns);
  }

  /**
   * Marks on the way: where the minimum is reached and where it ends.
   * @param {Pose} from
   * @param {number} direction of travel
   * @param {{mm: number, kind: string, text: string}[]} ticks
   * @param {boolean} across whether it travels sideways
   */
  mark(from, direction, ticks, across) {
    const half = (across ? this.piece.length : this.piece.width) / 2 + 4;
    const ahead = (across ? this.piece.width : this.piece.length) / 2;
    this.ticks.replaceChildren(
      ...ticks.map(({ mm, kind, text }) => {
        const at = pointOf({ ...from, h: direction }, ahead + mm, 0);
        const a = pointOf({ ...at, h: direction }, 0, half);
        const b = pointOf({ ...at, h: direction }, 0, -half);
        const [x, y] = this.place(pointOf({ ...at, h: direction }, 0, half + 5)).split(" ");
        return svg(
          "g",
          { class: `cm-tick ${kind}` },
          svg("path", { d: `M${this.place(a)}L${this.place(b)}` }),
          svg("text", { x, y, text }),
        );
      }),
    );
  }

  /** @param {"" | "bad" | "waiting"} state */
  judge(state) {
    this.element.classList.toggle("bad", state === "bad");
    this.element.classList.toggle("waiting", state === "waiting");
    if (state) this.rooms.replaceChildren();
  }

  /**
   * Lines to what comes next ahead and on both sides.
   * @param {Pose} end
   * @param {{ahead: number, left: number, right: number}} room
   */
  measure(end, room) {
    const [a, b] = [this.piece.length / 2, this.piece.width / 2];
    /** @type {[number, number, number, number][]} */
    const ways = [[room.ahead, 0, a, 0], [room.left, 90, 0, b], [room.right, -90, 0, -b]];
    this.rooms.replaceChildren(
      ...ways.filter(([mm]) => mm > 0 && mm < FAR).map(([mm, aside, ahead, left]) => {
        const begin = pointOf(end, ahead, left);
        const direction = { ...begin, h: end.h + aside };
        const finish = pointOf(direction, mm, 0);
        const stop = [pointOf({ ...finish, h: direction.h }, 0, 4), pointOf({ ...finish, h: direction.h }, 0, -4)];
        const [x, y] = this.place(pointOf(direction, mm < 24 ? mm + 9 : mm / 2, mm < 24 ? 0 : 7)).split(" ");
        return svg(
          "g",
          { class: `cm-room${mm < 20 ? " tight" : ""}` },
          svg("path", { d: `M${this.place(begin)}L${this.place(finish)}M${this.place(stop[0])}L${this.place(stop[1])}` }),
          svg("text", { x, y, text: this.words.decimal.format(Math.floor(mm) / 10) }),
        );
      }),
    );
  }
}

/**
 * The convex outline of some points.
 * @param {{x: number, y: number}[]} points
 */
function hull(points) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  /** @param {{x: number, y: number}[]} from */
  const half = (from) => {
    /** @type {{x: number, y: number}[]} */
    const kept = [];
    for (const p of from) {
      while (kept.length > 1) {
        const [o, q] = kept.slice(-2);
        if ((q.x - o.x) * (p.y - o.y) - (q.y - o.y) * (p.x - o.x) > 0) break;
        kept.pop();
      }
      kept.push(p);
    }
    return kept.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}
