// @ts-check
// Chariotmaster in the browser: the page of one race.

import { el } from "../../../web/static/js/dom.js";
import { Camera } from "./camera.js";
import { Drive } from "./drive.js";
import { Ghost } from "./ghost.js";
import { Moving } from "./motion.js";
import { Panels } from "./panels.js";
import { OBSTACLE, Pieces, WRECK_OF, poseOf, translated } from "./pieces.js";
import { Questions } from "./questions.js";
import { Story } from "./story.js";
import { Words } from "./words.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").GamePage} GamePage */
/** @typedef {import("./types.d.ts").GameEvent} GameEvent */
/** @typedef {import("../../../web/static/js/types.js").Targets} Targets */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").Offer} Offer */
/** @typedef {import("./types.d.ts").TokenChance} TokenChance */

/** @implements {GamePage} */
export class Page {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.words = new Words(host);
    this.pieces = new Pieces(host.board, host.places);
    this.ghost = new Ghost(this.pieces, this.words);
    /** What is shown: the last view, with the events since. @type {View | null} */
    this.view = null;
    /** @type {number | null} */
    this.looking = null;
    /** Shows on the ruler how far a considered move goes. @type {((mm: number) => void) | null} */
    this.ruler = null;
    this.camera = new Camera(host, this.pieces.top);
    this.camera.refollow = () => this.find();
    this.panels = new Panels(this);
    this.questions = new Questions(this);
    this.drive = new Drive(this);
    this.story = new Story(this.words);
    this.moving = new Moving(this);
    this.begun = false;
    /** Whether there is a question to answer. */
    this.asked = false;
  }

  // --- what the table asks of it

  /**
   * @param {View} view
   * @param {number | null} looking
   */
  show(view, looking) {
    this.view = structuredClone(view);
    this.looking = looking;
    const seen = new Set();
    for (const one of view.pieces) {
      seen.add(one.piece);
      const piece = { number: one.piece, kind: one.kind, chariot: one.chariot, length: one.length / 10, width: one.width / 10, pose: poseOf(one) };
      this.pieces.set(piece, one.chariot === null ? null : view.chariots[one.chariot]);
    }
    for (const [number, piece] of [...this.pieces.all]) {
      if (!seen.has(number) && !(number >= OBSTACLE && piece.kind !== "obstacle")) this.pieces.remove(number);
    }
    this.pieces.activate(view.active);
    this.panels.show(this.view, looking);
    this.dots();
    this.laps(view);
    if (!this.begun) {
      this.begun = true;
      this.find(true);
    }
  }

  /**
   * @param {Offer | null} offer
   * @param {View} view
   */
  offer(offer, view) {
    this.drive.close();
    this.ruler = null;
    this.preview(null, null);
    this.asked = Boolean(offer);
    if (!offer) return this.rest();
    const drive = offer.question === "speed tokens" ? null : this.drive.open(offer, view);
    this.host.choice.replaceChildren(this.questions.card(offer, view, drive));
    if (drive && this.drive.plan) this.drive.draw();
    if (offer.question === "skid") this.slide(offer);
    this.sights(offer, view);
  }

  /** Where a skid would end if nothing stopped it. @param {Offer} offer */
  slide(offer) {
    const { chariot, direction = 0, slide = 0 } = offer;
    const piece = chariot === null ? null : this.pieces.all.get(chariot);
    if (!this.view || !piece || chariot === null) return;
    this.ghost.of(piece, this.view.chariots[chariot]);
    this.ghost.judge("bad");
    const end = translated(piece.pose, direction, slide);
    this.ghost.show({ from: piece.pose, middle: end, end, point: null, turns: false, sharp: false });
    this.ghost.mark(piece.pose, direction, [], false);
  }

  /** What stands in the place of a question when there is none. */
  rest() {
    if (!this.asked) this.host.choice.replaceChildren(...(this.view ? [this.questions.idle(this.view)] : []));
  }

  /** Brings what a question is about into the window. @param {Offer} offer @param {View} view */
  sights(offer, view) {
    const chariot = offer.chariot ?? offer.chariots?.[0]?.chariot;
    if (chariot === undefined || chariot === null) return;
    const number = this.moving.pieceOf(chariot, offer.question === "walk");
    const pose = this.pieces.pose(number);
    if (!pose) return;
    const far = view.driving && view.active === chariot ? Math.max(0, view.driving.maximum - view.driving.moved) / 2 : 50;
    const spot = this.pieces.spot(translated(pose, pose.h, Math.min(far, 90)));
    this.camera.look(spot.x, spot.y);
  }

  /** @param {GameEvent} event */
  animate(event) {
    return this.moving.animate(event);
  }

  /** @param {GameEvent} event */
  line(event) {
    return this.story.line(event);
  }

  /** @param {Targets | null} targets */
  light(targets) {
    const chariots = targets?.chariots ?? [];
    const pieces = targets?.pieces ?? [];
    this.pieces.light((piece) => pieces.includes(piece.number) || (piece.chariot !== null && chariots.includes(piece.chariot)));
    this.panels.light([...chariots, ...pieces.filter((piece) => piece < OBSTACLE).map((piece) => piece % WRECK_OF)]);
  }

  /** @param {string} action */
  phrase(action) {
    return this.words.action(action);
  }

  /** @param {View} view */
  describe(view) {
    return this.story.describe(view);
  }

  /**
   * Tokens are secret until they are drawn.
   * @param {View} view
   */
  secret(view) {
    return view.question === "speed tokens";
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean}
   */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return false;
    const token = { 1: "0", 2: "5", 3: "10" }[event.key];
    if (token) {
      const buttons = this.host.choice.querySelectorAll(`.cm-token[data-token="${token}"]`);
      if (buttons.length === 1) {
        /** @type {HTMLElement} */ (buttons[0]).click();
        return true;
      }
    }
    switch (event.key) {
      case "+":
      case "=":
        this.camera.zoomBy(1.3);
        return true;
      case "-":
        this.camera.zoomBy(1 / 1.3);
        return true;
      case "0":
        this.camera.overview();
        return true;
      case "f":
        this.camera.follow(!this.camera.following);
        if (this.camera.following) this.find();
        return true;
      default:
        return this.drive.key(event) || this.panned(event);
    }
  }

  // --- what its parts ask of it

  /** Arrow keys on the board move the window, where no ghost needs them. @param {KeyboardEvent} event */
  panned(event) {
    const ways = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] });
    if (!(event.key in ways) || document.activeElement !== this.camera.frame) return false;
    this.camera.pan(...ways[event.key]);
    return true;
  }

  /** Everything as the picture of the race says, after an event. */
  refresh() {
    const { view } = this;
    if (!view) return;
    for (const [number, piece] of [...this.pieces.all]) {
      if (piece.chariot !== null && number < OBSTACLE) this.pieces.set(piece, view.chariots[piece.chariot]);
    }
    this.pieces.activate(view.active);
    this.panels.show(view, this.looking);
    this.rest();
  }

  /** One dolphin of the counter dives with every lap that the first has completed. @param {View} view */
  laps(view) {
    const home = view.chariots.some((c) => c.home);
    const racing = view.chariots.filter((c) => !c.out).map((c) => c.lap - 1);
    const done = home ? view.laps : Math.max(0, ...racing);
    this.host.board.querySelectorAll(".dolphin").forEach((dolphin, i) => {
      const turn = dolphin.getAttribute("transform") ?? "";
      dolphin.classList.toggle("dived", i < done);
      dolphin.setAttribute("transform", turn.replace(/rotate\([-\d.]+\)/, `rotate(${i < done ? 68 : -8})`));
    });
  }

  /** The chariots on the small map. */
  dots() {
    const found = [];
    for (const piece of this.pieces.all.values()) {
      if (piece.chariot === null || piece.number >= WRECK_OF) continue;
      const of = this.pieces.figures.chariots[piece.chariot];
      const { x, y } = this.pieces.spot(piece.pose);
      const own = this.view?.chariots[piece.chariot].seat === this.looking;
      found.push({ x, y, colour: of.colour, ink: of.ink, own, letter: of.letter });
    }
    this.camera.mark(found);
  }

  /** Moves the window to the active chariot, or the viewer's own, or the first. @param {boolean} [jump] */
  find(jump = false) {
    const view = this.view;
    if (!view) return;
    const own = view.chariots.find((c) => c.seat === this.looking);
    const first = [...view.chariots].sort((a, b) => (a.place || 99) - (b.place || 99))[0];
    const chariot = view.active ?? own?.chariot ?? first?.chariot;
    if (chariot === undefined) return;
    const was = this.camera.following;
    this.camera.following = true;
    this.moving.lookAt(this.moving.pieceOf(chariot));
    if (jump) this.camera.arrive();
    this.camera.following = was;
  }

  /** @param {number} chariot */
  visit(chariot) {
    this.camera.follow(false);
    const spot = this.moving.spotOf(this.moving.pieceOf(chariot));
    if (spot) this.camera.go(spot.x, spot.y, Math.max(this.camera.zoom, this.camera.close));
  }

  /** @param {string} action */
  async play(action) {
    if (this.sending) return;
    this.sending = true;
    try {
      await this.host.play([action]);
    } catch {
      // the page has said why
    } finally {
      this.sending = false;
    }
  }

  /**
   * Asks before something costly is done.
   * @param {string} what
   */
  sure(what) {
    const { t } = this.host;
    return this.host.confirm({ title: t(`chariotmaster.sure.${what}.title`), text: t(`chariotmaster.sure.${what}`), confirm: t(`chariotmaster.sure.${what}.do`) });
  }

  /**
   * What something costs, as a small mark.
   * @param {{price?: number, stamina?: number, exhausts?: boolean}} answer
   */
  price(answer) {
    const { t } = this.host;
    const { price = 0, stamina = 0 } = answer;
    const id = answer.exhausts ? "chariotmaster.price.exhausts" : "chariotmaster.price";
    return el("span", { class: `badge cm-price${answer.exhausts ? " bad" : ""}`, title: t(id, { count: price, left: stamina }) },
      el("span", { "aria-hidden": true, text: `−${price} ⚡` }),
      el("span", { class: "unseen", text: t(id, { count: price, left: stamina }) }),
    );
  }

  /**
   * How far a token would carry a chariot, straight ahead.
   * @param {number | null} chariot
   * @param {TokenChance | null} token
   */
  preview(chariot, token) {
    if (this.drive.opened) return;
    const piece = chariot === null ? null : this.pieces.all.get(chariot);
    if (!this.view || !piece || !token) return this.ghost.hide();
    const { pose } = piece;
    this.ghost.of(piece, this.view.chariots[chariot ?? 0]);
    const end = translated(pose, pose.h, token.most);
    this.ghost.judge("");
    this.ghost.show({ from: pose, middle: end, end, point: null, turns: false, sharp: false });
    const { decimal } = this.words;
    const ticks = [{ mm: token.most, kind: "most", text: decimal.format(token.most / 10) }];
    if (token.least) ticks.push({ mm: token.least, kind: "least", text: decimal.format(token.least / 10) });
    this.ghost.mark(pose, pose.h, ticks, false);
  }
}

/**
 * @param {Host} host
 * @returns {GamePage}
 */
export default function open(host) {
  return new Page(host);
}
