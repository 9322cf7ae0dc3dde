// @ts-check
// The buttons for the speed of animations, for sound and for keys.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./messages.js";
import { currentSpeed, setSpeed, SPEEDS } from "./motion.js";
import { soundButton } from "./sound-control.js";

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
 * A button that tells which keys there are, and switches those of a single character on and off.
 * @param {() => import("./types.js").GamePage["keys"]} keys of the game
 */
function keysButton(keys) {
  const open = async () => {
    const { showKeys } = await import("./key-list.js");
    showKeys(keys() ?? []);
  };
  return el("button", {
    class: "button quiet icon keys-button",
    type: "button",
    "aria-label": t("keys.title"),
    "aria-haspopup": "dialog",
    "data-help": "keys",
    on: { click: () => void open().catch(() => {}) }, // the line is down: it can be pressed again
  }, icon("keys"));
}

/**
 * @param {HTMLElement} home
 * @param {() => void} skip
 * @param {() => import("./types.js").GamePage["keys"]} keys of the game
 */
export function controls(home, skip, keys) {
  home.replaceChildren(
    speedButton(),
    el("button", {
      class: "button quiet icon skip-motion",
      type: "button",
      "aria-label": t("table.skip"),
      "data-help": "table.skip",
      on: { click: skip },
    }, icon("last")),
    soundButton(),
    keysButton(keys),
  );
}
