// @ts-check
// A window on the board: it follows the chariots, leans to whoever moves, shows the whole circus on request, and has a
// small map of it. It moves by a transform, so that nothing is laid out anew, and jumps where nothing should move.

import { el, svg } from "./dom.js";
import { t } from "./messages.js";

/** @typedef {{x: number, y: number}} Point of the board's picture */
/**
 * @typedef {object} Lens what a game tells of its board
 * @property {[number, number]} size of the board's picture
 * @property {number} piece how long a piece is drawn, in units of the picture
 * @property {string} label what the window shows, for screen readers
 * @property {(width: number) => number} [across] how much of the board a window of this many pixels shows when it
 *   looks at one chariot; left out: six pieces, more in a wide window
 * @property {SVGSVGElement} [over] a picture that lies over the board, of the same size
 * @property {SVGElement[]} [map] what the small map shows under the dots
 * @property {(pixels: number) => void} [sized] told how many pixels a unit of the picture is going to have
 */

const CLOSEST = 7;
/** Pixels: a piece is drawn at least this long while the window follows. */
const LEGIBLE = 46;
/** Room around the chariots that are looked at, in pieces. */
const MARGIN = 1.6;
/** Room around places that can be chosen, in pieces. */
const NARROW = 0.6;
/** Milliseconds in which the camera goes about two thirds of the way to its goal. */
const HASTE = 110;
/** How much larger or smaller than it is laid out the board may be while something moves: to lay it out takes a while. */
const COARSE = 1.35;
/** Milliseconds between looks whether everything rests. */
const REST = 300;

/** The window on the board. Coordinates are those of the board's picture. */
export class Camera {
  /**
   * @param {import("./types.js").Host<any, any>} host
   * @param {Lens} lens
   */
  constructor(host, lens) {
    this.host = host;
    this.lens = lens;
    this.board = host.board;
    this.pictures = lens.over ? [this.board, lens.over] : [this.board];
    const [width, height] = lens.size;
    this.size = { width, height };
    this.following = true;
    this.centre = { x: width / 2, y: height / 2 };
    this.zoom = 1;
    /** How large the board is laid out; between changes of it only a transform moves. */
    this.laid = 0;
    /** @type {{x: number, y: number, zoom: number} | null} */
    this.goal = null;
    /** What it looks at, to look again when the window has another size. @type {{points: Point[], all: boolean} | null} */
    this.sight = null;
    this.ticking = 0;
    this.last = 0;
    this.close = 2.2;
    /** Pixels that the small map is above its lower corner. */
    this.raised = 0;
    /** Where the small map lies in the frame, not raised; measured once for each layout. @type {DOMRect | null} */
    this.corner = null;
    /** Pixels that the buttons cover, measured likewise. @type {{top: number, right: number} | null} */
    this.cover = null;
    /** How many pixels of a unit the game was told. */
    this.told = 0;
    /** Called when it is told to follow again. @type {(() => void) | null} */
    this.refollow = null;

    this.frame = el("div", { class: "camera", tabindex: "0", role: "group", "aria-label": lens.label });
    this.stage = el("div", { class: "camera-stage" });
    this.board.replaceWith(this.frame);
    this.stage.append(...this.pictures);
    this.overlay = el("div", { class: "camera-overlay" });
    this.map = this.miniature();
    this.buttons = this.controls();
    this.frame.append(this.stage, this.overlay, this.map.element, this.buttons);
    this.watch();
    new ResizeObserver(() => this.resize()).observe(this.frame);
    const measured = new ResizeObserver(() => (this.corner = this.cover = null));
    for (const element of [this.map.element, this.buttons]) measured.observe(element);
    this.resize();
  }

  // --- what it shows

  resize() {
    const box = this.frame.getBoundingClientRect();
    if (!box.width || !box.height) return;
    this.box = { width: box.width, height: box.height };
    this.corner = this.cover = null;
    this.fit = Math.min(box.width / this.size.width, box.height / this.size.height);
    const across = this.lens.across?.(box.width) ?? this.lens.piece * Math.max(6, box.width / 90);
    this.close = Math.min(CLOSEST, Math.max(1, box.width / across / this.fit));
    this.laid = 0;
    this.place();
    this.tell(this.zoom);
    if (!this.sight) return;
    this.see(this.sight.points, this.sight.all);
    this.arrive();
  }

  /** Tells the game how large its pieces are going to be. @param {number} zoom */
  tell(zoom) {
    const unit = (this.fit ?? 1) * zoom;
    if (unit === this.told) return;
    this.told = unit;
    this.lens.sized?.(unit);
  }

