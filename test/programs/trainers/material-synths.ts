import { pick } from '../../support/chance.ts'
import type { Random } from '../../support/music.ts'
import { SAMPLE_RATE, type Sound } from './rhythm-band.ts'

/** Seconds after which no note is heard any more. */
const LONGEST = 6
/** Samples after which a filter's cutoff is set anew. */
const BLOCK = 16

/** The settings of a synthesiser. */
interface Patch {
  wave: 'saw' | 'pulse' | 'sine' | 'fm' | 'string' | 'voice' | 'noise'
  /** Oscillators, and the cents between the outer ones. */
  voices: number
  detune: number
  /** Seconds: to full strength; to 1/e of it or of what is held; after the end of a note. */
  attack: number
  decay: number
  hold: number
  release: number
  /** Hz; the filter opens by so many octaves at the onset, for so many seconds. */
  cutoff: number
  sweep: number
  sweepTime: number
  /** 0.5 flat … 6 ringing. */
  resonance: number
  /** Strength of what an octave below sounds along. */
  sub: number
}

/** What may play each voice that is no drum. */
const MAKERS: Readonly<Record<string, (random: Random) => Patch>> = {
  bass: (random) => ({
    ...CLEAN,
    wave: pick(random, ['saw', 'pulse', 'sine', 'fm', 'string'] as const),
    voices: pick(random, [1, 1, 2]),
    detune: 12,
    decay: pick(random, [0.15, 0.4, 1]),
    hold: pick(random, [0, 0.6]),
    cutoff: 120 * 10 ** random(),
    sweep: 3 * random(),
    sweepTime: 0.03 + 0.25 * random(),
    resonance: 0.6 + 4 * random() ** 2,
    sub: pick(random, [0, 0.5]),
  }),
  pluck: (random) => ({
    ...CLEAN,
    wave: pick(random, ['saw', 'pulse', 'fm'] as const),
    voices: pick(random, [1, 3, 5]),
    detune: 8 + 20 * random(),
    decay: 0.08 + 0.3 * random(),
    hold: 0,
    cutoff: 400 * 8 ** random(),
    sweep: 1 + 2 * random(),
    sweepTime: 0.05 + 0.1 * random(),
  }),
  saw: (random) => ({
    ...CLEAN,
    voices: pick(random, [3, 5, 7]),
    detune: 15 + 35 * random(),
    decay: 2,
    hold: 0.8,
    cutoff: 1500 * 5 ** random(),
    sweep: random(),
    sweepTime: 0.2,
  }),
  pad: (random) => ({
    ...CLEAN,
    wave: pick(random, ['saw', 'saw', 'pulse'] as const),
    voices: pick(random, [3, 5]),
    detune: 12 + 30 * random(),
    attack: 0.05 + 0.5 * random() ** 2,
    decay: 3,
    hold: 0.9,
    release: 0.3,
    cutoff: 500 * 8 ** random(),
  }),
  lead: (random) => ({
    ...CLEAN,
    wave: pick(random, ['saw', 'pulse', 'fm', 'sine'] as const),
    voices: pick(random, [1, 2, 5]),
    detune: 10 + 20 * random(),
    attack: 0.003 + 0.03 * random(),
    decay: 1,
    hold: 0.7,
    cutoff: 1500 * 5 ** random(),
  }),
  drive: (random) => ({ ...CLEAN, wave: 'string', decay: pick(random, [0.08, 0.5, 2]), hold: 0 }),
  riser: (random) => ({
    ...CLEAN,
    wave: 'noise',
    attack: 2 + 2 * random(),
    hold: 1,
    cutoff: 2000 + 6000 * random(),
  }),
  voice: (random) => ({
    ...CLEAN,
    wave: 'voice',
    attack: 0.04 + 0.06 * random(),
    decay: 4,
    hold: 0.8,
    release: 0.08,
  }),
}

/** Voices of the composer, and the synthesisers that may play them. */
const IN_PLACE: Readonly<Record<string, readonly string[]>> = {
  strings: ['pad', 'pad', 'saw'],
  organ: ['pad', 'saw', 'lead'],
  flute: ['lead', 'voice', 'lead'],
  clarinet: ['lead', 'voice'],
  brass: ['saw', 'lead'],
}

