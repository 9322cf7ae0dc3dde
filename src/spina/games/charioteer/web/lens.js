// @ts-check
// Points the camera: at the chariots near one's own, at a chariot that moves, and at the end of a considered move.

import { Camera } from "../../../web/static/js/camera.js";
import { FACTION_COLOURS, FACTION_INKS, LETTERS, svg } from "../../../web/static/js/dom.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./board.js").Board} Board */

/** Of the board's picture, at most, so that the window is nearer than the whole even on the largest screen. */
const WIDEST = 1150;
/** How far ahead of a chariot that moves the window looks. */
const AHEAD = 70;
/** Room around the chariots, in pieces, as the camera leaves it. */
const ROOM = 3.2;

export class Lens {
  /** Whose chariot stands in the middle of interest. @type {number | null} */
  #looking = null;
  #over = false;
  #begun = false;

  /** @param {Host} host @param {Board} board */
  constructor(host, board) {
    this.host = host;
    this.board = board;
    const [, , width, height] = host.places.viewBox;
    const { piece } = board;
    const { oval } = board.oval;
    const ring = (/** @type {number} */ r) =>
      `M${oval.left} ${oval.middle - r}H${oval.right}a${r} ${r} 0 0 1 0 ${2 * r}H${oval.left}a${r} ${r} 0 0 1 0 ${-2 * r}Z`;
    this.camera = new Camera(host, {
      size: [width, height],
      piece,
      label: host.t("charioteer.board"),
      across: (pixels) => Math.min(WIDEST, piece * Math.max(8, pixels / 58)),
      over: board.over,
      map: [svg("path", { class: "track", d: ring(oval.radius + board.oval.depth) + ring(oval.radius) }), ...board.lineCopy()],
    });
    this.camera.refollow = () => this.pack();
  }

  /** Another view is shown. @param {number | null} looking @param {boolean} over whether the race is: then the winner is looked at */
  show(looking, over) {
    this.#looking = looking;
    this.#over = over;
    this.dots();
    this.pack();
    if (this.#begun) return;
    this.#begun = true;
    this.camera.arrive();
  }

  /** Marks the chariots on the small map. */
  dots() {
    this.camera.mark(
      this.board.seats.map((seat) => {
        const faction = this.host.faction(seat);
        const { x, y } = this.board.spot(seat);
        return { x, y, colour: FACTION_COLOURS[faction], ink: FACTION_INKS[faction], own: seat === this.#looking, letter: LETTERS[faction] };
      }),
    );
  }

  /** Shows the viewer's chariot, or the leader for a spectator, with all others that fit into the window. */
  pack() {
    const { board } = this;
    const first = (this.#over ? null : this.#looking) ?? board.leader;
    const near = [...board.seats].sort((a, b) => board.apart(first, a) - board.apart(first, b));
    this.#see(near.map((seat) => board.spot(seat)));
  }

  /** Looks at a chariot and at where its move would end. @param {number} seat @param {{x: number, y: number}[]} targets */
  aim(seat, ...targets) {
    this.#see([this.board.spot(seat), ...targets], true);
  }

  /** Goes along with a chariot that moves. @param {number} seat */
  lean(seat) {
    const { x, y } = this.board.spot(seat, AHEAD);
    this.camera.look(x, y);
  }

  /** Looks at as many of these points as can be seen at once, the first ones first. @param {{x: number, y: number}[]} points @param {boolean} [all] */
  #see(points, all = false) {
    const { box, fit, legible } = this.camera;
    if (!box || !fit) return;
    const around = this.board.piece * ROOM;
    const room = { width: box.width / fit / legible - around, height: box.height / fit / legible - around };
    const seen = points.slice(0, 1);
    for (const point of points.slice(1)) {
      const [xs, ys] = [[...seen, point].map(({ x }) => x), [...seen, point].map(({ y }) => y)];
      const fits = Math.max(...xs) - Math.min(...xs) <= room.width && Math.max(...ys) - Math.min(...ys) <= room.height;
      if (fits || all) seen.push(point);
    }
    this.camera.see(seen);
  }
}
