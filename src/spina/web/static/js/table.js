// @ts-check
// The table page: it receives updates over the WebSocket, shows them one after the other, and sends choices. It decides
// nothing.

import { byId, el, shape } from "./dom.js";
import { confirm, notice } from "./dialogs.js";
import { explain } from "./explain.js";
import { has, load, rich, t } from "./messages.js";
import { refusalWords } from "./refusals.js";
import { motion, resume, skip } from "./motion.js";
import { Refused, Line as Socket } from "./socket.js";
import { Chances } from "./chances.js";
import { Chat } from "./chat.js";
import { Clock } from "./clock.js";
import { controls } from "./controls.js";
import { Curtain } from "./curtain.js";
import { Hint } from "./hint.js";
import { Log } from "./log.js";
import { People } from "./people.js";
import { result } from "./result.js";
import { tabs } from "./tabs.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Moment} Moment */
/** @typedef {import("./types.js").Host} Host */
/** @typedef {import("./types.js").GamePage} GamePage */
/** @typedef {import("./types.js").Boot} Boot */

/** Moments that were missed are shown one by one up to this many. */
const FEW = 12;

/** @type {Boot} */
const boot = JSON.parse(byId("boot").textContent ?? "{}");
const main = byId("main");

/** @type {State | null} */
let state = null;
/** @type {GamePage} */
let page;
/** The newest state that was heard of, shown or not. @type {State | null} */
let latest = null;
/** @type {{moments: Moment[], state: State}[]} */
const queue = [];
/** How many welcome messages have come: an animation that began before the last one is out of date. */
let welcomes = 0;
let showing = false;
/** Whether what is waiting to be shown goes into the story without motion. */
let jumping = false;
/** @type {number | undefined} */
let hurrying;
/** The last `shown` message: version and seat. */
let said = "";
let connected = true;

const announcer = byId("announcer");
/** @param {string} text */
function announce(text) {
  announcer.append(el("p", { text }));
  while (announcer.childElementCount > 12) announcer.firstElementChild?.remove();
}

/** @returns {State} */
function current() {
  if (!state) throw new Error("the table has not been heard of yet");
  return state;
}

/** @param {number} seat */
function name(seat) {
  const person = state?.seats[seat];
  return person?.name || t("table.seat", { number: seat + 1 });
}

/** Whose colour a seat has: that of its number, unless the game gives it another. @param {number} seat */
function faction(seat) {
  return (page?.faction?.(seat) ?? seat) % 6;
}

/**
 * @param {number} seat
 * @param {boolean} [long]
 */
function badge(seat, long = true) {
  return el("span", { class: `emblem faction-${faction(seat)}` }, shape(faction(seat), long ? undefined : name(seat)), long && el("span", { class: "cut", text: name(seat) }));
}

/**
 * The text of a refusal: the message for its kind, or else why.
 * @param {string} kind
 * @param {import("./types.js").Refusal | null} why
 */
const refusal = (kind, why) => (has(`table.refused.${kind}`) ? t(`table.refused.${kind}`) : t("table.refused", { reason: refusalWords(why) }));

/** @param {unknown} error */
function complain(error) {
  if (!(error instanceof Refused)) throw error;
  if (error.code === "lost") notice(t("table.lost"), true);
  else notice(refusal(error.code, error.refusal), true);
}

/** @param {import("./socket.js").Request} message */
async function ask(message) {
  try {
    return await socket.ask(message);
  } catch (error) {
    complain(error);
    throw error;
  }
}

const board = /** @type {SVGSVGElement} */ (byId("board").querySelector("svg"));