  /** Puts the board where it belongs. */
  place() {
    if (!this.box || !this.fit) return;
    const { width, height } = this.size;
    const scale = this.fit * this.zoom;
    const half = { x: this.box.width / 2 / scale, y: this.box.height / 2 / scale };
    this.centre = this.held(this.centre, this.zoom);
    if (!this.laid || (!this.goal && Math.abs(this.laid - scale) > 1e-6 && this.mayLay(scale / this.laid))) {
      this.laid = scale;
      for (const picture of this.pictures) {
        picture.style.width = `${width * scale}px`;
        picture.style.height = `${height * scale}px`;
      }
    }
    const x = this.box.width / 2 - this.centre.x * scale;
    const y = this.box.height / 2 - this.centre.y * scale;
    this.stage.style.transform = `translate(${x}px, ${y}px) scale(${scale / this.laid})`;
    this.map.window.setAttribute("x", String(this.centre.x - half.x));
    this.map.window.setAttribute("y", String(this.centre.y - half.y));
    this.map.window.setAttribute("width", String(2 * half.x));
    this.map.window.setAttribute("height", String(2 * half.y));
    this.map.element.toggleAttribute("hidden", this.zoom < 1.15);
  }

  /**
   * Whether the board may be laid out anew; if not, it is done as soon as everything rests.
   * @param {number} ratio of the size that it should have to the one that it has
   */
  mayLay(ratio) {
    if (!this.frame.closest("[data-busy]") || ratio > COARSE || ratio < 1 / COARSE) return true;
    window.clearTimeout(this.later);
    this.later = window.setTimeout(() => this.place(), REST);
    return false;
  }

  /**
   * The nearest centre from which the window shows nothing beyond the board.
   * @param {{x: number, y: number}} centre
   * @param {number} zoom
   */
  held(centre, zoom) {
    const scale = (this.fit ?? 1) * zoom;
    const box = this.box ?? { width: 0, height: 0 };
    /** @param {number} value @param {number} half @param {number} total */
    const within = (value, half, total) => (total <= 2 * half ? total / 2 : Math.min(Math.max(value, half), total - half));
    return {
      x: within(centre.x, box.width / 2 / scale, this.size.width),
      y: within(centre.y, box.height / 2 / scale, this.size.height),
    };
  }

  /**
   * The point of the board under a point of the page.
   * @param {number} clientX
   * @param {number} clientY
   */
  onBoard(clientX, clientY) {
    const box = this.frame.getBoundingClientRect();
    const scale = (this.fit ?? 1) * this.zoom;
    return {
      x: this.centre.x + (clientX - box.left - box.width / 2) / scale,
      y: this.centre.y + (clientY - box.top - box.height / 2) / scale,
    };
  }

  // --- moving

  /**
   * Goes somewhere smoothly; at once where nothing should move.
   * @param {number} x
   * @param {number} y
   * @param {number} [zoom]
   */
  go(x, y, zoom = this.zoom) {
    this.goal = { ...this.held({ x, y }, zoom), zoom };
    this.tell(zoom);
    this.sidestep(this.goal);
    if (this.host.motion.still() || matchMedia("(prefers-reduced-motion: reduce)").matches) return this.arrive();
    if (this.ticking) return;
    this.last = performance.now();
    this.ticking = requestAnimationFrame((now) => this.tick(now));
  }

  arrive() {
    if (!this.goal) return;
    this.centre = { x: this.goal.x, y: this.goal.y };
    this.zoom = this.goal.zoom;
    this.goal = null;
    this.place();
  }

  /** @param {number} now */
  tick(now) {
    this.ticking = 0;
    const goal = this.goal;
    if (!goal) return;
    const dx = goal.x - this.centre.x;
    const dy = goal.y - this.centre.y;
    const dz = Math.log(goal.zoom / this.zoom);
    const scale = (this.fit ?? 1) * this.zoom;
    if (Math.hypot(dx, dy) * scale < 0.6 && Math.abs(dz) < 0.004) return this.arrive();
    const share = 1 - Math.exp(-Math.max(now - this.last, 4) / HASTE);
    this.last = now;
    this.zoom *= Math.exp(dz * share);
    this.centre = { x: this.centre.x + dx * share, y: this.centre.y + dy * share };
    this.place();
    this.ticking = requestAnimationFrame((next) => this.tick(next));
  }

  /**
   * Looks at a point of the board, if it follows; from close by if it was far.
   * @param {number} x
   * @param {number} y
   */
  look(x, y) {
    if (!this.following) return;
    this.sight = null;
    const zoom = this.goal?.zoom ?? this.zoom;
    this.go(x, y, zoom < 1.3 || zoom > this.close * 2.5 ? this.close : zoom);
  }

