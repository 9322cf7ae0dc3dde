// @ts-check
// What moves on the board of Chariot Race, and what is lit on it. It shows events and knows no rules.

import { svg } from "../../../web/static/js/dom.js";
import { face, fresh, SIDES } from "./dice.js";
import { Effects } from "./effects.js";
import { Pieces, radians } from "./pieces.js";
import { ThrownDice } from "./thrown_dice.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./pieces.js").Spot} Spot */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {Pick<import("./types.d.ts").Path, "spaces" | "end" | "put_back" | "wrecked" | "corners" | "caltrops" | "rams">} DrawnPath */
/** @typedef {{space: number, label: string, tone: string, picked?: boolean}} End */
/** @typedef {{enter: (space: number) => void, leave: () => void, pick: (space: number, touch: boolean) => void}} Listeners */

/** Units of the board per millisecond that a chariot drives: at rest, and more for each point of speed. */
const PACE = [0.09, 0.05];
/** How far the body of a chariot leans into a bend, of the angle of the bend, and at most in degrees. */
const LEAN = [0.4, 13];
const BAY = 47.2;
const DICE = 5;

/** @param {Event} event */
const touched = (event) => event instanceof PointerEvent && event.pointerType === "touch";

/**
 * Between two places, leaving and arriving in the direction of travel.
 * @param {Spot} from
 * @param {Spot} to
 * @param {number} share
 * @returns {Spot}
 */
function between(from, to, share) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [a, b] = [radians(from.turn), radians(to.turn)];
  const s = share;
  const h = [2 * s ** 3 - 3 * s ** 2 + 1, s ** 3 - 2 * s ** 2 + s, -2 * s ** 3 + 3 * s ** 2, s ** 3 - s ** 2];
  const d = [6 * s ** 2 - 6 * s, 3 * s ** 2 - 4 * s + 1, -6 * s ** 2 + 6 * s, 3 * s ** 2 - 2 * s];
  const [ax, ay, bx, by] = [Math.cos(a) * length, Math.sin(a) * length, Math.cos(b) * length, Math.sin(b) * length];
  const dx = d[0] * from.x + d[1] * ax + d[2] * to.x + d[3] * bx;
  const dy = d[0] * from.y + d[1] * ay + d[2] * to.y + d[3] * by;
  return {
    x: h[0] * from.x + h[1] * ax + h[2] * to.x + h[3] * bx,
    y: h[0] * from.y + h[1] * ay + h[2] * to.y + h[3] * by,
    turn: share >= 1 ? to.turn : (Math.atan2(dy, dx) * 180) / Math.PI,
  };
}

/** The board of one race. */
export class Board extends Pieces {
  /** @param {Host} host */
  constructor(host) {
    super(host);
    /** @type {string[]} */
    this.dice = [];
    this.tray = svg("g", { class: "cr-tray" });
    (host.board.querySelector(".temple") ?? host.board).append(this.tray);
    this.effects = new Effects(host.motion, this.layers.effects, this.scale);
    this.thrown = new ThrownDice(host, this.camera.overlay);
    /** How fast the chariot is that moves. */
    this.pace = 4;
    /** How far it leans, in degrees. */
    this.lean = 0;
  }

  /**
   * Puts everything as the view says.
   * @param {View} view
   * @param {number | null} looking
   */
  place(view, looking) {
    for (const chariot of this.chariots.keys()) this.halt(chariot);
    super.place(view, looking);
    void this.roll(view.dice, [], false);
  }

  // --- dice

  /**
   * Lays dice out in the temple; those that are new are thrown before.
   * @param {string[]} dice
   * @param {string[]} kept
   * @param {boolean} moving
   */
  async roll(dice, kept, moving) {
    this.dice = dice;
    if (moving) await this.thrown.roll(dice, fresh(kept, dice));
    this.tray.replaceChildren(
      ...dice.map((side, index) => svg("g", { transform: `translate(${BAY * (index - (DICE - 1) / 2)} -44)`, "data-help": `chariot-race.side.${SIDES[side]}` }, face(side))),
    );
  }

  // --- movement