/** @type {Host} */
const host = {
  game: boot.game,
  table: boot.id,
  board,
  places: boot.places,
  options: boot.options,
  panels: byId("panels"),
  choice: byId("choice"),
  seats: boot.seats,
  first: boot.first,
  t,
  rich,
  name,
  badge,
  state: current,
  announce,
  confirm,
  motion,
  async play(actions) {
    const before = current();
    const { looking, version } = before;
    if (looking === null) return;
    state = { ...before, offer: null, waiting: before.waiting.filter((seat) => seat !== looking) };
    page.offer(null, before.view);
    hint.update(state);
    status();
    try {
      await ask({ type: "play", seat: looking, actions, version });
    } catch (error) {
      if (current().version === version) {
        state = before;
        settle();
      }
      throw error;
    }
    curtain.fall();
  },
  async retract() {
    const { looking } = current();
    if (looking !== null) await ask({ type: "retract", seat: looking });
  },
  async consider(action) {
    const { looking } = current();
    const answer = /** @type {import("./protocol.d.ts").Considered} */ (await socket.ask({ type: "consider", seat: looking, action }));
    return { breakdown: answer.breakdown, refusal: answer.refusal };
  },
};

const chances = new Chances(byId("chances"), name, faction);
const hint = new Hint(byId("hint"), byId("hint-button"), {
  game: boot.game,
  ask: async (seat) => /** @type {import("./protocol.d.ts").Hinted} */ (await ask({ type: "hint", seat })).advice,
  words: (action) => page.phrase(action, current().view),
  play: (action) => host.play([action]),
  announce,
});
const log = new Log(/** @type {HTMLElement} */ (byId("log")), (targets) => page?.light(targets));
const clock = new Clock(byId("clock"), boot.clock);
const people = new People(byId("people-panel"), boot, () => state, badge);
const curtain = new Curtain(boot, {
  state: () => state,
  name,
  badge,
  look: (seat) => socket.tell({ type: "look", seat }),
  secret: (view) => (view !== null && page.secret?.(view)) ?? false,
});

const socket = new Socket(`/t/${boot.id}/live`, {
  version: () => latest?.version ?? null,
  state(open) {
    connected = open;
    said = "";
    main.toggleAttribute("data-lost", !open);
    status();
  },
  heard(message) {
    if ("state" in message) noteBegin(message.state);
    switch (message.type) {
      case "welcome":
        welcome(message);
        break;
      case "update":
        enqueue(message);
        break;
      case "clock":
        heardClock(message);
        break;
      case "presence":
        if (state) state = { ...state, seats: message.seats, watchers: message.watchers };
        people.show();
        markSeats();
        status();
        break;
      case "said":
        chat.add(message.said);
        break;
      case "refused":
        if (["not-yours", "unknown"].includes(message.code)) socket.end();
        notice(refusal(message.code, message.refusal), true);
        break;
    }
  },
});
const chat = new Chat(byId("chat"), /** @type {HTMLFormElement} */ (byId("chat-form")), byId("tab-chat"), badge, (text) => ask({ type: "say", text }));

/** Notes when a rematch begins, as an instant. @param {State} arrived */
function noteBegin(arrived) {
  if (arrived.begins) arrived.beginsAt = performance.now() + arrived.begins * 1000;
}

/** @param {{state: State, moments: Moment[], chat: import("./chat.js").Said[], complete: boolean}} message */
function welcome(message) {
  const missed = message.complete && state !== null;
  chat.replace(message.chat);
  if (missed && message.moments.length <= FEW) {
    enqueue(message);
    return;
  }
  queue.length = 0;
  latest = message.state;
  heardClock(message.state);
  welcomes += 1;
  if (!missed) log.clear();
  state = message.state;
  for (const moment of message.moments) tell(moment);
  settle();
  skip();
  resume();
}

/** @param {{state: State, moments: Moment[]}} message */
function enqueue(message) {
  latest = message.state;
  queue.push({ moments: message.moments, state: message.state });
  void work();
  heardClock(message.state);
  if (behind(message)) jump();
  if (showing) status(); // what was chosen may be out in the open now
}

/** @param {import("./clock.js").Reading} reading */
function heardClock(reading) {
  clock.heard(reading, !!latest && latest.looking !== null && latest.waiting.includes(latest.looking) && !latest.seats[latest.looking].away);
  hurry();
}

