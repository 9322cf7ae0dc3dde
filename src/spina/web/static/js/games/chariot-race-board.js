// @ts-check
// What stands and moves on the board of Chariot Race. It knows no rules: it is told where everything goes.

import { LETTERS, svg } from "../dom.js";
import { Camera } from "./chariot-race-camera.js";
import { face, fresh, SIDES } from "./chariot-race-dice.js";

/** @typedef {import("../types.js").Host} Host */
/** @typedef {{name: string, lane: number, safe: number, centre: [number, number], heading: number, caltrop: [number, number]}} Space */
/** @typedef {{x: number, y: number, turn: number}} Spot */
/** @typedef {{space: number, label: string, tone: string, picked?: boolean}} End */
/** @typedef {{enter: (space: number) => void, leave: () => void, pick: (space: number) => void}} Listeners */

/** @param {Event} event */
const touched = (event) => event instanceof PointerEvent && event.pointerType === "touch";

const CAR = -9.5;
const STEP = 210;
const ASIDE = 12;
const BAY = 47.2;
const DICE = 5;
const INKS = ["#fff6e4", "#2a1911", "#fff6e4", "#fff6e4", "#fff6e4", "#2a1911"];
const COLOURS = ["#c0331f", "#fbf7ee", "#1d62a5", "#2b7c4f", "#7a3a86", "#eeb62f"];
const COUNTER = { x: 568, y: 464, half: 132 };

/** @param {number} degrees */
const radians = (degrees) => (degrees * Math.PI) / 180;

/** @param {Spot} spot @param {number} scale */
const css = ({ x, y, turn }, scale) =>
  `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) rotate(${turn.toFixed(2)}deg) scale(${scale})`;

