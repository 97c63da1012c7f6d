import { basename, dirname } from 'node:path'
import { pick } from '../../support/chance.ts'
import type { Random } from '../../support/music.ts'
import { recordingsIn, samplesOf } from './material-files.ts'
import { STROKES, type Stroke } from './material-score.ts'
import { SAMPLE_RATE } from './rhythm-band.ts'

/** Seconds of a recorded stroke that are kept. */
const LONGEST = 2.5
/** A stroke begins where its sound reaches this share of its peak; what is before it is cut off. */
const ONSET = 0.1

/** The sound of each stroke: its onset at sample 0, its peak 1. */
export type Kit = Readonly<Record<Stroke, Float32Array>>

/** What files are called that hold a stroke; the first that fits counts. */
const NAMES: readonly (readonly [RegExp, Stroke])[] = [
  [/open|hho|hat.*\bop\b|hihat_opened|cymbal_open/i, 'openhat'],
  [/h(i)?.?hat|closed|pedal|hhc|\bhh|cymbal_pedal|\bhat/i, 'hat'],
  [/kick|bass.?drum|\bbd_?|\bbd/i, 'kick'],
  [/clap|snap/i, 'clap'],
  [/rim|side.?stick|stick/i, 'rim'],
  [/snare|\bsn_|\bsd/i, 'snare'],
  [/ride/i, 'ride'],
  [/crash|splash|cymbal/i, 'crash'],
  [/shaker|tambou?r|maraca/i, 'shaker'],
  [/cow|agogo|\bbell/i, 'cowbell'],
  [/tom/i, 'tom'],
  [/conga|bongo|djembe|tabla|timbale/i, 'conga'],
]
const LOOPS = /loop|beat|break|roll|flam|zap|metronome|bassloop|bass_|nasty_bass/i

/** The recorded drums of some folders, decoded when they are first played. */
export class DrumRoom {
  /** By folder: what a drummer's kit has. */
  readonly #kits: Map<Stroke, string[]>[]
  readonly #sounds = new Map<string, Float32Array | undefined>()

  constructor(folders: readonly string[]) {
    const kits = new Map<string, Map<Stroke, string[]>>()
    for (const file of recordingsIn(folders)) {
      const stroke = strokeOf(basename(file))
      if (stroke === undefined) continue
      const kit = kits.get(dirname(file)) ?? new Map<Stroke, string[]>()
      kits.set(dirname(file), kit)
      kit.set(stroke, [...(kit.get(stroke) ?? []), file])
    }
    this.#kits = [...kits.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, kit]) => kit)
      .filter((kit) => kit.has('kick') || kit.has('snare') || kit.size > 2)
  }

  get empty(): boolean {
    return this.#kits.length === 0
  }