/**
 * Whether the page is more than one turn behind a race that waits for people, or a bot has just taken the reins.
 * @param {{state: State, moments: Moment[]}} message
 */
function behind({ state: now, moments }) {
  if (moments.some(({ kind, seat }) => kind === "away" && seat !== null && now.own.includes(seat))) return true;
  const people = now.waiting.some((seat) => now.seats[seat].kind !== "bot");
  return people && !!state?.view && !!now.view && turnOf(now.view) - turnOf(state.view) > 1;
}

/** The number of the turn, which some games call a round. @param {object} view */
function turnOf(view) {
  const fields = /** @type {Record<string, unknown>} */ (view);
  return Number(fields[boot.turnWord] ?? fields.turn);
}

/** Shows at once how the race stands now. */
function jump() {
  if (!showing) return;
  jumping = true;
  skip();
}

/** While a clock of this page runs, animations take a fifth of its time at most. */
function hurry() {
  window.clearTimeout(hurrying);
  const limit = clock.limit();
  if (showing && limit !== null) hurrying = window.setTimeout(jump, Math.max(0, limit - performance.now()));
}

/** Kinds of moments that the story mentions although they are no events of the game. */
const NOTED = new Set(["start", "away", "back", "left", "rematch", "accept", "seat"]);

/** @param {Moment} moment */
function note(moment) {
  if (!NOTED.has(moment.kind)) return;
  const id = moment.seat === null ? `table.noted.${moment.kind}` : `table.noted.${moment.kind}.seat`;
  log.note(id, moment.seat === null ? {} : { name: badge(moment.seat) });
}

/** @param {Moment} moment */
function tell(moment) {
  note(moment);
  for (const event of moment.events) {
    const line = page.line(event);
    if (line) log.add(line);
  }
}

/** Shows the queued updates, one after the other. */
async function work() {
  if (showing) return;
  showing = true;
  main.setAttribute("data-busy", "");
  hurry();
  try {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const before = welcomes;
      page.offer(null, next.state.view);
      for (const moment of next.moments) {
        if (welcomes !== before) break;
        note(moment);
        for (const event of moment.events) {
          const line = page.line(event);
          const text = line ? log.add(line) : "";
          if (jumping) continue;
          if (text) announce(text);
          await page.animate(event);
          if (welcomes !== before) break;
        }
      }
      if (welcomes === before) state = next.state; // otherwise the page has been told something newer meanwhile
      if (queue.length === 0) settle();
      else if (state?.view && !jumping) page.show(state.view, state.looking);
      markSeats();
    }
  } finally {
    showing = jumping = false;
    window.clearTimeout(hurrying);
    resume();
    main.removeAttribute("data-busy");
  }
}

/** Marks the panels of bots that are still warming up. */
function markSeats() {
  for (const panel of /** @type {NodeListOf<HTMLElement>} */ (host.panels.querySelectorAll(".panel[data-seat]"))) {
    const warm = !state?.seats[Number(panel.dataset.seat)]?.warming_up;
    const mark = panel.querySelector(".warming-up");
    if (warm) mark?.remove();
    else if (!mark) panel.append(el("span", { class: "badge warming-up", "data-help": "table.warming-up", tabindex: "0", text: t("table.warming-up") }));
  }
}

/** Shows everything as it stands now. */
function settle() {
  const now = current();
  main.dataset.status = now.status;
  if (now.view) page.show(now.view, now.looking);
  curtain.consider();
  page.offer(now.status === "running" ? now.offer : null, now.view);
  markSeats();
  hint.update(now);
  chances.show(now.status === "running" ? now.chances : null);
  people.show();
  status();
  text();
  tellShown(now);
  if (now.status === "over" || now.status === "left") result(boot, now, { name, badge });
  if (now.status === "over") void analyse();
}

