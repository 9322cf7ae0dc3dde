// @ts-check
// Plays sounds: few at a time, never the same one too soon, over the murmur of a crowd that they excite.

import { CATALOGUE } from "./catalogue.js";
import { nearest, render } from "./rendering.js";

/** @typedef {import("../types.js").SoundName} SoundName */

/** Sounds at the same time, besides the crowd. */
const VOICES = 12;
/** Sounds that may begin within a second. */
const A_SECOND = 12;
/** From this speed of the animation on, minor sounds are left out. */
const FAST = 4;
/** Loudness of the crowd when nothing happens, as a share of its loudest. */
const CALM = { gain: 0.25, brightness: 900 };
const LOUD = { gain: 1, brightness: 3600 };
/** Seconds in which the crowd calms down, */
const CALMING = 5;
/** and after which it falls silent if nothing happens. */
const PATIENCE = 20;
/** A sound that would come this many seconds late, because the sound card was asleep, is left out. */
const LATE = 1;
const SILENCE = 0.0001;
/** The strength in which sounds are made ready. */
const USUAL = 0.75;
const NAMES = /** @type {SoundName[]} */ (Object.keys(CATALOGUE).filter((name) => name !== "crowd"));

/** Loudness grows with the square, as ears hear it. @param {number} volume 0 to 1 */
const loudness = (volume) => volume ** 2;

export class Player {
  /** Rendered sounds, by name, strength and variant. @type {Map<string, AudioBuffer>} */
  #kept = new Map();
  /** The last one of each name. @type {Map<SoundName, AudioBuffer>} */
  #another = new Map();
  /** When each sound may begin again, in seconds of the clock. @type {Map<SoundName, number>} */
  #free = new Map();
  /** When the sounds of the last second began. @type {number[]} */
  #begun = [];
  /** Sounds that are heard or about to be. @type {Set<AudioBufferSourceNode>} */
  #sounding = new Set();
  #played = 0;
  #excitement = 0;
  #excitedAt = 0;
  /** @type {number | undefined} */
  #idle;
  #hidden = document.visibilityState === "hidden";
  /** @type {{gain: AudioParam, brightness: AudioParam} | null} */
  #crowd = null;

