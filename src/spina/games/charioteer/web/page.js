// @ts-check
// Charioteer at the table: puts a race on the board and the panels, animates what happens, and lets a seat choose.

import { Animation } from "./animation.js";
import { Board } from "./board.js";
import { brief, question } from "./brief.js";
import { tokenWords } from "./cards.js";
import { Choice } from "./choice.js";
import { Comparing } from "./comparing.js";
import { describe } from "./description.js";
import { Lens } from "./lens.js";
import { makePanels } from "./panels.js";
import { findPlace } from "./places.js";
import { makeStage } from "./stage.js";
import { actionWords, lineOf } from "./words.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").GamePage} GamePage */

/** The keys of this game, as the list of keys tells them. */
const KEYS = [
  { keys: "1 – 8", text: "charioteer.keys.cards" },
  { keys: "0", text: "charioteer.keys.crowd" },
  { keys: "M", text: "charioteer.keys.moves" },
  { keys: "T", text: "charioteer.keys.tokens" },
  { keys: "R", text: "charioteer.keys.reset" },
  { keys: "Escape", text: "charioteer.keys.clear" },
];

/**
 * @param {Host} host
 * @returns {GamePage}
 */
export default function open(host) {
  const board = new Board(host);
  const panels = makePanels(host);
  const choice = new Choice(host, board);
  const stage = makeStage(host, host.choice);
  const lens = new Lens(host, board);
  const animation = new Animation(host, { board, panels, stage, choice, lens });
  const comparing = new Comparing(host, board, lens);
  board.aimed = (seat, target) => lens.aim(seat, target);

  return {
    show(view, looking) {
      animation.begin(view);
      board.show(view);
      lens.show(looking, view.over);
      if (animation.shown) panels.show(animation.shown, looking);
      stage.close();
      animation.laps();
      choice.show(view, looking);
    },
    offer(offer, view) {
      choice.offer(offer, view);
    },
    animate: (event) => animation.play(event),
    line: (event) => lineOf(host, event),
    light(targets) {
      board.light(targets);
      panels.light(targets);
    },
    compare: (compared, view) => comparing.show(compared, view),
    recall(steps) {
      if (host.state().looking === null) stage.recall(steps);
    },
    describe: (view) => describe(host, view),
    brief: (events, view) => brief(host, events, view),
    question: (offer, view) => question(host, view, offer.moves.length),
    phrase: (action) => actionWords(host, action),
    say: (name, value) => (name === "rivals" ? host.name(Number(value)) : name === "colour" ? host.t(`charioteer.colour.${value}`) : name === "token" ? tokenWords(host, String(value)) : null),
    secret: (view) => !view.over,
    camera: lens.camera,
    keys: KEYS,
    place: findPlace,
  };
}
