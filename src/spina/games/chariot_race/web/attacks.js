// @ts-check
// The attacks that can be made after a move: javelins at chariots in range, caltrops on spaces that were driven over.

import { el, shape } from "../../../web/static/js/dom.js";
import { number } from "../../../web/static/js/keys.js";
import { rove } from "../../../web/static/js/roving.js";

/** @typedef {import("./choice.js").Choice} Choice */
/** @typedef {import("./types.d.ts").AttackOffer} AttackOffer */

/** Which attack, if any? @param {Choice} choice */
export function attacks(choice) {
  const { words, board, panels } = choice;
  const offered = choice.asked.attacks ?? [];
  const javelins = offered.filter((one) => one.kind === "javelin");
  const caltrops = offered.filter((one) => one.kind === "caltrop");
  // a chariot in range may stand where a caltrop may lie: its space on the board is for the javelin, the list has both
  const bySpace = new Map([...caltrops, ...javelins].map((one) => [one.space, one]));
  /** @type {AttackOffer | null} */
  let pointed = null;
  const point = (/** @type {AttackOffer | null} */ one) => {
    pointed = one;
    board.point(one?.space ?? null);
    panels.foresee(one?.target ?? null, { condition: one?.condition });
    for (const button of choice.host.choice.querySelectorAll(".cr-attack")) button.classList.toggle("pointed", button.getAttribute("data-action") === one?.action);
  };
  board.ends(
    [...bySpace.values()].map((one) => ({ space: one.space, label: one.kind === "javelin" ? `−${one.damage}` : "", tone: one.kind === "javelin" ? "target" : "trap" })),
    {
      enter: (space) => point(bySpace.get(space) ?? null),
      leave: () => point(null),
      pick: (space, touch) => {
        const one = bySpace.get(space);
        if (!one) return;
        if (touch && pointed !== one) point(one);
        else void choice.send([one.action]);
      },
    },
  );
  board.look(choice.asked.chariot, [...bySpace.keys()]);
  const make = (/** @type {AttackOffer} */ one, /** @type {(Node | string | null)[]} */ content) =>
    choice.button({ action: one.action, kind: `cr-attack ${one.kind}${one.kind === "javelin" ? " deciding" : ""}`, on: { ...choice.pointing(() => point(one), () => point(null)) } }, ...content);
  const throws = javelins.map((one) => {
    const { target = 0, condition = 0 } = one;
    return make(one, [
      shape(words.faction(target)),
      el("span", { text: words.called(target) }),
      choice.tag(choice.t("change.condition", { before: choice.race.chariots[target].condition, after: condition }), "bad"),
      one.wrecked ? choice.tag(choice.t("attack.wrecks"), "grave") : null,
      one.own ? choice.tag(choice.t("attack.own"), "grave") : null,
    ]);
  });
  const drops = caltrops.map((one) =>
    make(one, [
      el("b", { text: words.spaces[one.space].name }),
      one.safe ? el("span", { class: "small soft", text: choice.t("attack.corner", { safe: one.safe }) }) : null,
      one.under === null || one.under === undefined ? null : el("span", { class: "small soft", text: choice.t("attack.under", { chariot: words.called(one.under) }) }),
    ]),
  );
  number([...throws, ...drops]);
  const group = (/** @type {"javelin" | "caltrop"} */ kind, /** @type {HTMLElement[]} */ buttons) =>
    buttons.length ? el("div", { class: "cr-group" }, el("h3", { "data-help": `chariot-race.${kind}`, text: choice.t(`attack.${kind}`) }), rove(el("div", { class: "cr-options", role: "toolbar", "aria-label": choice.t(`attack.${kind}`) }, ...buttons))) : null;
  choice.foot.append(choice.button({ action: "no attack", kind: "deciding", key: "0" }, choice.t("attack.none")));
  return [
    el("p", { class: "small soft", text: choice.t("attack.left", { count: choice.race.attacks, supply: choice.race.supply }) }),
    group("javelin", throws),
    group("caltrop", drops),
  ];
}
