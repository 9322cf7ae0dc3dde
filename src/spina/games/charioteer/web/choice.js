// @ts-check
// Where a seat chooses: keeps what it has picked, asks the server what that comes to, and sends it.

import { el } from "../../../web/static/js/dom.js";
import { cardWords, symbolWords } from "./cards.js";
import { Form } from "./form.js";
import { Selection } from "./selection.js";
import { sumParts } from "./words.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").Offer} Offer */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").Breakdown} Breakdown */

/** The slots of a hand, in the order of their keys. */
const SLOTS = "abcdefgh";
/** Turns of a first race that explain something. */
const LESSONS = 6;

export class Choice {
  /** What is being picked; null: nothing can be chosen now. @type {Selection | null} */
  #selection = null;
  /** The selection for an offer, also while something else is shown. @type {{key: string, selection: Selection} | null} */
  #kept = null;
  /** What the offer was made from. */
  #offerKey = "";
  /** @type {View | null} */
  #view = null;
  /** @type {number | null} */
  #looking = null;
  /** A card that was clicked and fits nothing. @type {string | null} */
  #idle = null;
  #sending = false;
  /** Breakdowns by notation, for this offer. @type {Map<string, Breakdown | null>} */
  #known = new Map();
  /** The number of the last question to the server: earlier answers are out of date. */
  #asked = 0;