  /** The least zoom at which pieces can be told apart. */
  get legible() {
    return Math.min(CLOSEST, Math.max(1, LEGIBLE / (this.lens.piece * (this.fit ?? 1))));
  }

  /**
   * Looks at all these points, if it follows, from as near as it can; where they do not fit into the window, the first
   * of them is in it and as much of the rest as possible.
   * @param {Point[]} points
   * @param {boolean} [all] whether all of them must be in it, however small pieces get: places that can be chosen
   */
  see(points, all = false) {
    if (!this.following || !points.length) return;
    this.sight = { points, all };
    if (!this.box || !this.fit) return;
    const margin = this.lens.piece * (all ? NARROW : MARGIN);
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [left, right] = [Math.min(...xs) - margin, Math.max(...xs) + margin];
    const [top, bottom] = [Math.min(...ys) - margin, Math.max(...ys) + margin];
    const kept = all ? this.covered() : { top: 0, right: 0 };
    const whole = Math.min((this.box.width - kept.right) / (right - left), (this.box.height - kept.top) / (bottom - top)) / this.fit;
    const zoom = Math.max(1, Math.min(Math.max(whole, all ? 1 : this.legible), Math.max(this.close, this.legible)));
    /** @param {number} middle @param {number} half the window's @param {number} first */
    const within = (middle, half, first) => Math.min(Math.max(middle, first + margin - half), first - margin + half);
    const scale = this.fit * zoom;
    const half = { x: this.box.width / 2 / scale, y: this.box.height / 2 / scale };
    const middle = { x: (left + right + kept.right / scale) / 2, y: (top + bottom - kept.top / scale) / 2 };
    this.go(within(middle.x, half.x, xs[0]), within(middle.y, half.y, ys[0]), zoom);
  }

  /**
   * Puts the small map into the upper corner where it would cover more of what is looked at in the lower one.
   * @param {{x: number, y: number, zoom: number}} goal
   */
  sidestep(goal) {
    if (!this.sight || !this.box || this.map.element.hasAttribute("hidden")) return;
    const { width, height, x: edge, y: low } = (this.corner ??= this.mapCorner());
    if (!width) return;
    const frame = this.box;
    const unit = (this.fit ?? 1) * goal.zoom;
    const near = (this.lens.piece * unit) / 2;
    /** Points under a map whose upper edge is here; the first of them matters most. @param {number} top */
    const under = (top) =>
      (this.sight?.points ?? []).reduce((sum, point, k) => {
        const [px, py] = [frame.width / 2 + (point.x - goal.x) * unit, frame.height / 2 + (point.y - goal.y) * unit];
        return px < edge + width + near && py > top - near && py < top + height + near ? sum + (k ? 1 : 99) : sum;
      }, 0);
    const { raised } = this;
    this.raised = under(low) > under(edge) ? low - edge : 0;
    if (this.raised !== raised) this.map.element.style.transform = this.raised ? `translateY(${-this.raised}px)` : "";
  }

  mapCorner() {
    const frame = this.frame.getBoundingClientRect();
    const { x, y, width, height } = this.map.element.getBoundingClientRect();
    return new DOMRect(x - frame.left, y - frame.top + this.raised, width, height);
  }

  /** Pixels that its buttons cover at the top, where they stand in a row, or at the right. */
  covered() {
    if (this.cover) return this.cover;
    const { offsetWidth, offsetHeight, offsetTop } = this.buttons;
    this.cover = offsetWidth > offsetHeight ? { top: offsetHeight + offsetTop, right: 0 } : { top: 0, right: offsetWidth + offsetTop };
    return this.cover;
  }

  /** @param {boolean} following */
  follow(following) {
    this.following = following;
    this.pressed?.setAttribute("aria-pressed", String(following));
  }

  overview() {
    this.follow(false);
    this.go(this.size.width / 2, this.size.height / 2, 1);
  }

  /**
   * @param {number} factor
   * @param {{x: number, y: number}} [about] a point of the board that stays where it is
   */
  zoomBy(factor, about) {
    const from = this.goal?.zoom ?? this.zoom;
    const zoom = Math.min(Math.max(from * factor, 1), CLOSEST);
    const at = this.goal ?? this.centre;
    const still = about ?? at;
    const share = from / zoom;
    this.go(still.x + (at.x - still.x) * share, still.y + (at.y - still.y) * share, zoom);
  }