  /** A kit of recorded strokes, one folder's or, one in three, of all; what is missing is made. */
  kit(random: Random): Kit {
    const kit = madeKit(random)
    const own = pick(random, this.#kits)
    const mixed = random() < 0.33
    for (const stroke of STROKES) {
      const having = this.#kits.filter((one) => one.has(stroke))
      const from = mixed && having.length > 0 ? pick(random, having) : own
      const files = from.get(stroke)
      if (files) kit[stroke] = this.#sound(pick(random, files)) ?? kit[stroke]
    }
    return kit
  }

  /** Undefined where a file holds no sound that can be decoded. */
  #sound(file: string): Float32Array | undefined {
    if (!this.#sounds.has(file)) this.#sounds.set(file, strokeIn(file))
    return this.#sounds.get(file)
  }
}

function strokeIn(file: string): Float32Array | undefined {
  const sound = samplesOf(file, LONGEST + 1)
  return sound && fromOnset(sound)
}

function strokeOf(file: string): Stroke | undefined {
  return LOOPS.test(file) ? undefined : NAMES.find(([name]) => name.test(file))?.[1]
}

/** A sound from its onset on, its peak 1, its end faded. */
export function fromOnset(sound: Float32Array): Float32Array {
  let peak = 0
  for (const x of sound) peak = Math.max(peak, Math.abs(x))
  if (peak === 0) return new Float32Array(1)
  const from = sound.findIndex((x) => Math.abs(x) >= ONSET * peak)
  const cut = sound.slice(from, from + Math.round(LONGEST * SAMPLE_RATE))
  const fade = Math.min(cut.length, Math.round(0.05 * SAMPLE_RATE))
  for (let i = 0; i < cut.length; i++)
    cut[i] = (cut[i]! / peak) * Math.min(1, (cut.length - i) / fade)
  return cut
}

/** A kit made in code, in the manner of the drum machines of 1980: tuned sines and noise. */
export function madeKit(random: Random): Record<Stroke, Float32Array> {
  const between = (low: number, high: number) => low * (high / low) ** random()
  const made: Record<Stroke, Recipe> = {
    kick: {
      tone: 1,
      pitch: between(42, 62),
      bend: between(1, 8),
      bendTime: between(0.008, 0.05),
      decay: between(0.1, 0.9),
      noise: between(0.01, 0.2),
      noiseDecay: 0.005,
    },
    snare: {
      tone: between(0.2, 0.8),
      pitch: between(150, 240),
      bend: 0.6,
      bendTime: 0.02,
      decay: between(0.05, 0.15),
      noise: 1,
      noiseDecay: between(0.07, 0.3),
    },
    clap: { ...NOISE, noiseDecay: between(0.06, 0.2), claps: 3 },
    hat: { ...NOISE, noiseDecay: between(0.015, 0.05), bright: true },
    openhat: { ...NOISE, noiseDecay: between(0.15, 0.4), bright: true },
    ride: {
      ...NOISE,
      tone: 0.3,
      pitch: between(3000, 5000),
      decay: 0.5,
      noiseDecay: 0.7,
      bright: true,
    },
    crash: { ...NOISE, noiseDecay: between(0.7, 1.5), bright: true },
    rim: {
      ...NOISE,
      tone: 1,
      pitch: between(400, 1700),
      decay: 0.02,
      noise: 0.3,
      noiseDecay: 0.01,
    },
    tom: {
      ...NOISE,
      tone: 1,
      pitch: between(80, 180),
      bend: 0.5,
      bendTime: 0.05,
      decay: 0.3,
      noise: 0.1,
      noiseDecay: 0.05,
    },
    conga: {
      ...NOISE,
      tone: 1,
      pitch: between(200, 330),
      bend: 0.1,
      bendTime: 0.02,
      decay: 0.12,
      noise: 0.1,
      noiseDecay: 0.01,
    },
    lowConga: {
      ...NOISE,
      tone: 1,
      pitch: between(130, 190),
      bend: 0.1,
      bendTime: 0.02,
      decay: 0.2,
      noise: 0.1,
      noiseDecay: 0.01,
    },
    shaker: { ...NOISE, noiseDecay: between(0.03, 0.08), bright: true, swell: 0.01 },
    cowbell: {
      ...NOISE,
      tone: 1,
      pitch: between(520, 860),
      second: 1.5,
      decay: 0.15,
      noise: 0,
      noiseDecay: 0.01,
    },
  }
  return Object.fromEntries(
    Object.entries(made).map(([stroke, recipe]) => [stroke, fromOnset(strike(recipe, random))]),
  ) as Record<Stroke, Float32Array>
}

interface Recipe {
  tone: number
  /** Hz; times 1 + bend at the onset, which is gone after some bendTime seconds. */
  pitch: number
  bend: number
  bendTime: number
  /** Seconds until strength is 1/e. */
  decay: number
  noise: number
  noiseDecay: number
  /** Noise above some 5 kHz only. */
  bright?: boolean
  /** So many bursts of noise, a hundredth of a second apart. */
  claps?: number
  /** Seconds in which the noise rises. */
  swell?: number
  /** A second tone, so many times as high. */
  second?: number
}

const NOISE: Recipe = {
  tone: 0,
  pitch: 200,
  bend: 0,
  bendTime: 0.01,
  decay: 0.1,
  noise: 1,
  noiseDecay: 0.1,
}

function strike(recipe: Recipe, random: Random): Float32Array {
  const { tone, pitch, bend, bendTime, decay, noise, noiseDecay, claps = 1, swell = 0 } = recipe
  const seconds = Math.min(LONGEST, 5 * Math.max(tone > 0 ? decay : 0, noiseDecay) + 0.04)
  const out = new Float32Array(Math.round(seconds * SAMPLE_RATE))
  let phase = 0
  let [before, twoBefore] = [0, 0]
  for (let i = 0; i < out.length; i++) {
    const t = i / SAMPLE_RATE
    phase += (2 * Math.PI * pitch * (1 + bend * Math.exp(-t / bendTime))) / SAMPLE_RATE
    const sine = Math.sin(phase) + (recipe.second ? Math.sin(recipe.second * phase) : 0)
    const white = 2 * random() - 1
    const hiss = recipe.bright ? (white - 2 * before + twoBefore) / 2 : (white + before) / 2
    twoBefore = before
    before = white
    const since = claps > 1 ? t - 0.011 * Math.min(claps - 1, Math.floor(t / 0.011)) : t
    const burst = claps > 1 && t < 0.011 * (claps - 1) ? 0.004 : noiseDecay
    const rise = swell > 0 ? Math.min(1, t / swell) : 1
    out[i] = tone * sine * Math.exp(-t / decay) + noise * rise * hiss * Math.exp(-since / burst)
  }
  return out
}
