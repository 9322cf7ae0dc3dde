// @ts-check
// A large board in a small window: zoom, pan, follow a chariot, and a small map of the whole.

import { el, svg } from "../../../web/static/js/dom.js";

/** @typedef {import("./types.d.ts").Host} Host */

const CLOSEST = 7;
/** Milliseconds in which the camera goes about two thirds of the way to its goal. */
const HASTE = 110;

/** The window on the board. Coordinates are those of the board's picture. */
export class Camera {
  /**
   * @param {Host} host
   * @param {SVGSVGElement} top what lies over the board
   */
  constructor(host, top) {
    this.host = host;
    this.board = host.board;
    this.top = top;
    const [, , width, height] = host.places.viewBox;
    this.size = { width, height };
    this.following = true;
    this.centre = { x: width / 2, y: height / 2 };
    this.zoom = 1;
    /** How large the board is laid out; between changes of it only a transform moves. */
    this.laid = 0;
    /** @type {{x: number, y: number, zoom: number} | null} */
    this.goal = null;
    this.ticking = 0;
    this.last = 0;
    this.close = 2.2;
    /** Called when it is told to follow again. @type {(() => void) | null} */
    this.refollow = null;

    this.frame = el("div", { class: "cm-frame", tabindex: "0", role: "group", "aria-label": host.t("chariotmaster.board") });
    this.stage = el("div", { class: "cm-stage" });
    this.board.replaceWith(this.frame);
    this.stage.append(this.board, top);
    this.overlay = el("div", { class: "cm-overlay" });
    this.map = this.miniature();
    this.buttons = this.controls();
    this.frame.append(this.stage, this.overlay, this.map.element, this.buttons);
    this.watch();
    new ResizeObserver(() => this.resize()).observe(this.frame);
    this.resize();
  }

  // --- what it shows

  resize() {
    const box = this.frame.getBoundingClientRect();
    if (!box.width || !box.height) return;
    this.box = { width: box.width, height: box.height };
    this.fit = Math.min(box.width / this.size.width, box.height / this.size.height);
    // A followed chariot and what lies a turn ahead of it: about 40 cm of the track, more where there is room.
    const across = Math.max(350, Math.min(620, box.width * 0.62));
    this.close = Math.max(1, box.width / across / this.fit);
    this.laid = 0;
    this.place();
  }

  /** Puts the board where it belongs. */
  place() {
    if (!this.box || !this.fit) return;
    const { width, height } = this.size;
    const scale = this.fit * this.zoom;
    const half = { x: this.box.width / 2 / scale, y: this.box.height / 2 / scale };
    this.centre = this.held(this.centre, this.zoom);
    if (!this.laid || (!this.goal && Math.abs(this.laid - scale) > 1e-6)) {
      this.laid = scale;
      for (const picture of [this.board, this.top]) {
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
    const zoom = this.goal?.zoom ?? this.zoom;
    this.go(x, y, zoom < 1.3 || zoom > this.close * 2.5 ? this.close : zoom);
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
    const { t } = this.host;
    /** @param {string} name @param {string} d @param {() => void} act */
    const button = (name, d, act) =>
      el(
        "button",
        {
          type: "button",
          class: "button icon cm-control",
          "aria-label": t(`chariotmaster.camera.${name}`),
          "data-help": `chariotmaster.camera.${name}`,
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
      { class: "cm-controls" },
      this.pressed,
      button("closer", "M-7 0H7M0-7V7", () => this.zoomBy(1.5)),
      button("farther", "M-7 0H7", () => this.zoomBy(1 / 1.5)),
      button("overview", "M-8-3V-8H-3M3-8H8V-3M8 3V8H3M-3 8H-8V3", () => this.overview()),
    );
  }

  // --- the small map

  miniature() {
    const track = this.board.querySelector("#track");
    const line = this.board.querySelector("#finish");
    const window = svg("rect", { class: "cm-window" });
    const dots = svg("g", { class: "cm-dots" });
    const element = svg(
      "svg",
      { class: "cm-map", viewBox: `0 0 ${this.size.width} ${this.size.height}`, "aria-hidden": true },
      svg("path", { class: "cm-map-track", d: track?.getAttribute("d") ?? "", "fill-rule": "evenodd" }),
      line ? svg("path", { class: "cm-map-line", d: "M0-80V80", transform: line.getAttribute("transform") ?? "" }) : null,
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

  /** @param {{x: number, y: number, colour: string, ink: string, own: boolean, letter: string}[]} dots */
  mark(dots) {
    this.map.dots.replaceChildren(
      ...dots.map((dot) =>
        svg(
          "g",
          { transform: `translate(${dot.x.toFixed(1)} ${dot.y.toFixed(1)})` },
          svg("circle", { r: dot.own ? 30 : 24, fill: dot.colour, class: dot.own ? "own" : "" }),
          svg("text", { y: 11, fill: dot.ink, text: dot.letter }),
        ),
      ),
    );
  }
}
