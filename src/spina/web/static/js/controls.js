// @ts-check
// The buttons for the speed of animations.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./messages.js";
import { currentSpeed, setSpeed, SPEEDS } from "./motion.js";

/** A button that goes through the speeds. */
export function speedButton() {
  const label = () => t("table.speed", { speed: currentSpeed() });
  const button = el("button", {
    class: "button quiet speed",
    type: "button",
    "aria-label": label(),
    "data-help": "table.speed",
    text: `${currentSpeed()}×`,
    on: {
      click: () => {
        setSpeed(SPEEDS[(SPEEDS.indexOf(currentSpeed()) + 1) % SPEEDS.length]);
        button.textContent = `${currentSpeed()}×`;
        button.setAttribute("aria-label", label());
      },
    },
  });
  return button;
}

/**
 * @param {HTMLElement} home
 * @param {() => void} skip
 */
export function controls(home, skip) {
  home.replaceChildren(
    speedButton(),
    el("button", {
      class: "button quiet icon skip-motion",
      type: "button",
      "aria-label": t("table.skip"),
      "data-help": "table.skip",
      on: { click: skip },
    }, icon("last")),
  );
}
