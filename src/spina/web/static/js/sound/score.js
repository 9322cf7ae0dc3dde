// @ts-check
// Building blocks of sounds: bursts of noise, tones, resonances, plucked strings, brass and voices, each a few nodes of
// Web Audio. Times are seconds, frequencies hertz, levels amplitudes.

/** Silence in an envelope: 60 dB under the level. A decay is the time to get there. */
const TAUS = 6.9;
/** Seconds of noise that all bursts of a sound share. */
const NOISE = 2;

/** First, second and third formant of sung vowels. */
const VOWELS = {
  a: [740, 1180, 2600],
  e: [520, 1750, 2500],
  o: [460, 830, 2450],
  u: [340, 720, 2300],
};

/** @typedef {keyof typeof VOWELS} Vowel */

/**
 * A small random generator, so that the same seed gives the same sound.
 * @param {number} seed
 * @returns {() => number} numbers from 0 to 1
 */
export function randomFrom(seed) {
  let a = (seed * 0x9e3779b9) >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let x = Math.imul(a ^ (a >>> 15), 1 | a);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

/** One sound while it is put together, in a context that renders it. */
export class Score {
  /** @type {AudioBuffer | null} */
  #noise = null;
  /** Formant filters that voices share, by vowel and place. @type {Map<string, AudioNode>} */
  #choirs = new Map();

  /**
   * @param {BaseAudioContext} context
   * @param {number} seed
   */
  constructor(context, seed) {
    this.context = context;
    this.random = randomFrom(seed);
    /** Where blocks are mixed. @type {AudioNode} */
    this.out = context.destination;
  }

  /** A random number between two others. @param {number} low @param {number} high */
  between(low, high) {
    return low + (high - low) * this.random();
  }

  /**
   * A gain that rises to a level and falls to silence.
   * @param {{at: number, attack?: number, hold?: number, decay: number, level: number}} shape
   * @param {AudioNode} [out]
   */
  envelope({ at, attack = 0.001, hold = 0, decay, level }, out = this.out) {
    const gain = this.context.createGain();
    gain.gain.setValueAtTime(0, 0);
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(level, at + attack);
    gain.gain.setTargetAtTime(0, at + attack + hold, decay / TAUS);
    gain.connect(out);
    return gain;
  }

  /** @param {{type: BiquadFilterType, at: number, from: number, to?: number, seconds?: number, q?: number}} shape */
  filter({ type, at, from, to = from, seconds = 0.001, q = 0.7 }) {
    const filter = this.context.createBiquadFilter();
    filter.type = type;
    filter.Q.value = q;
    filter.frequency.setValueAtTime(from, at);
    if (to !== from) filter.frequency.exponentialRampToValueAtTime(to, at + seconds);
    return filter;
  }

  /** A source of white noise, from a place in the noise that is drawn. @param {number} at @param {number} end */
  white(at, end) {
    const { sampleRate } = this.context;
    if (!this.#noise) {
      this.#noise = this.context.createBuffer(1, NOISE * sampleRate, sampleRate);
      const data = this.#noise.getChannelData(0);
      for (let k = 0; k < data.length; k++) data[k] = this.random() * 2 - 1;
    }
    const source = this.context.createBufferSource();
    source.buffer = this.#noise;
    source.loop = true;
    source.start(at, this.random() * NOISE);
    source.stop(end);
    return source;
  }

  /**
   * A burst of filtered noise. With `to` the filter glides there while the burst lasts.
   * @param {{at: number, attack?: number, hold?: number, decay: number, level: number, type?: BiquadFilterType, from: number, to?: number, q?: number, pan?: number}} shape
   */
  burst({ type = "bandpass", from, to, q, pan = 0, ...shape }) {
    const { at, attack = 0.001, hold = 0, decay } = shape;
    const seconds = attack + hold + decay * 0.6;
    const filter = this.filter({ type, at, from, to, seconds, q });
    this.white(at, at + attack + hold + decay).connect(filter).connect(this.envelope(shape, pan ? this.#panner(pan) : this.out));
  }

  /**
   * A tone that may glide from one frequency to another.
   * @param {{at: number, attack?: number, hold?: number, decay: number, level: number, from: number, to?: number, glide?: number, wave?: OscillatorType}} shape
   */
  tone({ from, to = from, glide = 0.05, wave = "sine", ...shape }) {
    const { at, attack = 0.001, hold = 0, decay } = shape;
    const source = this.context.createOscillator();
    source.type = wave;
    source.frequency.setValueAtTime(from, at);
    if (to !== from) source.frequency.exponentialRampToValueAtTime(to, at + glide);
    source.connect(this.envelope(shape));
    source.start(at);
    source.stop(at + attack + hold + decay);
  }

  /**
   * Something solid that is struck: partials, the higher the sooner over.
   * @param {{at: number, partials: number[], decay: number, level: number, spread?: number}} shape
   */
  struck({ at, partials, decay, level, spread = 0.02 }) {
    partials.forEach((hz, k) => {
      const from = hz * (1 + this.between(-spread, spread));
      this.tone({ at, from, decay: decay / (1 + 0.55 * k), level: level / (1 + 0.7 * k) });
    });
  }

  /**
   * A plucked string or a quivering shaft (Karplus and Strong): noise that runs round a short, damped delay line.
   * @param {{at: number, hz: number, seconds: number, level: number, damping?: number}} shape
   */
  plucked({ at, hz, seconds, level, damping = 0.5 }) {
    const { sampleRate } = this.context;
    const line = Float32Array.from({ length: Math.max(2, Math.round(sampleRate / hz)) }, () => this.random() * 2 - 1);
    const buffer = this.context.createBuffer(1, Math.ceil(seconds * sampleRate), sampleRate);
    const data = buffer.getChannelData(0);
    const loss = 0.001 ** (1 / (hz * seconds));
    for (let k = 0; k < data.length; k++) {
      const here = k % line.length;
      data[k] = line[here];
      line[here] = loss * (line[here] * (1 - damping) + line[(here + 1) % line.length] * damping);
    }
    const source = this.context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.envelope({ at, hold: seconds * 0.5, decay: seconds * 0.5, level }));
    source.start(at);
  }

  /**
   * A note of a brass horn: two saws whose overtones open with the breath, and a late vibrato.
   * @param {{at: number, seconds: number, hz: number, level: number}} note
   */
  brass({ at, seconds, hz, level }) {
    const end = at + seconds + 0.25;
    const filter = this.filter({ type: "lowpass", at, from: hz * 1.2, to: hz * 6.5, seconds: 0.07, q: 1.1 });
    filter.frequency.setTargetAtTime(hz * 3.6, at + 0.08, 0.12);
    filter.frequency.setTargetAtTime(hz, at + seconds, 0.05);
    const vibrato = this.context.createOscillator();
    const depth = this.context.createGain();
    vibrato.frequency.value = 5.2;
    depth.gain.setValueAtTime(0, at);
    depth.gain.linearRampToValueAtTime(seconds > 0.4 ? hz * 0.006 : 0, at + Math.min(seconds, 0.7));
    vibrato.connect(depth);
    vibrato.start(at);
    vibrato.stop(end);
    for (const cents of [-4, 5]) {
      const saw = this.context.createOscillator();
      saw.type = "sawtooth";
      saw.frequency.setValueAtTime(hz * 0.975, at);
      saw.frequency.exponentialRampToValueAtTime(hz, at + 0.045);
      saw.detune.value = cents;
      depth.connect(saw.frequency);
      saw.connect(filter);
      saw.start(at);
      saw.stop(end);
    }
    filter.connect(this.envelope({ at, attack: 0.035, hold: Math.max(0, seconds - 0.035), decay: 0.25, level }));
  }

  /**
   * A shout from the stands: a saw through the formants of a vowel, its pitch rising and falling.
   * @param {{at: number, seconds: number, hz: number, vowel: Vowel, level: number, rise?: number, fall?: number, pan?: number}} voice
   */
  voice({ at, seconds, hz, vowel, level, rise = 1.1, fall = 0.9, pan = 0 }) {
    const end = at + seconds;
    const saw = this.context.createOscillator();
    saw.type = "sawtooth";
    saw.frequency.setValueAtTime(hz, at);
    saw.frequency.linearRampToValueAtTime(hz * rise, at + seconds * 0.3);
    saw.frequency.linearRampToValueAtTime(hz * fall, end);
    saw.connect(this.envelope({ at, attack: seconds * 0.25, hold: seconds * 0.2, decay: seconds * 0.9, level }, this.#throats(vowel, pan)));
    saw.start(at);
    saw.stop(end + seconds * 0.4);
  }

  /** Where all voices of one vowel in one part of the stands come together. @param {Vowel} vowel @param {number} pan */
  #throats(vowel, pan) {
    const part = Math.round(pan * 2) / 2;
    const key = `${vowel} ${part}`;
    const found = this.#choirs.get(key);
    if (found) return found;
    const input = this.context.createGain();
    const place = this.#panner(part);
    VOWELS[vowel].forEach((formant, k) => {
      const share = this.context.createGain();
      share.gain.value = [1, 0.6, 0.25][k];
      input.connect(this.filter({ type: "bandpass", at: 0, from: formant * this.between(0.93, 1.07), q: 7 })).connect(share).connect(place);
    });
    this.#choirs.set(key, input);
    return input;
  }

  /**
   * Everything from here on stands in the open space of the circus: dry, and as an echo that dies away.
   * @param {{seconds: number, wet: number, dark?: number}} space
   */
  echo({ seconds, wet, dark = 2600 }) {
    const { context } = this;
    const { sampleRate } = context;
    const room = context.createBuffer(context.destination.channelCount, Math.ceil(seconds * sampleRate), sampleRate);
    for (let channel = 0; channel < room.numberOfChannels; channel++) {
      const data = room.getChannelData(channel);
      for (let k = 0; k < data.length; k++) data[k] = (this.random() * 2 - 1) * Math.exp((-TAUS * k) / data.length);
    }
    const echo = context.createConvolver();
    echo.buffer = room;
    const share = context.createGain();
    share.gain.value = wet;
    const input = context.createGain();
    input.connect(this.out);
    input.connect(this.filter({ type: "lowpass", at: 0, from: dark })).connect(echo).connect(share).connect(this.out);
    this.out = input;
  }

  /** Everything from here on is dull: what comes from afar, or out of sand. @param {number} hz above which it is softer */
  soften(hz) {
    const filter = this.filter({ type: "lowpass", at: 0, from: hz, q: 0.5 });
    filter.connect(this.out);
    this.out = filter;
  }

  /** @param {number} pan left (-1) to right (1) */
  #panner(pan) {
    const panner = this.context.createStereoPanner();
    panner.pan.value = pan;
    panner.connect(this.out);
    return panner;
  }
}
