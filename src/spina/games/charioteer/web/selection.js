// @ts-check
// What a seat has picked so far. It knows no rule: what fits is looked up in the offer, which the server made.

import { readToken } from "./cards.js";

/** @typedef {import("./types.d.ts").Offer} Offer */
/** A symbol that a move can be made of. @typedef {import("./types.d.ts").MoveOffer} Move */

/** @param {string} name */
const isWild = (name) => readToken(name).icon === "wild";

/** @param {string} letters */
const sorted = (letters) => [...letters].sort().join("");

export class Selection {
  /** @type {string | null} */
  symbol = null;
  /** @type {string} */
  cards = "";
  /** @type {boolean} */
  crowd = false;
  /** @type {string | null} */
  token = null;
  /** @type {string | null} */
  wild = null;
  /** @type {string | null} */
  discardToken = null;
  /** @type {string} */
  discards = "";
  /** What a click on a card means. @type {"play" | "wild" | "discard"} */
  mode = "play";
  /** Whether the player has said no to the crowd card. @type {boolean} */
  crowdRefused = false;

  /** @param {Offer} offer */
  constructor(offer) {
    this.offer = offer;
  }

  clear() {
    Object.assign(this, {
      symbol: null,
      cards: "",
      crowd: false,
      token: null,
      wild: null,
      discardToken: null,
      discards: "",
      mode: "play",
      crowdRefused: false,
    });
  }

  /** @param {string | null} [symbol] */
  move(symbol = this.symbol) {
    return this.offer.moves.find((move) => move.symbol === symbol) ?? null;
  }

  get isReset() {
    return this.symbol === "reset";
  }

  get empty() {
    return !this.symbol && !this.cards && !this.token && !this.discardToken;
  }

  /** Card sets of a move that hold these cards. @param {Move} move @param {string} cards */
  sets(move, cards) {
    return move.sets.filter((set) => [...cards].every((card) => set.includes(card)));
  }

  /** Moves that these cards can belong to, longest first. @param {string} cards */
  candidates(cards) {
    const found = this.offer.moves.filter((move) => this.sets(move, cards).length > 0);
    return found.sort((a, b) => (b.best?.points ?? -1) - (a.best?.points ?? -1));
  }

  /** Slots that may still be added to the move, with any symbol that is possible. @returns {Set<string>} */
  get fitting() {
    if (this.mode === "discard") {
      const token = this.offer.discards.find(({ token }) => token === this.discardToken);
      const room = this.discards.length < (token?.most ?? 0);
      return new Set(room ? [...this.offer.reset.cards].filter((card) => !this.cards.includes(card)) : []);
    }
    if (this.mode === "wild") return new Set(this.changeable);
    if (this.cards.length >= this.offer.most) return new Set();
    if (this.isReset) return new Set(this.offer.reset.cards);
    const move = this.move();
    if (this.wild && move) return new Set([...Object.keys(move.cards), ...move.free]);
    const moves = move ? [move] : this.offer.moves;
    return new Set(moves.flatMap((each) => this.sets(each, this.cards).flatMap((set) => [...set])));
  }

  /** Slots that the wild may change, with the crowd card as it lies. */
  get changeable() {
    const wild = this.move()?.wild;
    return wild ? wild[this.crowd ? "with" : "without"] || wild.with || wild.without : "";
  }

  /** Whether the crowd card can join the move as it is. */
  get crowdFits() {
    const move = this.move();
    if (!move) return false;
    if (this.token && isWild(this.token)) return move.wild?.with !== "";
    return this.sets(move, this.cards).some((set) => set.endsWith("+"));
  }

  /** Whether the server has said that these cards make a move; a wild is looked into by asking. */
  get complete() {
    if (this.discardToken && !this.discards) return false;
    if (this.isReset) return this.cards.length > 0;
    const move = this.move();
    if (!move) return false;
    if (this.token && isWild(this.token)) return this.wild !== null;
    return move.sets.includes(sorted(this.cards) + (this.crowd ? "+" : ""));
  }

  get notation() {
    let text = `${this.symbol}: ${[...sorted(this.cards)].join(" ")}`;
    if (this.crowd) text += " + crowd";
    if (this.token) text += `, token ${this.token}${this.wild ? ` on ${this.wild}` : ""}`;
    if (this.discardToken && this.discards) text += `, ${this.discardToken} ${[...sorted(this.discards)].join(" ")}`;
    return text;
  }

  // --- clicks ---

