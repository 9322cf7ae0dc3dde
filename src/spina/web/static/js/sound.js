// @ts-check
// Whether there is sound, how loud, and the way to it. What makes and plays sounds is loaded with the first click or key
// of a page where sound is on: browsers allow none before, and pages without it load nothing.

import { currentSpeed, skipped } from "./motion.js";

/** @typedef {import("./types.js").SoundName} SoundName */

const KEPT = { on: "spina-sound", volume: "spina-volume" };
const USUAL = 0.6;
/** These tell something: they are heard even when motion is skipped. */
const SIGNALS = new Set(["knock", "fanfare"]);
/** A sound that is later than this, because its module was still on its way, is left out. */
const LATE = 400;

let on = localStorage.getItem(KEPT.on) !== "off";
let volume = keptVolume();
/** @type {Promise<import("./sound/player.js").Player | null> | null} */
let player = null;

function keptVolume() {
  const kept = localStorage.getItem(KEPT.volume);
  const value = kept === null ? NaN : Number(kept);
  return value >= 0 && value <= 1 ? value : USUAL;
}

export const isOn = () => on;
export const currentVolume = () => volume;

/** Whether the person has clicked or pressed a key on this page. */
let touched = false;

/** Loads what makes the sounds; null where that fails, and the next call tries again. */
function wake() {
  player ??= import("./sound/player.js")
    .then(({ Player }) => new Player(volume))
    .catch(() => (player = null));
  return player;
}

for (const kind of /** @type {const} */ (["click", "keydown"])) {
  const touch = () => {
    touched = navigator.userActivation?.hasBeenActive ?? true; // a key such as Escape does not count
    if (touched) document.removeEventListener(kind, touch, true);
    if (touched && on) void wake();
  };
  document.addEventListener(kind, touch, true);
}

/** @param {boolean} wanted */
export function setOn(wanted) {
  on = wanted;
  localStorage.setItem(KEPT.on, wanted ? "on" : "off");
  if (wanted) void wake();
  else void player?.then((loaded) => loaded?.rest());
}

/** @param {number} wanted 0 to 1 */
export function setVolume(wanted) {
  volume = wanted;
  localStorage.setItem(KEPT.volume, String(wanted));
  void player?.then((loaded) => loaded?.setVolume(wanted));
}

/**
 * Plays a sound if sound is on, the page is seen and its motion is not skipped. `document` gets the event "spina-sound"
 * for each sound that is heard.
 * @param {SoundName} name
 * @param {import("./types.js").SoundOptions} [options]
 */
export function sound(name, { strength = 0.75, ms = 0, pan = 0 } = {}) {
  if (!on || !touched) return;
  // the knock is for people who look elsewhere
  if (document.visibilityState === "hidden" && name !== "knock") return;
  if (skipped() && !SIGNALS.has(name)) return;
  void begin(name, { strength, seconds: ms / 1000 / currentSpeed(), pan, speed: currentSpeed(), signal: SIGNALS.has(name) });
}

/** @param {SoundName} name @param {{strength: number, seconds: number, pan: number, speed: number, signal: boolean}} how */
async function begin(name, how) {
  const wanted = performance.now();
  const loaded = await wake();
  if (!loaded || !on || (performance.now() - wanted > LATE && !how.signal)) return;
  if (await loaded.play(name, how)) document.dispatchEvent(new CustomEvent("spina-sound", { detail: { name, strength: how.strength } }));
}
