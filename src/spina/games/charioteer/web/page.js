// @ts-check
// Charioteer at the table: puts a race on the board and the panels, animates what happens, and lets a seat choose.

import { Animation } from "./animation.js";
import { Board } from "./board.js";
import { Choice } from "./choice.js";
import { makePanels } from "./panels.js";
import { makeStage } from "./stage.js";
import { actionWords, describe, lineOf } from "./words.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").GamePage} GamePage */

/**
 * @param {Host} host
 * @returns {GamePage}
 */
export default function open(host) {
  const board = new Board(host);
  const panels = makePanels(host);
  const choice = new Choice(host, board);
  const stage = makeStage(host, host.choice);
  const animation = new Animation(host, { board, panels, stage, choice });

  return {
    show(view, looking) {
      animation.begin(view);
      board.show(view);
      if (animation.shown) panels.show(animation.shown, looking);
      stage.close();
      animation.laps();
      choice.show(view, looking);
    },
    offer(offer, view) {
      if (choice.offer(offer, view) && offer && view) {
        host.announce(host.t("charioteer.text.choose", { turn: view.turn, count: offer.moves.length }));
      }
    },
    animate: (event) => animation.play(event),
    line: (event) => lineOf(host, event),
    light(targets) {
      board.light(targets);
      panels.light(targets);
    },
    describe: (view) => describe(host, view),
    phrase: (action) => actionWords(host, action),
    secret: (view) => !view.over,
    key: (event) => choice.key(event),
  };
}
