// @ts-check
// Chariotmaster in the browser: the page of one race.

import { Camera } from "../../../web/static/js/camera.js";
import { el, svg } from "../../../web/static/js/dom.js";
import { brief } from "./brief.js";
import { Comparing } from "./comparing.js";
import { Description } from "./description.js";
import { Drive } from "./drive.js";
import { Ghost } from "./ghost.js";
import { Moving } from "./motion.js";
import { Panels } from "./panels.js";
import { findPlace } from "./places.js";
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

/** The keys of this game, as the list of keys tells them. */
const KEYS = [
  { keys: "1 – 9", text: "chariotmaster.keys.answers" },
  { keys: "↑ ↓ ← →", text: "chariotmaster.keys.ghost" },
  { keys: "P", text: "chariotmaster.keys.point" },
  { keys: "W", text: "chariotmaster.keys.ways" },
  { keys: "R", text: "chariotmaster.keys.ready" },
];

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
    this.camera = new Camera(host, this.lens());
    this.camera.refollow = () => this.find();
    this.panels = new Panels(this);
    this.questions = new Questions(this);
    this.drive = new Drive(this);
    this.story = new Story(this.words);
    this.description = new Description(this.words);
    this.moving = new Moving(this);
    this.comparing = new Comparing(this);
    this.begun = false;
    /** Whether there is a question to answer. */
    this.asked = false;
    this.keys = KEYS;
  }

  /** What the window on the board needs to know. @returns {import("../../../web/static/js/camera.js").Lens} */
  lens() {
    const { board, places, t } = this.host;
    const [, , width, height] = places.viewBox;
    const line = board.querySelector("#finish")?.getAttribute("transform");
    return {
      size: [width, height],
      piece: places.base[0] / 10, // bases are measured in tenths of a millimetre
      label: t("chariotmaster.board"),
      // a followed chariot and what lies a turn ahead of it: about 40 cm of the track, more where there is room
      across: (pixels) => Math.max(350, Math.min(620, pixels * 0.62)),
      over: this.pieces.top,
      sized: (pixels) => this.ghost.sized(pixels),
      map: [
        svg("path", { class: "track", d: board.querySelector("#track")?.getAttribute("d") ?? "" }),
        ...(line ? [svg("path", { class: "line", d: "M0-80V80", transform: line })] : []),
      ],
    };
  }

  // --- what the table asks of it

  /**
   * @param {View} view
   * @param {number | null} looking
   */
  show(view, looking) {
    // pieces are drawn in the colours that the seats had when the page was made: other ones were chosen before the start
    if (view.chariots.some(({ chariot }) => chariot < this.host.seats && this.words.figures.chariots[chariot].faction !== this.host.faction(chariot))) location.reload();
    this.view = structuredClone(view);
    this.looking = looking;
    this.pieces.halt();
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

  /**
   * @param {import("../../../web/static/js/types.js").Compared | null} compared
   * @param {View} view
   */
  compare(compared, view) {
    return this.comparing.show(compared, view);
  }

  /** A replay may go to a moment far from the last one. */
  recall() {
    this.find(true);
  }

  /** @param {string} action */
  phrase(action) {
    return this.words.action(action);
  }

  /** @param {string} name @param {string | number} value */
  say(name, value) {
    if (name === "piece") return this.words.piece(Number(value));
    if (name === "points") return this.host.t(`chariotmaster.points.${value}`);
    return name === "attacks" ? this.words.attack(String(value)) : null;
  }

  /** Marks what a hint advises; null: nothing. @param {string | null} action */
  advise(action) {
    for (const mark of this.host.choice.querySelectorAll(".cm-advised")) mark.remove();
    for (const marked of this.host.choice.querySelectorAll(".advised")) marked.classList.remove("advised");
    this.drive.advise(action);
    if (action === null) return;
    const tokens = /^tokens? (.+)$/.exec(action)?.[1].split(" ") ?? [];
    const rows = [...this.host.choice.querySelectorAll(".cm-token-row")];
    const found = tokens.length
      ? tokens.map((token, i) => rows[i]?.querySelector(`[data-token="${CSS.escape(token)}"]`))
      : [this.host.choice.querySelector(`[data-action="${CSS.escape(action)}"]`)];
    for (const element of found) {
      element?.classList.add("advised");
      element?.append(el("span", { class: `cm-advised ${element.matches(".chip") ? "unseen" : "badge lit"}`, text: this.host.t("chariotmaster.advised") }));
    }
  }

  /** @param {View} view */
  describe(view) {
    return this.description.lines(view);
  }

  /** @param {GameEvent[]} events @param {View} view */
  brief(events, view) {
    return brief(this.words, events, view);
  }

  /** @param {Offer} offer @param {View} view */
  question(offer, view) {
    return this.questions.aloud(offer, view);
  }

  /** @param {string} name */
  place(name) {
    return findPlace(name);
  }

  /**
   * Tokens are secret until they are drawn.
   * @param {View} view
   */
  secret(view) {
    return view.question === "speed tokens";
  }

  /** @param {KeyboardEvent} event */
  steer(event) {
    return this.drive.key(event);
  }

  // --- what its parts ask of it

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