  /**
   * A chariot drives into a space, the quicker the faster it is; it does not halt if it drives on.
   * @param {number} chariot
   * @param {number} space
   * @param {boolean} last whether it halts there
   */
  async drive(chariot, space, last) {
    const piece = this.chariots.get(chariot);
    const from = this.spots.get(chariot);
    if (!piece || !from) return;
    const to = this.spot(space);
    this.follow(to);
    const body = /** @type {SVGGElement | null} */ (piece.querySelector(".cr-lean"));
    const turned = ((to.turn - from.turn + 540) % 360) - 180;
    const [before, after] = [this.lean, last ? 0 : Math.max(-LEAN[1], Math.min(LEAN[1], turned * LEAN[0]))];
    const ms = (Math.hypot(to.x - from.x, to.y - from.y) / (PACE[0] + PACE[1] * this.pace)) * (last ? 1.4 : 1);
    piece.classList.add("racing");
    piece.style.setProperty("--beat", `${Math.round(360 - 20 * Math.min(this.pace, 10))}ms`);
    this.effects.dust(from, this.pace);

    await this.host.motion.glide(ms, (share) => {
      this.face(piece, between(from, to, last ? 1 - (1 - share) ** 1.6 : share));
      if (body) body.style.transform = `rotate(${(before + (after - before) * share).toFixed(2)}deg)`;
    });

    this.lean = after;
    if (last) piece.classList.remove("racing");
    this.stay(chariot, to);
    this.dots();
  }

  /** Stops the running animation of a chariot. @param {number} chariot */
  halt(chariot) {
    const piece = this.chariots.get(chariot);
    const body = /** @type {SVGGElement | null} */ (piece?.querySelector(".cr-lean") ?? null);
    piece?.classList.remove("racing");
    if (body) body.style.transform = "";
    this.lean = 0;
  }

  /**
   * Shows a moment where a chariot is.
   * @param {number} chariot
   * @param {(effects: Effects, spot: Spot) => Promise<void>} moment
   */
  async moment(chariot, moment) {
    const spot = this.spots.get(chariot);
    if (spot) await moment(this.effects, spot);
  }

  /**
   * A chariot is pushed back, facing ahead all the time.
   * @param {number} chariot
   * @param {number} space
   */
  async pushBack(chariot, space) {
    const piece = this.chariots.get(chariot);
    const from = this.spots.get(chariot);
    if (!piece || !from) return;
    const to = this.spot(space);
    const turned = ((to.turn - from.turn + 540) % 360) - 180;
    await this.host.motion.glide(420, (share) => {
      const eased = 1 - (1 - share) ** 3;
      this.face(piece, {
        x: from.x + (to.x - from.x) * eased,
        y: from.y + (to.y - from.y) * eased,
        turn: from.turn + turned * eased,
      });
    });
    this.stay(chariot, to);
    this.dots();
  }

  /** A chariot appears on its starting space. @param {number} chariot @param {number} space */
  async enter(chariot, space) {
    this.stand(chariot, this.spot(space));
    const body = this.body(chariot);
    if (body) await this.host.motion.play(body, [{ opacity: 0, transform: "translate(-40px, 0px)" }, { opacity: 1, transform: "translate(0px, 0px)" }], 420, "ease-out");
  }

  /** @param {number} chariot @param {number} force */
  async shake(chariot, force = 6) {
    await this.effects.shake(this.body(chariot), force);
  }

  /**
   * A number rises from a chariot, or from a space.
   * @param {number} chariot
   * @param {string} text
   * @param {"bad" | "good" | "plain"} tone
   */
  async float(chariot, text, tone) {
    const spot = this.spots.get(chariot);
    if (spot) await this.#rise(spot.x, spot.y - 26, text, tone);
  }