  /**
   * @param {Host} host
   * @param {Pick<import("./board.js").Board, "ghost">} board
   */
  constructor(host, board) {
    this.host = host;
    this.board = board;
    this.form = new Form(host, {
      card: (slot) => this.#card(slot),
      crowd: () => this.#act((selection) => selection.toggleCrowd()),
      token: (name) => this.#act((selection) => selection.lay(name)),
      move: (symbol) => this.#act((selection) => selection.choose(symbol)),
      clear: () => this.#act((selection) => selection.clear()),
      play: () => void this.#play(),
      drop: (slot) => {
        if (slot.length === 1 && SLOTS.includes(slot) && !this.#selection?.cards.includes(slot)) this.#card(slot);
      },
    });
    host.choice.classList.add("panel", "cx-choice-place");
    host.choice.replaceChildren(this.form.root);
  }

  // --- what the page tells ---

  /** @param {View} view @param {number | null} seat */
  show(view, seat) {
    if (this.#looking !== null && this.#looking !== seat) this.board.ghost(this.#looking, null);
    this.#view = view;
    this.#looking = seat;
    this.form.root.classList.toggle("is-watching", seat === null);
    this.form.build(view);
    this.#refresh();
  }

  /** @param {Offer | null} offer @param {View | null} view @returns {boolean} whether something new can be chosen */
  offer(offer, view) {
    if (offer && view) {
      this.#view = view;
      this.form.build(view);
    }
    const now = this.#view;
    const key = offer ? JSON.stringify([now?.turn, now?.seat, now?.hand, offer.moves.length]) : "";
    const fresh = key !== this.#offerKey && this.#take(offer, key);
    this.#refresh();
    return fresh;
  }

  /** Begins with another offer. @param {Offer | null} offer @param {string} key @returns {boolean} whether it is new */
  #take(offer, key) {
    this.#offerKey = key;
    this.#idle = null;
    const fresh = offer !== null && this.#kept?.key !== key;
    if (offer && this.#kept?.key === key) {
      this.#selection = this.#kept.selection; // it was only laid aside while something was shown
    } else if (offer) {
      this.#known.clear();
      for (const move of offer.moves) if (move.best) this.#known.set(move.best.choice, move.best);
      this.#selection = new Selection(offer);
      this.#kept = { key, selection: this.#selection };
    } else {
      this.#selection = null;
      if (this.#looking !== null) this.board.ghost(this.#looking, null);
    }
    this.form.buildMoves(offer);
    return fresh;
  }

  /** New crowd cards and a new wish are seen here as soon as they are on the board. @param {Partial<View>} part */
  hint(part) {
    if (!this.#view) return;
    this.#view = { ...this.#view, ...part };
    this.form.build(this.#view);
    this.#refresh();
  }

  // --- picking ---

  /** @param {string} slot */
  #card(slot) {
    this.#act((selection) => selection.card(slot), slot);
  }

  /**
   * Does something to the selection and shows what came of it.
   * @param {(selection: Selection) => boolean | void} deed false: it was not possible
   * @param {string} [slot] the card that was clicked
   */
  #act(deed, slot) {
    if (!this.#selection || this.#sending) return;
    const done = deed(this.#selection);
    this.#idle = done === false && slot ? slot : null;
    this.#refresh();
  }

  /** Whether the seat has chosen and waits for the others. */
  get #ready() {
    return this.#view?.choice?.stage === "ready" && !this.#view.over && this.#selection === null;
  }

  #refresh() {
    const selection = this.#selection;
    const { form } = this;
    form.mark(selection, this.#view, this.#ready);
    form.race.disabled = !selection?.complete || this.#sending;
    form.prompt.textContent = this.#advice();
    // a complete move speaks for itself, and a lesson says what to do
    const complete = selection !== null && selection.complete && selection.mode === "play" && !this.#idle;
    form.prompt.hidden = this.#teach() || complete;
    void this.#weigh();
  }

  /** What to do next, in a line. */
  #advice() {
    const { t } = this.host;
    if (!this.#view || this.#view.over) return t("charioteer.prompt.over");
    if (this.#looking === null) return t("charioteer.prompt.watching");
    if (this.#ready) return t("charioteer.prompt.chosen");
    if (!this.#selection) return t("charioteer.prompt.wait");
    if (this.#idle) return t("charioteer.prompt.idle", { card: cardWords(this.host, this.#view.hand?.[this.#idle] ?? "") });
    return this.#adviceOn(this.#selection);
  }

  /** @param {Selection} selection */
  #adviceOn(selection) {
    const { t } = this.host;
    if (selection.mode === "discard") {
      const most = selection.offer.discards.find(({ token }) => token === selection.discardToken)?.most ?? 0;
      return t("charioteer.prompt.discard", { count: most });
    }
    if (selection.mode === "wild") return t("charioteer.prompt.wild");
    if (selection.isReset) return t("charioteer.prompt.reset", { count: selection.offer.most });
    if (!selection.symbol) return t("charioteer.prompt.begin");
    const symbol = symbolWords(this.host, selection.symbol);
    return t(selection.complete ? "charioteer.prompt.complete" : "charioteer.prompt.more", { symbol });
  }

  /** In a first race, each of the first turns explains something until a card is picked. Returns whether it does. */
  #teach() {
    const { lesson } = this.form;
    const turn = this.#view?.turn ?? 0;
    const teaching = this.host.first && this.#selection !== null && this.#selection.empty && !this.#idle && turn >= 1 && turn <= LESSONS;
    lesson.hidden = !teaching;
    if (teaching && lesson.dataset.turn !== String(turn)) {
      lesson.dataset.turn = String(turn);
      lesson.textContent = this.host.t(`charioteer.first.${turn}`);
    }
    return teaching;
  }

  // --- what it would come to ---

  /** Shows what the selection comes to. The server is asked once about each. */
  async #weigh() {
    const seat = this.#looking;
    const selection = this.#selection;
    const { sum } = this.form;
    const ticket = (this.#asked += 1);
    if (!selection || seat === null || !selection.complete) {
      if (seat !== null) this.board.ghost(seat, null);
      sum.classList.remove("waiting");
      sum.replaceChildren();
      return;
    }
    const { notation } = selection;
    if (!this.#known.has(notation)) {
      sum.classList.add("waiting");
      this.#known.set(notation, await this.host.consider(notation).then((answer) => answer.breakdown, () => null));
    }
    if (ticket !== this.#asked || !this.#selection) return;
    sum.classList.remove("waiting");
    const breakdown = this.#known.get(notation);
    if (!breakdown) {
      this.form.race.disabled = true;
      sum.replaceChildren(el("p", { class: "cx-hint", text: this.host.t("charioteer.sum.not-yet") }));
      this.board.ghost(seat, null);
      return;
    }
    sum.replaceChildren(...sumParts(this.host, breakdown));
    this.board.ghost(seat, this.#selection.isReset ? null : breakdown);
  }

  async #play() {
    if (!this.#selection?.complete || this.#sending) return;
    this.#sending = true;
    this.form.race.disabled = true;
    try {
      await this.host.play([this.#selection.notation]);
    } catch {
      // the page has shown why; the choice stays as it was
    } finally {
      this.#sending = false;
      this.#refresh();
    }
  }
}
