// @ts-check
// What a screen reader says of a race while it goes on. Brief: one sentence for each chariot that has moved, told when a
// person is asked. Full: every line of the story as it happens. The question of the person at this page comes last.

import { el } from "./dom.js";
import { t } from "./messages.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").GameEvent} GameEvent */
/** @typedef {import("./types.js").Line} Line */
/** @typedef {import("./types.js").GamePage} GamePage */

const KEPT = "spina-live-text";
/** Lines that stay in the region. */
const MOST_LINES = 12;

/** Whether every line of the story is said, not only a summary. */
export const tellsAll = () => localStorage.getItem(KEPT) === "full";

/** @param {boolean} full */
export const setTellsAll = (full) => localStorage.setItem(KEPT, full ? "full" : "brief");

export class LiveText {
  /** What has happened since the last summary. @type {{event: GameEvent, text: string, tone: Line["tone"]}[]} */
  #pending = [];
  /** The turn of the last state. */
  #turn = 0;
  /** Whether the page has been asked since others acted. */
  #asked = false;
  #last = "";

  /**
   * @param {HTMLElement} region
   * @param {{page: () => GamePage, turnOf: (view: object) => number}} table
   */
  constructor(region, table) {
    this.region = region;
    this.table = table;
  }

  /** Says a text at once; the same text twice running is said once. @param {string} text */
  say(text) {
    if (!text || text === this.#last) return;
    this.#last = text;
    this.region.append(el("p", { text }));
    while (this.region.childElementCount > MOST_LINES) this.region.firstElementChild?.remove();
  }

  /**
   * An event has happened. `text` is its line of the story, empty if it has none.
   * @param {GameEvent} event
   * @param {string} text
   * @param {Line["tone"]} tone
   * @param {boolean} jumping the page does not show it: a summary must do
   */
  happened(event, text, tone, jumping) {
    if (tellsAll() && !jumping) this.say(text);
    else this.#pending.push({ event, text, tone });
  }

  /** Forgets what has not been said: the page shows another moment now. */
  clear() {
    this.#pending = [];
    this.#last = "";
  }

  /**
   * The table stands like this now: says what has happened if a person is waited for or the race is over, and to those
   * who only watch after every turn.
   * @param {State} state
   */
  stands(state) {
    const { view, status, waiting, seats, own } = state;
    if (!view) return;
    const drives = (/** @type {number} */ seat) => seats[seat].kind !== "bot" && !seats[seat].away;
    const turn = this.table.turnOf(view);
    if (status !== "running" || waiting.some(drives) || (turn !== this.#turn && !own.some(drives))) this.#summarise(view);
    if (turn !== this.#turn || state.looking === null || !waiting.includes(state.looking)) this.#asked = false;
    this.#turn = turn;
  }

  /** Calls the person who is asked, once for all questions of a turn. */
  call() {
    if (!this.#asked) this.say(`${t("table.your-turn")}.`);
    this.#asked = true;
  }

  /** @param {object} view */
  #summarise(view) {
    const told = this.#pending;
    this.#pending = [];
    if (!told.length) return;
    const { brief } = this.table.page();
    const sentences = brief
      ? brief.call(this.table.page(), told.map(({ event }) => event), view)
      : told.filter(({ text, tone }) => text && tone !== "quiet").map(({ text }) => text);
    for (const sentence of sentences) this.say(sentence);
  }

  /**
   * Says what is asked. Where the focus has just been put on the question, the reader reads that by itself.
   * @param {string} question
   * @param {boolean} focused
   */
  ask(question, focused) {
    this.#last = "";
    if (!focused) this.say(question);
  }
}
