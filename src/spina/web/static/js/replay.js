// @ts-check
// The replay of a race: moment by moment, forwards and backwards, at any speed, as any seat saw it.

import { ask, Failed } from "./requests.js";
import { speedButton } from "./controls.js";
import { byId, el } from "./dom.js";
import { icon } from "./icons.js";
import { isTaken } from "./keys.js";
import { t } from "./messages.js";
import { resume, skip } from "./motion.js";
import { notice } from "./dialogs.js";
import { refusalWords } from "./refusals.js";

/** @typedef {import("./types.js").Moment} Moment */
/** @typedef {import("./protocol.d.ts").ReplayStep} ReplayStep */

const PART = 40;

export class Replay {
  /** @type {(ReplayStep | undefined)[]} */
  #standings = [];
  /** @type {Map<number, Promise<void>>} */
  #loading = new Map();
  /** @type {number[]} */
  #turns = [];
  #total = 0;
  #at = 0;
  #playing = false;
  /** @type {number | null} */
  #seat = null;

  /**
   * @param {import("./types.js").Boot} boot
   * @param {import("./types.js").GamePage} page
   * @param {import("./log.js").Log} log
   * @param {{badge: (seat: number) => HTMLElement, setState: (state: import("./types.js").State) => void, text: () => void,
   *   judge: (chances: number[] | null, moment: number) => void, name: (seat: number) => string}} table
   */
  constructor(boot, page, log, table) {
    this.boot = boot;
    this.page = page;
    this.log = log;
    this.table = table;
  }

