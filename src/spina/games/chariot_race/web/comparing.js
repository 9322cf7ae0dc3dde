// @ts-check
// A costly choice beside the better one: the dice or signs of each, and the best way that each leads to.

import { ghostTag } from "../../../web/static/js/ghost-tag.js";
import { el, svg } from "../../../web/static/js/dom.js";
import { die } from "./dice.js";
import { FACTIONS } from "./words.js";

/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").Path} Path */
/** @typedef {import("../../../web/static/js/types.js").Compared<Path>} Compared */

/** Letters beside a ghost, in units of the board. */
const LETTERS = 15;
const KINDS = /** @type {const} */ (["chosen", "better"]);

export class Comparing {
  /** @param {Words} words @param {Board} board */
  constructor(words, board) {
    this.words = words;
    this.board = board;
  }

  /** @param {Compared | null} compared @param {View} view */
  show(compared, view) {
    const { board } = this;
    board.way(null);
    if (!compared) return null;
    const drawn = KINDS.map((kind) => this.#draw(kind, compared[kind], view));
    board.layers.way.replaceChildren(...drawn.map(({ group }) => group));
    board.look(view.chariot, drawn.flatMap(({ space }) => space ?? []));
    return { chosen: this.#facts(compared.chosen, view), better: this.#facts(compared.better, view) };
  }

  /** Where a choice leads, on the board. @param {typeof KINDS[number]} kind @param {Compared["chosen"]} side @param {View} view */
  #draw(kind, { action, outcome }, view) {
    const { board } = this;
    if (outcome) board.way(view.chariot, outcome);
    const group = svg("g", { class: `cr-compared ${kind}` }, ...board.layers.way.childNodes);
    const space = outcome?.end ?? this.#target(action, view);
    if (space !== null) group.append(ghostTag(kind, board.spot(space), LETTERS));
    return { group, space };
  }

  /** The space that an attack or a start is about. @param {string} action @param {View} view */
  #target(action, view) {
    const [word, name = ""] = action.split(" ");
    if (word === "caltrop" || word === "start") return this.words.numbers.get(name) ?? null;
    if (word === "javelin") return view.chariots.find(({ faction }) => faction === FACTIONS.indexOf(name))?.space ?? null;
    return null;
  }

  /** Dice that are rolled again or turned, and what a way costs. @param {Compared["chosen"]} side @param {View} view */
  #facts({ action, outcome }, view) {
    const { words } = this;
    const own = view.chariots[view.chariot];
    if (outcome) return [el("p", { class: "small soft", text: words.summary(outcome, own.condition) })];
    const [word, ...rest] = action.split(" ");
    const again = word === "re-roll" || word === "turn";
    if (!view.dice.length || !(again || action === "keep")) return [];
    const picked = again ? new Set((word === "turn" ? rest.slice(0, 1) : rest).map((number) => Number(number) - 1)) : new Set();
    const dice = view.dice.map((side, k) => el("span", { class: `cr-compared-die${picked.has(k) ? " again" : ""}` }, die(side)));
    return [el("div", { class: "cr-compared-dice", role: "img", "aria-label": words.dice(view.dice) }, ...dice)];
  }
}
