// @ts-check
// After the race: who won, and what to do next.

import { ask } from "./requests.js";
import { countdown } from "./clock.js";
import { percent } from "./chances.js";
import { byId, el } from "./dom.js";
import { t } from "./messages.js";
import { complain } from "./people.js";
import { raceStory } from "./race-story.js";

/** @typedef {import("./types.js").State} State */

let shownFor = "";

/**
 * @param {import("./types.js").Boot} boot
 * @param {State} state
 * @param {{name: (seat: number) => string, badge: (seat: number) => HTMLElement}} page
 */
export function result(boot, state, page) {
  const home = byId("foyer");
  const mark = `${state.version}:${state.rematch}`;
  if (shownFor === mark && home.querySelector(".result")) return;
  shownFor = mark;
  /** @type {number[][]} */
  const ranking = state.view?.over ? state.view.ranking : [];
  let place = 1;
  const places = ranking.map((seats) => {
    const row = el(
      "li",
      { class: `row place-${place}` },
      el("strong", { class: "place", text: t("table.place", { place }) }),
      ...seats.map((seat) => page.badge(seat)),
    );
    place += seats.length;
    return row;
  });
  const winners = (ranking[0] ?? []).map((seat) => page.name(seat));
  const buttons = [];
  if (state.view) buttons.push(el("a", { class: "button", href: `/t/${boot.id}/replay`, text: t("table.replay") }));
  if (state.status === "over") buttons.push(el("a", { class: "button", href: `/t/${boot.id}/file`, download: true, text: t("table.export") }));
  const asked = state.rematch !== null && state.own.length > 0;
  if (state.rematch && !asked) buttons.unshift(el("a", { class: "button primary", href: `/t/${state.rematch}`, text: t("table.rematch.go") }));
  else if (state.own.length) {
    buttons.unshift(
      el("button", {
        class: "button primary",
        type: "button",
        text: t(asked ? "table.rematch.accept" : "table.rematch"),
        on: {
          click: () =>
            ask(`/api/tables/${boot.id}/rematch`, {})
              .then(({ id }) => (location.href = `/t/${id}`))
              .catch(complain),
        },
      }),
    );
  }
  const [first, ...others] = buttons;
  home.replaceChildren(
    el(
      "section",
      { class: "card stack tight result" },
      el("h2", { text: winners.length ? t("table.wins", { count: winners.length, names: winners.join(", ") }) : t("table.left") }),
      el("div", { class: "race-story", id: "race-story" }),
      asked && countdown(state.beginsAt, "table.rematch.begins"),
      el("div", { class: "row result-first" }, first, el("a", { class: "button quiet", href: "/", text: t("table.home") })),
      others.length > 0 && el("div", { class: "row" }, ...others),
    ),
    el("section", { class: "card stack tight result-more", "aria-label": t("table.places") }, el("ol", { class: "places" }, ...places), state.seed ? fairness(state) : null),
  );
}

/**
 * Tells the race in three sentences, once its chances are known.
 * @param {import("./types.js").Boot} boot
 * @param {number[][]} ranking
 * @param {import("./analysis.js").Point[]} points one for each turn
 * @param {(seat: number) => string} name
 */
export function tellRace(boot, ranking, points, name) {
  const turn = (/** @type {number} */ number) => t(boot.turnWord === "round" ? "race-story.round" : "race-story.turn", { turn: number });
  const sentences = raceStory(points, ranking, { name, percent, turn });
  document.getElementById("race-story")?.replaceChildren(...sentences.map(({ id, params }) => el("p", { text: t(id, params) })));
}

/** The seed, opened, and a check that it is the one that was sealed before the start. @param {State} state */
function fairness(state) {
  const verdict = el("p", { class: "small" });
  const start = state.start?.fingerprint;
  const check = async () => {
    const parts = start ? [state.seed, state.salt, start] : [state.seed, state.salt];
    const data = new TextEncoder().encode(parts.join(":"));
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
    const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const same = hash === state.commitment;
    verdict.className = `small ${same ? "good" : "bad"}`;
    verdict.textContent = t(same ? "table.fair.yes" : "table.fair.no");
  };
  return el(
    "details",
    { class: "fair", on: { toggle: () => void check() } },
    el("summary", { text: t("table.fair") }),
    el("p", { class: "small", text: t(start ? "table.fair.how.start" : "table.fair.how") }),
    el(
      "dl",
      { class: "small facts" },
      el("dt", { text: t("table.fair.seed") }),
      el("dd", { text: state.seed ?? "" }),
      el("dt", { text: t("table.fair.salt") }),
      el("dd", { text: state.salt ?? "" }),
      ...(start ? [el("dt", { text: t("table.fair.start") }), el("dd", { text: start })] : []),
      el("dt", { text: t("table.fair.commitment") }),
      el("dd", { text: state.commitment }),
    ),
    verdict,
  );
}
