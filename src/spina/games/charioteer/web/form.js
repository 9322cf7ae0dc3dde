// @ts-check
// The elements with which a seat chooses: the crowd cards, its hand, its tokens, the moves, and what they come to.

import { el } from "../../../web/static/js/dom.js";
import { rove } from "../../../web/static/js/roving.js";
import { cardPicture, cardWords, diePicture, readCard, readSymbol, signMark, symbolMark, symbolWords, tokenPicture, tokenWords } from "./cards.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").Offer} Offer */
/** @typedef {import("./selection.js").Selection} Selection */
/** @typedef {import("./types.d.ts").View} View */
/**
 * What is done with the elements.
 * @typedef {object} Acts
 * @property {(slot: string) => void} card
 * @property {() => void} crowd
 * @property {(token: string) => void} token
 * @property {(symbol: string) => void} move
 * @property {() => void} clear
 * @property {() => void} play
 * @property {(slot: string) => void} drop a card was dragged to the bar
 */
/**
 * What is picked, in the making or chosen.
 * @typedef {{cards: string, discards: string, crowd: boolean, token: string | null, discardToken: string | null,
 *   symbol: string | null, wild: string | null}} Picked
 */

export class Form {
  /** What the hand, the tokens and the crowd cards were made from. */
  #handKey = "";
  #tokenKey = "";
  #crowdKey = "";
  #wishKey = "";

  /** @param {Host} host @param {Acts} acts */
  constructor(host, acts) {
    this.host = host;
    this.acts = acts;
    const { t } = host;
    /** @param {string} kind @param {string} label @param {string} [key] */
    const toolbar = (kind, label, key = "") => rove(el("div", { class: kind, role: "toolbar", "aria-label": t(label), "data-key": key || null }));
    this.prompt = el("p", { class: "cx-prompt" });
    this.wish = el("span", { class: "cx-wish" });
    this.cards = el("div", { class: "cx-crowd-cards" });
    this.lesson = el("p", { class: "cx-lesson", hidden: true });
    this.crowd = el("div", { class: "cx-crowd-row", role: "group", "aria-label": t("charioteer.crowd") }, this.wish, this.cards);
    this.hand = toolbar("cx-hand", "charioteer.hand");
    this.tokens = toolbar("cx-tokens", "charioteer.tokens", "t");
    this.moves = toolbar("cx-moves", "charioteer.moves", "m");
    this.moves.dataset.first = "";
    this.sum = el("div", { class: "cx-sum", "aria-live": "polite" });
    this.reset = el(
      "button",
      { class: "chip cx-move cx-reset", type: "button", "data-symbol": "reset", "data-key": "r", "data-help": "charioteer.reset", "aria-pressed": false, on: { click: () => acts.move("reset") } },
      symbolMark("reset"),
      el("span", { class: "cx-reset-word", text: t("charioteer.reset") }),
    );
    this.clear = el("button", { class: "button quiet cx-clear", type: "button", "data-key": "Escape", text: t("charioteer.clear"), on: { click: () => acts.clear() } });
    this.race = el("button", { class: "button primary large cx-race deciding", type: "button", "data-key": "Enter", text: t("charioteer.race"), on: { click: () => acts.play() } });
    this.back = el("button", { class: "button cx-back deciding", type: "button", text: t("charioteer.take-back"), on: { click: () => void host.retract() } });
    this.bar = el("div", { class: "cx-bar" }, el("div", { class: "cx-words" }, this.lesson, this.prompt, this.sum), el("div", { class: "cx-actions" }, this.clear, this.race, this.back));
    this.root = this.#arrange();
    this.#takeDrops();
  }

