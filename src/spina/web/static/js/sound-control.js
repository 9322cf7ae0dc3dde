// @ts-check
// The button for sound, beside the one for speed. What it opens is loaded when it is first pressed.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./messages.js";
import { isOn } from "./sound.js";

const ID = "sound-settings";

/** A button that opens the settings of sound and calls. */
export function soundButton() {
  const label = () => t(isOn() ? "sound.button.on" : "sound.button.off");
  const sign = () => icon(isOn() ? "sound" : "silent");
  const button = el("button", {
    class: "button quiet icon sound-button",
    type: "button",
    "aria-label": label(),
    "aria-haspopup": "dialog",
    "aria-expanded": false,
    on: { click: () => void open() },
  }, sign());

  function show() {
    button.replaceChildren(sign());
    button.setAttribute("aria-label", label());
  }

  let asked = false;
  async function open() {
    if (asked) return; // from the second click on the browser itself opens and closes them
    asked = true;
    try {
      const { makeSettings } = await import("./sound/settings.js");
      const settings = await makeSettings(ID, button, show);
      button.popoverTargetElement = settings;
      settings.showPopover();
    } catch {
      asked = false; // the line is down
    }
  }
  return button;
}
