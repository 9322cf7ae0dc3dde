// @ts-check
// The pieces of Chariotmaster on the board: put together from the parts that the board's picture defines, and moved.

import { svg } from "../../../web/static/js/dom.js";

/** @typedef {import("./types.d.ts").ChariotView} ChariotView */
/** @typedef {import("./types.d.ts").Places} Places */
/** @typedef {import("./types.d.ts").ChariotFigure} ChariotFigure */

/** @typedef {{x: number, y: number, h: number}} Pose where a base is: millimetres of the map, degrees anticlockwise */
/** @typedef {{number: number, kind: string, chariot: number | null, length: number, width: number, pose: Pose}} Piece */

/** Offsets of piece numbers: a chariot's wreck and its driver on foot are numbered this much higher. */
export const WRECK_OF = 12;
export const DRIVER_OF = 24;
export const OBSTACLE = 36;
export const WALL = 48;

/** Legs of a beast at a gallop, along its body: stretched out, and drawn in. */
const REACH = "M5.4-2.4 .4-3.6M5.4 2.4 .4 3.6M12-1.9 17-3.4M12 1.9 17 3.4";
const GATHER = "M5.4-2.4 8.4-4.3M5.4 2.4 8.4 4.3M12-1.9 9-4M12 1.9 9 4";
/** Marks on the rims of the wheels. */
const SPOKES = "M-14.6-8.8h1M-11.5-8.8h1M-8.4-8.8h1M-14.6 8.8h1M-11.5 8.8h1M-8.4 8.8h1";

const ORDER = ["wreck", "chariot", "team", "team dragging its driver", "driver on foot"];

/**
 * A pose of a view, which counts in tenths.
 * @param {{x: number, y: number, heading: number}} piece
 * @returns {Pose}
 */
export const poseOf = (piece) => ({ x: piece.x / 10, y: piece.y / 10, h: piece.heading / 10 });

/** @param {number} degrees */
const radians = (degrees) => (degrees * Math.PI) / 180;

/**
 * A pose moved in a straight line.
 * @param {Pose} pose
 * @param {number} direction
 * @param {number} mm
 * @returns {Pose}
 */
export function translated(pose, direction, mm) {
  const angle = radians(direction);
  return { x: pose.x + mm * Math.cos(angle), y: pose.y + mm * Math.sin(angle), h: pose.h };
}

/**
 * A point of a base, given by how far it is ahead of the centre and to the left.
 * @param {Pose} pose
 * @param {number} ahead
 * @param {number} left
 */
export function pointOf(pose, ahead, left) {
  const sine = Math.sin(radians(pose.h));
  const cosine = Math.cos(radians(pose.h));
  return { x: pose.x + ahead * cosine - left * sine, y: pose.y + ahead * sine + left * cosine };
}

/**
 * A pose turned about a point of its base.
 * @param {Pose} pose
 * @param {number} ahead
 * @param {number} left
 * @param {number} degrees
 * @returns {Pose}
 */
export function pivoted(pose, ahead, left, degrees) {
  const still = pointOf(pose, ahead, left);
  const back = pointOf({ ...still, h: pose.h + degrees }, -ahead, -left);
  return { ...back, h: pose.h + degrees };
}

/**
 * How a pose goes over into another one: along a circle where it turns, on a straight line where it does not.
 * @param {Pose} from
 * @param {Pose} to
 * @param {number} [degrees] turned; without it the shorter way
 * @returns {(share: number) => Pose}
 */
export function between(from, to, degrees) {
  const turn = degrees ?? ((((to.h - from.h) % 360) + 540) % 360) - 180;
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  if (Math.abs(turn) < 0.05) {
    return (share) => ({ x: from.x + dx * share, y: from.y + dy * share, h: from.h + turn * share });
  }
  // The point that stays where it is: half the way across, and off it by the half angle's cotangent.
  const off = 1 / Math.tan(radians(turn) / 2) / 2;
  const cx = from.x + dx / 2 - dy * off;
  const cy = from.y + dy / 2 + dx * off;
  return (share) => {
    const angle = radians(turn * share);
    const rx = from.x - cx;
    const ry = from.y - cy;
    return {
      x: cx + rx * Math.cos(angle) - ry * Math.sin(angle),
      y: cy + rx * Math.sin(angle) + ry * Math.cos(angle),
      h: from.h + turn * share,
    };
  };
}