  async begin() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const seen = await ask(`/api/tables/${this.boot.id}`);
    this.state = seen.state;
    this.table.setState(this.state);
    const seat = wanted.get("seat");
    this.#seat = seat !== null && this.state.status === "over" ? Number(seat) : null;
    await this.#load(0);
    this.#build();
    await this.go(Math.min(Number(wanted.get("moment")) || 0, this.#total - 1));
    document.addEventListener("keydown", (event) => this.#key(event));
    window.addEventListener("hashchange", () => void this.#jump());
  }

  /** The number of the moment that is shown. */
  get moment() {
    return this.#at;
  }

  /** With whose eyes it is shown; null: those of a spectator. */
  get seat() {
    return this.#seat;
  }

  /** Goes to the moment and the seat that the address names. */
  async #jump() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const seat = wanted.get("seat");
    const moment = Number(wanted.get("moment")) || 0;
    const eyes = seat !== null && this.state.status === "over" ? seat : "";
    if (this.eyes) this.eyes.value = eyes;
    this.#at = moment;
    await this.#look(eyes);
  }

  /** @param {number} number */
  async #load(number) {
    const part = Math.floor(number / PART);
    let loading = this.#loading.get(part);
    if (!loading) {
      const seat = this.#seat === null ? "" : `&seat=${this.#seat}`;
      loading = ask(`/api/tables/${this.boot.id}/moments?begin=${part * PART}&count=${PART}${seat}`).then((answer) => {
        this.#total = answer.total;
        this.#turns = answer.turns;
        answer.standings.forEach((/** @type {ReplayStep} */ standing, /** @type {number} */ index) => (this.#standings[answer.begin + index] = standing));
      });
      this.#loading.set(part, loading);
    }
    await loading;
  }

  #build() {
    /** @param {string} id @param {Parameters<typeof icon>[0]} sign @param {() => void} act */
    const button = (id, sign, act) =>
      el("button", { class: "button icon", type: "button", "aria-label": t(id), title: t(id), on: { click: act } }, icon(sign));
    this.playButton = button("replay.play", "play", () => (this.#playing ? this.stop() : void this.play()));
    this.playButton.removeAttribute("title");
    this.playButton.dataset.help = "replay.keys";
    this.slider = el("input", {
      type: "range",
      class: "scrubber",
      min: 0,
      max: Math.max(0, this.#total - 1),
      value: 0,
      "aria-label": t("replay.moment"),
      on: { input: () => void this.go(Number(this.slider?.value)) },
    });
    this.count = el("output", { class: "small", role: "status" });
    const eyes = (this.eyes = el(
      "select",
      { class: "select", "aria-label": t("replay.eyes"), on: { change: () => void this.#look(eyes.value) } },
      el("option", { value: "", text: t("replay.spectator") }),
      ...(this.state.status === "over"
        ? this.state.seats.map((/** @type {import("./types.js").Person} */ person) =>
            el("option", { value: String(person.seat), selected: person.seat === this.#seat, text: person.name }),
          )
        : []),
    ));
    this.trying = el("button", { class: "button try", type: "button", "data-help": "replay.try", text: t("replay.try"), on: { click: () => void this.#try() } });
    byId("transport").replaceChildren(
      el("div", { class: "row tight transport-line" }, this.slider, this.count),
      el(
        "div",
        { class: "row tight" },
        button("replay.first", "first", () => void this.go(0)),
        button("replay.back-turn", "backTurn", () => void this.#turn(-1)),
        button("replay.back", "back", () => void this.go(this.#at - 1)),
        this.playButton,
        button("replay.on", "on", () => void this.step()),
        button("replay.on-turn", "onTurn", () => void this.#turn(1)),
        button("replay.last", "last", () => void this.go(this.#total - 1)),
        speedButton(),
        eyes,
        button("replay.link", "link", () => void this.#share()),
        this.trying,
      ),
    );
  }

  /** @param {string} value */
  async #look(value) {
    this.#seat = value === "" ? null : Number(value);
    this.#standings = [];
    this.#loading.clear();
    await this.go(this.#at);
  }

  /** Goes to a moment without motion. @param {number} number */
  async go(number) {
    this.stop();
    skip();
    const wanted = Math.max(0, Math.min(number, this.#total - 1));
    this.#at = wanted;
    for (let n = 0; n <= wanted; n += PART) await this.#load(n);
    await this.#load(wanted);
    if (this.#at !== wanted) return;
    resume();
    this.log.clear();
    for (let n = Math.max(0, wanted - 200); n <= wanted; n++) this.#tell(this.#standings[n]);
    this.#show();
  }

  /** @param {ReplayStep | undefined} standing */
  #tell(standing) {
    for (const event of standing?.moment.events ?? []) {
      const line = this.page.line(event);
      if (line) this.log.add(line);
    }
  }

  #show() {
    const standing = this.#standings[this.#at];
    if (!standing) return;
    this.table.setState({ ...this.state, version: standing.moment.version, view: standing.view, looking: this.#seat });
    this.page.show(standing.view, this.#seat);
    this.page.offer(null, standing.view);
    this.page.recall?.(this.#lately());
    this.table.text();
    this.table.judge(standing.chances, this.#at);
    if (this.slider) this.slider.value = String(this.#at);
    if (this.count) this.count.textContent = t("replay.count", { at: this.#at + 1, total: this.#total });
    if (this.trying) this.trying.disabled = this.state.status !== "over" || standing.view.over;
    history.replaceState(null, "", this.#hash());
  }

  /** The steps of this turn and of the one before it, as far as they have been shown. */
  #lately() {
    const begun = this.#turns.filter((n) => n <= this.#at);
    const first = Math.max(0, (begun.at(-2) ?? 0) - 1);
    return this.#standings.slice(first, this.#at + 1).filter((standing) => standing !== undefined);
  }

  /** Opens a race against bots at this moment, for the seat with whose eyes it is seen, or else for the one that chose next. */
  async #try() {
    if (this.#at + 1 < this.#total) await this.#load(this.#at + 1);
    const next = this.#standings.slice(this.#at + 1).find((standing) => standing?.moment.kind === "play");
    const seat = this.#seat ?? next?.moment.seat ?? 0;
    try {
      const { id } = await ask(`/api/tables/${this.boot.id}/branch`, { moment: this.#at, seat });
      location.href = `/t/${id}`;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      notice(t("table.refused", { reason: refusalWords(error.refusal) }), true);
    }
  }

  #hash() {
    return `#moment=${this.#at}${this.#seat === null ? "" : `&seat=${this.#seat}`}`;
  }

  /** Goes one moment on, with motion. */
  async step() {
    if (this.#at >= this.#total - 1) {
      this.stop();
      return;
    }
    const next = this.#at + 1;
    await this.#load(next);
    if (next + 10 < this.#total) void this.#load(next + 10);
    const standing = this.#standings[next];
    this.#at = next;
    for (const event of standing?.moment.events ?? []) {
      if (this.#at !== next) return;
      const line = this.page.line(event);
      if (line) this.log.add(line);
      await this.page.animate(event);
    }
    if (this.#at === next) this.#show();
  }

  async play() {
    this.#playing = true;
    this.#face();
    while (this.#playing && this.#at < this.#total - 1) await this.step();
    this.stop();
  }

  stop() {
    this.#playing = false;
    this.#face();
  }

  #face() {
    if (!this.playButton) return;
    this.playButton.replaceChildren(icon(this.#playing ? "pause" : "play"));
    this.playButton.setAttribute("aria-label", t(this.#playing ? "replay.pause" : "replay.play"));
  }

  /** @param {1 | -1} way */
  async #turn(way) {
    const later = this.#turns.filter((n) => (way > 0 ? n > this.#at : n < this.#at));
    await this.go((way > 0 ? later[0] : later.at(-1)) ?? (way > 0 ? this.#total - 1 : 0));
  }

  async #share() {
    const url = new URL(location.href);
    url.hash = this.#hash();
    try {
      await navigator.clipboard.writeText(url.href);
      notice(t("table.link.copied"));
    } catch {
      notice(url.href);
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.target !== this.slider && isTaken(event)) return;
    const acts = /** @type {Record<string, () => void>} */ ({
      " ": () => (this.#playing ? this.stop() : void this.play()),
      ArrowRight: () => void this.step(),
      ArrowLeft: () => void this.go(this.#at - 1),
      ArrowUp: () => void this.#turn(-1),
      ArrowDown: () => void this.#turn(1),
      Home: () => void this.go(0),
      End: () => void this.go(this.#total - 1),
    });
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
