// @ts-check
// The reveal: what each seat has played, card by card, in the order in which they move, and what it comes to.

import { el, svg } from "../../../web/static/js/dom.js";
import { cardPicture, cardWords, symbolMark, symbolWords, tokenPicture, tokenWords } from "./cards.js";
import { sumSteps } from "./words.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").Revealed} Revealed */
/** @typedef {import("./types.d.ts").Counted} Counted */
/**
 * What one seat has played.
 * @typedef {object} Play
 * @property {HTMLElement} root
 * @property {HTMLElement} cards
 * @property {HTMLElement} order
 * @property {HTMLElement} lead
 * @property {HTMLElement} points
 * @property {HTMLElement} sum
 * @property {number | null} total what it comes to; null: not counted yet
 */

/** Milliseconds: half a turn of a card, and until the next one turns. */
const TURN = 95;
const NEXT = 110;
/** Milliseconds for a part of the sum. */
const PART = 130;

/**
 * @param {Host} host
 * @param {HTMLElement} place
 */
export function makeStage(host, place) {
  const { motion } = host;
  const root = el("div", { class: "cx-stage", role: "region", "aria-label": host.t("charioteer.stage.name"), tabindex: "0", hidden: true }); // scrolls where it is small
  place.append(root);
  /** @type {Map<number, Play>} */
  const plays = new Map();
  let done = false;

  /** @param {number} seat @returns {Play} */
  function lay(seat) {
    const points = el("b", { class: "cx-points", "data-help": "charioteer.length" });
    const lead = el("span", { class: "cx-lead" });
    const sum = el("p", { class: "cx-played-sum" });
    const order = el("span", { class: "cx-order", "data-help": "charioteer.chariot" });
    const cards = el("div", { class: "cx-played" }, cardPicture(null), cardPicture(null), cardPicture(null));
    const head = el("header", null, order, host.badge(seat, true), lead, laurel(host.t("charioteer.stage.longest")), points);
    return { root: el("section", { class: `cx-play faction-${host.faction(seat)}` }, head, cards, sum), cards, order, lead, points, sum, total: null };
  }

  /** What a seat has played: cards with their words, the crowd card and tokens. @param {Revealed} event @param {string} crowd */
  function shown(event, crowd) {
    const faces = event.cards.map((card, k) => {
      const face = cardPicture(card);
      face.classList.toggle("changed", k === event.changed);
      return face;
    });
    const words = event.cards.map((card) => cardWords(host, card)).join("; ");
    const tokens = [event.token, event.discard_token].filter((token) => token !== null);
    const extras = [
      ...(event.crowd ? [el("span", { class: "cx-played-crowd", role: "img", "aria-label": host.t("charioteer.crowd.short"), "data-help": "charioteer.crowd.0" }, cardPicture(crowd))] : []),
      ...tokens.map((token) => el("span", { class: "cx-played-token", role: "img", "aria-label": tokenWords(host, token) }, tokenPicture(token))),
    ];
    return { faces, words, extras };
  }

  /** Turns a card over. @param {SVGElement} back @param {SVGElement} face @param {number} wait */
  async function turn(back, face, wait) {
    await motion.pause(wait);
    if (!motion.still()) await motion.play(back, [{ transform: "scaleX(1)" }, { transform: "scaleX(0.04)" }], TURN, "ease-in");
    back.replaceWith(face);
    if (!motion.still()) await motion.play(face, [{ transform: "scaleX(0.04)" }, { transform: "scaleX(1)" }], TURN, "ease-out");
  }

  /** Marks the longest moves so far. */
  function compare() {
    const longest = Math.max(1, ...[...plays.values()].map(({ total }) => total ?? 0));
    for (const play of plays.values()) play.root.classList.toggle("longest", play.total === longest);
  }

  return {
    /** Lays down the cards of every seat, face down. @param {number} seats */
    open(seats) {
      if (!root.hidden && !done) return;
      done = false;
      plays.clear();
      for (let seat = 0; seat < seats; seat += 1) plays.set(seat, lay(seat));
      root.replaceChildren(...[...plays.values()].map((play) => play.root));
      root.dataset.seats = String(seats);
      root.hidden = false;
      place.classList.add("is-revealing");
    },
    close() {
      done = true;
      root.hidden = true;
      place.classList.remove("is-revealing");
    },
    /** The order in which they move: they change places. @param {number[]} seats */
    async order(seats) {
      const found = seats.flatMap((seat) => plays.get(seat) ?? []);
      const before = found.map((play) => play.root.getBoundingClientRect());
      root.append(...found.map((play) => play.root));
      found.forEach((play, k) => (play.order.textContent = String(k + 1)));
      if (motion.still()) return motion.pause(350);
      const after = found.map((play) => play.root.getBoundingClientRect());
      await Promise.all(
        found.map((play, k) => {
          const [dx, dy] = [before[k].left - after[k].left, before[k].top - after[k].top];
          return motion.play(play.root, [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], 380);
        }),
      );
    },
    /** @param {Revealed} event @param {string} crowd the crowd card */
    async reveal(event, crowd) {
      const play = plays.get(event.seat);
      if (!play) return;
      const backs = event.cards.map(() => cardPicture(null));
      const { faces, words, extras } = shown(event, crowd);
      play.root.classList.add("open");
      play.cards.replaceChildren(el("span", { class: "unseen", text: `${symbolWords(host, event.symbol)}: ${words}` }), ...backs);
      await Promise.all(backs.map((back, k) => turn(back, faces[k], motion.still() ? 0 : k * NEXT)));
      play.lead.replaceChildren(symbolMark(event.symbol));
      play.lead.setAttribute("data-help", event.symbol === "reset" ? "charioteer.reset" : `charioteer.move.${event.symbol.split("-")[0]}`);
      if (event.symbol === "reset") play.sum.textContent = host.t("charioteer.reset");
      play.cards.append(...extras);
      if (motion.still()) return;
      await Promise.all([play.lead, ...extras].map((extra) => motion.play(extra, [{ transform: "scale(0.3)", opacity: 0 }, { transform: "scale(1)", opacity: 1 }], 150, "ease-out")));
    },
    /** Whose move is being made: its sum is counted up, part by part. @param {Counted} event */
    async counted(event) {
      for (const [seat, { root: each }] of plays) each.classList.toggle("now", seat === event.seat);
      const play = plays.get(event.seat);
      if (!play) return motion.pause(450);
      const steps = sumSteps(host, event);
      for (const { words, value } of motion.still() ? steps.slice(-1) : steps) {
        play.sum.textContent = words;
        play.points.textContent = String(value);
        await motion.pause(PART);
      }
      play.total = event.points;
      compare();
      if (!motion.still()) void motion.play(play.points, [{ transform: "scale(1)" }, { transform: "scale(1.35)", offset: 0.4 }, { transform: "scale(1)" }], 300, "ease-out");
      await motion.pause(220);
    },
    /** Shows without motion what was played in the last turn that was revealed. @param {import("../../../web/static/js/protocol.d.ts").ReplayStep[]} steps */
    recall(steps) {
      const at = steps.findLastIndex(({ moment }) => moment.events.some((event) => event.type === "Revealed"));
      if (at < 0) return;
      const events = /** @type {import("./types.d.ts").GameEvent[]} */ (/** @type {unknown} */ (steps[at].moment.events));
      const before = /** @type {import("./types.d.ts").View | undefined} */ (/** @type {unknown} */ (steps[at - 1]?.view));
      this.open(host.seats);
      for (const event of events) {
        const play = "seat" in event ? plays.get(event.seat) : undefined;
        if (event.type === "Ordered") {
          root.append(...event.seats.flatMap((seat) => plays.get(seat)?.root ?? []));
          event.seats.forEach((seat, k) => plays.get(seat)?.order.replaceChildren(String(k + 1)));
        } else if (play && event.type === "Revealed") {
          const { faces, words, extras } = shown(event, before?.crowd[0] ?? "");
          play.root.classList.add("open");
          play.cards.replaceChildren(el("span", { class: "unseen", text: `${symbolWords(host, event.symbol)}: ${words}` }), ...faces, ...extras);
          play.lead.replaceChildren(symbolMark(event.symbol));
          if (event.symbol === "reset") play.sum.textContent = host.t("charioteer.reset");
        } else if (play && event.type === "Counted") {
          play.sum.textContent = sumSteps(host, event).at(-1)?.words ?? "";
          play.points.textContent = String(event.points);
          play.total = event.points;
        }
      }
      compare();
      done = true;
    },
    /** Highlights the longest move of the turn. */
    async crown() {
      const best = [...plays.values()].filter((play) => play.root.classList.contains("longest"));
      if (root.hidden || done || !best.length) return;
      for (const { root: each } of plays.values()) each.classList.remove("now");
      for (const { root: each } of best) each.classList.add("crowned");
      if (motion.still()) return motion.pause(300);
      await Promise.all(
        best.map((play) => motion.play(play.root, [{ transform: "scale(1)" }, { transform: "scale(1.045)", offset: 0.3 }, { transform: "scale(1)" }], 420, "ease-out")),
      );
      await motion.pause(380);
    },
  };
}

/** A laurel wreath, for the longest move. @param {string} label */
function laurel(label) {
  const leaf = "M0 0C3-2.5 3-6.5 0-9C-3-6.5-3-2.5 0 0Z";
  const leaves = [35, 70, 105, 140, 220, 255, 290, 325].map((turn) =>
    svg("path", { d: leaf, transform: `rotate(${turn}) translate(0 -5) rotate(${turn < 180 ? 62 : -62})` }),
  );
  return el("span", { class: "cx-laurel", role: "img", "aria-label": label }, svg("svg", { viewBox: "-15 -15 30 30", "aria-hidden": true }, ...leaves));
}
