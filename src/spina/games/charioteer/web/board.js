// @ts-check
// Chariots on the board of Charioteer and their motion. They lie on a picture of their own over the board, so that
// nothing of it is painted anew while they move.

import { svg } from "../../../web/static/js/dom.js";
import { Effects } from "./effects.js";
import { Oval } from "./oval.js";
import { CAR, LENGTH, makePiece } from "./piece.js";
import { Shrine } from "./shrine.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").Stepped} Stepped */
/** @typedef {import("./piece.js").Piece} Piece */

/** Milliseconds for a space: of the shortest move and of the longest, and what a point takes off. */
const SLOWEST = 115;
const FASTEST = 42;
const HASTE = 6;
/** Points from which a move is so fast that it leaves streaks. */
const STREAKS = 11;
/** Chariots are drawn this much larger than would fit a space lengthwise. */
const LARGER = 1.25;
/** Degrees that a chariot turns into a bend, and with a corner move. */
const LEAN = 7;
const CORNERING = 14;

export class Board {
  /** @type {Piece[]} */
  #pieces = [];
  /** The ends of considered moves, by seat. @type {Map<number, Piece>} */
  #ghosts = new Map();
  /** The chariot that is moving, which has its own layer. @type {number | null} */
  #inMotion = null;
  /** Milliseconds for a space of the move that is shown. */
  #pace = 75;
  /** Degrees that the chariot that moves turns into a bend. */
  #lean = LEAN;

  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.board = host.board;
    this.motion = host.motion;
    this.oval = new Oval(host.places);
    /** How long a chariot is drawn, in units of the picture. */
    this.piece = LENGTH * LARGER * host.places.scale;
    this.shrine = new Shrine(host);
    this.chariots = svg("g", { class: "cx-chariots" });
    this.ghosts = svg("g", { class: "cx-ghosts" });
    const layer = svg("g", { class: "cx-effects", "pointer-events": "none" });
    this.over = svg("svg", { class: "cx-over", viewBox: host.places.viewBox.join(" "), "aria-hidden": true }, this.chariots, this.ghosts, layer);
    this.effects = new Effects(host, { layer, spot: (seat) => this.spot(seat), body: (seat) => this.#pieces[seat].body });
    this.board.append(...this.shrine.elements);
    this.#explainPlaces();
  }

  /** Gives every place of the board its explanation. */
  #explainPlaces() {
    for (const space of this.board.querySelectorAll("path.space")) {
      const kind = space.classList.contains("outer") ? "outer" : "regular";
      space.setAttribute("data-help", `charioteer.space.${kind}`);
      space.querySelector("title")?.remove();
    }
    this.board.querySelector(".lap-counter")?.setAttribute("data-help", "charioteer.laps");
    this.board.querySelector(".line")?.setAttribute("data-help", "charioteer.line");
  }

  /** The line across the track, for the small map. */
  lineCopy() {
    const { spaces, depth, length } = this.oval;
    const at = spaces[0].along - (((spaces[0].along - spaces[spaces.length - 1].along + length) % length) / 2);
    const [inner, outer] = [this.oval.point(at, 0), this.oval.point(at, depth)];
    return [svg("path", { class: "line", d: `M${inner.x} ${inner.y}L${outer.x} ${outer.y}` })];
  }

  /** Puts everything as it stands, without motion. @param {View} view */
  show(view) {
    this.rest();
    this.effects.clear();
    while (this.#pieces.length < view.chariots.length) {
      const piece = makePiece(this.#pieces.length, this.host.faction(this.#pieces.length), "cx-chariot");
      piece.group.setAttribute("data-help", "charioteer.chariot");
      this.#pieces.push(piece);
      this.chariots.append(piece.group);
    }
    for (const { seat, space, lane, place } of view.chariots) {
      this.#put(this.#pieces[seat], space, lane);
      if (place === 1) this.leader = seat;
    }
    this.shrine.setCrowd(view.crowd);
    this.shrine.setDie(view.emperor);
  }

  // --- chariots ---

  /** @param {Piece} piece */
  #draw(piece) {
    const { x, y, turn } = this.oval.point(piece.along, piece.deep);
    const scale = this.host.places.scale * LARGER * piece.scale;
    const heading = turn - piece.lean;
    piece.group.style.transform = `translate(${x}px, ${y}px) rotate(${heading}deg) scale(${scale})`;
    piece.letter.style.transform = `translate(${CAR}px, 0px) rotate(${-heading}deg)`;
  }

