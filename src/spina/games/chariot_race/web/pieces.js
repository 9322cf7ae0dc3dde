// @ts-check
// The pieces of Chariot Race on the board, put where they stand. No rules are known here.

import { Camera } from "../../../web/static/js/camera.js";
import { FACTION_COLOURS, FACTION_INKS, LETTERS, svg } from "../../../web/static/js/dom.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {{name: string, lane: number, safe: number, centre: [number, number], heading: number, caltrop: [number, number]}} Space */
/** @typedef {{x: number, y: number, turn: number}} Spot */

/** How long a chariot is drawn on a board of the usual size. */
const LONG = 42;
/** Pixels: how long a chariot is that is looked at from nearby; the bend ahead of it is to be in sight, too. */
const NEAR = 60;
/** Pixels: a chariot is drawn larger than its space where it would be shorter than this; and how much larger at most. */
const SHORTEST = 44;
const LARGEST = 1.3;
const CAR = -9.5;
const ASIDE = 12;
/** The lap counter on the board. */
const COUNTER = { x: 568, y: 464, half: 132 };

/** Legs of the two horses at a gallop: stretched out, and drawn in. */
const REACH = "M15-9 22-11M15-1.5 22 .5M15 1.5 22-.5M15 9 22 11M4-9-3-11M4-1.5-3 .5M4 1.5-3-.5M4 9-3 11";
const GATHER = "M13-9 16-11.5M13-1.5 16 .8M13 1.5 16-.8M13 9 16 11.5M6-9 4-11.5M6-1.5 4 .8M6 1.5 4-.8M6 9 4 11.5";
/** Marks on the rims of the wheels. */
const SPOKES = "M-15-10.8h1.6M-11-10.8h1.6M-7-10.8h1.6M-15 10.8h1.6M-11 10.8h1.6M-7 10.8h1.6";

/** @param {number} degrees */
export const radians = (degrees) => (degrees * Math.PI) / 180;

/** @param {Spot} spot @param {number} scale */
const css = ({ x, y, turn }, scale) =>
  `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) rotate(${turn.toFixed(2)}deg) scale(calc(${scale} * var(--larger, 1)))`;