/** @param {number} value */
export const roman = (value) => ["–", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"][value] ?? String(value);

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

/** The pieces of one race. */
export class Board {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    /** @type {Space[]} */
    this.spaces = host.places.spaces;
    /** @type {Map<string, number>} */
    this.numbers = new Map(this.spaces.map((space, index) => [space.name, index]));
    /** @type {number} */
    this.scale = host.places.scale;
    /** @type {Map<number, SVGGElement>} */
    this.chariots = new Map();
    /** @type {Map<number, Spot>} */
    this.spots = new Map();
    /** @type {Map<number, SVGElement>} */
    this.caltrops = new Map();
    /** @type {string[]} */
    this.dice = [];
    host.board.classList.add("cr-board");
    this.layers = Object.fromEntries(
      ["ground", "wrecks", "caltrops", "ends", "way", "chariots", "effects"].map((name) => {
        const layer = svg("g", { class: `cr-layer cr-${name}` });
        host.board.append(layer);
        return [name, layer];
      }),
    );
    this.tray = svg("g", { class: "cr-tray" });
    (host.board.querySelector(".temple") ?? host.board).append(this.tray);
    this.numeral = svg("text", { class: "cr-lap", x: COUNTER.x, y: COUNTER.y });
    this.layers.ground.append(this.numeral);
    this.#speak();
    this.camera = new Camera(host);
  }

  /** The board's own words are English: the page has them in its language. */
  #speak() {
    const { board, t } = this.host;
    for (const child of [...board.children]) if (child.tagName === "title" || child.tagName === "desc") child.remove();
    board.setAttribute("aria-label", t("chariot-race.board"));
    this.spaces.forEach((space, index) => {
      const path = this.#outline(index);
      path?.querySelector("title")?.remove();
      const kind = path?.classList.contains("closed")
        ? "heap"
        : space.safe
          ? "corner"
          : path?.classList.contains("start")
            ? "grid"
            : "space";
      path?.setAttribute("data-help", `chariot-race.${kind}`);
    });
    board.querySelector(".temple")?.setAttribute("data-help", "chariot-race.dice");
    board.querySelector(".lap-counter")?.setAttribute("data-help", "chariot-race.laps");
  }

  /** @param {number} space @returns {Element | null} */
  #outline(space) {
    return this.host.board.querySelector(`#space-${space}`);
  }

  /** @param {number} space @returns {Spot} */
  spot(space) {
    const { centre, heading } = this.spaces[space];
    return { x: centre[0], y: centre[1], turn: heading };
  }

  /** @param {number} chariot @param {boolean} ghost */
  #chariot(chariot, ghost) {
    const letter = LETTERS[chariot].toLowerCase();
    return svg(
      "g",
      { class: ghost ? "cr-chariot cr-ghost" : "cr-chariot", "data-chariot": chariot, "data-help": ghost ? null : "chariot-race.chariot" },
      svg("ellipse", { class: "cr-ring", rx: 27, ry: 18.5 }),
      svg(
        "g",
        { class: "cr-body" },
        svg("use", { href: `#spina-chariot-${letter}` }),
        svg("g", { class: "cr-letter" }, svg("text", { x: 0, y: 4.2, fill: INKS[chariot], text: LETTERS[chariot] })),
      ),
    );
  }

  /** @param {number} chariot @param {Spot} spot */
  #set(chariot, spot) {
    const piece = this.chariots.get(chariot);
    if (!piece) return;
    this.spots.set(chariot, spot);
    this.#turn(piece, spot);
  }

  /** @param {SVGGElement} piece @param {Spot} spot */
  #turn(piece, spot) {
    piece.style.transform = css(spot, this.scale);
    const letter = /** @type {SVGGElement | null} */ (piece.querySelector(".cr-letter"));
    if (letter) letter.style.transform = `translate(${CAR}px, 0px) rotate(${(-spot.turn).toFixed(2)}deg)`;
  }

  /**
   * Puts everything as the view says.
   * @param {any} view
   */
  place(view) {
    this.layers.wrecks.replaceChildren();
    this.layers.caltrops.replaceChildren();
    this.layers.effects.replaceChildren();
    this.caltrops.clear();
    for (const space of view.caltrops) this.#caltrop(space);
    /** @type {Map<number, number>} */
    const taken = new Map();
    const order = [...view.chariots].sort((a, b) => Number(a.chariot === view.chariot) - Number(b.chariot === view.chariot));
    for (const one of order) {
      if (one.wrecked || one.space === null) {
        this.#remove(one.chariot);
        if (one.wrecked && one.space !== null) this.wreck(one.chariot, one.space);
        continue;
      }
      const spot = this.spot(one.space);
      if (taken.has(one.space)) [spot.x, spot.y] = [spot.x + ASIDE * this.scale, spot.y + ASIDE * this.scale];
      taken.set(one.space, one.chariot);
      this.#stand(one.chariot, spot);
    }
    this.roll(view.dice, [], false);
    this.turn(view.over || view.stage === "race over" ? null : view.chariot);
    this.lap(view);
  }

  /** @param {number} chariot @param {Spot} spot */
  #stand(chariot, spot) {
    let piece = this.chariots.get(chariot);
    if (!piece) {
      piece = this.#chariot(chariot, false);
      this.chariots.set(chariot, piece);
      this.layers.chariots.append(piece);
    }
    piece.style.opacity = "";
    this.#set(chariot, spot);
  }

  /** @param {number} chariot */
  #remove(chariot) {
    this.chariots.get(chariot)?.remove();
    this.chariots.delete(chariot);
    this.spots.delete(chariot);
  }

  /** @param {number} space */
  #caltrop(space) {
    if (this.caltrops.has(space)) return this.caltrops.get(space);
    const [x, y] = this.spaces[space].caltrop;
    const piece = svg(
      "g",
      { class: "cr-caltrop", transform: `translate(${x} ${y})`, "data-help": "chariot-race.caltrop" },
      svg("g", null, svg("use", { href: "#spina-caltrop" })),
    );
    this.caltrops.set(space, piece);
    this.layers.caltrops.append(piece);
    return piece;
  }

  /** Whose turn it is has a gilded ring. @param {number | null} chariot */
  turn(chariot) {
    const spot = chariot === null ? undefined : this.spots.get(chariot);
    this.camera.look(spot ? [spot] : []);
    for (const [number, piece] of this.chariots) {
      piece.classList.toggle("active", number === chariot);
      if (number === chariot) this.layers.chariots.append(piece);
    }
  }

  /** The lap of whoever is furthest, and a dolphin for each lap completed. @param {any} view */
  lap(view) {
    const { length, laps } = this.host.places.figures;
    const running = view.chariots.filter((/** @type {any} */ one) => !one.wrecked);
    const lap = Math.min(Math.max(0, ...running.map((/** @type {any} */ one) => Math.floor((one.distance - 1) / length) + 1)), laps);
    const done = running.some((/** @type {any} */ one) => one.finished) ? laps : Math.max(lap - 1, 0);
    this.numeral.textContent = lap > 0 ? roman(lap) : "";
    const gap = (2 * COUNTER.half) / laps;
    const size = Math.min(1.3, gap / 62);
    this.host.board.querySelectorAll(".dolphin").forEach((dolphin, index) => {
      const dived = index < done;
      const x = -COUNTER.half + gap * (index + 0.5);
      dolphin.classList.toggle("dived", dived);
      dolphin.setAttribute("transform", `translate(${x} ${-84 - (dived ? 32 : 24) * size}) rotate(${dived ? 68 : -8}) scale(${size})`);
    });
  }

  // --- dice

  /**
   * Lays dice out in the temple; those that are new tumble in.
   * @param {string[]} dice
   * @param {string[]} kept
   * @param {boolean} moving
   */
  async roll(dice, kept, moving) {
    const anew = fresh(kept, dice);
    const pieces = dice.map((side, index) => {
      const inner = svg("g", null, face(side));
      const place = `translate(${BAY * (index - (DICE - 1) / 2)} -44)`;
      return { inner, outer: svg("g", { transform: place, "data-help": `chariot-race.side.${SIDES[side]}` }, inner) };
    });
    this.dice = dice;
    this.tray.replaceChildren(...pieces.map(({ outer }) => outer));
    if (!moving) return;
    await Promise.all(
      pieces.map(({ inner }, index) => {
        if (!anew[index]) return null;
        const way = index % 2 ? 1 : -1;
        return this.host.motion.play(
          inner,
          [
            { transform: `translate(${way * 30}px, -70px) rotate(${way * 420}deg) scale(0.5)`, opacity: 0 },
            { transform: `translate(${way * -8}px, 6px) rotate(${way * 120}deg) scale(1.12)`, opacity: 1, offset: 0.55 },
            { transform: `translate(${way * 3}px, -7px) rotate(${way * 24}deg) scale(1.02)`, offset: 0.78 },
            { transform: "translate(0px, 0px) rotate(0deg) scale(1)", opacity: 1 },
          ],
          560 + 70 * index,
          "cubic-bezier(.25,.7,.35,1)",
        );
      }),
    );
  }

  // --- movement

  /**
   * A chariot drives into a space; it does not halt if it drives on.
   * @param {number} chariot
   * @param {number} space
   */
  async drive(chariot, space) {
    const piece = this.chariots.get(chariot);
    const from = this.spots.get(chariot);
    if (!piece || !from) return;
    const to = this.spot(space);
    this.camera.look([to]);

    await this.host.motion.glide(STEP, (share) => this.#turn(piece, between(from, to, share)));

    this.#set(chariot, to);
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
      this.#turn(piece, {
        x: from.x + (to.x - from.x) * eased,
        y: from.y + (to.y - from.y) * eased,
        turn: from.turn + turned * eased,
      });
    });
    this.#set(chariot, to);
  }

  /** A chariot appears on its starting space. @param {number} chariot @param {number} space */
  async enter(chariot, space) {
    this.#stand(chariot, this.spot(space));
    const body = this.#body(chariot);
    if (body) await this.host.motion.play(body, [{ opacity: 0, transform: "translate(-40px, 0px)" }, { opacity: 1, transform: "translate(0px, 0px)" }], 420, "ease-out");
  }

  /** @param {number} chariot */
  #body(chariot) {
    return this.chariots.get(chariot)?.querySelector(".cr-body") ?? null;
  }

  /** @param {number} chariot @param {number} force */
  async shake(chariot, force = 6) {
    const body = this.#body(chariot);
    if (!body) return;
    const frames = [0, -1, 0.8, -0.6, 0.4, -0.2, 0].map((share, index) => ({
      transform: `translate(${share * force}px, ${(index % 2 ? -0.6 : 0.6) * share * force}px) rotate(${share * force}deg)`,
    }));
    await this.host.motion.play(body, frames, 340, "linear");
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

  /** What is left of a chariot. @param {number} chariot @param {number} space */
  wreck(chariot, space) {
    const { x, y, turn } = this.spot(space);
    const beside = this.layers.wrecks.querySelectorAll(`[data-space="${space}"]`).length;
    const off = [0, 14, -14][beside % 3];
    const angle = radians(turn + 90);
    const piece = svg(
      "g",
      {
        class: "cr-wreck",
        "data-space": space,
        "data-chariot": chariot,
        "data-help": "chariot-race.wreck",
        transform: `translate(${x + Math.cos(angle) * off} ${y + Math.sin(angle) * off}) rotate(${turn}) scale(${Math.min(1.2, 0.9 * this.scale)})`,
      },
      svg("g", null, svg("use", { href: "#spina-wreck", fill: COLOURS[chariot] })),
    );
    this.layers.wrecks.append(piece);
    return piece;
  }

  /** A chariot breaks. @param {number} chariot @param {number} space @param {boolean} marker */
  async breakUp(chariot, space, marker) {
    const piece = this.chariots.get(chariot);
    const body = this.#body(chariot);
    const left = this.wreck(chariot, space).firstElementChild;
    if (piece && body && left) {
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
    this.#remove(chariot);
    if (marker) this.#caltrop(space);
  }

  /** A caltrop falls onto a space. @param {number} space */
  async drop(space) {
    const inner = this.#caltrop(space)?.firstElementChild;
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
  }

  /** A wreath for whoever has won. @param {number} chariot */
  async crown(chariot) {
    const spot = this.spots.get(chariot);
    if (!spot) return;
    const inner = svg("path", { class: "cr-wreath", d: "M-8-20A21 21 0 0 0 0 21M8-20A21 21 0 0 1 0 21" });
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
    /** @type {number | null} */
    let armed = null; // a finger cannot hover: the first touch looks, the second one picks
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
              click: (event) => {
                if (!touched(event) || armed === space) listeners?.pick(space);
                else {
                  armed = space;
                  listeners?.enter(space);
                }
              },
            },
          },
          svg("path", { class: "cr-area", d: this.#outline(space)?.getAttribute("d") ?? "" }),
          name,
        );
      }),
    );
  }

  /** Brings a chariot and some spaces into view. @param {number} chariot @param {number[]} spaces */
  look(chariot, spaces) {
    const own = this.spots.get(chariot);
    this.camera.look([...(own ? [own] : []), ...spaces.map((space) => this.spot(space))]);
  }

  /** The lit space that is looked at. @param {number | null} space */
  point(space) {
    for (const end of this.layers.ends.children) end.classList.toggle("picked", end.getAttribute("data-space") === String(space));
  }

  /**
   * A path with its end: through these spaces, with a ghost where the chariot would stand.
   * @param {number | null} chariot
   * @param {any} [way]
   */
  way(chariot, way) {
    this.layers.way.replaceChildren();
    const start = chariot === null ? null : this.spots.get(chariot);
    if (chariot === null || !start || !way) return;
    const spots = [start, ...way.spaces.map((/** @type {number} */ space) => this.spot(space))];
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
      const ghost = this.#chariot(chariot, true);
      this.#turn(ghost, this.spot(way.end));
      this.layers.way.append(ghost);
    }
    this.#marks(way);
  }

  /** Where a path costs something. @param {any} way */
  #marks(way) {
    /** @type {Map<number, number>} */
    const lost = new Map();
    const add = (/** @type {number} */ space, /** @type {number} */ damage) => lost.set(space, (lost.get(space) ?? 0) + damage);
    for (const { space, damage } of way.corners) add(space, damage);
    for (const space of way.caltrops) add(space, this.host.places.figures.caltrop_damage);
    for (const { chariot } of way.rams) {
      const spot = this.spots.get(chariot);
      const space = way.spaces.find((/** @type {number} */ entered) => spot && Math.hypot(this.spot(entered).x - spot.x, this.spot(entered).y - spot.y) < 30);
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
   * Lights what a line of the log speaks of.
   * @param {number[]} chariots
   * @param {number[]} spaces
   */
  light(chariots, spaces) {
    for (const [number, piece] of this.chariots) piece.classList.toggle("spoken", chariots.includes(number));
    this.host.board.querySelectorAll(".cr-spoken").forEach((old) => old.remove());
    for (const space of spaces) {
      this.layers.ground.append(svg("path", { class: "cr-spoken", d: this.#outline(space)?.getAttribute("d") ?? "" }));
    }
  }
}