/** The pieces of a race. */
export class Pieces {
  /**
   * @param {SVGSVGElement} board
   * @param {Places} places
   */
  constructor(board, places) {
    this.board = board;
    /** Moving pieces are in a separate picture over the board, so that the board need not be drawn again for them. */
    this.top = svg("svg", { class: "cm-top", viewBox: places.viewBox.join(" "), "aria-hidden": true });
    this.places = places;
    this.figures = places.figures;
    /** @type {Map<number, Piece & {element: SVGGElement, upright: {element: Element, at: string}[], state: string}>} */
    this.all = new Map();
    this.layers = ORDER.map((kind) => svg("g", { class: `cm-layer cm-layer-${kind.split(" ")[0]}` }));
    this.layer = svg("g", { class: "cm-pieces" }, ...this.layers);
    this.top.append(this.layer);
    /** The piece that gallops. @type {number | null} */
    this.galloping = null;
  }

  /** @param {Pose} pose */
  spot(pose) {
    const [left, top] = this.places.origin;
    return { x: left + pose.x, y: top - pose.y, turn: -pose.h };
  }

  /** @param {Pose} pose */
  transform(pose) {
    const { x, y, turn } = this.spot(pose);
    return `translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(${turn.toFixed(2)})`;
  }

  /** @param {number} number */
  pose(number) {
    return this.all.get(number)?.pose ?? null;
  }

  /**
   * Puts a piece somewhere else.
   * @param {number} number
   * @param {Pose} pose
   */
  put(number, pose) {
    const piece = this.all.get(number);
    if (!piece) return;
    piece.pose = pose;
    piece.element.setAttribute("transform", this.transform(pose));
    const turn = pose.h.toFixed(1);
    for (const part of piece.upright) part.element.setAttribute("transform", `${part.at} rotate(${turn})`);
  }

  /** What of a piece shakes. @param {number} number */
  body(number) {
    return this.all.get(number)?.element.querySelector(".cm-body") ?? null;
  }

  /** The team of a piece turns ahead of it. @param {number} number @param {number} degrees anticlockwise */
  lean(number, degrees) {
    const figure = /** @type {SVGGElement | null | undefined} */ (this.all.get(number)?.element.querySelector(".cm-lean"));
    if (figure) figure.style.transform = degrees ? `rotate(${(-degrees).toFixed(1)}deg)` : "";
  }

  /** Legs and wheels of a piece move, the quicker the faster it is. @param {number} number @param {number} speed millimetres a millisecond */
  gallop(number, speed) {
    if (this.galloping !== number) this.halt();
    this.galloping = number;
    const piece = this.all.get(number);
    piece?.element.classList.add("racing");
    piece?.element.style.setProperty("--beat", `${Math.round(Math.max(130, 400 - speed * 1000))}ms`);
  }

  /** Nothing gallops any more. */
  halt() {
    if (this.galloping === null) return;
    this.all.get(this.galloping)?.element.classList.remove("racing");
    this.lean(this.galloping, 0);
    this.galloping = null;
  }

  /**
   * A piece as it is now: drawn anew where its state has changed.
   * @param {Piece} piece
   * @param {ChariotView | null} chariot what a view says of its chariot; null for an obstacle
   */
  set(piece, chariot) {
    const known = this.all.get(piece.number);
    if (piece.kind === "obstacle") {
      if (known) return this.put(piece.number, piece.pose);
      const element = this.board.querySelector(`#piece-${piece.number}`);
      if (!(element instanceof SVGGElement)) return;
      element.dataset.help = "chariotmaster.piece.obstacle";
      this.all.set(piece.number, { ...piece, element, upright: [], state: "" });
      return this.put(piece.number, piece.pose);
    }
    if (!chariot) return;
    const state = stateOf(piece, chariot);
    if (known && known.state === state) return this.put(piece.number, piece.pose);
    known?.element.remove();
    const drawn = this.draw(piece, chariot);
    if (known?.element.classList.contains("active")) drawn.element.classList.add("active");
    this.layers[Math.max(ORDER.indexOf(piece.kind), 0)].append(drawn.element);
    this.all.set(piece.number, { ...piece, ...drawn, state });
    this.put(piece.number, piece.pose);
  }

