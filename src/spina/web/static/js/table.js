// @ts-check
// The table page: it receives updates over the WebSocket, shows them one after the other, and sends choices. It decides
// nothing.

import { byId, el, nameTag, shape, spoken } from "./dom.js";
import { confirm, notice } from "./dialogs.js";
import { explain } from "./explain.js";
import { has, load, rich, t } from "./messages.js";
import { refusalWords } from "./refusals.js";
import { motion, resume, setTempo, skip } from "./motion.js";
import { Refused, Line as Socket } from "./socket.js";
import { Chances } from "./chances.js";
import { Chat } from "./chat.js";
import { Clock } from "./clock.js";
import { controls } from "./controls.js";
import { Curtain } from "./curtain.js";
import { Drawer } from "./drawer.js";
import { Finale } from "./finale.js";
import { Hint } from "./hint.js";
import { listen, pressOnce } from "./keys.js";
import { LiveText } from "./live-text.js";
import { Log } from "./log.js";
import { People } from "./people.js";
import { focusQuestion, forgetFocus, keepFocus } from "./question-focus.js";
import { sayValuesWith } from "./reasons.js";
import { result, tellRace } from "./result.js";
import { sound } from "./sound.js";
import { soundButton } from "./sound-control.js";
import { StatusLine } from "./status-line.js";
import { tabs } from "./tabs.js";
import { TurnCall } from "./turn-call.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Moment} Moment */
/** @typedef {import("./types.js").Host} Host */
/** @typedef {import("./types.js").GamePage} GamePage */
/** @typedef {import("./types.js").Boot} Boot */

/** How much slower than the rest the turn is shown that ends a race. */
const LAST_TURN = 0.6;

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

const live = new LiveText(byId("announcer"), { page: () => page, turnOf });
/** @param {string} text */
const announce = (text) => live.say(text);

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

/** The number of a seat's colour: what was chosen with the seat, unless the game gives it another. @param {number} seat */
function faction(seat) {
  return (page?.faction?.(seat) ?? state?.seats[seat]?.colour ?? seat) % 6;
}

/**
 * @param {number} seat
 * @param {boolean} [long]
 */
function badge(seat, long = true) {
  return el("span", { class: `emblem faction-${faction(seat)}` }, shape(faction(seat), long ? undefined : name(seat)), long && nameTag(name(seat)));
}

/**
 * The text of a refusal: the message for its kind, or else why.
 * @param {string} kind
 * @param {import("./types.js").Refusal | null} why
 */
const refusal = (kind, why) => (has(`table.refused.${kind}`) ? t(`table.refused.${kind}`) : t("table.refused", { reason: refusalWords(why) }));

/** The lesson that is taken here; its module is loaded where it is needed. @type {import("./lesson.js").Lesson | null} */
let lesson = null;

/** What the race after a lesson reminds of. @type {import("./reminders.js").Reminders | null} */
let reminders = null;

