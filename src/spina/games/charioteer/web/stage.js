// @ts-check
// The reveal: what each seat has played, side by side, while the chariots move.

import { el } from "../../../web/static/js/dom.js";
import { cardPicture, cardWords, symbolMark, symbolWords, tokenPicture, tokenWords } from "./cards.js";
import { sumWords } from "./words.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").Revealed} Revealed */
/** @typedef {import("./types.d.ts").Counted} Counted */

/**
 * @param {Host} host
 * @param {HTMLElement} place
 */
export function makeStage(host, place) {
  const root = el("div", { class: "cx-stage", hidden: true });
  place.append(root);
  /** @type {Map<number, {play: HTMLElement, order: HTMLElement, lead: HTMLElement, points: HTMLElement, sum: HTMLElement}>} */
  const plays = new Map();
  let done = false;

  return {
    /** Lays down the cards of every seat, face down. @param {number} seats */
    open(seats) {
      if (!root.hidden && !done) return;
      done = false;
      plays.clear();
      root.replaceChildren(
        ...Array.from({ length: seats }, (_, seat) => {
          const points = el("b", { class: "cx-points", "data-help": "charioteer.length" });
          const lead = el("span", { class: "cx-lead" });
          const sum = el("p", { class: "cx-played-sum" });
          const order = el("span", { class: "cx-order", "data-help": "charioteer.chariot" });
          const cards = el("div", { class: "cx-played" }, cardPicture(null), cardPicture(null), cardPicture(null));
          const play = el("section", { class: `cx-play faction-${seat % 6}` }, el("header", null, order, host.badge(seat, true), lead, points), cards, sum);
          plays.set(seat, { play: cards, order, lead, points, sum });
          return play;
        }),
      );
      root.hidden = false;
      place.classList.add("is-revealing");
      // on a small screen the button that was pressed lies far below the board
      const { top, bottom } = host.board.getBoundingClientRect();
      if (top < 0 || bottom > window.innerHeight) {
        host.board.scrollIntoView({ block: "start", behavior: host.motion.still() ? "auto" : "smooth" });
      }
    },
    close() {
      done = true;
      root.hidden = true;
      place.classList.remove("is-revealing");
    },
    /** The order in which they move. @param {number[]} seats */
    order(seats) {
      seats.forEach((seat, k) => {
        const found = plays.get(seat);
        if (found) found.order.textContent = String(k + 1);
      });
    },
    /** @param {Revealed} event @param {string} crowd the crowd card */
    async reveal(event, crowd) {
      const found = plays.get(event.seat);
      if (!found) return;
      const words = event.cards.map((card) => cardWords(host, card)).join("; ");
      const pictures = event.cards.map((card, k) => {
        const picture = cardPicture(card);
        picture.classList.toggle("changed", k === event.changed);
        return picture;
      });
      found.lead.replaceChildren(symbolMark(event.symbol));
      found.lead.setAttribute("data-help", event.symbol === "reset" ? "charioteer.reset" : `charioteer.move.${event.symbol.split("-")[0]}`);
      if (event.symbol === "reset") found.sum.textContent = host.t("charioteer.reset");
      const tokens = [event.token, event.discard_token].filter((token) => token !== null);
      found.play.replaceChildren(
        el("span", { class: "unseen", text: `${symbolWords(host, event.symbol)}: ${words}` }),
        ...pictures,
        ...(event.crowd ? [el("span", { class: "cx-played-crowd", role: "img", "aria-label": host.t("charioteer.crowd.short"), "data-help": "charioteer.crowd.0" }, cardPicture(crowd))] : []),
        ...tokens.map((token) => el("span", { class: "cx-played-token", role: "img", "aria-label": tokenWords(host, token) }, tokenPicture(token))),
      );
      if (host.motion.still()) return;
      await Promise.all(
        pictures.map((picture, k) =>
          host.motion.play(picture, [{ transform: "scaleX(0.05)", opacity: 0.4 }, { transform: "scaleX(1)", opacity: 1 }], 140 + 50 * k, "ease-out"),
        ),
      );
    },
    /** Whose move is being made, and what it comes to. @param {Counted} event */
    counted(event) {
      const { seat, points } = event;
      for (const [other, { play }] of plays) play.parentElement?.classList.toggle("now", other === seat);
      const found = plays.get(seat);
      if (!found) return;
      found.points.textContent = String(points);
      found.sum.textContent = sumWords(host, event);
    },
  };
}
