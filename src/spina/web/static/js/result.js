// @ts-check
// After the race: who won, and what to do next.

import { ask } from "./requests.js";
import { countdown } from "./clock.js";
import { byId, el } from "./dom.js";
import { t } from "./messages.js";
import { complain } from "./people.js";

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
  home.replaceChildren(
    el(
      "section",
      { class: "card stack result" },
      el("h2", { text: winners.length ? t("table.wins", { count: winners.length, names: winners.join(", ") }) : t("table.left") }),
      el("ol", { class: "places" }, ...places),
      asked && countdown(state.beginsAt, "table.rematch.begins"),
      el("div", { class: "row" }, ...buttons, el("a", { class: "button quiet", href: "/", text: t("table.home") })),
      state.seed ? fairness(state) : null,
    ),
  );
}

/** The seed, opened, and a check that it is the one that was sealed before the start. @param {State} state */
function fairness(state) {
  const verdict = el("p", { class: "small" });
  const check = async () => {
    const data = new TextEncoder().encode(`${state.seed}:${state.salt}`);
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
    el("p", { class: "small", text: t("table.fair.how") }),
    el(
      "dl",
      { class: "small facts" },
      el("dt", { text: t("table.fair.seed") }),
      el("dd", { text: state.seed ?? "" }),
      el("dt", { text: t("table.fair.salt") }),
      el("dd", { text: state.salt ?? "" }),
      el("dt", { text: t("table.fair.commitment") }),
      el("dd", { text: state.commitment }),
    ),
    verdict,
  );
}
