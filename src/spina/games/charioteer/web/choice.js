// @ts-check
// Where a seat chooses: the crowd cards, its hand, its tokens, the moves it can make and what they come to.

import { el } from "../../../web/static/js/dom.js";
import { cardPicture, cardWords, diePicture, readCard, readSymbol, signMark, symbolMark, symbolWords, tokenPicture, tokenWords } from "./cards.js";
import { Choosing } from "./choosing.js";
import { sumParts } from "./words.js";

/** @typedef {import("../../../web/static/js/types.js").Host} Host */
/** @typedef {import("./choosing.js").Offer} Offer */

const LETTERS = "abcdefgh";
const LESSONS = 6;

/**
 * @param {Host} host
 * @param {{ghost: (seat: number, target: any) => void}} board
 */
export function makeChoice(host, board) {
  const t = host.t;
  const prompt = el("p", { class: "cx-prompt" });
  const wish = el("span", { class: "cx-wish", tabindex: 0 });
  const cards = el("div", { class: "cx-crowd-cards" });
  const lesson = el("p", { class: "cx-lesson notice", hidden: true });
  const crowd = el("div", { class: "cx-crowd-row", role: "group", "aria-label": t("charioteer.crowd") }, wish, cards);
  const hand = el("div", { class: "cx-hand", role: "toolbar", "aria-label": t("charioteer.hand") });
  const tokens = el("div", { class: "cx-tokens", role: "toolbar", "aria-label": t("charioteer.tokens") });
  const moves = el("div", { class: "cx-moves", role: "toolbar", "aria-label": t("charioteer.moves") });
  const reset = el(
    "button",
    { class: "chip cx-move cx-reset", type: "button", "data-symbol": "reset", "data-help": "charioteer.reset", "aria-pressed": false, on: { click: () => act(() => choosing?.choose("reset")) } },
    symbolMark("reset"),
    t("charioteer.reset"),
  );
  const sum = el("div", { class: "cx-sum", "aria-live": "polite" });
  const clear = el("button", { class: "button quiet cx-clear", type: "button", text: t("charioteer.clear"), on: { click: () => act(() => choosing?.clear()) } });
  const race = el("button", { class: "button primary large cx-race", type: "button", text: t("charioteer.race"), on: { click: () => void play() } });
  const back = el("button", { class: "button cx-back", type: "button", text: t("charioteer.take-back"), on: { click: () => void host.retract() } });
  const bar = el("div", { class: "cx-bar" }, el("div", { class: "cx-words" }, prompt, sum), el("div", { class: "cx-actions" }, clear, race, back));
  const root = el(
    "div",
    { class: "cx-choice" },
    lesson,
    el("div", { class: "cx-table" }, crowd, hand),
    el("div", { class: "cx-decide" }, el("div", { class: "cx-tools" }, el("div", { class: "cx-tool" }, el("span", { class: "cx-label", text: t("charioteer.moves") }), moves), el("div", { class: "cx-tool" }, el("span", { class: "cx-label", text: t("charioteer.tokens") }), tokens, reset)), bar),
  );
  host.choice.classList.add("panel", "cx-choice-place");
  host.choice.replaceChildren(root);
  [hand, tokens, moves].forEach(roving);
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && choosing && !choosing.empty) {
      act(() => choosing?.clear());
      event.preventDefault();
    }
  });
  bar.addEventListener("dragover", (event) => {
    if (!choosing) return;
    event.preventDefault();
    bar.classList.add("over");
  });
  bar.addEventListener("dragleave", () => bar.classList.remove("over"));
  bar.addEventListener("drop", (event) => {
    event.preventDefault();
    bar.classList.remove("over");
    const slot = event.dataTransfer?.getData("text/plain") ?? "";
    if (slot.length === 1 && LETTERS.includes(slot) && !choosing?.cards.includes(slot)) act(() => choosing?.card(slot) ?? false, slot);
  });

  /** @type {Choosing | null} */
  let choosing = null;
  /** @type {any} */
  let view = null;
  /** @type {number | null} */
  let looking = null;
  /** What the hand, the tokens and the offer were made from. */
  let handKey = "", offerKey = "", tokenKey = "", crowdKey = "";
  /** A card that was clicked and fits nothing. @type {string | null} */
  let idle = null;
  let sending = false;
  /** Breakdowns by notation, for this offer. @type {Map<string, any>} */
  const known = new Map();
  let asked = 0;
  /** The choice in the making, also while something else is shown. @type {{key: string, choosing: Choosing} | null} */
  let kept = null;

  // --- what lies there ---

  function build() {
    const held = view.hand ?? {};
    const newHand = JSON.stringify([view.seat, held]);
    if (newHand !== handKey) {
      const before = new Set(handKey ? Object.entries(JSON.parse(handKey)[1]).map(String) : []);
      const same = handKey !== "" && JSON.parse(handKey)[0] === view.seat;
      handKey = newHand;
      hand.replaceChildren(...Object.entries(held).map(([slot, name]) => handCard(slot, String(name))));
      // cards that have just been drawn come in from the deck
      if (same && !host.motion.still()) {
        [...hand.children].forEach((card, k) => {
          if (!before.has(String(Object.entries(held)[k]))) {
            void host.motion.play(card, [{ opacity: 0, transform: "translateY(-18px) rotate(4deg)" }, { opacity: 1, transform: "none" }], 260 + 40 * k, "ease-out")
              .then(() => /** @type {HTMLElement} */ (card).style.removeProperty("transform"));
          }
        });
      }
      focusable(hand);
    }
    const newTokens = JSON.stringify([view.seat, view.tokens]);
    if (newTokens !== tokenKey) {
      tokenKey = newTokens;
      tokens.replaceChildren(...Object.entries(view.tokens ?? {}).map(([name, count]) => tokenButton(name, Number(count))));
      focusable(tokens);
    }
    const newCrowd = JSON.stringify(view.crowd);
    if (newCrowd !== crowdKey) {
      crowdKey = newCrowd;
      // as on the board: slot 1, the active card, is the rightmost
      cards.replaceChildren(...view.crowd.map((/** @type {string} */ name, /** @type {number} */ slot) => crowdCard(name, slot)).reverse());
    }
    const words = t(`charioteer.wish.${view.emperor}`);
    wish.setAttribute("role", "img");
    wish.setAttribute("aria-label", words);
    wish.replaceChildren(
      diePicture(view.emperor),
      el("span", { class: "cx-caption", text: t(`charioteer.wish.short.${view.emperor}`) }),
      el("span", { class: "cx-wish-text", text: words }),
    );
    wish.setAttribute("data-help", `charioteer.emperor.${view.emperor}`);
  }

  /** @param {string} slot @param {string} name */
  function handCard(slot, name) {
    const { icon, symbols: [main] } = readCard(name);
    const button = el(
      "button",
      {
        class: "cx-card",
        type: "button",
        "data-slot": slot,
        "data-help": icon ? `charioteer.icon.${icon}` : host.first && main ? `charioteer.move.${main.colour}` : null,
        "aria-pressed": false,
        draggable: "true",
        on: {
          click: () => act(() => choosing?.card(slot) ?? false, slot),
          dragstart: (/** @type {DragEvent} */ event) => event.dataTransfer?.setData("text/plain", slot),
        },
      },
      cardPicture(name),
      el("span", { class: "unseen", text: t("charioteer.card.label", { slot, card: cardWords(host, name) }) }),
      el("span", { class: "cx-flag" }),
    );
    return button;
  }

  /** @param {string} name @param {number} slot */
  function crowdCard(name, slot) {
    const label = t(`charioteer.crowd.label.${slot}`, { card: cardWords(host, name) });
    const caption = el("span", { class: "cx-caption", text: t(`charioteer.crowd.caption.${slot}`), "aria-hidden": true });
    if (slot > 0) {
      return el("span", { class: "cx-preview", role: "img", tabindex: 0, "aria-label": label, "data-help": `charioteer.crowd.${slot}` }, cardPicture(name), caption);
    }
    const button = el(
      "button",
      { class: "cx-card cx-crowd-card", type: "button", "aria-pressed": false, "data-help": "charioteer.crowd.0", on: { click: () => act(() => choosing?.toggleCrowd() ?? false) } },
      cardPicture(name),
      el("span", { class: "unseen", text: label }),
      el("span", { class: "cx-flag" }),
    );
    return el("span", { class: "cx-active" }, button, caption);
  }

  /** @param {string} name @param {number} count */
  function tokenButton(name, count) {
    const words = tokenWords(host, name);
    const kind = name.replace(/^fan /, "").split(/[ +-]/)[0] || "plus";
    return el(
      "button",
      {
        class: "cx-token",
        type: "button",
        "data-token": name,
        "data-help": `charioteer.token.${kind}`,
        "aria-pressed": false,
        on: { click: () => act(() => choosing?.lay(name) ?? false) },
      },
      tokenPicture(name),
      el("span", { class: "unseen", text: count > 1 ? `${words} ×${count}` : words }),
      count > 1 ? el("b", { class: "cx-count", text: count, "aria-hidden": true }) : null,
    );
  }

  /** @param {Offer | null} offer */
  function buildMoves(offer) {
    if (!offer) {
      moves.replaceChildren();
      return;
    }
    const longest = Math.max(0, ...offer.moves.map((move) => move.best?.points ?? 0));
    const chips = offer.moves.map((move) => {
      const words = symbolWords(host, move.symbol);
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
          on: { click: () => act(() => choosing?.choose(move.symbol)) },
        },
        el("span", { class: "unseen", text: label }),
        symbolMark(move.symbol),
        move.best ? el("b", { text: move.best.points, "aria-hidden": true }) : tokenPicture(move.tokens.find((token) => token.includes("wild")) ?? null),
        extra ? signMark(extra) : null,
      );
    });
    moves.replaceChildren(...chips);
    focusable(moves);
  }

  // --- how it stands ---

  /** Do something to the choice and show what came of it. @param {() => boolean | void} deed @param {string} [slot] */
  function act(deed, slot) {
    if (!choosing || sending) return;
    const done = deed();
    idle = done === false && slot ? slot : null;
    refresh();
  }

  function refresh() {
    const ready = isReady();
    const choice = view?.choice;
    const shown = choosing ?? (ready ? { cards: choice.cards, discards: choice.discards, crowd: choice.crowd, token: choice.token, discardToken: choice.discard_token, symbol: choice.symbol, wild: choice.wild } : null);
    const fitting = choosing?.fitting ?? new Set();
    root.classList.toggle("is-open", choosing !== null);
    root.classList.toggle("is-chosen", ready);
    root.classList.toggle("is-over", Boolean(view?.over));
    if (ready && moves.dataset.chosen !== choice.symbol) {
      moves.replaceChildren(el("span", { class: "chip cx-move", "data-symbol": choice.symbol }, symbolMark(choice.symbol), symbolWords(host, choice.symbol)));
    }
    moves.dataset.chosen = ready ? choice.symbol : "";
    root.classList.toggle("is-picking", choosing !== null && (choosing.cards !== "" || choosing.mode !== "play"));
    for (const child of hand.children) {
      const card = /** @type {HTMLButtonElement} */ (child);
      const slot = card.dataset.slot ?? "";
      const picked = shown?.cards.includes(slot) ?? false;
      const away = shown?.discards.includes(slot) ?? false;
      card.classList.toggle("picked", picked);
      card.classList.toggle("away", away);
      card.classList.toggle("wild", shown?.wild === slot);
      card.classList.toggle("lit", choosing !== null && !picked && !away && fitting.has(slot));
      card.setAttribute("aria-pressed", String(picked || away));
      card.setAttribute("aria-disabled", String(choosing === null));
      const flag = card.querySelector(".cx-flag");
      if (flag) flag.textContent = away ? t("charioteer.flag.discard") : shown?.wild === slot ? t("charioteer.flag.wild") : "";
      turn(card, ready && (picked || away), slot);
    }
    const crowdButton = crowd.querySelector("button");
    if (crowdButton) {
      crowdButton.classList.toggle("picked", shown?.crowd ?? false);
      crowdButton.classList.toggle("lit", choosing?.crowdFits ?? false);
      crowdButton.setAttribute("aria-pressed", String(shown?.crowd ?? false));
      crowdButton.setAttribute("aria-disabled", String(!choosing?.crowdFits && !choosing?.crowd));
      const flag = crowdButton.querySelector(".cx-flag");
      if (flag) flag.textContent = shown?.crowd ? t("charioteer.flag.crowd") : "";
    }
    for (const child of tokens.children) {
      const button = /** @type {HTMLButtonElement} */ (child);
      const name = button.dataset.token ?? "";
      const fits = choosing !== null && (choosing.offer.discards.some((each) => each.token === name) || choosing.offer.moves.some((move) => move.tokens.includes(name)));
      const now = !choosing?.symbol || choosing.offer.discards.some((each) => each.token === name) || (choosing.move()?.tokens.includes(name) ?? false);
      const laid = shown?.token === name || shown?.discardToken === name;
      button.setAttribute("aria-pressed", String(laid));
      button.setAttribute("aria-disabled", String(!fits));
      button.classList.toggle("lit", fits && now);
    }
    const possible = choosing && choosing.cards && !choosing.isReset && !choosing.wild ? new Set(choosing.candidates(choosing.cards).map((move) => move.symbol)) : null;
    for (const child of [...moves.children, reset]) {
      const chip = /** @type {HTMLButtonElement} */ (child);
      const symbol = chip.dataset.symbol ?? "";
      chip.setAttribute("aria-pressed", String(shown?.symbol === symbol));
      chip.classList.toggle("faint", possible !== null && !possible.has(symbol) && symbol !== "reset");
    }
    reset.hidden = choosing === null;
    race.hidden = ready || choosing === null;
    clear.hidden = ready || choosing === null;
    back.hidden = !ready || !host.state().retractable;
    clear.classList.toggle("empty", choosing?.empty ?? true);
    race.disabled = !choosing?.complete || sending;
    prompt.textContent = advice();
    // a complete move speaks for itself
    prompt.hidden = choosing !== null && choosing.complete && choosing.mode === "play" && !idle;
    teach();
    void weigh();
  }

  /** Turns a card face down when it has been chosen. @param {HTMLElement} card @param {boolean} down @param {string} slot */
  function turn(card, down, slot) {
    if (card.classList.contains("down") === down) return;
    card.classList.toggle("down", down);
    card.querySelector(".cx-card-face")?.replaceWith(cardPicture(down ? null : view.hand[slot]));
    if (!host.motion.still()) {
      const face = card.querySelector(".cx-card-face");
      if (face) void host.motion.play(face, [{ transform: "scaleX(0.05)" }, { transform: "scaleX(1)" }], 180, "ease-out");
    }
  }

  function isReady() {
    return view?.choice?.stage === "ready" && !view.over && choosing === null;
  }

  /** What to do next, in a line. */
  function advice() {
    if (!view || view.over) return t("charioteer.prompt.over");
    if (looking === null) return t("charioteer.prompt.watching");
    if (isReady()) return t("charioteer.prompt.chosen");
    if (!choosing) return t("charioteer.prompt.wait");
    if (idle) return t("charioteer.prompt.idle", { card: cardWords(host, view.hand[idle] ?? "") });
    if (choosing.mode === "discard") {
      const most = choosing.offer.discards.find(({ token }) => token === choosing?.discardToken)?.most ?? 0;
      return t("charioteer.prompt.discard", { count: most });
    }
    if (choosing.mode === "wild") return t("charioteer.prompt.wild");
    if (choosing.isReset) return t("charioteer.prompt.reset", { count: choosing.offer.most });
    if (!choosing.symbol) return t("charioteer.prompt.begin");
    const symbol = symbolWords(host, choosing.symbol);
    return t(choosing.complete ? "charioteer.prompt.complete" : "charioteer.prompt.more", { symbol });
  }

  /** In a first race, each of the first turns explains something. */
  function teach() {
    const turn = view?.turn ?? 0;
    const teaching = host.first && choosing !== null && turn >= 1 && turn <= LESSONS;
    lesson.hidden = !teaching;
    if (teaching && lesson.dataset.turn !== String(turn)) {
      lesson.dataset.turn = String(turn);
      lesson.textContent = t(`charioteer.first.${turn}`);
    }
  }

  // --- what it would come to ---

  async function weigh() {
    const seat = looking;
    if (!choosing || seat === null || !choosing.complete) {
      asked += 1;
      if (seat !== null) board.ghost(seat, null);
      sum.classList.remove("waiting");
      sum.replaceChildren();
      return;
    }
    const notation = choosing.notation;
    const ticket = (asked += 1);
    let breakdown = known.get(notation);
    if (breakdown === undefined) {
      sum.classList.add("waiting");
      breakdown = await host.consider(notation).then((answer) => answer.breakdown, () => null);
      known.set(notation, breakdown);
    }
    if (ticket !== asked || !choosing) return;
    sum.classList.remove("waiting");
    if (!breakdown) {
      race.disabled = true;
      sum.replaceChildren(el("p", { class: "cx-hint", text: t("charioteer.sum.not-yet") }));
      board.ghost(seat, null);
      return;
    }
    sum.replaceChildren(...sumParts(host, breakdown));
    board.ghost(seat, choosing.isReset ? null : breakdown);
  }

  async function play() {
    if (!choosing || !choosing.complete || sending) return;
    sending = true;
    race.disabled = true;
    const notation = choosing.notation;
    try {
      await host.play([notation]);
    } catch {
      // the page has shown why; the choice stays as it was
    } finally {
      sending = false;
      refresh();
    }
  }

  return {
    /** @param {any} newView @param {number | null} seat */
    show(newView, seat) {
      if (looking !== null && looking !== seat) board.ghost(looking, null);
      view = newView;
      looking = seat;
      root.classList.toggle("is-watching", seat === null);
      build();
      refresh();
    },
    /** @param {Offer | null} offer @param {any} newView @returns {boolean} whether something new can be chosen */
    offer(offer, newView) {
      if (offer) {
        view = newView;
        build();
      }
      let fresh = false;
      const key = offer ? JSON.stringify([view?.turn, view?.seat, view?.hand, offer.moves.length]) : "";
      if (key !== offerKey) {
        offerKey = key;
        idle = null;
        if (offer && kept?.key === key) {
          choosing = kept.choosing; // it was only laid aside while something was shown
        } else if (offer) {
          fresh = true;
          known.clear();
          for (const move of offer.moves) if (move.best) known.set(move.best.choice, move.best);
          choosing = new Choosing(offer);
          kept = { key, choosing };
        } else choosing = null;
        if (!offer && looking !== null) board.ghost(looking, null);
        buildMoves(offer);
      }
      refresh();
      return fresh;
    },
    /** New crowd cards and a new wish are seen here as soon as they are on the board. @param {Partial<any>} part */
    hint(part) {
      if (!view) return;
      view = { ...view, ...part };
      build();
      refresh();
    },
    /** @param {KeyboardEvent} event */
    key(event) {
      if (!choosing || event.ctrlKey || event.metaKey || event.altKey) return false;
      const number = Number(event.key);
      const onButton = event.target instanceof Element && event.target.closest("button, a, summary, [role=tab]");
      if (event.key >= "1" && event.key <= "8") {
        const slot = LETTERS[number - 1];
        if (!view.hand?.[slot]) return false;
        act(() => choosing?.card(slot) ?? false, slot);
        return true;
      }
      if (event.key === "0") {
        act(() => choosing?.toggleCrowd() ?? false);
        return true;
      }
      if (event.key === "Enter" && !onButton && choosing.complete) {
        void play();
        return true;
      }
      return false;
    },
  };
}

// --- toolbars -------------------------------------------------------------------------------------------------------

/** One button of a toolbar can be reached by Tab, the others by arrow keys. @param {HTMLElement} toolbar */
function focusable(toolbar) {
  [...toolbar.children].forEach((child, k) => child.setAttribute("tabindex", k ? "-1" : "0"));
}

/** @param {HTMLElement} toolbar */
function roving(toolbar) {
  toolbar.addEventListener("keydown", (event) => {
    const buttons = /** @type {HTMLElement[]} */ ([...toolbar.children]);
    const now = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const steps = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });
    let next = -1;
    if (event.key in steps) next = (now + steps[event.key] + buttons.length) % buttons.length;
    else if (event.key === "Home") next = 0;
    else if (event.key === "End") next = buttons.length - 1;
    if (next < 0 || now < 0) return;
    buttons.forEach((button, k) => button.setAttribute("tabindex", k === next ? "0" : "-1"));
    buttons[next].focus();
    event.preventDefault();
  });
  toolbar.addEventListener("focusin", (event) => {
    for (const child of toolbar.children) child.setAttribute("tabindex", child === event.target ? "0" : "-1");
  });
}
