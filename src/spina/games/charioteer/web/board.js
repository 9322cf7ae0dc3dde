// @ts-check
// Chariots on the board of Charioteer and their motion, with what rises and flies around them.

import { LETTERS, svg } from "../../../web/static/js/dom.js";
import { sign } from "./cards.js";
import { Oval } from "./oval.js";
import { CAPITALS, Shrine } from "./shrine.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").Stepped} Stepped */

/**
 * Where a chariot is: its space, its lane in it (0 is the inside), and how far along and deep in the track it is drawn.
 * @typedef {object} Piece
 * @property {SVGGElement} group
 * @property {SVGTextElement} letter
 * @property {number} space
 * @property {number} lane
 * @property {number} along
 * @property {number} deep
 * @property {number} scale
 */

/** Where the letter stands, behind the middle of the team. */
const CAR = -9.5;
/** Milliseconds for a space. */
const STEP = 75;
/** Chariots are drawn this much larger than would fit a space lengthwise; on a small screen more. */
const LARGER = 1.25;
const LARGEST = 1.75;
const INKS = ["#fff6e4", "#2a1911", "#fff6e4", "#fff6e4", "#fff6e4", "#2a1911"];
const WIDTH = 1600;

export class Board {
  /** @type {Piece[]} */
  #pieces = [];
  /** The ends of considered moves, by seat. @type {Map<number, Piece>} */
  #ghosts = new Map();
  /** How many tags are rising from each chariot. @type {Map<number, number>} */
  #rising = new Map();
  /** The chariot that is moving, which has its own layer. @type {number | null} */
  #inMotion = null;
  /** How much larger than drawn things are shown, so that they can be seen on a small screen. */
  #enlarged = LARGER;

  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.board = host.board;
    this.motion = host.motion;
    this.oval = new Oval(host.places);
    this.shrine = new Shrine(host);
    this.chariots = svg("g", { class: "cx-chariots" });
    this.ghosts = svg("g", { class: "cx-ghosts" });
    this.effects = svg("g", { class: "cx-effects", "pointer-events": "none" });
    this.board.append(...this.shrine.elements, this.chariots, this.ghosts, this.effects);
    this.#explainPlaces();
    new ResizeObserver(() => this.#enlarge()).observe(this.board);
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

  /** Draws chariots larger on a smaller board. */
  #enlarge() {
    const width = this.board.getBoundingClientRect().width || WIDTH;
    const now = Math.min(LARGEST, Math.max(LARGER, 1050 / width));
    if (Math.abs(now - this.#enlarged) < 0.02) return;
    this.#enlarged = now;
    this.#pieces.forEach((piece) => this.#draw(piece));
  }

  /** Puts everything as it stands, without motion. @param {View} view */
  show(view) {
    this.rest();
    this.effects.replaceChildren();
    this.#rising.clear();
    while (this.#pieces.length < view.chariots.length) {
      const piece = makePiece(this.#pieces.length, "cx-chariot");
      piece.group.setAttribute("data-help", "charioteer.chariot");
      this.#pieces.push(piece);
      this.chariots.append(piece.group);
    }
    for (const { seat, space, lane } of view.chariots) this.#put(this.#pieces[seat], space, lane);
    this.shrine.setCrowd(view.crowd);
    this.shrine.setDie(view.emperor);
  }

  // --- chariots ---

  /** @param {Piece} piece */
  #draw(piece) {
    const { x, y, turn } = this.oval.point(piece.along, piece.deep);
    const scale = this.host.places.scale * this.#enlarged * piece.scale;
    piece.group.style.transform = `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale})`;
    piece.letter.style.transform = `translate(${CAR}px, 0px) rotate(${-turn}deg)`;
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
    await this.motion.glide(ms, (share) => {
      for (const { piece, along, deep, way, deeper } of ways) {
        piece.along = along + way * share;
        piece.deep = deep + deeper * share;
        this.#draw(piece);
      }
    });
    for (const piece of moving) this.#put(piece, piece.space, piece.lane);
  }

  /** Gives the chariot that moves its own layer; null: none moves. @param {number | null} seat */
  #moving(seat) {
    if (seat === this.#inMotion) return;
    if (this.#inMotion !== null) this.#pieces[this.#inMotion]?.group.classList.remove("moving");
    if (seat !== null) {
      this.#pieces[seat].group.classList.add("moving");
      this.chariots.append(this.#pieces[seat].group);
    }
    this.#inMotion = seat;
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
    await this.#settle([piece, ...others], whipped ? STEP * 0.75 : STEP);
  }

  /** Two chariots of a space change places. @param {number} seat @param {number} rival */
  async swap(seat, rival) {
    this.#moving(seat);
    const [one, other] = [this.#pieces[seat], this.#pieces[rival]];
    [one.lane, other.lane] = [other.lane, one.lane];
    await this.#settle([one, other], STEP * 1.7);
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
    const piece = this.#ghosts.get(seat) ?? makePiece(seat, "cx-ghost");
    if (!this.#ghosts.has(seat)) this.ghosts.append(piece.group);
    this.#ghosts.set(seat, piece);
    piece.scale = 1.12;
    this.#put(piece, target.space, target.lane);
    piece.group.classList.add("seen");
  }

  // --- effects ---

  /** Where a chariot is drawn. @param {number} seat */
  #pointOf(seat) {
    return this.oval.point(this.#pieces[seat].along, this.#pieces[seat].deep);
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
    const { x, y } = this.#pointOf(seat);
    const scale = Math.min(3, 1.1 * this.#enlarged * this.#enlarged * (this.#enlarged > LARGER ? 0.85 : 0.75));
    const wide = (name ? 34 : 0) + text.length * 12.5 + 22;
    const tag = makeTag(name, text, tone, wide);
    const reach = (wide / 2) * scale + 10;
    const at = Math.min(Math.max(x, reach), WIDTH - reach);
    const from = Math.max(y - 26 - above * 44 * scale, 60);
    this.effects.append(tag);
    await this.motion.play(tag, risingFrames(at, from, scale), ms, "linear");
    tag.remove();
    this.#rising.set(seat, Math.max(0, (this.#rising.get(seat) ?? 1) - 1));
  }

  /** A ring that spreads from a chariot: an attack. @param {number} seat */
  async burst(seat) {
    if (this.motion.still()) return;
    const { x, y } = this.#pointOf(seat);
    const ring = svg("circle", { class: "cx-ring", r: 60 });
    this.effects.append(ring);
    const place = `translate(${x}px, ${y}px)`;
    await this.motion.play(ring, [{ transform: `${place} scale(0.2)`, opacity: 0.9 }, { transform: `${place} scale(3.4)`, opacity: 0 }], 480, "ease-out");
    ring.remove();
  }

  /** A cube flies to a chariot, from another or from the emperor. @param {number} seat @param {number | null} by */
  async cube(seat, by) {
    if (this.motion.still()) return;
    const to = this.#pointOf(seat);
    const from = by === null ? this.shrine.diePoint : this.#pointOf(by);
    const size = 15 * this.#enlarged;
    const cube = svg("rect", { class: "cx-cube-flying", x: -size / 2, y: -size / 2, width: size, height: size, rx: 2.5 });
    this.effects.append(cube);
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const lift = 40 + Math.hypot(dx, dy) * 0.16;
    const frames = [0, 0.25, 0.5, 0.75, 1].map((share) => ({
      transform: `translate(${from.x + dx * share}px, ${from.y + dy * share - 4 * lift * share * (1 - share)}px) rotate(${share * 360}deg)`,
    }));
    await this.motion.play(cube, frames, 300, "linear");
    cube.remove();
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

/** @param {number} seat @param {string} kind @returns {Piece} */
function makePiece(seat, kind) {
  const faction = seat % LETTERS.length;
  const letter = svg("text", {
    y: 4.1,
    "text-anchor": "middle",
    "font-family": CAPITALS,
    "font-size": 12,
    "font-weight": "bold",
    fill: INKS[faction],
    text: LETTERS[faction],
  });
  const group = svg(
    "g",
    { class: `${kind} faction-${faction}`, "data-seat": seat },
    svg("ellipse", { class: "cx-glow", rx: 30, ry: 20 }),
    svg("use", { href: `#spina-chariot-${LETTERS[faction].toLowerCase()}` }),
    letter,
  );
  return { group, letter, space: 0, lane: 0, along: 0, deep: 0, scale: 1 };
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
    { transform: frame(16, 1), opacity: 1, offset: 0.22 },
    { transform: frame(22, 1), opacity: 1, offset: 0.78 },
    { transform: frame(34, 1), opacity: 0 },
  ];
}
