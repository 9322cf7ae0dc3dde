// @ts-check
// Calls a person whose turn it is: a knock, a short vibration on a phone, and a notification of the browser if they are
// elsewhere and have allowed it. After the race: the horns for the winner.

import { t } from "./messages.js";
import { isOn, sound } from "./sound.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Moment} Moment */

const KEPT = "spina-notify";
const VIBRATION = [70, 90, 70];

/** Whether this browser shows notifications at all; only over https or on the machine itself. */
export const canNotify = () => "Notification" in window && window.isSecureContext;

/** Whether the person has asked for notifications and the browser agrees. */
export const notifies = () => canNotify() && Notification.permission === "granted" && localStorage.getItem(KEPT) === "on";

/**
 * Switches notifications on or off; switching on asks the browser, so it must follow a click. Resolves to whether they
 * are on.
 * @param {boolean} wanted
 * @returns {Promise<boolean>}
 */
export async function setNotifies(wanted) {
  const granted = wanted && canNotify() && (await Notification.requestPermission()) === "granted";
  // browsers of phones may agree and still not show any: try it
  const works = granted && show(t("sound.notify.title"), t("sound.notify.sample")) !== null;
  localStorage.setItem(KEPT, works ? "on" : "off");
  return works;
}

/** @param {string} title @param {string} body @returns {Notification | null} */
function show(title, body) {
  try {
    const notification = new Notification(title, { body, tag: location.pathname });
    notification.addEventListener("click", () => {
      window.focus();
      notification.close();
    });
    return notification;
  } catch {
    return null;
  }
}

/** Whether a choice is asked of the person at this page. @param {State} state */
const asked = ({ status, looking, waiting, seats }) =>
  status === "running" && looking !== null && waiting.includes(looking) && !seats[looking].away;

export class TurnCall {
  /** Whether the last state that was heard of asked this page. */
  #mine = false;
  /** Whether this page has chosen, and another seat acted, since the last call. */
  #chosen = false;
  #others = false;
  #due = false;
  /** Whether the page has seen the race going on. */
  #ran = false;
  /** @type {Notification | null} */
  #notification = null;

  /** @param {string} title of the table */
  constructor(title) {
    this.title = title;
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#withdraw();
    });
  }

  /** The page sends a choice. */
  chose() {
    this.#chosen = true;
    this.#withdraw();
  }

  /**
   * The table has come to this state. A further question of the same turn is no call.
   * @param {State} state
   * @param {Moment[]} moments since the state before
   */
  see(state, moments) {
    if (moments.some(({ kind, seat }) => kind === "play" && seat !== null && !state.own.includes(seat))) this.#others = true;
    const mine = asked(state);
    if (mine && (!this.#mine || (this.#chosen && this.#others))) this.#due = true;
    if (!mine) this.#due = false;
    this.#mine = mine;
    if (state.status === "running") this.#ran = true;
  }

  /** Everything has been shown, and this is how the table stands. @param {State} state */
  settle(state) {
    if (state.status === "over" && this.#ran) {
      this.#ran = false;
      sound("fanfare", { strength: 1 });
      sound("cheer", { strength: 1 });
    }
    if (!this.#due) return;
    this.#due = this.#chosen = this.#others = false;
    this.#call();
  }

  #call() {
    sound("knock", { strength: 1 });
    if (isOn() && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION);
    if (document.visibilityState === "hidden" && notifies()) this.#notification = show(t("table.your-turn"), this.title);
  }

  #withdraw() {
    this.#notification?.close();
    this.#notification = null;
  }
}
