// @ts-check
// The set-up page. The server checks every change and says what is wrong; the page decides nothing.

import { botLine, botName } from "./bots.js";
import { byId, el, shape } from "./dom.js";
import { load, messageOr, t } from "./messages.js";
import { refusalWords } from "./refusals.js";

/** @typedef {import("./types.js").Refusal} Refusal */
/** @typedef {import("./types.js").Setting} Setting */
/** @typedef {import("./types.js").Described} Described */
/** @typedef {import("./types.js").SetupPart} SetupPart */
/**
 * @typedef {{kind: "me" | "open" | "bot" | "screen", bot?: string, name?: string, team: number}} Seat
 * @typedef {{game: string, preset: string, seat_counts: [number, number], seats: Omit<Seat, "team">[], bots: string[],
 *   usual_bot: string, module: string | null} & Described} Data
 */

const KINDS = /** @type {const} */ (["me", "screen", "open", "bot"]);
const CHECK_DELAY = 250;
const LONGEST_NAME = 24;
const LARGEST_EDITION = 48_000;

const data = /** @type {Data} */ (JSON.parse(byId("setup-data").textContent ?? "{}"));
/** @type {Seat[]} */
let seats = data.seats.map((seat, index) => ({ ...seat, team: (index % 2) + 1 }));
/** @type {Record<string, unknown>} */
let options = {};
/** @type {Described} */
let described = data;
/** What the game itself adds to the page. @type {SetupPart | null} */
let part = null;
/** @type {string | null} */
let edition = null;
let teams = false;
let sending = false;
let hintsDecided = false;

/** @param {string} id */
const control = (id) => /** @type {HTMLInputElement} */ (byId(id));

/** @param {string} name */
const setting = (name) => described.settings.find((each) => each.name === name);

/** @param {Setting} each */
const fits = (each) => !each.seats.length || each.seats.includes(seats.length);

/** @param {number} seat */
const factionName = (seat) => t(`faction.${seat % 6}`);

/** @param {number} seat */
function seatName(seat) {
  const place = seats[seat];
  if (place.kind === "screen") return place.name?.trim() || factionName(seat);
  return place.kind === "bot" ? botName(data.game, place.bot ?? "") : t(`setup.kind.${place.kind}`);
}

/** The name of an option as a label. @param {string} name */
const readable = (name) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

// --- what is sent ---

function body() {
  /** @type {Record<string, unknown>} */
  const chosen = {};
  for (const each of described.settings) {
    if (each.name === "teams") {
      if (teams && seats.length > 1) chosen.teams = seats.map((seat) => seat.team);
    } else if (each.kind !== "design" && fits(each)) {
      chosen[each.name] = options[each.name];
    }
  }
  Object.assign(chosen, part?.values?.());
  return {
    game: data.game,
    seats: seats.map((seat, index) => {
      if (seat.kind === "bot") return { kind: "bot", bot: seat.bot };
      return seat.kind === "screen" ? { kind: "screen", name: seatName(index) } : { kind: seat.kind };
    }),
    options: chosen,
    edition,
    clock: control("clock").value ? Number(control("clock").value) : null,
    watching: control("watching").value,
    first: control("first").checked,
    hints: control("hints").checked,
  };
}

/**
 * @param {string} url
 * @param {unknown} content
 */
async function post(url, content) {
  const text = typeof content === "string";
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": text ? "text/plain; charset=utf-8" : "application/json" },
    body: text ? content : JSON.stringify(content),
  });
  const answer = await response.json().catch(() => ({}));
  return { ok: response.ok, answer };
}

// --- problems, shown beside what they are about ---

/** The id of the place beside which a problem is shown, and its text. @param {string | Refusal} problem */
function located(problem) {
  if (typeof problem === "string") return { place: "problem", text: problem };
  const found = part?.problem?.(problem);
  if (found) return { place: found.place, text: refusalWords(found.refusal) };
  const option = problem.parameters.option;
  return { place: option ? `problem-${option}` : "problem", text: refusalWords(problem) };
}