  /** @param {number} number */
  remove(number) {
    const piece = this.all.get(number);
    if (!piece) return;
    piece.element.remove();
    this.all.delete(number);
  }

  /**
   * The figure on its base, facing right around (0, 0).
   * @param {Piece} piece
   * @param {ChariotView} c
   */
  draw(piece, c) {
    const figures = this.figures;
    const of = figures.chariots[c.chariot];
    /** @type {{element: Element, at: string}[]} */
    const upright = [];
    const drawn = figures.sizes[piece.kind];
    const scale = [piece.length / drawn[0], piece.width / drawn[1]];
    const resized = scale[0] === 1 && scale[1] === 1 ? null : `scale(${scale[0].toFixed(4)} ${scale[1].toFixed(4)})`;
    const parts = this.parts(piece.kind, c);
    const badge = figures.badges[piece.kind];
    const lying = piece.kind === "driver on foot" && c.stunned;
    const label = letter(of, badge[2], piece.kind === "chariot" && !of.striped, figures.ink);
    upright.push({ element: label, at: `translate(${lying ? -1.6 : badge[0]} ${badge[1]})` });
    const marks = this.marks(piece.kind, c, upright);
    const [long, wide] = [piece.length + 9, piece.width + 9];
    const wild = c.out_of_control && piece.kind !== "driver on foot" && piece.kind !== "wreck";
    const element = svg(
      "g",
      {
        id: `piece-${piece.number}`,
        class: `cm-piece cm-${piece.kind.split(" ")[0]}`,
        "data-help": `chariotmaster.piece.${piece.kind.replaceAll(" ", "-")}`,
      },
      svg("rect", { class: "cm-halo", x: -long / 2, y: -wide / 2, width: long, height: wide, rx: 8 }),
      svg("rect", {
        class: "base",
        x: -piece.length / 2,
        y: -piece.width / 2,
        width: piece.length,
        height: piece.width,
        "stroke-width": 0.5,
      }),
      svg("g", { transform: resized }, svg("g", { class: "cm-body" }, svg("g", { class: `cm-lean${wild ? " wild" : ""}` }, ...parts, label, ...marks))),
    );
    return { element, upright };
  }

  /**
   * @param {string} kind
   * @param {ChariotView} c
   * @returns {SVGElement[]}
   */
  parts(kind, c) {
    const number = c.chariot;
    if (kind === "wreck") return [use(`spina-wreck-${number}`)];
    if (kind === "driver on foot") return [use(`spina-${c.stunned ? "lying" : "walker"}-${number}`)];
    const team = this.team(kind, c);
    if (kind === "team dragging its driver") return [...team, use(`spina-dragged-${number}`)];
    const lines = this.figures.teams[kind][kind === "chariot" && c.reins && c.driver === "aboard" ? "held" : "loose"];
    const reins = svg("path", {
      d: lines.slice(0, c.horses).join(""),
      fill: "none",
      stroke: this.figures.ink,
      "stroke-width": 0.55,
    });
    if (kind === "team") return [...team, reins];
    const driver = c.driver === "aboard" ? (c.stunned ? "slumped" : "aboard") : c.driver.startsWith("on the haft") ? "haft" : "";
    return [...team, use(`spina-car-${number}`), svg("path", { class: "cm-spokes", d: SPOKES }), reins, ...(driver ? [use(`spina-${driver}-${number}`)] : [])];
  }