  /** @param {Piece} piece @param {number} space @param {number} lane */
  #put(piece, space, lane) {
    Object.assign(piece, { space, lane }, this.oval.spot(space, lane));
    this.#draw(piece);
  }

  /** Moves pieces to where their space and lane are. @param {Piece[]} moving @param {number} ms */
  async #settle(moving, ms) {
    const ways = moving.map((piece) => {
      const { along, deep } = piece;
      const to = this.oval.spot(piece.space, piece.lane);
      return { piece, along, deep, way: this.oval.way(along, to.along), deeper: to.deep - deep };
    });
    const moved = this.#inMotion === null ? null : this.#pieces[this.#inMotion];
    await this.motion.glide(ms, (share) => {
      for (const { piece, along, deep, way, deeper } of ways) {
        piece.along = along + way * share;
        piece.deep = deep + deeper * share;
        const lean = piece === moved && this.oval.inBend(piece.along) ? this.#lean : 0;
        piece.lean += (lean - piece.lean) * 0.3;
        this.#draw(piece);
      }
    });
    for (const piece of moving) this.#put(piece, piece.space, piece.lane);
  }

  /** Gives the chariot that moves its own layer; null: none moves. @param {number | null} seat */
  #moving(seat) {
    if (seat === this.#inMotion) return;
    const last = this.#inMotion === null ? null : this.#pieces[this.#inMotion];
    if (last) {
      last.group.classList.remove("moving", "fast");
      last.lean = 0;
      this.#draw(last);
    }
    if (seat !== null) {
      const { group } = this.#pieces[seat];
      group.classList.add("moving");
      group.classList.toggle("fast", this.#pace <= SLOWEST - HASTE * STREAKS);
      this.chariots.append(group);
    }
    this.#inMotion = seat;
  }

  /** A move of this length begins: the longer, the faster. @param {number} points @param {string} symbol that it is made of */
  spur(points, symbol) {
    this.#pace = Math.max(FASTEST, SLOWEST - HASTE * points);
    this.#lean = symbol.startsWith("black") ? CORNERING : LEAN;
  }

  /** No chariot moves any more. */
  rest() {
    this.#moving(null);
  }

  /** A chariot enters a space; those outside it in the old one close up. @param {Stepped} event */
  async step({ seat, space, lane, whipped }) {
    this.#moving(seat);
    const piece = this.#pieces[seat];
    const others = this.#pieces.filter((other) => other !== piece && other.space === piece.space && other.lane > piece.lane);
    for (const other of others) other.lane -= 1;
    Object.assign(piece, { space, lane });
    await this.#settle([piece, ...others], whipped ? FASTEST : this.#pace);
  }

  /** Two chariots of a space change places. @param {number} seat @param {number} rival */
  async swap(seat, rival) {
    this.#moving(seat);
    const [one, other] = [this.#pieces[seat], this.#pieces[rival]];
    [one.lane, other.lane] = [other.lane, one.lane];
    await this.#settle([one, other], this.#pace * 1.7);
  }

  /** Lanes as they are drawn, by seat. */
  lanes() {
    return this.#pieces.map(({ space, lane }) => ({ space, lane }));
  }

  /** Shows where a considered move ends; null: none is considered. @param {number} seat @param {{space: number, lane: number, progress: number} | null} target */
  ghost(seat, target) {
    for (const [other, piece] of this.#ghosts) if (other !== seat || !target) piece.group.classList.remove("seen");
    this.board.querySelector(".cx-aim")?.classList.remove("cx-aim");
    if (!target) return;
    this.board.querySelector(`#space-${target.space}`)?.classList.add("cx-aim");
    const piece = this.#ghosts.get(seat) ?? makePiece(seat, this.host.faction(seat), "cx-ghost");
    if (!this.#ghosts.has(seat)) this.ghosts.append(piece.group);
    this.#ghosts.set(seat, piece);
    piece.scale = 1.12;
    this.#put(piece, target.space, target.lane);
    piece.group.classList.add("seen");
    this.aimed?.(seat, this.oval.point(piece.along, piece.deep));
  }

  /** Draws a chariot where a move ends. @param {Piece} piece @param {number} space @param {number} lane */
  stand(piece, space, lane) {
    this.#put(piece, space, lane);
    return this.oval.point(piece.along, piece.deep);
  }

  // --- where they are ---

  get seats() {
    return this.#pieces.map((_, seat) => seat);
  }

  /** Who is furthest along, as far as has been shown. */
  leader = 0;

  /** Called when it is shown where a considered move ends. @type {((seat: number, target: {x: number, y: number}) => void) | null} */
  aimed = null;

  /** Where a chariot is drawn, or this far ahead of it. @param {number} seat @param {number} [ahead] */
  spot(seat, ahead = 0) {
    return this.oval.point(this.#pieces[seat].along + ahead, this.#pieces[seat].deep);
  }

  /** How far apart two chariots are along the track. @param {number} one @param {number} other */
  apart(one, other) {
    return Math.abs(this.oval.way(this.#pieces[one].along, this.#pieces[other].along));
  }

  /** A cube flies to a chariot, from another or from the emperor. @param {number} seat @param {number | null} by */
  cube(seat, by) {
    return this.effects.cube(seat, by === null ? this.shrine.diePoint : this.spot(by));
  }

  /** @param {import("../../../web/static/js/types.js").Targets | null} targets */
  light(targets) {
    const seats = new Set([...(targets?.seats ?? []), ...(targets?.chariots ?? [])]);
    this.#pieces.forEach((piece, seat) => piece.group.classList.toggle("lit", seats.has(seat)));
    for (const space of this.board.querySelectorAll(".cx-lit-space")) space.classList.remove("cx-lit-space");
    for (const space of targets?.spaces ?? []) {
      this.board.querySelector(`#space-${Number(space)}`)?.classList.add("cx-lit-space");
    }
  }
}
