// @ts-check
// Sounds as buffers: rendered once, balanced in loudness, and kept.

import { CATALOGUE } from "./catalogue.js";
import { Score } from "./score.js";
import { MURMUR, SEAM } from "./stands.js";

const RATE = 44100;
/** No sound comes closer than this to clipping. */
const PEAK = 0.85;
/** Loudness is measured in windows of this many seconds, */
const WINDOW = 0.1;
/** without the lowest tones, which small speakers do not give and ears hardly count. */
const LOWEST = 180;
/** Seconds in which the end of a sound fades. */
const FADE = 0.02;

/** The nearest of four strengths. @param {number} strength */
export const nearest = (strength) => Math.min(4, Math.max(1, Math.round(strength * 4))) / 4;

/**
 * Renders a sound; the same arguments give the same sound.
 * @param {import("../types.js").SoundName | "crowd"} name
 * @param {number} [strength]
 * @param {number} [variant]
 * @returns {Promise<AudioBuffer>}
 */
export async function render(name, strength = 1, variant = 0) {
  const { make, seconds, level, wide } = CATALOGUE[name];
  const exact = nearest(strength);
  const length = Math.ceil(seconds(exact) * RATE);
  const context = new OfflineAudioContext({ numberOfChannels: wide ? 2 : 1, length, sampleRate: RATE });
  make(new Score(context, 1 + variant), { strength: exact });
  const made = await context.startRendering();
  const buffer = name === "crowd" ? looped(made) : faded(made);
  balance(buffer, level);
  return buffer;
}

/** Fades the end out, as an echo may not be over yet. @param {AudioBuffer} buffer */
function faded(buffer) {
  const last = Math.round(FADE * RATE);
  for (let channel = 0; channel < buffer.numberOfChannels; channel++) {
    const data = buffer.getChannelData(channel);
    for (let k = 0; k < last; k++) data[data.length - 1 - k] *= k / last;
  }
  return buffer;
}

/** Lays the end over the beginning, so that the sound can be repeated without a seam. @param {AudioBuffer} buffer */
function looped(buffer) {
  const [length, seam] = [MURMUR * RATE, SEAM * RATE];
  const loop = new AudioBuffer({ numberOfChannels: buffer.numberOfChannels, length, sampleRate: RATE });
  for (let channel = 0; channel < buffer.numberOfChannels; channel++) {
    const [from, to] = [buffer.getChannelData(channel), loop.getChannelData(channel)];
    to.set(from.subarray(0, length));
    for (let k = 0; k < seam; k++) {
      const share = (k / seam) * (Math.PI / 2);
      to[k] = from[k] * Math.sin(share) + from[length + k] * Math.cos(share);
    }
  }
  return loop;
}

/**
 * Scales a sound so that its loudest window has this loudness, without clipping.
 * @param {AudioBuffer} buffer
 * @param {number} level
 */
function balance(buffer, level) {
  let peak = 0;
  let loudest = 0;
  const window = Math.round(WINDOW * RATE);
  const keep = RATE / (RATE + 2 * Math.PI * LOWEST);
  for (let channel = 0; channel < buffer.numberOfChannels; channel++) {
    const data = buffer.getChannelData(channel);
    let [high, before, sum] = [0, 0, 0];
    for (let k = 0; k < data.length; k++) {
      peak = Math.max(peak, Math.abs(data[k]));
      high = keep * (high + data[k] - before);
      before = data[k];
      sum += high * high;
      if ((k + 1) % window === 0) {
        loudest = Math.max(loudest, sum);
        sum = 0;
      }
    }
    loudest = Math.max(loudest, sum);
  }
  const scale = Math.min(level / Math.sqrt(loudest / window), PEAK / peak);
  for (let channel = 0; channel < buffer.numberOfChannels; channel++) {
    const data = buffer.getChannelData(channel);
    for (let k = 0; k < data.length; k++) data[k] *= scale;
  }
}