/** @param {string | Refusal | null} problem our own text, or what the server refused */
function showProblem(problem) {
  for (const place of document.querySelectorAll(".problem")) {
    /** @type {HTMLElement} */ (place).hidden = true;
    place.textContent = "";
    const owner = document.querySelector(`[aria-describedby~="${place.id}"]`);
    owner?.removeAttribute("aria-invalid");
  }
  const start = byId("start");
  start.toggleAttribute("aria-disabled", problem !== null);
  if (problem !== null) start.setAttribute("aria-disabled", "true");
  if (problem === null) return;
  const found = located(problem);
  const place = document.getElementById(found.place) ?? byId("problem");
  place.textContent = found.text;
  place.hidden = false;
  document.querySelector(`[aria-describedby~="${place.id}"]`)?.setAttribute("aria-invalid", "true");
  if (place.id !== "problem") {
    const also = byId("problem");
    also.textContent = t("setup.problem.above");
    also.hidden = false;
  }
}

/** @type {number | undefined} */
let timer;
let asked = 0;

function check() {
  window.clearTimeout(timer);
  timer = window.setTimeout(async () => {
    const number = ++asked;
    try {
      const { ok, answer } = await post("/api/check", body());
      if (number !== asked || sending) return;
      showProblem(ok && answer.ok ? null : (answer.refusal ?? t("setup.problem.unknown")));
    } catch {
      if (number === asked) showProblem(t("setup.problem.away"));
    }
  }, CHECK_DELAY);
}

// --- seats ---

/** @param {string} focus id of the element that has the focus afterwards */
function changed(focus = "") {
  showSeats();
  showOptions();
  part?.show?.();
  showSummary();
  if (focus) document.getElementById(focus)?.focus();
  check();
}

/**
 * @param {string} id
 * @param {string} label
 * @param {{value: string, text: string}[]} choices
 * @param {string} value
 * @param {(value: string) => void} change
 * @param {string} [extra] classes
 */
function select(id, label, choices, value, change, extra = "") {
  return el(
    "select",
    { class: `select ${extra}`, id, "aria-label": label, on: { change: (event) => change(/** @type {HTMLSelectElement} */ (event.target).value) } },
    ...choices.map((choice) => el("option", { value: choice.value, selected: choice.value === value, text: choice.text })),
  );
}

/**
 * @param {Seat} seat
 * @param {number} index
 */
function detail(seat, index) {
  const number = { seat: index + 1 };
  if (seat.kind === "bot") {
    const levels = data.bots.map((bot) => ({ value: bot, text: botName(data.game, bot) }));
    const level = select(`bot-${index}`, t("setup.seat.level", number), levels, seat.bot ?? data.usual_bot, (value) => {
      seat.bot = value;
      changed(`bot-${index}`);
    });
    return [level, el("span", { class: "soft small", text: botLine(data.game, seat.bot ?? "") })];
  }
  if (seat.kind === "screen") {
    const name = el("input", {
      class: "input",
      id: `name-${index}`,
      "aria-label": t("setup.seat.name", number),
      maxlength: LONGEST_NAME,
      placeholder: factionName(index),
      value: seat.name ?? "",
      autocomplete: "off",
      on: {
        input: (event) => {
          seat.name = /** @type {HTMLInputElement} */ (event.target).value;
          showSummary();
          part?.show?.();
          check();
        },
      },
    });
    return [name];
  }
  return [el("span", { class: "soft small", text: t(`setup.kind.${seat.kind}.line`) })];
}