  /** @param {number} x @param {number} y @param {string} text @param {string} tone */
  async #rise(x, y, text, tone) {
    if (this.host.motion.still()) return;
    const inner = svg("g", null, svg("text", { class: `cr-float ${tone}`, text }));
    const outer = svg("g", { transform: `translate(${x} ${y})` }, inner);
    this.layers.effects.append(outer);
    await this.host.motion.play(
      inner,
      [
        { transform: "translate(0px, 10px) scale(0.6)", opacity: 0 },
        { transform: "translate(0px, -4px) scale(1.15)", opacity: 1, offset: 0.25 },
        { transform: "translate(0px, -10px) scale(1)", opacity: 1, offset: 0.7 },
        { transform: "translate(0px, -26px) scale(0.95)", opacity: 0 },
      ],
      900,
      "ease-out",
    );
    outer.remove();
  }

  /** A chariot breaks. @param {number} chariot @param {number} space @param {boolean} marker */
  async breakUp(chariot, space, marker) {
    const piece = this.chariots.get(chariot);
    const body = this.body(chariot);
    const left = this.wreck(chariot, space).firstElementChild;
    if (piece && body && left) {
      void this.effects.ruin(this.spot(space));
      const shows = this.host.motion.play(left, [{ opacity: 0, transform: "scale(0.3) rotate(-90deg)" }, { opacity: 1, transform: "scale(1) rotate(0deg)" }], 700, "cubic-bezier(.2,1.4,.5,1)");
      await this.host.motion.play(
        body,
        [
          { transform: "rotate(0deg) scale(1)", opacity: 1 },
          { transform: "rotate(70deg) scale(1.25)", opacity: 1, offset: 0.35 },
          { transform: "rotate(260deg) scale(0.4)", opacity: 0 },
        ],
        700,
        "ease-in",
      );
      await shows;
    }
    this.remove(chariot);
    if (marker) this.lay(space);
  }

  /** A caltrop falls onto a space. @param {number} space */
  async drop(space) {
    const inner = this.lay(space)?.firstElementChild;
    if (!inner) return;
    await this.host.motion.play(
      inner,
      [
        { transform: "translate(0px, -40px) rotate(-160deg) scale(1.6)", opacity: 0 },
        { transform: "translate(0px, 0px) rotate(0deg) scale(0.9)", opacity: 1, offset: 0.7 },
        { transform: "translate(0px, 0px) rotate(0deg) scale(1)", opacity: 1 },
      ],
      460,
      "ease-in",
    );
  }

  /** A caltrop goes back to the supply. @param {number} space */
  async pickUp(space) {
    const piece = this.caltrops.get(space);
    const inner = piece?.firstElementChild;
    this.caltrops.delete(space);
    if (inner) await this.host.motion.play(inner, [{ transform: "scale(1)", opacity: 1 }, { transform: "scale(2)", opacity: 0 }], 260, "ease-out");
    piece?.remove();
  }

  /** A javelin flies. @param {number} chariot @param {number} target */
  async throwJavelin(chariot, target) {
    const [from, to] = [this.spots.get(chariot), this.spots.get(target)];
    if (!from || !to || this.host.motion.still()) return;
    const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
    const javelin = svg("g", { class: "cr-javelin" }, svg("path", { d: "M-26 0H18" }), svg("path", { class: "cr-point", d: "M14-5 30 0 14 5Z" }));
    this.layers.effects.append(javelin);
    const at = (/** @type {Spot} */ spot, /** @type {number} */ scale) => `translate(${spot.x}px, ${spot.y}px) rotate(${angle}deg) scale(${scale})`;
    const half = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - 18, turn: 0 };
    await this.host.motion.play(
      javelin,
      [{ transform: at(from, 0.8), opacity: 0 }, { transform: at(from, 1), opacity: 1, offset: 0.1 }, { transform: at(half, 1.2), opacity: 1, offset: 0.55 }, { transform: at(to, 1), opacity: 1 }],
      420,
      "ease-in",
    );
    javelin.remove();
    void this.effects.strike(to, angle);
  }

  /** A wreath for the winner. @param {number} chariot */
  async crown(chariot) {
    const spot = this.spots.get(chariot);
    if (!spot) return;
    const inner = svg("path", { class: "moment-wreath", d: "M-8-20A21 21 0 0 0 0 21M8-20A21 21 0 0 1 0 21" });
    this.layers.effects.append(svg("g", { transform: `translate(${spot.x} ${spot.y}) scale(1.5)` }, inner));
    await this.host.motion.play(inner, [{ opacity: 0, transform: "scale(2.4) rotate(-40deg)" }, { opacity: 1, transform: "scale(1) rotate(0deg)" }], 800, "cubic-bezier(.2,1.2,.4,1)");
  }

  // --- what can be chosen

  /**
   * Spaces that can be clicked, each with a word on it.
   * @param {End[]} ends
   * @param {Listeners} [listeners]
   */
  ends(ends, listeners) {
    this.host.board.classList.toggle("cr-choosing", Boolean(listeners) && ends.length > 0);
    this.layers.ends.replaceChildren(
      ...ends.map(({ space, label, tone, picked }) => {
        const { x, y } = this.spot(space);
        const name = svg("g", { class: "cr-label", transform: `translate(${x} ${y})` });
        if (label) name.append(svg("circle", { r: 14.5 }), svg("text", { y: 5.4, text: label }));
        return svg(
          "g",
          {
            class: `cr-end ${tone}${picked ? " picked" : ""}${listeners ? " open" : ""}`,
            "data-space": space,
            on: {
              pointerenter: (event) => touched(event) || listeners?.enter(space),
              pointerleave: (event) => touched(event) || listeners?.leave(),
              click: (event) => listeners?.pick(space, touched(event)), // a finger cannot hover: its first touch looks
            },
          },
          svg("path", { class: "cr-area", d: this.outline(space)?.getAttribute("d") ?? "" }),
          name,
        );
      }),
    );
  }

  /** Brings a chariot and some spaces into view. @param {number} chariot @param {number[]} spaces */
  look(chariot, spaces) {
    if (!spaces.length) return;
    const own = this.spots.get(chariot);
    const see = () => this.camera.see([...(own ? [own] : []), ...spaces.map((space) => this.spot(space))], true);
    this.camera.refollow = see;
    see();
  }

  /** The lit space that is looked at. @param {number | null} space */
  point(space) {
    for (const end of this.layers.ends.children) end.classList.toggle("picked", end.getAttribute("data-space") === String(space));
  }

  /**
   * A path with its end: through these spaces, with a ghost where the chariot would stand.
   * @param {number | null} chariot
   * @param {DrawnPath} [way]
   */
  way(chariot, way) {
    this.layers.way.replaceChildren();
    const start = chariot === null ? null : this.spots.get(chariot);
    if (chariot === null || !start || !way) return;
    const spots = [start, ...way.spaces.map((space) => this.spot(space))];
    let data = `M${start.x} ${start.y}`;
    for (let k = 1; k < spots.length; k += 1) {
      const [a, b] = [spots[k - 1], spots[k]];
      const third = Math.hypot(b.x - a.x, b.y - a.y) / 3;
      const leave = [a.x + Math.cos(radians(a.turn)) * third, a.y + Math.sin(radians(a.turn)) * third];
      const arrive = [b.x - Math.cos(radians(b.turn)) * third, b.y - Math.sin(radians(b.turn)) * third];
      data += `C${leave.map(Math.round).join(" ")} ${arrive.map(Math.round).join(" ")} ${b.x} ${b.y}`;
    }
    this.layers.way.append(svg("path", { class: "cr-trail-edge", d: data }), svg("path", { class: "cr-trail", d: data }));
    if (way.put_back) {
      const [a, b] = [spots[spots.length - 1], this.spot(way.end)];
      this.layers.way.append(svg("path", { class: "cr-back", d: `M${a.x} ${a.y}L${b.x} ${b.y}` }));
    }
    if (!way.wrecked) {
      const ghost = this.draw(chariot, true);
      this.face(ghost, this.spot(way.end));
      this.layers.way.append(ghost);
    }
    this.#marks(way);
  }

  /** Where a path costs something. @param {DrawnPath} way */
  #marks(way) {
    /** @type {Map<number, number>} */
    const lost = new Map();
    const add = (/** @type {number} */ space, /** @type {number} */ damage) => lost.set(space, (lost.get(space) ?? 0) + damage);
    for (const { space, damage } of way.corners) add(space, damage);
    for (const space of way.caltrops) add(space, this.host.places.figures.caltrop_damage);
    for (const { chariot } of way.rams) {
      const spot = this.spots.get(chariot);
      const space = way.spaces.find((entered) => spot && Math.hypot(this.spot(entered).x - spot.x, this.spot(entered).y - spot.y) < 30);
      if (space !== undefined) add(space, this.host.places.figures.ram_damage);
    }
    for (const [space, damage] of lost) {
      const { x, y } = this.spot(space);
      this.layers.way.append(svg("g", { class: "cr-mark", transform: `translate(${x} ${y - 22})` }, svg("rect", { x: -15, y: -12, width: 30, height: 22, rx: 11 }), svg("text", { y: 4.5, text: `−${damage}` })));
    }
    if (way.wrecked) {
      const { x, y } = this.spot(way.end);
      this.layers.way.append(svg("g", { class: "cr-doom", transform: `translate(${x} ${y}) scale(1.1)` }, svg("use", { href: "#spina-wreck", fill: "currentColor" })));
    }
  }

  /**
   * Highlights what a line of the log is about.
   * @param {number[]} chariots
   * @param {number[]} spaces
   */
  light(chariots, spaces) {
    for (const [number, piece] of this.chariots) piece.classList.toggle("spoken", chariots.includes(number));
    this.host.board.querySelectorAll(".cr-spoken").forEach((old) => old.remove());
    for (const space of spaces) {
      this.layers.ground.append(svg("path", { class: "cr-spoken", d: this.outline(space)?.getAttribute("d") ?? "" }));
    }
  }
}
