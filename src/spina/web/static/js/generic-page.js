// @ts-check
// The table page of a game without page scripts: the board as a picture, the possible actions as a list with their
// outcomes, the facts of the view as panels, and the sentences of the game's narrator as the story.

import { el } from "./dom.js";
import { number } from "./keys.js";
import { messageOr, t } from "./messages.js";
import { rove } from "./roving.js";

/** @typedef {import("./types.js").Host} Host */
/** @typedef {import("./types.js").GamePage} GamePage */
/** @typedef {import("./types.js").GameEvent & {sentence?: string}} GameEvent told by the game's narrator */
/** @typedef {{action: string, outcome?: unknown}} Option what `Game.offer` lists by default */
/** @typedef {Record<string, unknown>} Data */

/** Fields of every view, which the page shows in other ways. */
const COMMON = new Set(["game", "rules", "edition", "seats", "seat", "options", "to_act", "over", "ranking"]);
/** Milliseconds for an event that is told. */
const PAUSE = 350;

/** @param {unknown} value */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {unknown} value whether there is nothing to say about it */
const isEmpty = (value) =>
  value === null || value === undefined || value === false || value === 0 || value === "" || (Array.isArray(value) && !value.length);

/** Lists of the view that describe something of each seat. @param {Data} view @returns {[string, Data[]][]} */
function seatLists(view) {
  const lists = Object.entries(view).filter(([, value]) => Array.isArray(value) && value.length && value.every((each) => isRecord(each) && "seat" in each));
  return /** @type {[string, Data[]][]} */ (lists);
}

/** @implements {GamePage} */
class GenericPage {
  /** @type {HTMLImageElement | null} */
  #picture = null;
  /** The address of the picture that is wanted; another may still be loading. */
  #wanted = "";

  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    for (const place of [host.panels, host.own]) {
      place.classList.add("generic-panels");
      place.tabIndex = 0; // keys scroll it
    }
    host.choice.classList.add("panel", "generic-choice");
  }

  /** @param {Data} view @param {number | null} looking */
  show(view, looking) {
    void this.#draw();
    const race = this.#raceFacts(view);
    const panels = Array.from({ length: this.host.seats }, (_, seat) => this.#seatPanel(view, seat));
    this.host.own.replaceChildren(
      ...panels.filter((_, seat) => seat === looking),
      ...(race.length ? [el("section", { class: "panel" }, this.#list(race))] : []),
    );
    this.host.panels.replaceChildren(...panels.filter((_, seat) => seat !== looking));
  }

  /** @param {{actions: (Option | string)[]} | null} offer */
  offer(offer) {
    const { choice } = this.host;
    const options = (offer?.actions ?? []).map((each) => (typeof each === "string" ? { action: each } : each));
    choice.hidden = !options.length;
    choice.replaceChildren();
    if (!options.length) return;
    const list = rove(el("ol", { class: "generic-options" }, ...options.map((option) => this.#option(option))));
    number(list.querySelectorAll("button"));
    choice.append(el("h2", { text: t("generic.options") }), list);
    if (this.host.state().retractable) {
      choice.append(el("button", { class: "button", type: "button", text: t("table.take-back"), on: { click: () => void this.host.retract() } }));
    }
  }

  /** @param {GameEvent} event */
  async animate(event) {
    if (event.sentence) await this.host.motion.pause(PAUSE);
  }

  /** @param {GameEvent} event */
  line(event) {
    return event.sentence ? { id: "generic.line", params: { text: event.sentence } } : null;
  }

  light() {}

  /** @param {Data} view */
  describe(view) {
    const lines = Array.from({ length: this.host.seats }, (_, seat) => `${this.host.name(seat)}: ${this.#seatFacts(view, seat).map(this.#sentence).join(", ")}`);
    return [this.#raceFacts(view).map(this.#sentence).join(", "), ...lines].filter(Boolean);
  }

  /** @param {string} action */
  phrase(action) {
    return action;
  }

  /** Whether a choice must be hidden from others at the same screen: the page cannot tell, so it is. @param {Data} view */
  secret(view) {
    return !view.over;
  }

  /** Shows the picture of the race at the version that is shown. */
  async #draw() {
    const image = new Image();
    const address = `/t/${this.host.table}/picture/${this.host.state().version}.svg`;
    if (this.#wanted === address) return;
    this.#wanted = image.src = address;
    image.alt = t("generic.picture");
    image.className = "generic-picture";
    try {
      await image.decode();
    } catch {
      return; // the picture before it stays
    }
    if (this.#wanted !== address) return;
    (this.#picture ?? this.host.board).replaceWith(image);
    this.#picture = image;
  }

  /** @param {Option} option */
  #option({ action, outcome }) {
    const all = typeof outcome === "string" ? [[outcome, ""]] : isRecord(outcome) ? this.#facts(/** @type {Data} */ (outcome)) : [];
    const facts = all.filter(([, text]) => text !== action);
    return el(
      "li",
      null,
      el(
        "button",
        { class: "button generic-option", type: "button", "data-action": action, on: { click: () => void this.#choose(action) } },
        el("strong", { text: this.phrase(action) }),
        facts.length ? el("span", { class: "soft small", text: facts.map(this.#sentence).join(" · ") }) : null,
      ),
    );
  }

  /** @param {string} action */
  async #choose(action) {
    try {
      await this.host.play([action]);
    } catch {
      // the table page has said why
    }
  }

  /** @param {Data} view @param {number} seat */
  #seatPanel(view, seat) {
    return el("section", { class: `panel faction-${this.host.faction(seat)}`, "data-seat": seat }, el("h3", null, this.host.badge(seat, true)), this.#list(this.#seatFacts(view, seat)));
  }

  /** @param {Data} view */
  #raceFacts(view) {
    const lists = new Set(seatLists(view).map(([name]) => name));
    return this.#facts(Object.fromEntries(Object.entries(view).filter(([name]) => !COMMON.has(name) && !lists.has(name))));
  }

  /** @param {Data} view @param {number} seat */
  #seatFacts(view, seat) {
    const records = seatLists(view).flatMap(([, list]) => list.filter((each) => each.seat === seat));
    return records.flatMap((record) => this.#facts(Object.fromEntries(Object.entries(record).filter(([name]) => name !== "seat"))));
  }

  /** The fields of a record that say something, as labels and texts. @param {Data} record @returns {string[][]} */
  #facts(record) {
    return Object.entries(record)
      .filter(([, value]) => !isEmpty(value))
      .map(([name, value]) => [this.#label(name), value === true ? "" : this.#text(value)]);
  }

  /** @param {unknown} value @returns {string} */
  #text(value) {
    if (Array.isArray(value)) return value.map((each) => this.#text(each)).join(", ");
    if (isRecord(value)) return this.#facts(/** @type {Data} */ (value)).map(this.#sentence).join(", ");
    return String(value);
  }

  /** What a field is called: by a message of the game, or else by its own name. @param {string} name */
  #label(name) {
    return messageOr(`${this.host.game}.field.${name}`, name.replaceAll("_", " "));
  }

  /** @param {string[]} fact */
  #sentence([label, text]) {
    return text ? `${label} ${text}` : label;
  }

  /** @param {string[][]} facts */
  #list(facts) {
    return el("dl", { class: "facts" }, ...facts.map(([label, text]) => el("div", null, el("dt", { text: label }), el("dd", { text: text || "✓" }))));
  }
}

/**
 * @param {Host} host
 * @returns {GamePage}
 */
export default function makePage(host) {
  return new GenericPage(host);
}