  #arrange() {
    const { t } = this.host;
    /** @param {string} label @param {...HTMLElement} content */
    const tool = (label, ...content) => el("div", { class: "cx-tool" }, el("span", { class: "cx-label", text: t(label) }), ...content);
    return el(
      "div",
      { class: "cx-choice" },
      el("div", { class: "cx-table" }, this.crowd, this.hand),
      el("div", { class: "cx-decide" }, el("div", { class: "cx-tools" }, tool("charioteer.moves", this.moves), tool("charioteer.tokens", this.tokens, this.reset)), this.bar),
    );
  }

  #takeDrops() {
    this.bar.addEventListener("dragover", (event) => {
      if (!this.root.classList.contains("is-open")) return;
      event.preventDefault();
      this.bar.classList.add("over");
    });
    this.bar.addEventListener("dragleave", () => this.bar.classList.remove("over"));
    this.bar.addEventListener("drop", (event) => {
      event.preventDefault();
      this.bar.classList.remove("over");
      this.acts.drop(event.dataTransfer?.getData("text/plain") ?? "");
    });
  }

  // --- what lies there ---

  /** Lays out what the seat has. What is the same as before stays as it is. @param {View} view */
  build(view) {
    this.#buildHand(view);
    const tokens = JSON.stringify([view.seat, view.tokens]);
    if (tokens !== this.#tokenKey) {
      this.#tokenKey = tokens;
      this.tokens.replaceChildren(...Object.entries(view.tokens ?? {}).map(([name, count]) => this.#tokenButton(name, Number(count))));
    }
    const crowd = JSON.stringify(view.crowd);
    if (crowd !== this.#crowdKey) {
      const moves = this.#crowdKey !== "";
      this.#crowdKey = crowd;
      // as on the board: slot 1, the active card, is the rightmost
      this.cards.replaceChildren(...view.crowd.map((name, slot) => this.#crowdCard(name, slot)).reverse());
      if (moves) this.#arrive([...this.cards.children], [{ transform: "translateX(-70%)", opacity: 0.2 }, { transform: "none", opacity: 1 }], 360);
    }
    this.#buildWish(view.emperor);
  }

  /** @param {View} view */
  #buildHand(view) {
    const held = view.hand ?? {};
    const key = JSON.stringify([view.seat, held]);
    if (key === this.#handKey) return;
    const [seat, hand] = this.#handKey ? JSON.parse(this.#handKey) : [null, {}];
    const before = new Set(Object.entries(hand).map(String));
    const same = this.#handKey !== "" && seat === view.seat;
    this.#handKey = key;
    this.hand.replaceChildren(...Object.entries(held).map(([slot, name]) => this.#handCard(slot, String(name))));
    if (same && !this.host.motion.still()) this.#dealIn(Object.entries(held).map((card) => before.has(String(card))));
  }

  /** Cards that have just been drawn come in from the deck. @param {boolean[]} known whether each card was there before */
  #dealIn(known) {
    const frames = [{ opacity: 0, transform: "translateY(-18px) rotate(4deg)" }, { opacity: 1, transform: "none" }];
    [...this.hand.children].forEach((card, k) => {
      if (known[k]) return;
      void this.host.motion.play(card, frames, 260 + 40 * k, "ease-out").then(() => /** @type {HTMLElement} */ (card).style.removeProperty("transform"));
    });
  }

  /** Moves what is new to its place. @param {Element[]} elements @param {Keyframe[]} frames @param {number} ms */
  #arrive(elements, frames, ms) {
    if (this.host.motion.still()) return;
    for (const element of elements) {
      void this.host.motion.play(element, frames, ms, "ease-out").then(() => element.removeAttribute("style"));
    }
  }

  /** @param {string} emperor a side of the die */
  #buildWish(emperor) {
    if (emperor === this.#wishKey) return;
    const rolls = this.#wishKey !== "";
    this.#wishKey = emperor;
    const { t } = this.host;
    const words = t(`charioteer.wish.${emperor}`);
    this.wish.setAttribute("role", "img");
    this.wish.setAttribute("aria-label", words);
    this.wish.replaceChildren(
      diePicture(emperor),
      el("span", { class: "cx-caption", text: t(`charioteer.wish.short.${emperor}`) }),
      el("span", { class: "cx-wish-text", text: words }),
    );
    this.wish.setAttribute("data-help", `charioteer.emperor.${emperor}`);
    if (rolls) this.#arrive([...this.wish.querySelectorAll(".cx-die")], [{ transform: "rotate(-300deg) scale(1.3)" }, { transform: "none" }], 480);
  }

  /** @param {string} slot @param {string} name */
  #handCard(slot, name) {
    const { host } = this;
    const { icon, symbols: [main] } = readCard(name);
    return el(
      "button",
      {
        class: "cx-card",
        type: "button",
        "data-slot": slot,
        "data-key": "abcdefgh".indexOf(slot) + 1,
        "data-help": icon ? `charioteer.icon.${icon}` : host.first && main ? `charioteer.move.${main.colour}` : null,
        "aria-pressed": false,
        draggable: "true",
        on: {
          click: () => this.acts.card(slot),
          dragstart: (/** @type {DragEvent} */ event) => event.dataTransfer?.setData("text/plain", slot),
        },
      },
      cardPicture(name),
      el("span", { class: "unseen", text: host.t("charioteer.card.label", { slot, card: cardWords(host, name) }) }),
      el("span", { class: "cx-flag" }),
    );
  }

  /** @param {string} name @param {number} slot */
  #crowdCard(name, slot) {
    const { t } = this.host;
    const label = t(`charioteer.crowd.label.${slot}`, { card: cardWords(this.host, name) });
    const caption = el("span", { class: "cx-caption", text: t(`charioteer.crowd.caption.${slot}`), "aria-hidden": true });
    if (slot > 0) {
      return el("span", { class: "cx-preview", role: "img", "aria-label": label, "data-help": `charioteer.crowd.${slot}` }, cardPicture(name), caption);
    }
    const button = el(
      "button",
      { class: "cx-card cx-crowd-card", type: "button", "data-key": "0", "aria-pressed": false, "data-help": "charioteer.crowd.0", on: { click: () => this.acts.crowd() } },
      cardPicture(name),
      el("span", { class: "unseen", text: label }),
      el("span", { class: "cx-flag" }),
    );
    return el("span", { class: "cx-active" }, button, caption);
  }

  /** @param {string} name @param {number} count */
  #tokenButton(name, count) {
    const words = tokenWords(this.host, name);
    const kind = name.replace(/^fan /, "").split(/[ +-]/)[0] || "plus";
    return el(
      "button",
      { class: "cx-token", type: "button", "data-token": name, "data-help": `charioteer.token.${kind}`, "aria-pressed": false, on: { click: () => this.acts.token(name) } },
      tokenPicture(name),
      el("span", { class: "unseen", text: count > 1 ? `${words} ×${count}` : words }),
      count > 1 ? el("b", { class: "cx-count", text: count, "aria-hidden": true }) : null,
    );
  }

  /** @param {Offer | null} offer */
  buildMoves(offer) {
    const moves = offer?.moves ?? [];
    const longest = Math.max(0, ...moves.map((move) => move.best?.points ?? 0));
    this.moves.replaceChildren(...moves.map((move) => this.#moveChip(move, longest)));
  }

  /** @param {import("./selection.js").Move} move @param {number} longest points of the longest move */
  #moveChip(move, longest) {
    const { t } = this.host;
    const words = symbolWords(this.host, move.symbol);
    const label = move.best ? t("charioteer.move.label", { symbol: words, count: move.best.points }) : t("charioteer.move.wild", { symbol: words });
    const extra = move.best?.attack ? "attack" : move.best?.fan_token ? "fan" : null;
    return el(
      "button",
      {
        class: `chip cx-move${move.best && move.best.points === longest ? " longest" : ""}`,
        type: "button",
        "data-symbol": move.symbol,
        "data-help": `charioteer.move.${readSymbol(move.symbol).colour}`,
        "aria-pressed": false,
        on: { click: () => this.acts.move(move.symbol) },
      },
      el("span", { class: "unseen", text: label }),
      symbolMark(move.symbol),
      move.best ? el("b", { text: move.best.points, "aria-hidden": true }) : tokenPicture(move.tokens.find((token) => token.includes("wild")) ?? null),
      extra ? el("span", { class: "cx-extra" }, signMark(extra)) : null,
    );
  }

  // --- how it stands ---

  /**
   * Marks what is picked and what fits.
   * @param {Selection | null} selection what is being picked; null: nothing can be
   * @param {View | null} view
   * @param {boolean} ready whether the seat has chosen
   */
  mark(selection, view, ready) {
    const choice = ready ? (view?.choice ?? null) : null;
    /** @type {Picked | null} */
    const picked = selection ?? (choice && { ...choice, discardToken: choice.discard_token });
    const symbol = choice?.symbol ?? "";
    this.root.classList.toggle("is-open", selection !== null);
    this.root.classList.toggle("is-chosen", ready);
    this.root.classList.toggle("is-over", Boolean(view?.over));
    this.root.classList.toggle("is-picking", selection !== null && (selection.cards !== "" || selection.mode !== "play"));
    if (symbol && this.moves.dataset.chosen !== symbol) {
      this.moves.replaceChildren(el("span", { class: "chip cx-move", "data-symbol": symbol }, symbolMark(symbol), symbolWords(this.host, symbol)));
    }
    this.moves.dataset.chosen = symbol;
    const fitting = selection?.fitting ?? new Set();
    for (const child of this.hand.children) {
      const card = /** @type {HTMLElement} */ (child);
      const slot = card.dataset.slot ?? "";
      const down = this.#markCard(card, slot, picked);
      card.classList.toggle("lit", selection !== null && !down && fitting.has(slot));
      card.setAttribute("aria-disabled", String(selection === null));
      this.#turn(card, ready && down, view, slot);
    }
    this.#markCrowd(selection, picked);
    for (const token of this.tokens.children) this.#markToken(/** @type {HTMLElement} */ (token), selection, picked);
    this.#markMoves(selection, picked);
    this.reset.hidden = selection === null;
    this.race.hidden = ready || selection === null;
    this.clear.hidden = ready || selection === null;
    this.back.hidden = !ready || !this.host.state().retractable;
    this.clear.classList.toggle("idle", selection?.empty ?? true);
  }

  /** @param {HTMLElement} card @param {string} slot @param {Picked | null} picked @returns {boolean} whether it is picked */
  #markCard(card, slot, picked) {
    const { t } = this.host;
    const taken = picked?.cards.includes(slot) ?? false;
    const away = picked?.discards.includes(slot) ?? false;
    const wild = picked?.wild === slot;
    card.classList.toggle("picked", taken);
    card.classList.toggle("away", away);
    card.classList.toggle("wild", wild);
    card.setAttribute("aria-pressed", String(taken || away));
    const flag = card.querySelector(".cx-flag");
    if (flag) flag.textContent = away ? t("charioteer.flag.discard") : wild ? t("charioteer.flag.wild") : "";
    return taken || away;
  }

  /** Turns a card face down when it has been chosen. @param {HTMLElement} card @param {boolean} down @param {View | null} view @param {string} slot */
  #turn(card, down, view, slot) {
    if (card.classList.contains("down") === down) return;
    card.classList.toggle("down", down);
    card.querySelector(".cx-card-face")?.replaceWith(cardPicture(down ? null : (view?.hand?.[slot] ?? null)));
    const face = card.querySelector(".cx-card-face");
    if (face && !this.host.motion.still()) {
      void this.host.motion.play(face, [{ transform: "scaleX(0.05)" }, { transform: "scaleX(1)" }], 180, "ease-out");
    }
  }

  /** @param {Selection | null} selection @param {Picked | null} picked */
  #markCrowd(selection, picked) {
    const button = this.crowd.querySelector("button");
    if (!button) return;
    button.classList.toggle("picked", picked?.crowd ?? false);
    button.classList.toggle("lit", selection?.crowdFits ?? false);
    button.setAttribute("aria-pressed", String(picked?.crowd ?? false));
    button.setAttribute("aria-disabled", String(!selection?.crowdFits && !selection?.crowd));
    const flag = button.querySelector(".cx-flag");
    if (flag) flag.textContent = picked?.crowd ? this.host.t("charioteer.flag.crowd") : "";
  }

  /** @param {HTMLElement} button @param {Selection | null} selection @param {Picked | null} picked */
  #markToken(button, selection, picked) {
    const name = button.dataset.token ?? "";
    const discards = selection?.offer.discards.some((each) => each.token === name) ?? false;
    const fits = selection !== null && (discards || selection.offer.moves.some((move) => move.tokens.includes(name)));
    const now = !selection?.symbol || discards || (selection.move()?.tokens.includes(name) ?? false);
    button.setAttribute("aria-pressed", String(picked?.token === name || picked?.discardToken === name));
    button.setAttribute("aria-disabled", String(!fits));
    button.classList.toggle("lit", fits && now);
  }

  /** @param {Selection | null} selection @param {Picked | null} picked */
  #markMoves(selection, picked) {
    const partial = selection && selection.cards && !selection.isReset && !selection.wild;
    const possible = partial ? new Set(selection.candidates(selection.cards).map((move) => move.symbol)) : null;
    for (const child of [...this.moves.children, this.reset]) {
      const chip = /** @type {HTMLElement} */ (child);
      const symbol = chip.dataset.symbol ?? "";
      // what has been chosen is no button any more
      if (chip instanceof HTMLButtonElement) chip.setAttribute("aria-pressed", String(picked?.symbol === symbol));
      chip.classList.toggle("faint", possible !== null && !possible.has(symbol) && symbol !== "reset");
    }
  }
}
