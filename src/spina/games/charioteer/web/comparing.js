// @ts-check
// A costly choice beside the better one: the cards of each, and ghosts where each leads.

import { ghostTag } from "../../../web/static/js/ghost-tag.js";
import { el, svg } from "../../../web/static/js/dom.js";
import { cardPicture, cardWords, tokenPicture, tokenWords } from "./cards.js";
import { makePiece } from "./piece.js";
import { readAction, sumWords } from "./words.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").Breakdown} Breakdown */
/** @typedef {import("../../../web/static/js/types.js").Compared<Breakdown>} Compared */

/** Letters beside a ghost, as a share of a chariot's length. */
const LETTERS = 0.3;

export class Comparing {
  /** @param {Host} host @param {import("./board.js").Board} board @param {import("./lens.js").Lens} lens */
  constructor(host, board, lens) {
    this.host = host;
    this.board = board;
    this.lens = lens;
    this.layer = svg("g", { class: "cx-compared", "pointer-events": "none" });
    board.ghosts.append(this.layer);
  }

  /** @param {Compared | null} compared @param {View} view */
  show(compared, view) {
    this.layer.replaceChildren();
    if (!compared) return null;
    const { seat, chosen, better } = compared;
    const targets = /** @type {const} */ (["chosen", "better"]).flatMap((kind) => {
      const { outcome } = compared[kind];
      if (!outcome || outcome.choice.startsWith("reset")) return [];
      const piece = makePiece(seat, this.host.faction(seat), `cx-ghost seen ${kind}`);
      const spot = this.board.stand(piece, outcome.space, outcome.lane);
      this.layer.append(piece.group, ghostTag(kind, spot, this.board.piece * LETTERS));
      return [spot];
    });
    this.lens.aim(seat, ...targets);
    return { chosen: this.#cards(chosen, view), better: this.#cards(better, view) };
  }

  /** @param {Compared["chosen"]} side @param {View} view */
  #cards({ action, outcome }, view) {
    const { host } = this;
    const played = readAction(action);
    if (!played || !view.hand) return [];
    const cards = played.cards.map((slot) => String(view.hand?.[slot] ?? ""));
    const words = cards.map((name) => cardWords(host, name));
    if (played.crowd) words.push(host.t("charioteer.log.extra.crowd"));
    const tokens = [played.token, played.discardToken].flatMap((token) => token ?? []);
    const row = el(
      "div",
      { class: "cx-compared-cards", role: "img", "aria-label": [...words, ...tokens.map((token) => tokenWords(host, token))].join("; ") },
      ...cards.map((name, k) => {
        const face = cardPicture(name);
        face.classList.toggle("changed", played.cards[k] === played.wild);
        return face;
      }),
      played.crowd ? el("span", { class: "cx-played-crowd" }, cardPicture(view.crowd[0])) : null,
      ...tokens.map((token) => el("span", { class: "cx-played-token" }, tokenPicture(token))),
    );
    const sum = outcome && played.symbol !== "reset" ? el("p", { class: "small soft", text: sumWords(host, outcome) }) : null;
    return sum ? [row, sum] : [row];
  }
}