  /**
   * By pixels.
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    const scale = (this.fit ?? 1) * this.zoom;
    this.follow(false);
    this.goal = null;
    this.centre = { x: this.centre.x - dx / scale, y: this.centre.y - dy / scale };
    this.place();
  }

  // --- hands

  watch() {
    /** @type {Map<number, {x: number, y: number}>} */
    const fingers = new Map();
    let spread = 0;
    this.frame.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoomBy(Math.exp(-event.deltaY * 0.0016), this.onBoard(event.clientX, event.clientY));
        if (this.following && this.zoom < 1.1) this.follow(false);
      },
      { passive: false },
    );
    this.stage.addEventListener("pointerdown", (event) => {
      if (event.defaultPrevented || event.button > 0) return;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      spread = 0;
    });
    this.frame.addEventListener("pointermove", (event) => {
      const last = fingers.get(event.pointerId);
      if (!last) return;
      const now = { x: event.clientX, y: event.clientY };
      if (fingers.size === 1) {
        if (!this.frame.hasPointerCapture(event.pointerId)) {
          if (Math.hypot(now.x - last.x, now.y - last.y) < 4) return; // a click that trembles
          this.frame.setPointerCapture(event.pointerId);
          this.frame.classList.add("grabbed");
        }
        this.pan(now.x - last.x, now.y - last.y);
      }
      fingers.set(event.pointerId, now);
      if (fingers.size === 2) {
        const [a, b] = [...fingers.values()];
        const apart = Math.hypot(a.x - b.x, a.y - b.y);
        if (spread) {
          this.zoomBy(apart / spread, this.onBoard((a.x + b.x) / 2, (a.y + b.y) / 2));
          this.arrive();
        }
        spread = apart;
      }
    });
    const lift = (/** @type {PointerEvent} */ event) => {
      fingers.delete(event.pointerId);
      spread = 0;
      if (!fingers.size) this.frame.classList.remove("grabbed");
    };
    this.frame.addEventListener("pointerup", lift);
    this.frame.addEventListener("pointercancel", lift);
  }

  controls() {
    /** @param {string} name @param {string} d @param {() => void} act */
    const button = (name, d, act) =>
      el(
        "button",
        {
          type: "button",
          class: "button icon camera-control",
          "aria-label": t(`table.camera.${name}`),
          "data-help": `table.camera.${name}`,
          on: { click: act },
        },
        svg("svg", { viewBox: "-12 -12 24 24", "aria-hidden": true }, svg("path", { d })),
      );
    this.pressed = button("follow", "M-8 0h3M5 0h3M0-8v3M0 5v3M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0", () => {
      this.follow(!this.following);
      if (this.following) this.refollow?.();
    });
    this.pressed.setAttribute("aria-pressed", "true");
    return el(
      "div",
      { class: "camera-controls" },
      this.pressed,
      button("closer", "M-7 0H7M0-7V7", () => this.zoomBy(1.5)),
      button("farther", "M-7 0H7", () => this.zoomBy(1 / 1.5)),
      button("overview", "M-8-3V-8H-3M3-8H8V-3M8 3V8H3M-3 8H-8V3", () => this.overview()),
    );
  }

  // --- the small map

  miniature() {
    const window = svg("rect", { class: "camera-window" });
    const dots = svg("g", { class: "camera-dots" });
    const element = svg(
      "svg",
      { class: "camera-map", viewBox: `0 0 ${this.size.width} ${this.size.height}`, "aria-hidden": true },
      ...(this.lens.map ?? []),
      dots,
      window,
    );
    element.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      event.stopPropagation();
      const go = (/** @type {PointerEvent} */ e) => {
        const box = element.getBoundingClientRect();
        this.follow(false);
        this.go(
          ((e.clientX - box.left) / box.width) * this.size.width,
          ((e.clientY - box.top) / box.height) * this.size.height,
        );
      };
      go(event);
      element.setPointerCapture(event.pointerId);
      element.onpointermove = go;
      element.onpointerup = () => (element.onpointermove = null);
    });
    return { element, window, dots };
  }

  /**
   * Marks the chariots on the small map.
   * @param {{x: number, y: number, colour: string, ink: string, own: boolean, letter: string}[]} dots
   */
  mark(dots) {
    const unit = this.size.width / 38;
    this.map.dots.replaceChildren(
      ...dots.map((dot) =>
        svg(
          "g",
          { transform: `translate(${dot.x.toFixed(1)} ${dot.y.toFixed(1)}) scale(${unit.toFixed(2)})` },
          svg("circle", { r: dot.own ? 1.25 : 1, fill: dot.colour, class: dot.own ? "own" : "" }),
          svg("text", { y: 0.46, fill: dot.ink, text: dot.letter }),
        ),
      ),
    );
  }
}