/** @param {number} value */
export const roman = (value) => ["–", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"][value] ?? String(value);

/** The pieces of one race. */
export class Pieces {
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
    /** Whose colour each chariot has. @type {number[]} */
    this.factions = [];
    /** @type {Map<number, Spot>} */
    this.spots = new Map();
    /** Who drives each chariot. @type {number[]} */
    this.seats = [];
    /** The chariot whose turn it is. @type {number | null} */
    this.active = null;
    /** @type {Map<number, SVGElement>} */
    this.caltrops = new Map();
    host.board.classList.add("cr-board");
    this.layers = Object.fromEntries(
      ["ground", "wrecks", "caltrops", "ends", "way", "chariots", "effects"].map((name) => {
        const layer = svg("g", { class: `cr-layer cr-${name}` });
        host.board.append(layer);
        return [name, layer];
      }),
    );
    this.numeral = svg("text", { class: "cr-lap", x: COUNTER.x, y: COUNTER.y });
    this.layers.ground.append(this.numeral);
    this.#speak();
    /** Who looks. @type {number | null} */
    this.looking = null;
    this.camera = new Camera(host, this.#lens());
  }

  /** What the window on the board needs to know. @returns {import("../../../web/static/js/camera.js").Lens} */
  #lens() {
    const { board, places, t } = this.host;
    const [, , width, height] = places.viewBox;
    const line = board.querySelector(".line");
    return {
      size: [width, height],
      piece: LONG * this.scale,
      label: t("chariot-race.board"),
      across: (pixels) => (LONG * this.scale * pixels) / NEAR,
      sized: (pixels) => {
        const larger = Math.max(1, Math.min(LARGEST, SHORTEST / (LONG * this.scale * pixels))).toFixed(2);
        for (const layer of [this.layers.chariots, this.layers.way]) layer.style.setProperty("--larger", larger);
      },
      map: [
        svg("path", { class: "track", d: this.spaces.map((_, index) => this.outline(index)?.getAttribute("d") ?? "").join("") }),
        ...(line ? [svg("path", { class: "line", d: "M0 0V180", transform: line.getAttribute("transform") })] : []),
      ],
    };
  }

  /** Looks at all chariots; the one that moves is in the window in any case. @param {Spot} [ahead] where it goes */
  follow(ahead) {
    const active = this.active === null ? undefined : this.spots.get(this.active);
    const spots = [...(ahead ? [ahead] : []), ...(active ? [active] : []), ...this.spots.values()];
    this.camera.refollow = () => this.follow();
    this.camera.see(spots);
  }

  /** Marks the chariots on the small map. */
  dots() {
    this.camera.mark(
      [...this.spots].map(([chariot, { x, y }]) => {
        const faction = this.factions[chariot] ?? chariot;
        return { x, y, colour: FACTION_COLOURS[faction], ink: FACTION_INKS[faction], own: this.seats[chariot] === this.looking, letter: LETTERS[faction] };
      }),
    );
  }

  /** The board's own words are English: the page has them in its language. */
  #speak() {
    const { board, t } = this.host;
    for (const child of [...board.children]) if (child.tagName === "title" || child.tagName === "desc") child.remove();
    board.setAttribute("aria-label", t("chariot-race.board"));
    this.spaces.forEach((space, index) => {
      const path = this.outline(index);
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
  outline(space) {
    return this.host.board.querySelector(`#space-${space}`);
  }

  /** @param {number} space @returns {Spot} */
  spot(space) {
    const { centre, heading } = this.spaces[space];
    return { x: centre[0], y: centre[1], turn: heading };
  }

  /** @param {number} chariot @param {boolean} ghost */
  draw(chariot, ghost) {
    const faction = this.factions[chariot] ?? chariot;
    const letter = LETTERS[faction].toLowerCase();
    return svg(
      "g",
      { class: ghost ? "cr-chariot cr-ghost" : "cr-chariot", "data-chariot": chariot, "data-faction": faction, "data-help": ghost ? null : "chariot-race.chariot" },
      svg("ellipse", { class: "cr-ring", rx: 27, ry: 18.5 }),
      svg(
        "g",
        { class: "cr-body" },
        svg(
          "g",
          { class: "cr-lean" },
          svg("path", { class: "cr-legs cr-reach", d: REACH }),
          svg("path", { class: "cr-legs cr-gather", d: GATHER }),
          svg("g", { class: "cr-bob" }, svg("use", { href: `#spina-chariot-${letter}` })),
          svg("path", { class: "cr-spokes", d: SPOKES }),
          svg("g", { class: "cr-letter" }, svg("text", { x: 0, y: 4.2, fill: FACTION_INKS[faction], text: LETTERS[faction] })),
        ),
      ),
    );
  }

  /** @param {number} chariot @param {Spot} spot */
  stay(chariot, spot) {
    const piece = this.chariots.get(chariot);
    if (!piece) return;
    this.spots.set(chariot, spot);
    this.face(piece, spot);
  }

  /** @param {SVGGElement} piece @param {Spot} spot */
  face(piece, spot) {
    piece.style.transform = css(spot, this.scale);
    const letter = /** @type {SVGGElement | null} */ (piece.querySelector(".cr-letter"));
    if (letter) letter.style.transform = `translate(${CAR}px, 0px) rotate(${(-spot.turn).toFixed(2)}deg)`;
  }

  /**
   * Puts everything as the view says.
   * @param {View} view
   * @param {number | null} looking
   */
  place(view, looking) {
    this.looking = looking;
    this.seats = view.chariots.map((one) => one.seat);
    this.layers.wrecks.replaceChildren();
    this.layers.caltrops.replaceChildren();
    this.layers.effects.replaceChildren();
    this.caltrops.clear();
    for (const space of view.caltrops) this.lay(space);
    this.#dress(view);
    /** @type {Map<number, number>} */
    const taken = new Map();
    const order = [...view.chariots].sort((a, b) => Number(a.chariot === view.chariot) - Number(b.chariot === view.chariot));
    for (const one of order) {
      if (one.wrecked || one.space === null) {
        this.remove(one.chariot);
        if (one.wrecked && one.space !== null) this.wreck(one.chariot, one.space);
        continue;
      }
      const spot = this.spot(one.space);
      if (taken.has(one.space)) [spot.x, spot.y] = [spot.x + ASIDE * this.scale, spot.y + ASIDE * this.scale];
      taken.set(one.space, one.chariot);
      this.stand(one.chariot, spot);
    }
    this.turn(view.over || view.stage === "race over" ? null : view.chariot);
    this.lap(view);
    this.dots();
  }

  /** Every chariot has the colour that the view says; one that had another is drawn anew. @param {View} view */
  #dress(view) {
    this.factions = view.chariots.map((one) => one.faction);
    for (const [chariot, piece] of this.chariots) if (piece.dataset.faction !== String(this.factions[chariot])) this.remove(chariot);
  }

  /** @param {number} chariot @param {Spot} spot */
  stand(chariot, spot) {
    let piece = this.chariots.get(chariot);
    if (!piece) {
      piece = this.draw(chariot, false);
      this.chariots.set(chariot, piece);
      this.layers.chariots.append(piece);
    }
    piece.style.opacity = "";
    this.stay(chariot, spot);
  }

  /** @param {number} chariot */
  remove(chariot) {
    this.chariots.get(chariot)?.remove();
    this.chariots.delete(chariot);
    this.spots.delete(chariot);
  }

  /** @param {number} space */
  lay(space) {
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
    this.active = chariot;
    this.follow();
    for (const [number, piece] of this.chariots) {
      piece.classList.toggle("active", number === chariot);
      if (number === chariot) this.layers.chariots.append(piece);
    }
  }

  /** The lap of the chariot that is furthest along, and a dolphin for each lap completed. @param {Pick<View, "chariots">} view */
  lap(view) {
    const { length, laps } = this.host.places.figures;
    const running = view.chariots.filter((one) => !one.wrecked);
    const lap = Math.min(Math.max(0, ...running.map((one) => Math.floor((one.distance - 1) / length) + 1)), laps);
    const done = running.some((one) => one.finished) ? laps : Math.max(lap - 1, 0);
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

  /** @param {number} chariot */
  body(chariot) {
    return this.chariots.get(chariot)?.querySelector(".cr-body") ?? null;
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
      svg("g", null, svg("use", { href: "#spina-wreck", fill: FACTION_COLOURS[this.factions[chariot] ?? chariot] })),
    );
    this.layers.wrecks.append(piece);
    return piece;
  }
}
