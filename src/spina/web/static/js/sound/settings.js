// @ts-check
// The settings of sound and words: a switch and a volume, and switches for notifications of the browser and for what
// screen readers say.

import { el } from "../dom.js";
import { setTellsAll, tellsAll } from "../live-text.js";
import { t } from "../messages.js";
import { currentVolume, isOn, setOn, setVolume, sound } from "../sound.js";
import { canNotify, notifies, setNotifies } from "../turn-call.js";

const STYLE = new URL("../../css/sound.css", import.meta.url).href;
const EDGE = 8;

/** Why notifications cannot be switched on, as the id of a message; null: they can. */
function obstacle() {
  if (!window.isSecureContext) return "sound.notify.insecure";
  if (!canNotify()) return "sound.notify.none";
  return Notification.permission === "denied" ? "sound.notify.denied" : null;
}

/**
 * Makes the settings and puts them into the page, closed.
 * @param {string} id
 * @param {HTMLElement} button that opens them
 * @param {() => void} changed the switch was turned
 */
export async function makeSettings(id, button, changed) {
  await loadStyle();
  const volume = el("input", {
    type: "range",
    id: `${id}-volume`,
    min: 0,
    max: 100,
    step: 5,
    value: Math.round(currentVolume() * 100),
    disabled: !isOn(),
    on: {
      input: () => setVolume(Number(volume.value) / 100),
      change: () => sound("knock"),
    },
  });
  const power = toggle("sound.switch", "sound.switch.what", isOn(), (wanted) => {
    setOn(wanted);
    volume.disabled = !wanted;
    changed();
    if (wanted) sound("knock");
  });
  power.input.autofocus = true;
  const calls = toggle("sound.notify", obstacle() ?? "sound.notify.what", notifies(), async (wanted) => {
    const works = await setNotifies(wanted);
    calls.input.checked = works;
    calls.explain(wanted && !works ? (obstacle() ?? "sound.notify.none") : "sound.notify.what");
  });
  calls.input.disabled = obstacle() !== null;
  const box = el(
    "div",
    { id, class: "sound-settings stack tight", popover: "auto", role: "dialog", "aria-label": t("sound.title") },
    power.label,
    el("div", { class: "sound-volume" }, el("label", { for: volume.id, text: t("sound.volume") }), volume),
    calls.label,
    toggle("live-text.full", "live-text.full.what", tellsAll(), setTellsAll).label,
  );
  box.addEventListener("toggle", (event) => {
    const opened = /** @type {ToggleEvent} */ (event).newState === "open";
    button.setAttribute("aria-expanded", String(opened));
    if (opened) place(box, button);
  });
  window.addEventListener("resize", () => box.matches(":popover-open") && place(box, button));
  button.setAttribute("aria-controls", id);
  button.after(box); // the next stop of the tabulator
  return box;
}

/**
 * A switch with a line that explains it.
 * @param {string} id of the message
 * @param {string} what id of the explanation
 * @param {boolean} checked
 * @param {(wanted: boolean) => void} act
 */
function toggle(id, what, checked, act) {
  const words = el("span", { class: "small soft", id: `${id}-what`, text: t(what) });
  const input = el("input", { type: "checkbox", role: "switch", checked, "aria-describedby": words.id, on: { change: () => act(input.checked) } });
  const name = el("span", { text: t(id), id: `${id}-name` });
  input.setAttribute("aria-labelledby", name.id);
  const label = el("label", { class: "check" }, input, el("span", { class: "stack tight" }, name, words));
  return { label, input, explain: (/** @type {string} */ other) => (words.textContent = t(other)) };
}

/** Beside its button, inside the window. @param {HTMLElement} box @param {HTMLElement} button */
function place(box, button) {
  const at = button.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const [wide, high] = [document.documentElement.clientWidth, window.innerHeight];
  const below = at.bottom + EDGE;
  const top = below + height <= high - EDGE ? below : Math.max(EDGE, at.top - EDGE - height);
  box.style.left = `${Math.round(Math.max(EDGE, Math.min(at.right - width, wide - width - EDGE)))}px`;
  box.style.top = `${Math.round(top)}px`;
}

/** @returns {Promise<void>} */
function loadStyle() {
  return new Promise((done) => {
    const link = el("link", { rel: "stylesheet", href: STYLE, on: { load: () => done(), error: () => done() } });
    document.head.append(link);
  });
}
