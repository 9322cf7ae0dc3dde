// @ts-check
// A costly choice beside the better one: two ghosts on the board, and what each comes to.

import { ghostTag } from "../../../web/static/js/ghost-tag.js";
import { el, svg } from "../../../web/static/js/dom.js";
import { Ghost } from "./ghost.js";
import { translated } from "./pieces.js";
import { aside, read } from "./plans.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").Breakdown} Breakdown */
/** @typedef {import("../../../web/static/js/types.js").Compared<Breakdown>} Compared */

/** Letters beside a ghost, in millimetres. */
const LETTERS = 10;
const KINDS = /** @type {const} */ (["chosen", "better"]);

export class Comparing {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.ghosts = new Map(KINDS.map((kind) => [kind, new Ghost(page.pieces, page.words)]));
    this.tags = svg("g", { class: "cm-compared-tags", "pointer-events": "none" });
    for (const [kind, ghost] of this.ghosts) {
      ghost.element.classList.add("compared", kind);
      ghost.handle.remove();
    }
    page.pieces.top.append(this.tags);
  }

  /** @param {Compared | null} compared @param {View} view */
  show(compared, view) {
    this.tags.replaceChildren();
    for (const ghost of this.ghosts.values()) ghost.hide();
    if (!compared) return null;
    const seen = KINDS.flatMap((kind) => this.#draw(kind, compared[kind], compared.seat, view));
    if (seen.length) this.page.camera.see(seen);
    return { chosen: this.#facts(compared.chosen), better: this.#facts(compared.better) };
  }

  /**
   * Where a move ends.
   * @param {typeof KINDS[number]} kind @param {Compared["chosen"]} side @param {number} seat @param {View} view
   */
  #draw(kind, { action, outcome }, seat, view) {
    const { page } = this;
    const plan = read(action);
    const chariot = view.active ?? view.chariots.find((one) => one.seat === seat)?.chariot ?? 0;
    const piece = page.pieces.all.get(page.moving.pieceOf(chariot, plan?.kind === "walk"));
    const ghost = this.ghosts.get(kind);
    if (!plan || !outcome || !piece || !ghost) return [];
    const from = piece.pose;
    const end = { x: outcome.x, y: outcome.y, h: outcome.heading };
    const direction = plan.kind === "walk" ? plan.degrees : from.h + aside(plan.way);
    ghost.of(piece, view.chariots[chariot]);
    ghost.judge("");
    ghost.show({ from, middle: plan.mm ? translated(from, direction, plan.mm) : from, end, point: null, turns: false, sharp: false });
    ghost.mark(from, direction, [], false);
    const spot = page.pieces.spot(end);
    this.tags.append(ghostTag(kind, spot, LETTERS));
    return [page.pieces.spot(from), spot];
  }

  /** What a choice comes to, as far as no die decides. @param {Compared["chosen"]} side */
  #facts({ action, outcome }) {
    const { words, host } = this.page;
    const found = [];
    const tokens = /^tokens? (.+)$/.exec(action)?.[1].split(" ") ?? [];
    if (tokens.length) found.push(el("div", { class: "row tight", "aria-hidden": true }, ...tokens.map((token) => el("span", { class: "cm-coin small", text: token }))));
    if (outcome && read(action)) found.push(el("p", { class: "small soft", text: host.t("chariotmaster.compared.move", { gained: words.cm(outcome.gained), room: words.cm(outcome.room_ahead) }) }));
    if (outcome?.price) found.push(el("p", { class: "small soft", text: host.t("chariotmaster.price", { count: outcome.price, left: outcome.stamina }) }));
    if (outcome?.test) found.push(el("p", { class: "small soft", text: host.t("chariotmaster.compared.test", { percent: words.percent(outcome.test.chance) }) }));
    return found;
  }
}