/** Tells the table that the person who chooses has seen what happened: the clock starts. @param {State} now */
function tellShown(now) {
  const { looking: seat, version } = now;
  const word = `${version}:${seat}`;
  if (said === word || seat === null || now.status !== "running" || !now.waiting.includes(seat)) return;
  if (document.visibilityState === "hidden") return; // a hidden page has shown nothing
  said = word;
  socket.tell({ type: "shown", seat, version });
}

/** @type {import("./analysis.js").Analysis | null} */
let analysis = null;

/** Opens the analysis of a finished race. Its module is loaded when it is needed. */
async function analyse() {
  const { Analysis } = await import("./analysis.js");
  if (analysis) return analysis;
  analysis = new Analysis(byId("analysis"), boot, { name, badge, faction, words: (action) => page.phrase(action, null) });
  void analysis.begin();
  return analysis;
}

function text() {
  const lines = state?.view ? page.describe(state.view) : [];
  byId("text-panel").replaceChildren(...lines.map((line) => el("p", { text: line })));
}

/** Shows the status line over the board: whose turn it is, or a problem. */
function status() {
  const line = byId("status-line");
  /** @type {Node[]} */
  const parts = [];
  if (!connected) parts.push(el("strong", { class: "bad", text: t("table.reconnecting") }));
  else if (state) parts.push(...standing(state));
  line.replaceChildren(...parts);
  document.title = `${state?.offer ? "● " : ""}${boot.title} · Spina`;
}

/**
 * @param {State} now
 * @returns {Node[]}
 */
function standing(now) {
  if (now.status === "open" && now.begins !== null) return [el("span", { text: t("table.rematch.waiting") })];
  if (now.status === "open") return [el("span", { text: t("table.waiting.seats", { count: now.seats.filter((s) => s.kind === "open").length }) })];
  if (now.status === "over") return [el("strong", { text: t("table.over") })];
  if (now.status === "left") return [el("strong", { text: t("table.left") })];
  const away = now.own.find((seat) => now.seats[seat].away);
  const own = now.looking !== null && now.waiting.includes(now.looking);
  if (own && away === undefined) return [el("strong", { class: "your-turn", text: t("table.your-turn") })];
  const parts = [];
  if (now.retractable && latest?.retractable) {
    parts.push(
      el("span", { text: t("table.chosen") }),
      el("button", { class: "button take-back", type: "button", text: t("table.take-back"), on: { click: () => void host.retract() } }),
    );
  }
  if (away !== undefined) {
    parts.push(
      el("button", { class: "button primary", type: "button", text: t("table.back"), on: { click: () => void takeReins(away) } }),
    );
  }
  const names = el("span", { class: "waiting-for" }, ...now.waiting.map((seat) => badge(seat)));
  if (now.waiting.length) parts.push(el("span", { class: "row tight waiting-row" }, t("table.waiting"), names));
  return parts;
}

/** @param {number} seat */
async function takeReins(seat) {
  jump();
  await ask({ type: "back", seat });
  jump();
}

async function begin() {
  await load();
  void explain();
  const module = await import(boot.module);
  page = module.default(host);
  tabs(byId("tabs"));
  if (boot.replay) {
    const { Replay } = await import("./replay.js");
    const replay = new Replay(boot, page, log, {
      badge,
      setState: (now) => (state = now),
      text,
      judge(values, moment) {
        chances.show(values);
        analysis?.mark(moment);
      },
    });
    await replay.begin();
    if (current().status === "over") (await analyse()).mark(replay.moment);
    return;
  }
  controls(byId("controls"), jump);
  document.addEventListener("visibilitychange", () => {
    if (state && !showing) tellShown(state);
  });
  document.addEventListener("keydown", (event) => {
    if (event.target instanceof Element && event.target.closest("input, textarea, select, dialog")) return;
    if (page.key?.(event)) event.preventDefault();
    else if (event.key === "s") jump();
    else if (event.key === "?") void hint.open();
  });
  socket.connect();
}

void begin();