  /**
   * The beasts: those alive, and the dead ones that are still in harness.
   * @param {string} kind
   * @param {ChariotView} c
   */
  team(kind, c) {
    const figures = this.figures;
    const at = figures.teams[kind];
    const of = figures.chariots[c.chariot];
    const found = [];
    if (c.frightening) found.push(use("spina-fright", { transform: at.fright }));
    for (let i = 0; i < Math.min(c.horses + c.dead_horses, 2); i++) {
      const alive = i < c.horses;
      const beast = use(alive ? figures.beasts[c.beast] : "spina-fallen", { fill: alive ? (figures.hides[c.beast] ?? of.horse) : "none" });
      const legs = alive ? [svg("path", { class: "cm-legs cm-reach", d: REACH }), svg("path", { class: "cm-legs cm-gather", d: GATHER })] : [];
      found.push(svg("g", { transform: at.beasts[i] }, ...legs, svg("g", { class: `cm-beast cm-beast-${i}` }, beast)));
    }
    if (c.beast !== "horses" || of.striped) {
      const d = at.girths.slice(0, c.horses).join("");
      if (d) found.push(svg("path", { d, stroke: of.colour, "stroke-width": 1.8 }));
    }
    return found;
  }

  /**
   * Signs for damage and other states.
   * @param {string} kind
   * @param {ChariotView} c
   * @param {{element: Element, at: string}[]} upright
   */
  marks(kind, c, upright) {
    if (kind === "wreck") return [];
    const x = this.figures.marks[kind];
    const names = [
      c.out_of_control && kind !== "driver on foot" && "out-of-control",
      c.stunned && "unconscious",
      c.dead_horses > 0 && kind !== "driver on foot" && "dead",
    ].filter(Boolean);
    return names.map((name, k) => {
      const mark = svg("g", null, use(`spina-mark-${name}`));
      upright.push({ element: mark, at: `translate(${k === 2 ? x - 5 : x} ${[-10.5, 10.5, 0][k]})` });
      return mark;
    });
  }

  /** @param {number | null} chariot whose turn it is */
  activate(chariot) {
    for (const piece of this.all.values()) {
      const active = chariot !== null && piece.chariot === chariot && piece.kind !== "wreck";
      piece.element.classList.toggle("active", active);
      const layer = piece.element.parentElement;
      // lowest of its layer, or its halo would cover its neighbours
      if (active && layer && layer.firstElementChild !== piece.element) layer.prepend(piece.element);
    }
  }

  /** @param {(piece: Piece) => boolean} wanted */
  light(wanted) {
    for (const piece of this.all.values()) piece.element.classList.toggle("lit", wanted(piece));
  }
}

/**
 * Everything that a drawing depends on, as a key.
 * @param {Piece} piece
 * @param {ChariotView} c
 */
function stateOf(piece, c) {
  const common = [piece.kind, piece.length, piece.width, c.chariot];
  if (piece.kind === "wreck") return common.join();
  return [
    ...common, c.horses, c.dead_horses, c.beast, c.frightening, c.driver, c.reins, c.stunned, c.out_of_control,
  ].join();
}

/**
 * @param {string} name
 * @param {Record<string, string | number | undefined>} [attributes]
 */
function use(name, attributes) {
  return svg("use", { href: `#${name}`, ...attributes });
}

/**
 * A chariot's letter, on a disc where the ground is not the faction's plain colour.
 * @param {ChariotFigure} of
 * @param {number} radius
 * @param {boolean} plain
 * @param {string} ink
 */
function letter(of, radius, plain, ink) {
  const size = radius * 1.75;
  const low = of.letter === of.letter.toLowerCase();
  return svg(
    "g",
    { class: "cm-letter" },
    plain ? null : svg("circle", { r: radius * 0.9, fill: of.colour, stroke: of.striped ? of.ink : ink, "stroke-width": 0.6 }),
    svg("text", {
      y: size * (low ? 0.28 : 0.35),
      "font-size": size,
      "font-weight": "bold",
      "text-anchor": "middle",
      fill: of.ink,
      text: of.letter,
    }),
  );
}