  /** @param {number} volume 0 to 1 */
  constructor(volume) {
    this.context = new AudioContext({ latencyHint: "interactive" });
    this.master = this.context.createGain();
    // several sounds together may be louder than one: a limiter
    const limiter = this.context.createDynamicsCompressor();
    limiter.threshold.value = -8;
    limiter.knee.value = 6;
    limiter.ratio.value = 12;
    limiter.attack.value = 0.002;
    limiter.release.value = 0.15;
    this.master.connect(limiter).connect(this.context.destination);
    this.master.gain.value = loudness(volume);
    document.addEventListener("visibilitychange", () => this.#seen());
    void this.#open();
  }

  /** @param {number} volume 0 to 1 */
  setVolume(volume) {
    this.master.gain.setTargetAtTime(loudness(volume), this.context.currentTime, 0.02);
  }

  /** Silence until the next sound. */
  rest() {
    window.clearTimeout(this.#idle);
    this.#crowd?.gain.cancelScheduledValues(0);
    this.#crowd?.gain.setValueAtTime(0, this.context.currentTime);
    this.#excitement = 0;
    for (const source of this.#sounding) source.stop(); // or the rest of it would be heard later
    this.#sounding.clear();
    void this.context.suspend();
  }

  /**
   * Plays a sound, or leaves it out if there are too many. Resolves to whether it is played.
   * @param {SoundName} name
   * @param {{strength: number, seconds: number, pan: number, speed: number, signal: boolean}} how `seconds`: how long a
   *   sound that repeats goes on; `speed`: of the animation; `signal`: better late than never
   * @returns {Promise<boolean>}
   */
  async play(name, { strength, seconds, pan, speed, signal }) {
    const entry = CATALOGUE[name];
    if (entry.minor && speed >= FAST) return false;
    const asked = performance.now();
    if (!this.#may(name)) return false;
    if (this.context.state !== "running") await this.context.resume();
    if ((!signal && performance.now() - asked > LATE * 1000) || !this.#may(name)) {
      this.#restUnseen();
      return false;
    }
    const clock = performance.now() / 1000;
    const exact = nearest(strength);
    const length = entry.seconds(exact);
    const times = entry.repeats ? Math.max(1, Math.round(seconds / length)) : 1;
    this.#free.set(name, clock + (entry.repeats ? times * length - 0.02 : entry.gap));
    this.#begun.push(clock);
    this.#excite(entry.stir * (0.5 + 0.5 * exact));
    const now = this.context.currentTime;
    for (let k = 0; k < times; k++) {
      const buffer = await this.#rendered(name, exact, this.#played++ % entry.variants);
      this.#start(buffer, Math.max(now + k * length, this.context.currentTime), 0.55 + 0.45 * exact, pan);
    }
    return true;
  }

  /** Whether a sound may begin now: not too soon after the last of its name, and not one too many. @param {SoundName} name */
  #may(name) {
    const clock = performance.now() / 1000;
    this.#begun = this.#begun.filter((begun) => begun > clock - 1);
    return clock >= (this.#free.get(name) ?? 0) && this.#sounding.size < VOICES && this.#begun.length < A_SECOND;
  }

  /** Silence on a hidden page once nothing sounds any more. */
  #restUnseen() {
    if (this.#hidden && this.#sounding.size === 0) this.rest();
  }

  /** @param {AudioBuffer} buffer @param {number} at @param {number} level @param {number} pan */
  #start(buffer, at, level, pan) {
    const source = this.context.createBufferSource();
    source.buffer = buffer;
    const gain = this.context.createGain();
    gain.gain.value = level;
    const panner = this.context.createStereoPanner();
    panner.pan.value = Math.max(-1, Math.min(1, pan));
    source.connect(gain).connect(panner).connect(this.master);
    source.addEventListener("ended", () => {
      panner.disconnect();
      this.#sounding.delete(source);
      this.#restUnseen();
    });
    this.#sounding.add(source);
    source.start(at);
  }

  /**
   * A sound as it is wanted; while that is being rendered, the same sound as it was before.
   * @param {SoundName} name @param {number} strength @param {number} variant
   */
  #rendered(name, strength, variant) {
    const key = `${name} ${strength} ${variant}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const another = this.#another.get(name);
    const wanted = render(name, strength, variant).then((buffer) => {
      this.#kept.set(key, buffer);
      this.#another.set(name, buffer);
      return buffer;
    });
    return another ?? wanted;
  }

  /** The crowd begins to murmur, unheard until something happens; then all sounds are made ready, one after the other. */
  async #open() {
    const source = this.context.createBufferSource();
    source.buffer = await render("crowd");
    source.loop = true;
    const filter = this.context.createBiquadFilter();
    filter.type = "lowpass";
    filter.frequency.value = CALM.brightness;
    const gain = this.context.createGain();
    gain.gain.value = 0;
    source.connect(filter).connect(gain).connect(this.master);
    source.start();
    this.#crowd = { gain: gain.gain, brightness: filter.frequency };
    for (const name of NAMES) if (!this.#another.has(name)) await this.#rendered(name, USUAL, 0);
  }

  /** The crowd swells and calms down again; the more it is excited, the louder and brighter. @param {number} stir */
  #excite(stir) {
    if (this.#hidden) return;
    const now = this.context.currentTime;
    this.#excitement = Math.min(1, this.#excitement * Math.exp((this.#excitedAt - now) / CALMING) + stir);
    this.#excitedAt = now;
    window.clearTimeout(this.#idle);
    this.#idle = window.setTimeout(() => this.#fall(), PATIENCE * 1000);
    if (!this.#crowd) return;
    for (const name of /** @type {const} */ (["gain", "brightness"])) {
      const param = this.#crowd[name];
      param.cancelScheduledValues(now);
      param.setTargetAtTime(CALM[name] + (LOUD[name] - CALM[name]) * this.#excitement, now, 0.25);
      param.setTargetAtTime(CALM[name], now + 1.2, CALMING / 2);
    }
  }

  /** Nothing has happened for a while: the crowd falls silent, and the sound card may rest. */
  #fall() {
    this.#crowd?.gain.setTargetAtTime(SILENCE, this.context.currentTime, 1);
    this.#idle = window.setTimeout(() => this.rest(), 5000);
  }

  #seen() {
    this.#hidden = document.visibilityState === "hidden";
    if (this.#hidden) this.rest();
  }
}