const CLEAN: Patch = {
  wave: 'saw',
  voices: 1,
  detune: 0,
  attack: 0.002,
  decay: 0.5,
  hold: 0.5,
  release: 0.03,
  cutoff: 6000,
  sweep: 0,
  sweepTime: 0.1,
  resonance: 0.7,
  sub: 0,
}

/** First three formants of vowels, in Hz (Peterson and Barney, 1952, means of men). */
const VOWELS = [
  [730, 1090, 2440],
  [530, 1840, 2480],
  [270, 2290, 3010],
  [570, 840, 2410],
  [300, 870, 2240],
] as const

/** Whether a synthesiser knows a voice by itself; others get one of its voices in place. */
export function isSynthetic(voice: string): boolean {
  return voice in MAKERS
}

/** Synthesisers, one a voice, whose settings are drawn for a piece. Each pitch is made once. */
export class SynthRack {
  readonly #patches = new Map<string, Patch>()
  readonly #notes = new Map<string, Float32Array>()
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  /** Adds sounds of any voice, their times in seconds. */
  play(sounds: readonly Sound[], out: Float32Array): void {
    for (const { start, duration, gain, voice, pitch } of sounds) {
      const patch = this.#patch(voice)
      const note = this.#note(voice, pitch, patch)
      const from = Math.round(start * SAMPLE_RATE)
      const held = Math.round(duration * SAMPLE_RATE)
      const release = Math.round(patch.release * SAMPLE_RATE)
      const end = Math.min(note.length, held + release, out.length - from)
      for (let i = Math.max(0, -from); i < end; i++) {
        const fade = i < held ? 1 : 1 - (i - held) / release
        out[from + i] = out[from + i]! + gain * fade * note[i]!
      }
    }
  }

