// @ts-check
// The people at the table: seats, invitations, leaving.

import { ask, Failed } from "./requests.js";
import { botLine, botName } from "./bots.js";
import { invitation } from "./invitation.js";
import { countdown } from "./clock.js";
import { confirm, notice } from "./dialogs.js";
import { byId, el } from "./dom.js";
import { t } from "./messages.js";
import { refusalWords } from "./refusals.js";
import { colourChoice, freeColours, seatChoice } from "./seat-choice.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Person} Person */

/** @param {unknown} error */
export function complain(error) {
  if (!(error instanceof Failed)) throw error;
  notice(refusalWords(error.refusal), true);
}

/** Marks the panels of seats that bots drive for people: those who are away, and those who have left. @param {State} state */
function markStandIns(state) {
  for (const panel of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#panels .panel[data-seat], #own .panel[data-seat]"))) {
    const person = state.seats[Number(panel.dataset.seat)];
    const driven = state.status === "running" && (person?.away || person?.stands_in);
    const mark = panel.querySelector(".stand-in");
    if (!driven) mark?.remove();
    else if (!mark) panel.append(el("span", { class: "badge bad stand-in", "data-help": "table.stands-in", tabindex: "0", text: t("table.stands-in") }));
  }
}

export class People {
  /**
   * @param {HTMLElement} home
   * @param {import("./types.js").Boot} boot
   * @param {() => State | null} state
   * @param {(seat: number) => HTMLElement} badge
   */
  constructor(home, boot, state, badge) {
    this.home = home;
    this.boot = boot;
    this.state = state;
    this.badge = badge;
    /** What was chosen in the foyer before sitting down. @type {{seat: number | null, colour: number | null}} */
    this.wanted = { seat: null, colour: null };
  }