/** @param {unknown} error */
function complain(error) {
  if (!(error instanceof Refused)) throw error;
  if (error.code === "lesson" && lesson) return lesson.wrong(error.refusal);
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
  own: byId("own"),
  choice: byId("choice"),
  seats: boot.seats,
  first: boot.first,
  t,
  rich,
  name,
  badge,
  faction,
  state: current,
  announce,
  confirm,
  motion,
  sound,
  async play(actions) {
    const before = current();
    const { looking, version } = before;
    if (looking === null) return;
    call.chose();
    forgetFocus();
    state = { ...before, offer: null, waiting: before.waiting.filter((seat) => seat !== looking) };
    offer(null, before.view);
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

const chances = new Chances(byId("chances"), byId("chances-when"), name, faction);
const hint = new Hint(byId("hint"), byId("hint-button"), {
  game: boot.game,
  ask: async (seat) => /** @type {import("./protocol.d.ts").Hinted} */ (await ask({ type: "hint", seat })).advice,
  words: (action) => page.phrase(action, current().view),
  play: (action) => host.play([action]),
  advise: (action) => page?.advise?.(action),
  announce,
});
const call = new TurnCall(boot.title);
const log = new Log(byId("log"), byId("ticker"), (targets) => page?.light(targets));
const drawer = new Drawer(main);
const finale = new Finale(byId("finale"), { badge, name, faction });
const statusLine = new StatusLine(byId("status-line"), { badge, announce, retract: () => void host.retract(), comeBack: (seat) => void takeReins(seat) });
const clock = new Clock(byId("clock"), boot.clock, { button: byId("more-time"), ask: () => ask({ type: "more-time", seat: current().looking }), announce });
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
  call.see(message.state, message.moments);
  heardClock(message.state);
  welcomes += 1;
  live.clear();
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
  clock.heard(reading, !!latest && latest.looking !== null && latest.waiting.includes(latest.looking) && !latest.seats[latest.looking].away, latest?.more_time ?? false);
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

/**
 * Shows the chances to win, which are those at the beginning of the turn.
 * @param {number[] | null | undefined} values
 * @param {State["view"]} view
 */
function showChances(values, view) {
  chances.show(values, { word: boot.turnWord, turn: turnOf(view ?? {}), over: view?.over ?? false });
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
const NOTED = new Set(["start", "away", "back", "left", "rematch", "accept", "seat", "gone", "joined"]);

/** Adds a line about what is no event of the game, and returns it. @param {Moment} moment */
function note(moment) {
  if (!NOTED.has(moment.kind)) return "";
  const id = moment.seat === null ? `table.noted.${moment.kind}` : `table.noted.${moment.kind}.seat`;
  return log.note(id, moment.seat === null ? {} : { name: badge(moment.seat) });
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
      const ends = state?.status === "running" && next.state.status === "over";
      if (ends) setTempo(LAST_TURN);
      call.see(next.state, next.moments);
      if (lesson || !isAsked(next.state) || JSON.stringify(next.state.offer) !== JSON.stringify(state?.offer)) offer(null, next.state.view);
      for (const moment of next.moments) {
        if (welcomes !== before) break;
        const noted = note(moment);
        announce(moment.kind === "away" && next.state.own.includes(moment.seat ?? -1) ? t("table.run-out") : noted);
        for (const event of moment.events) {
          const line = page.line(event);
          live.happened(event, line ? log.add(line) : "", line?.tone, jumping);
          if (jumping) continue;
          await page.animate(event);
          if (welcomes !== before) break;
        }
      }
      if (welcomes === before) state = next.state; // otherwise the page has been told something newer meanwhile
      setTempo(1);
      if (ends && next.state.view) finale.show(next.state.view.ranking, !jumping);
      if (queue.length === 0) settle();
      else {
        if (state) live.stands(state);
        if (state?.view && !jumping) page.show(state.view, state.looking);
      }
      markSeats();
    }
  } finally {
    showing = jumping = false;
    setTempo(1);
    window.clearTimeout(hurrying);
    resume();
    refocus();
    main.removeAttribute("data-busy");
  }
}

/** Marks the panels of bots that are still warming up. */
function markSeats() {
  const panels = [host.panels, host.own].flatMap((place) => [...place.querySelectorAll(".panel[data-seat]")]);
  for (const panel of /** @type {HTMLElement[]} */ (panels)) {
    const warm = !state?.seats[Number(panel.dataset.seat)]?.warming_up;
    const mark = panel.querySelector(".warming-up");
    if (warm) mark?.remove();
    else if (!mark) panel.append(el("span", { class: "badge warming-up", "data-help": "table.warming-up", tabindex: "0", text: t("table.warming-up") }));
  }
}

/** Shows everything as it stands now. */
function settle() {
  const now = current();
  const focused = document.activeElement;
  main.dataset.status = now.status;
  live.stands(now);
  if (isAsked(now)) live.call();
  if (now.view) page.show(now.view, now.looking);
  curtain.consider();
  const fresh = offer(now.status === "running" ? now.offer : null, now.view);
  markSeats();
  hint.update(now);
  showChances(now.status === "running" ? now.chances : null, now.view);
  people.show();
  status();
  text();
  tellShown(now);
  lesson?.show(now);
  reminders?.show(now);
  call.settle(now);
  if (now.status === "over" || now.status === "left") result(boot, now, { name, badge });
  if (now.status === "over" && now.view) finale.show(now.view.ranking, false);
  if (now.status === "over") void analyse();
  refocus();
  if (fresh && isAsked(now)) live.ask(question(now), document.activeElement !== focused && document.activeElement?.tagName === "H2");
}

/** Whether a choice is asked of the person at this page. @param {State} now */
const isAsked = (now) => now.status === "running" && now.offer !== null && now.looking !== null && now.waiting.includes(now.looking) && !now.seats[now.looking].away;

/** What is asked, in words. @param {State} now */
function question(now) {
  const heading = host.choice.querySelector("h2");
  return page.question?.(now.offer, now.view) ?? (heading ? spoken(heading) : t("table.choice"));
}

/** The last offer that was shown, as text. */
let offered = "";

/**
 * Shows what can be chosen. The same question again, because others have chosen meanwhile, stays as it is.
 * @param {unknown} what
 * @param {State["view"]} view
 * @returns {boolean} whether it is shown anew
 */
function offer(what, view) {
  const now = `${state?.looking}:${JSON.stringify(what ?? null)}`;
  if (what && !lesson && now === offered) return false; // steps of a lesson may ask the same in another position
  offered = now;
  page.offer(what, view);
  return true;
}

/** Puts a lost focus on what is asked, or on the result. */
function refocus() {
  if (state?.status === "running" && state.offer && !lesson) focusQuestion(host.choice);
  else if (state?.status === "over") focusQuestion(byId("foyer"));
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

/** Opens the analysis of a finished race. Its module is loaded when it is needed. @param {() => void} [judged] */
async function analyse(judged) {
  const { Analysis } = await import("./analysis.js");
  if (analysis) return analysis;
  analysis = new Analysis(byId("analysis"), boot, {
    name,
    badge,
    faction,
    words: (action) => page.phrase(action, null),
    told: (points) => tellRace(boot, state?.view?.ranking ?? [], points, name),
    judged,
  });
  void analysis.begin();
  return analysis;
}

function text() {
  const lines = state?.view ? page.describe(state.view) : [];
  byId("text-panel").replaceChildren(...lines.map((line) => el("p", { text: line })));
}

/** Shows the status line over the board, and in the title whether something is asked. */
function status() {
  statusLine.show(state, { connected, retractable: latest?.retractable ?? false });
  document.title = `${state?.offer ? "● " : ""}${boot.title} · Spina`;
}

/** @param {number} seat */
async function takeReins(seat) {
  jump();
  await ask({ type: "back", seat });
  jump();
}

/** Shows a race that was raced, moment by moment. */
async function watchAgain() {
  byId("controls").append(soundButton(), el("a", { class: "button quiet back-link", href: `/t/${boot.id}`, "aria-label": t("replay.table") }, "←", el("span", { class: "back-word", text: t("replay.table") })));
  const wide = window.matchMedia("(min-width: 64.0625rem)");
  wide.addEventListener("change", () => drawer.show(wide.matches));
  drawer.show(wide.matches);
  for (const id of ["tab-chat", "tab-people"]) byId(id).hidden = true;
  const [{ Replay }, { Comparison }] = await Promise.all([import("./replay.js"), import("./comparison.js")]);
  const comparison = new Comparison(byId("comparison"), boot.game, page, badge);
  const compare = () => comparison.show(analysis?.costlyAt(replay.moment, replay.seat) ?? null, current().view);
  const replay = new Replay(boot, page, log, {
    badge,
    name,
    setState: (now) => (state = now),
    text,
    judge(values, moment) {
      const turn = t(boot.turnWord === "round" ? "analysis.round" : "analysis.turn", { turn: turnOf(current().view ?? {}) });
      byId("status-line").replaceChildren(el("strong", { text: turn }));
      showChances(values, current().view);
      analysis?.mark(moment);
      compare();
    },
  });
  await replay.begin();
  if (current().status === "over") (await analyse(compare)).mark(replay.moment);
}

async function begin() {
  await load();
  void explain();
  const module = await import(boot.module);
  page = module.default(host);
  sayValuesWith((name, value) => page.say?.(name, value) ?? null);
  tabs(byId("tabs"));
  pressOnce();
  if (boot.replay) return watchAgain();
  if (boot.lesson) {
    const { Lesson } = await import("./lesson.js");
    lesson = new Lesson(boot, { announce, place: (name) => page.place?.(name) ?? null });
  }
  if (boot.reminders.length) {
    const { Reminders } = await import("./reminders.js");
    reminders = new Reminders(byId("reminder"), boot, announce);
  }
  keepFocus(host.choice, refocus);
  controls(byId("controls"), jump, () => page.keys);
  document.addEventListener("visibilitychange", () => {
    if (state && !showing) tellShown(state);
  });
  listen({ choice: host.choice, page, acts: { s: jump, "?": () => void hint.open() } });
  socket.connect();
}

void begin();