  #patch(voice: string): Patch {
    const known = this.#patches.get(voice)
    if (known) return known
    const kind = isSynthetic(voice)
      ? voice
      : pick(this.#random, IN_PLACE[voice] ?? ['pluck', 'saw', 'lead'])
    const patch = MAKERS[kind]!(this.#random)
    this.#patches.set(voice, patch)
    return patch
  }

  #note(voice: string, pitch: number, patch: Patch): Float32Array {
    // A singer has more than one vowel.
    const vowel = patch.wave === 'voice' ? Math.floor(VOWELS.length * this.#random()) : 0
    const key = `${voice} ${pitch} ${vowel}`
    const known = this.#notes.get(key)
    if (known) return known
    const frequency = 440 * 2 ** ((pitch - 69) / 12)
    const decays = patch.hold === 0 ? 5 * patch.decay : LONGEST
    const length = Math.round(Math.min(LONGEST, decays + patch.attack) * SAMPLE_RATE)
    const note =
      patch.wave === 'string'
        ? string(frequency, length, patch.decay, this.#random)
        : patch.wave === 'voice'
          ? sung(frequency, length, VOWELS[vowel]!)
          : patch.wave === 'noise'
            ? Float32Array.from({ length }, () => 2 * this.#random() - 1)
            : oscillators(frequency, length, patch, this.#random)
    shape(note, patch)
    this.#notes.set(key, note)
    return note
  }
}

function oscillators(
  frequency: number,
  length: number,
  { wave, voices, detune, sub }: Patch,
  random: Random,
): Float32Array {
  const out = new Float32Array(length)
  const strength = 1 / Math.sqrt(voices)
  for (let v = 0; v < voices; v++) {
    const cents = voices > 1 ? detune * (v / (voices - 1) - 0.5) : 0
    const step = Math.min(0.45, (frequency * 2 ** (cents / 1200)) / SAMPLE_RATE)
    let phase = voices > 1 ? random() : 0
    for (let i = 0; i < length; i++) {
      phase += step
      if (phase >= 1) phase -= 1
      let x: number
      if (wave === 'saw') x = 2 * phase - 1 - blep(phase, step)
      else if (wave === 'pulse')
        x = (phase < 0.5 ? 1 : -1) + blep(phase, step) - blep((phase + 0.5) % 1, step)
      else {
        const angle = 2 * Math.PI * phase
        x = Math.sin(wave === 'fm' ? angle + 2 * Math.exp(-i / 4000) * Math.sin(2 * angle) : angle)
      }
      out[i] = out[i]! + strength * x
    }
  }
  if (sub > 0)
    for (let i = 0; i < length; i++)
      out[i] = out[i]! + sub * Math.sin((Math.PI * frequency * i) / SAMPLE_RATE)
  return out
}

/** What rounds a step of an oscillator, so that it does not alias (Välimäki, 2005). */
function blep(phase: number, step: number): number {
  if (phase < step) {
    const t = phase / step
    return t + t - t * t - 1
  }
  if (phase > 1 - step) {
    const t = (phase - 1) / step
    return t * t + t + t + 1
  }
  return 0
}

/** A plucked string (Karplus and Strong, 1983). */
function string(frequency: number, length: number, decay: number, random: Random): Float32Array {
  const out = new Float32Array(length)
  const period = Math.max(2, Math.round(SAMPLE_RATE / frequency))
  const line = Float32Array.from({ length: period }, () => 2 * random() - 1)
  const loss = Math.exp(-1 / (Math.max(0.05, decay) * frequency))
  let before = 0
  for (let i = 0, at = 0; i < length; i++) {
    const x = line[at]!
    out[i] = x
    line[at] = loss * (0.5 * x + 0.5 * before)
    before = x
    at = at + 1 === period ? 0 : at + 1
  }
  return out
}

/** A vowel: pulses of the glottis through three formants, with vibrato. */
function sung(frequency: number, length: number, formants: readonly number[]): Float32Array {
  const out = new Float32Array(length)
  const source = new Float32Array(length)
  for (let i = 0, phase = 0; i < length; i++) {
    const seconds = i / SAMPLE_RATE
    const depth = 0.012 * Math.min(1, seconds / 0.5)
    const step = (frequency * (1 + depth * Math.sin(2 * Math.PI * 5.5 * seconds))) / SAMPLE_RATE
    phase += step
    if (phase >= 1) phase -= 1
    source[i] = 2 * phase - 1 - blep(phase, Math.min(0.45, step))
  }
  formants.forEach((formant, f) => {
    const radius = Math.exp((-Math.PI * (60 + 40 * f)) / SAMPLE_RATE)
    const turn = 2 * radius * Math.cos((2 * Math.PI * formant) / SAMPLE_RATE)
    const gain = (1 - radius) * (2.5 / (f + 1))
    for (let i = 0, a = 0, b = 0; i < length; i++) {
      const y = gain * source[i]! + turn * a - radius * radius * b
      b = a
      a = y
      out[i] = out[i]! + 3 * y
    }
  })
  return out
}

/** The filter and the strength over time of a patch (filter: Simper's, trapezoidal). */
function shape(note: Float32Array, patch: Patch): void {
  const { attack, decay, hold, cutoff, sweep, sweepTime, resonance } = patch
  const filtered = patch.wave !== 'voice' && patch.wave !== 'string'
  const damping = 1 / resonance
  let [low, band, g] = [0, 0, 0]
  for (let i = 0; i < note.length; i++) {
    const seconds = i / SAMPLE_RATE
    if (filtered) {
      if (i % BLOCK === 0) {
        const hertz = cutoff * 2 ** (sweep * Math.exp(-seconds / sweepTime))
        g = Math.tan((Math.PI * Math.min(0.45 * SAMPLE_RATE, hertz)) / SAMPLE_RATE)
      }
      const v = (note[i]! - low - (damping + g) * band) / (1 + g * (g + damping))
      const middle = g * v + band
      const lowest = g * middle + low
      band = g * v + middle
      low = g * middle + lowest
      note[i] = lowest
    }
    const rise = Math.min(1, seconds / attack)
    note[i] = note[i]! * rise * (hold + (1 - hold) * Math.exp(-seconds / decay))
  }
}