function showSeats() {
  const [low, high] = data.seat_counts;
  const mine = seats.some((seat) => seat.kind === "me");
  byId("seats").replaceChildren(
    ...seats.map((seat, index) => {
      const kinds = KINDS.filter((kind) => kind !== "me" || !mine || seat.kind === "me");
      const number = { seat: index + 1 };
      return el(
        "li",
        { class: "seat" },
        shape(index, factionName(index)),
        select(
          `kind-${index}`,
          t("setup.seat.kind", number),
          kinds.map((kind) => ({ value: kind, text: t(`setup.kind.${kind}`) })),
          seat.kind,
          (value) => {
            seat.kind = /** @type {Seat["kind"]} */ (value);
            if (value === "bot") seat.bot ??= data.usual_bot;
            changed(`kind-${index}`);
          },
        ),
        el("div", { class: "detail" }, ...detail(seat, index)),
        teams && setting("teams")
          ? select(
              `team-${index}`,
              t("setup.seat.team", number),
              seats.map((_, team) => ({ value: String(team + 1), text: t("setup.team", { team: team + 1 }) })),
              String(seat.team),
              (value) => {
                seat.team = Number(value);
                changed(`team-${index}`);
              },
              "team",
            )
          : null,
        el(
          "button",
          {
            type: "button",
            class: "button quiet icon remove",
            id: `remove-${index}`,
            "aria-label": t("setup.seat.remove", number),
            disabled: seats.length <= low,
            on: {
              click: () => {
                seats.splice(index, 1);
                changed(seats.length > low ? `remove-${Math.min(index, seats.length - 1)}` : "add-seat");
              },
            },
          },
          "✕",
        ),
      );
    }),
  );
  const add = /** @type {HTMLButtonElement} */ (byId("add-seat"));
  add.disabled = seats.length >= high;
  byId("seats-hint").textContent = t("setup.seats.hint", { low, high });
}

// --- options ---

/**
 * @param {Setting} each
 * @returns {{value: string, text: string}[]}
 */
function choicesOf(each) {
  const own = part?.choices?.(each);
  if (own) return own;
  if (each.kind === "choice") {
    return each.choices.map((choice) => ({ value: choice, text: messageOr(`setup.choice.${each.name}.${choice.toLowerCase()}`, choice) }));
  }
  return Array.from({ length: each.high - each.low + 1 }, (_, index) => String(each.low + index)).map((number) => ({ value: number, text: number }));
}

/** Sets an option and shows what follows from it. @param {string} name @param {unknown} value */
function choose(name, value) {
  if (name === "teams") teams = Boolean(value);
  else options[name] = value;
  part?.chosen?.(name);
  changed(`option-${name}`);
}

/** @param {Setting} each */
function optionField(each) {
  const id = `option-${each.name}`;
  const name = messageOr(`setup.option.${each.name}`, readable(each.name));
  const hint = messageOr(`setup.option.${each.name}.hint`, "");
  const problem = el("span", { class: "problem", id: `problem-${each.name}`, role: "alert", hidden: true });
  if (each.kind === "switch" || each.name === "teams") {
    const on = each.name === "teams" ? teams : options[each.name];
    const box = el("input", {
      type: "checkbox",
      id,
      checked: Boolean(on),
      "aria-describedby": problem.id,
      on: { change: () => choose(each.name, box.checked) },
    });
    return el(
      "div",
      { class: "field" },
      el("label", { class: "check" }, box, el("span", {}, el("strong", { text: name }), el("br"), el("span", { class: "soft small", text: hint }))),
      problem,
    );
  }
  const choice = el(
    "select",
    {
      class: "select",
      id,
      "aria-describedby": `${id}-hint ${problem.id}`,
      on: { change: () => choose(each.name, each.kind === "number" ? Number(choice.value) : choice.value) },
    },
    ...choicesOf(each).map(({ value, text }) => el("option", { value, text, selected: value === String(options[each.name]) })),
  );
  return el("div", { class: "field" }, el("label", { for: id, text: name }), choice, el("span", { class: "hint", id: `${id}-hint`, text: hint }), problem);
}

function showOptions() {
  const shown = described.settings.filter((each) => each.kind !== "design" && fits(each) && (each.name !== "teams" || seats.length > 2));
  byId("options-section").hidden = !shown.length;
  byId("options").replaceChildren(...shown.map(optionField));
}

// --- the summary ---