  show() {
    const state = this.state();
    if (!state) return;
    const focused = document.activeElement?.id;
    this.#wear(state);
    const linked = this.home.querySelector(".made-link"); // a link that was made stays there to be copied
    this.home.replaceChildren(
      el("ul", { class: "people" }, ...state.seats.map((person) => this.#row(person, state))),
      state.watchers ? el("p", { class: "soft small", text: t("table.watchers", { count: state.watchers }) }) : "",
      el("div", { class: "stack tight" }, ...this.#actions(state)),
      el("a", { class: "link", href: `/rules/${this.boot.game}`, target: "_blank", text: t("table.rules") }),
      el(
        "p",
        { class: "soft small fairness", "data-help": "table.commitment", tabindex: "0" },
        t("table.commitment", { hash: state.commitment.slice(0, 16) }),
      ),
      ...(linked ? [linked] : []),
    );
    byId("line-up").replaceChildren(...state.seats.map((person) => this.#driver(person, state)));
    const foyer = byId("foyer");
    if (state.status === "open") {
      // a link that was made stays there to be copied
      const made = document.getElementById("made-link")?.firstChild;
      foyer.replaceChildren(state.begins === null ? this.#lobby(state) : this.#rematch(state));
      if (made) document.getElementById("made-link")?.append(made);
    } else if (state.status === "running") foyer.replaceChildren(...(state.left.length && !state.own.length ? [this.#welcomeBack()] : []));
    markStandIns(state);
    if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
  }

  #return() {
    return this.#button("table.return", "return", async () => void (await ask(`/api/tables/${this.boot.id}/return`, {})), "primary");
  }

  /** For a person who has left: the way back, in view. */
  #welcomeBack() {
    return el("div", { class: "card stack lobby" }, el("p", { text: t("table.return.text") }), this.#return());
  }

  /** Shows the header's chip in the colour of the seat. @param {State} state */
  #wear(state) {
    const seat = state.looking ?? state.own[0] ?? state.left[0];
    const worn = document.querySelector("#me-chip .shape");
    const own = seat === undefined ? null : this.badge(seat).querySelector(".shape");
    if (worn && own && worn.getAttribute("class") !== own.getAttribute("class")) worn.replaceWith(own);
  }

  /**
   * @param {Person} person
   * @param {State} state
   */
  #row(person, state) {
    const kind = this.#kind(person);
    const marks = [];
    if (person.away && state.status === "open") marks.push(el("span", { class: "badge", text: t("table.rematch.open") }));
    else if (person.away) marks.push(el("span", { class: "badge bad", text: t("table.away") }));
    else if (person.kind === "person" && !person.here) marks.push(el("span", { class: "badge", text: t("table.gone") }));
    if (person.stands_in) marks.push(el("span", { class: "badge bad", "data-help": "table.stands-in", tabindex: "0", text: t("table.stands-in") }));
    if (person.warming_up) marks.push(el("span", { class: "badge", "data-help": "table.warming-up", text: t("table.warming-up") }));
    if (state.own.includes(person.seat)) marks.push(el("span", { class: "badge good", text: t("table.you") }));
    return el("li", { class: "row spread" }, this.badge(person.seat), el("span", { class: "row tight" }, kind && el("span", { class: "soft small", text: kind }), ...marks));
  }

  /** Who drives: the level of a bot, or where a person sits. @param {Person} person */
  #kind(person) {
    return person.kind === "bot" && person.bot ? botName(this.boot.game, person.bot) : person.kind !== "raced" && t(`table.kind.${person.kind}`);
  }

  /**
   * A seat in the line-up under a story that has just begun: its colour, who drives, and how bots of this level drive.
   * @param {Person} person
   * @param {State} state
   */
  #driver(person, state) {
    const own = state.own.includes(person.seat);
    const line = person.kind === "bot" && botLine(this.boot.game, person.bot ?? "");
    return el(
      "li",
      null,
      this.badge(person.seat),
      own ? el("span", { class: "badge good", text: t("table.you") }) : el("span", { class: "soft", text: this.#kind(person) || "" }),
      line && el("span", { class: "soft line-up-line", text: line }),
    );
  }

  /**
   * @param {State} state
   * @returns {Node[]}
   */
  #actions(state) {
    const parts = [];
    if (state.own.length && (state.status === "running" || state.status === "open")) {
      for (const seat of state.own) {
        if (state.seats[seat].kind === "person") {
          parts.push(this.#button("table.move-seat", `move-${seat}`, () => this.#link("seat", seat)));
        }
      }
      if (state.status === "running" && state.seats.some((person) => person.kind === "bot" && !person.stands_in)) {
        parts.push(this.#button("table.invite-late", "invite-late", () => this.#link("join")));
      }
      parts.push(this.#button("table.leave", "leave", () => this.#leave(state), "danger"));
    } else if (state.left.length && state.status === "running") parts.push(this.#return());
    return parts;
  }

  /** Before the start: open seats, links, and starting with bots. @param {State} state */
  #lobby(state) {
    const open = state.seats.filter((person) => person.kind === "open");
    /** @type {Node[]} */
    const parts = [
      el("h2", { text: t("table.lobby.title", { count: open.length }) }),
      el("ul", { class: "people" }, ...state.seats.map((person) => this.#row(person, state))),
    ];
    if (this.boot.host) {
      parts.push(
        el(
          "div",
          { class: "row" },
          this.#button("table.lobby.link", "link-join", () => this.#link("join"), "primary"),
          ...open.map((person) => this.#button("table.lobby.seat-link", `link-${person.seat}`, () => this.#link("seat", person.seat), "", { number: person.seat + 1 })),
          this.#button("table.lobby.fill", "fill", async () => void (await ask(`/api/tables/${this.boot.id}/fill`, {}))),
        ),
        el("div", { id: "made-link", class: "made-link" }),
      );
    } else if (!state.own.length) parts.push(...this.#sit(state, open));
    else parts.push(el("p", { text: t("table.lobby.wait") }));
    if (state.own.length && this.boot.colours) parts.push(colourChoice(state, state.seats[state.own[0]].colour, (colour) => void ask(`/api/tables/${this.boot.id}/colour`, { colour }).catch(complain)));
    return el("div", { class: "card stack lobby" }, ...parts);
  }

  /**
   * For visitors without a seat: which one they want, and in which colour.
   * @param {State} state
   * @param {Person[]} open
   */
  #sit(state, open) {
    const seat = open.some((person) => person.seat === this.wanted.seat) ? this.wanted.seat : (open[0]?.seat ?? null);
    const free = this.boot.colours ? freeColours(state) : [];
    const colour = free.find((one) => one === this.wanted.colour) ?? free.find((one) => one === this.boot.colour) ?? null;
    this.wanted = { seat, colour };
    return [
      seatChoice(state, seat, (wish) => (this.wanted.seat = wish)),
      ...(free.length ? [colourChoice(state, colour, (wish) => (this.wanted.colour = wish))] : []),
      this.#button("table.lobby.sit", "sit", async () => void (await ask(`/api/tables/${this.boot.id}/sit`, this.wanted)), "primary"),
    ];
  }

  /** Before a rematch: who has accepted, and when it begins at the latest. @param {State} state */
  #rematch(state) {
    const asked = state.own.some((seat) => state.seats[seat].away);
    return el(
      "div",
      { class: "card stack lobby rematch" },
      el("h2", { text: t("table.rematch.title") }),
      el("ul", { class: "people" }, ...state.seats.map((person) => this.#row(person, state))),
      el("p", { text: t("table.rematch.waiting") }),
      countdown(state.beginsAt, "table.rematch.begins"),
      asked && this.#button("table.rematch.accept", "accept", async () => void (await ask(`/api/tables/${this.boot.id}/sit`, {})), "primary"),
    );
  }

  /**
   * @param {string} label
   * @param {string} id
   * @param {() => Promise<void>} act
   * @param {string} [kind]
   * @param {import("./types.js").Params} [params]
   */
  #button(label, id, act, kind = "", params = {}) {
    return el("button", {
      class: `button ${kind}`,
      type: "button",
      id: `people-${id}`,
      text: t(label, params),
      on: { click: () => act().catch(complain) },
    });
  }

  /**
   * @param {"seat" | "join"} kind
   * @param {number} [seat]
   */
  async #link(kind, seat) {
    const { path } = await ask(`/api/tables/${this.boot.id}/links`, { kind, seat: seat ?? null });
    const shown = await invitation(path, complain);
    const home = document.getElementById("made-link");
    if (home) home.replaceChildren(shown);
    else {
      this.home.querySelector(".made-link")?.remove();
      shown.classList.add("made-link");
      this.home.append(shown);
    }
    shown.scrollIntoView({ block: "nearest" });
  }

  /** @param {State} state */
  async #leave(state) {
    const last = !state.seats.some((person) => person.kind !== "bot" && person.kind !== "open" && !state.own.includes(person.seat));
    const open = this.boot.host ? "table.leave.host" : "table.leave.open";
    const sure = await confirm({
      title: t("table.leave.title"),
      text: t(state.status === "open" ? open : last ? "table.leave.last" : "table.leave.text"),
      confirm: t("table.leave"),
    });
    if (sure) {
      await ask(`/api/tables/${this.boot.id}/leave`, {});
      location.href = "/";
    }
  }
}