  /** @param {string} slot @returns {boolean} whether the card could be used */
  card(slot) {
    if (this.mode === "discard") return this.#discard(slot);
    if (this.mode === "wild") return this.#change(slot);
    if (this.discards.includes(slot)) {
      this.discards = this.discards.replace(slot, "");
      return true;
    }
    if (this.cards.includes(slot)) {
      this.cards = this.cards.replace(slot, "");
      if (slot === this.wild) {
        this.wild = null;
        this.mode = "wild";
      }
      if (!this.cards && !this.isReset && !this.token) this.symbol = null;
      this.#settle();
      return true;
    }
    if (this.isReset || this.wild) {
      if (!this.fitting.has(slot)) return false;
      this.cards += slot;
      return true;
    }
    let cards = this.cards + slot;
    let found = this.candidates(cards);
    if (this.token) found = found.filter((move) => move.tokens.includes(/** @type {string} */ (this.token)));
    if (!found.length) {
      // it does not go with what lies there: begin anew with it
      cards = slot;
      found = this.candidates(cards);
      if (!found.length) return false;
      if (this.token && !found[0].tokens.includes(this.token)) this.token = null;
      this.crowdRefused = false;
    }
    this.cards = cards;
    if (!found.some((move) => move.symbol === this.symbol)) this.symbol = found[0].symbol;
    this.#settle();
    return true;
  }

  toggleCrowd() {
    if (!this.crowdFits && !this.crowd) return false;
    this.crowd = !this.crowd;
    this.crowdRefused = !this.crowd;
    return true;
  }

  /** A symbol is chosen: keep the cards if they can be a part of it, else lay down its longest move. @param {string} symbol */
  choose(symbol) {
    if (symbol === this.symbol) {
      this.clear();
      return;
    }
    const move = this.move(symbol);
    const token = this.token;
    if (symbol === "reset") {
      const cards = this.cards;
      this.clear();
      this.symbol = symbol;
      this.cards = cards;
      return;
    }
    if (!move) return;
    this.symbol = symbol;
    this.mode = "play";
    this.wild = null;
    if (token && !move.tokens.includes(token)) this.token = null;
    if (!this.sets(move, this.cards).length || !this.cards) this.#fill(move);
    if (!move.sets.length) this.token = move.tokens.find(isWild) ?? null;
    if (this.token && isWild(this.token)) this.mode = "wild";
    this.#settle();
  }

  /** @param {string} token */
  lay(token) {
    const discard = this.offer.discards.find((each) => each.token === token);
    if (discard) {
      this.#layDiscard(token);
      return true;
    }
    if (this.token === token) {
      this.token = null;
      if (this.wild) this.cards = this.cards.replace(this.wild, "");
      this.wild = null;
      this.mode = "play";
      const move = this.move();
      if (move && !this.sets(move, this.cards).length) this.clear();
      this.#settle();
      return true;
    }
    const fitting = this.offer.moves.filter((move) => move.tokens.includes(token));
    if (!fitting.length) return false;
    if (!fitting.some((move) => move.symbol === this.symbol)) {
      // prefer a move of the cards that lie there, then the longest
      const kept = this.cards ? this.candidates(this.cards).filter((move) => fitting.includes(move)) : [];
      const byLength = [...fitting].sort((a, b) => (b.best?.points ?? -1) - (a.best?.points ?? -1));
      this.symbol = (kept[0] ?? byLength[0]).symbol;
      if (!kept.length) this.cards = "";
    }
    const move = /** @type {Move} */ (this.move());
    if (this.wild) this.cards = this.cards.replace(this.wild, "");
    this.wild = null;
    this.token = token;
    this.mode = isWild(token) ? "wild" : "play";
    if (!this.cards && move.sets.length && !isWild(token)) this.#fill(move);
    this.#settle();
    return true;
  }

  /** Lay down the longest move of a symbol. @param {Move} move */
  #fill(move) {
    this.cards = "";
    this.crowdRefused = false;
    if (!move.best) return;
    this.cards = sorted(move.best.choice.split(":")[1].split("+")[0].split(",")[0].replaceAll(" ", ""));
    this.discards = [...this.discards].filter((slot) => !this.cards.includes(slot)).join("");
  }

  /** @param {string} token */
  #layDiscard(token) {
    if (this.discardToken === token) {
      if (this.mode === "discard" && this.discards) this.mode = "play";
      else {
        this.discardToken = null;
        this.discards = "";
        this.mode = "play";
      }
      return;
    }
    this.discardToken = token;
    this.discards = "";
    this.mode = "discard";
  }

  /** @param {string} slot */
  #discard(slot) {
    if (this.discards.includes(slot)) this.discards = this.discards.replace(slot, "");
    else if (this.fitting.has(slot)) this.discards += slot;
    else return false;
    return true;
  }

  /** @param {string} slot */
  #change(slot) {
    if (!this.changeable.includes(slot)) return false;
    const move = this.move();
    this.wild = slot;
    if (!this.cards.includes(slot)) this.cards += slot;
    if (move && this.cards.length > this.offer.most) this.cards = [...this.cards].filter((card) => card === slot).join("");
    this.mode = "play";
    this.#settle();
    return true;
  }

  /** The crowd card joins wherever it can, unless it was refused; played cards are not discarded. */
  #settle() {
    this.crowd = !this.isReset && this.symbol !== null && this.crowdFits && !this.crowdRefused;
    const move = this.move();
    if (move && !this.crowd && this.crowdFits && !this.wild) {
      const sets = this.sets(move, this.cards);
      // there is no move of these cards without it
      if (sets.every((set) => set.endsWith("+"))) this.crowd = true;
    }
    this.discards = [...this.discards].filter((slot) => !this.cards.includes(slot)).join("");
  }
}
