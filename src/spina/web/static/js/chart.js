// @ts-check
// The chances of all seats over a race as lines, with a link at every turn.

import { inWords, percent } from "./chances.js";
import { el, shape, SHAPES, LETTERS, svg } from "./dom.js";
import { t } from "./messages.js";

/** @typedef {import("./analysis.js").Point} Point */

/** The usual height. Lengths are pixels where letters have their usual size, and grow with them. */
const HEIGHT = 190;
const EDGE = { left: 44, right: 34, top: 12, bottom: 26 };
const LETTER = 19;
/** Pixels between the numbers of turns, and between the shapes on a line. */
const TICK = 46;
const SHAPE_GAP = 110;

export class Chart {
  #width = 0;
  #height = HEIGHT;
  #moment = -1;
  /** @type {SVGLineElement | null} */
  #now = null;

  /**
   * @param {HTMLElement} home
   * @param {Point[]} points
   * @param {{name: (seat: number) => string, faction: (seat: number) => number, turn: (turn: number) => string, link: (moment: number) => string,
   *   height?: () => number}} words
   *   `height`: how many pixels high it is in this window, if not as usual
   */
  constructor(home, points, words) {
    this.points = points;
    this.words = words;
    this.turns = turns(points);
    this.drawing = svg("svg", { class: "chart", role: "group", "aria-label": t("analysis.chart") });
    this.readout = el("p", { class: "readout small", "aria-hidden": true });
    home.replaceChildren(this.drawing, this.readout);
    this.#read(null);
    this.drawing.addEventListener("keydown", (event) => this.#key(event));
    this.drawing.addEventListener("pointerleave", () => this.#read(null));
    const draw = () => {
      const unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
      const [width, height] = [home.clientWidth / unit, words.height ? words.height() / unit : HEIGHT];
      if (Math.abs(width - this.#width) <= 1 && Math.abs(height - this.#height) <= 1) return;
      this.#height = height;
      this.#draw(width);
    };
    new ResizeObserver(draw).observe(home);
    if (words.height) window.addEventListener("resize", draw);
    draw();
  }

  /** @param {number} moment */
  mark(moment) {
    this.#moment = moment;
    this.#now?.setAttribute("visibility", moment < 0 ? "hidden" : "visible");
    const x = String(this.#x(moment));
    this.#now?.setAttribute("x1", x);
    this.#now?.setAttribute("x2", x);
  }

  get #last() {
    return Math.max(1, this.points.at(-1)?.moment ?? 1);
  }

  /** @param {number} moment */
  #x(moment) {
    return EDGE.left + (Math.max(0, moment) / this.#last) * (this.#width - EDGE.left - EDGE.right);
  }

  /** @param {number} chance */
  #y(chance) {
    return EDGE.top + (1 - chance) * (this.#height - EDGE.top - EDGE.bottom);
  }

  /** @param {number} width */
  #draw(width) {
    if (width <= EDGE.left + EDGE.right) return;
    this.#width = width;
    const focused = this.drawing.contains(document.activeElement) ? document.activeElement?.getAttribute("data-moment") : null;
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${this.#height}`);
    this.#now = svg("line", { class: "now", y1: EDGE.top, y2: this.#height - EDGE.bottom });
    this.drawing.replaceChildren(this.#grid(), ...this.#lines(), this.#now, this.#zones());
    this.mark(this.#moment);
    if (focused) /** @type {SVGElement | null} */ (this.drawing.querySelector(`[data-moment="${focused}"]`))?.focus();
  }

  #grid() {
    const grid = svg("g", { class: "grid", "aria-hidden": true });
    for (const chance of [0, 0.25, 0.5, 0.75, 1]) {
      grid.append(svg("line", { x1: EDGE.left, x2: this.#width - EDGE.right, y1: this.#y(chance), y2: this.#y(chance) }));
      if (chance !== 0.25 && chance !== 0.75) grid.append(svg("text", { class: "y", x: EDGE.left - 6, y: this.#y(chance), text: percent(chance) }));
    }
    let free = -TICK;
    for (const point of this.turns.slice(0, -1)) {
      const x = this.#x(point.moment);
      if (point.turn < 1 || x - free < TICK) continue;
      free = x;
      grid.append(svg("text", { class: "x", x, y: this.#height - 8, text: point.turn }));
    }
    return grid;
  }

  #lines() {
    const seats = this.points[0]?.chances.length ?? 0;
    const ends = this.#ends(seats);
    return Array.from({ length: seats }, (_, seat) => {
      const path = this.points.map((point, index) => `${index ? "L" : "M"}${this.#x(point.moment).toFixed(1)} ${this.#y(point.chances[seat]).toFixed(1)}`).join("");
      const group = svg("g", { class: `seat-line faction-${this.words.faction(seat)}`, "aria-hidden": true }, svg("path", { class: "edge", d: path }), svg("path", { class: "line", d: path }));
      let free = EDGE.left + (seat * SHAPE_GAP) / seats - SHAPE_GAP;
      for (const point of this.turns.slice(0, -1)) {
        const x = this.#x(point.moment);
        if (x - free < SHAPE_GAP) continue;
        free = x;
        group.append(this.#shape(seat, x, this.#y(point.chances[seat]), 0.48, false));
      }
      group.append(this.#shape(seat, this.#width - EDGE.right + 18, ends[seat], 0.68, true));
      return group;
    });
  }

  /** Where the letters stand: at the ends of the lines, as far as they do not cover each other. @param {number} seats */
  #ends(seats) {
    const last = this.points.at(-1)?.chances ?? [];
    const before = this.points.findLast(({ chances }) => chances.some((chance, seat) => chance !== last[seat]))?.chances ?? last;
    const order = Array.from({ length: seats }, (_, seat) => seat).sort((a, b) => last[a] - last[b] || before[a] - before[b]);
    /** @type {number[]} */
    const ends = [];
    let lowest = this.#height - EDGE.bottom + LETTER / 2;
    for (const seat of order) {
      lowest = Math.min(this.#y(last[seat]), lowest - LETTER);
      ends[seat] = lowest;
    }
    let highest = EDGE.top - LETTER;
    for (const seat of order.reverse()) highest = ends[seat] = Math.max(ends[seat], highest + LETTER);
    return ends;
  }

  /** @param {number} seat @param {number} x @param {number} y @param {number} size @param {boolean} letter */
  #shape(seat, x, y, size, letter) {
    const faction = this.words.faction(seat);
    const up = faction === 3 ? "translate(0 2) rotate(-90)" : null;
    return svg(
      "g",
      { class: "mark", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${size})` },
      svg("path", { d: SHAPES[faction], transform: up }),
      letter ? svg("text", { y: faction === 3 ? 2.5 : 0.5, text: LETTERS[faction] }) : null,
    );
  }

  /** A link for every turn, over the part of the chart that shows it. */
  #zones() {
    const zones = svg("g", { class: "zones" });
    this.turns.forEach((point, index) => {
      const x = this.#x(point.moment);
      const next = this.turns[index + 1];
      const end = next ? this.#x(next.moment) : this.#width - EDGE.right + 4;
      const zone = svg(
        "a",
        {
          href: this.words.link(point.moment),
          "data-moment": point.moment,
          tabindex: index ? "-1" : "0",
          "aria-label": t("analysis.point", { turn: this.words.turn(point.turn), chances: inWords(point.chances, this.words.name) }),
          on: { pointerenter: () => this.#read(point), focus: () => this.#read(point) },
        },
        svg("rect", { x, y: EDGE.top, width: Math.max(2, end - x), height: this.#height - EDGE.top - EDGE.bottom }),
        svg("line", { x1: x, x2: x, y1: EDGE.top, y2: this.#height - EDGE.bottom }),
      );
      zones.append(zone);
    });
    return zones;
  }

  /** @param {Point | null} point */
  #read(point) {
    if (!point) this.readout.replaceChildren(t("analysis.read"));
    else {
      const shares = point.chances.map((chance, seat) => el("span", { class: "emblem" }, shape(this.words.faction(seat)), percent(chance)));
      this.readout.replaceChildren(el("strong", { text: this.words.turn(point.turn) }), ...shares);
    }
  }

  /** Arrow keys go from turn to turn. @param {KeyboardEvent} event */
  #key(event) {
    const links = /** @type {SVGElement[]} */ ([...this.drawing.querySelectorAll(".zones a")]);
    const at = links.findIndex((link) => link === document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: links.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // the replay's own arrow keys rest meanwhile
    const next = links[Math.max(0, Math.min(to, links.length - 1))];
    for (const link of links) link.setAttribute("tabindex", link === next ? "0" : "-1");
    next.focus();
  }
}

/** The first point of every turn, and the last of all. @param {Point[]} points */
export function turns(points) {
  return points.filter((point, index) => index === points.length - 1 || points[index - 1]?.turn !== point.turn);
}