function showSummary() {
  const open = seats.filter((seat) => seat.kind === "open").length;
  // among people who are not at the same screen there are hints only if the host wants them
  if (!hintsDecided) control("hints").checked = open === 0;
  byId("summary").replaceChildren(
    ...seats.map((_, index) => el("li", { class: "emblem" }, shape(index), el("span", { class: "cut", text: seatName(index) }))),
  );
  byId("start").textContent = open ? t("setup.start.open") : t("setup.start");
  byId("start-hint").textContent = open ? t("setup.start.open.hint", { count: open }) : t("setup.start.hint");
}

// --- editions ---

/** @param {Described} to */
function take(to) {
  described = to;
  options = Object.fromEntries(to.settings.filter((each) => each.kind !== "design" && each.name !== "teams").map((each) => [each.name, each.default]));
  part?.take(to);
}

/** @param {{line: number | null, text?: string, refusal?: Refusal}[]} problems */
function showEditionProblems(problems) {
  byId("edition-problems").replaceChildren(
    ...problems.map(({ line, text, refusal }) => {
      const words = text ?? refusalWords(refusal);
      return el("li", {}, line === null ? null : el("strong", { text: t("setup.edition.line", { line }) }), line === null ? words : ` ${words}`);
    }),
  );
  control("edition").toggleAttribute("aria-invalid", problems.length > 0);
  if (problems.length) control("edition").setAttribute("aria-invalid", "true");
}

async function readEdition() {
  const file = control("edition").files?.[0];
  if (!file) return;
  if (file.size > LARGEST_EDITION) {
    showEditionProblems([{ line: null, text: t("setup.edition.large") }]);
    return;
  }
  const text = await file.text();
  try {
    const { ok, answer } = await post(`/new/${data.game}/settings`, text);
    const fine = ok && answer.ok;
    showEditionProblems(answer.problems ?? (fine ? [] : [answer.refusal ? { line: null, refusal: answer.refusal } : { line: null, text: t("setup.problem.unknown") }]));
    if (!fine) return;
    edition = text;
    take(answer);
    byId("edition-name").textContent = answer.edition ?? t("setup.edition.usual");
    byId("edition-used").hidden = false;
    changed();
  } catch {
    showEditionProblems([{ line: null, text: t("setup.problem.away") }]);
  }
}

function dropEdition() {
  edition = null;
  control("edition").value = "";
  byId("edition-used").hidden = true;
  showEditionProblems([]);
  take(data);
  changed("edition");
}

// --- sending, and the start of the page ---

/** @param {SubmitEvent} event */
async function start(event) {
  event.preventDefault();
  if (sending) return;
  sending = true;
  const button = byId("start");
  button.setAttribute("aria-busy", "true");
  byId("start-hint").textContent = t("setup.starting");
  try {
    const { ok, answer } = await post("/api/tables", body());
    if (ok) {
      window.location.assign(`/t/${answer.id}`);
      return;
    }
    showSummary();
    showProblem(answer.refusal ?? t("setup.problem.unknown"));
  } catch {
    showSummary();
    showProblem(t("setup.problem.away"));
  }
  button.removeAttribute("aria-busy");
  sending = false;
}

await load();
take(data);
if (data.module) part = (await import(data.module)).default({ place: byId("part"), options: () => options, seats: () => seats.length, seatName, changed }, data);
byId("add-seat").addEventListener("click", () => {
  const last = seats[seats.length - 1];
  const kind = last.kind === "me" ? "bot" : last.kind;
  seats = [...seats, { kind, bot: last.bot ?? data.usual_bot, team: (seats.length % 2) + 1 }];
  changed(seats.length < data.seat_counts[1] ? "add-seat" : `kind-${seats.length - 1}`);
});
byId("edition").addEventListener("change", () => void readEdition());
byId("edition-drop").addEventListener("click", dropEdition);
for (const id of ["clock", "watching", "first", "hints"]) byId(id).addEventListener("change", check);
byId("hints").addEventListener("change", () => (hintsDecided = true));
byId("setup").addEventListener("submit", (event) => void start(/** @type {SubmitEvent} */ (event)));
changed();
byId("setup").classList.add("complete");
