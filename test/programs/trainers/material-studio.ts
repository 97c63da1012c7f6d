import type { Random } from '../../support/music.ts'
import { SAMPLE_RATE } from './rhythm-band.ts'

/** Seconds of the blocks by which loudness is measured. */
const BLOCK = 0.05
/** Delays of a room's walls at size 1, in seconds (Schroeder's, 1962, at 22,050 Hz). */
const COMBS = [0.0297, 0.0371, 0.0411, 0.0437]
const ALLPASSES = [0.005, 0.0017]

/** Loudness of a stem where it plays: the 90th percentile of the blocks' RMS, 0 of silence. */
export function loudness(x: Float32Array): number {
  const size = Math.round(BLOCK * SAMPLE_RATE)
  const levels = new Float32Array(Math.floor(x.length / size))
  for (let b = 0; b < levels.length; b++) {
    let sum = 0
    for (let i = b * size; i < (b + 1) * size; i++) sum += x[i]! * x[i]!
    levels[b] = Math.sqrt(sum / size)
  }
  levels.sort()
  return levels[Math.floor(0.9 * levels.length)] ?? 0
}

/** Adds a stem at a loudness in dB. */
export function addStem(out: Float32Array, stem: Float32Array, decibels: number): void {
  const level = loudness(stem)
  if (level < 1e-6) return
  const gain = 10 ** (decibels / 20) / level
  for (let i = 0; i < out.length; i++) out[i] = out[i]! + gain * stem[i]!
}

export type Filter = 'low' | 'high' | 'peak' | 'lowShelf' | 'highShelf'

/** A second-order filter in place (Bristow-Johnson, Audio EQ Cookbook). */
export function filter(
  x: Float32Array,
  kind: Filter,
  { hertz, q = Math.SQRT1_2, decibels = 0 }: { hertz: number; q?: number; decibels?: number },
): void {
  const w = (2 * Math.PI * Math.min(hertz, 0.48 * SAMPLE_RATE)) / SAMPLE_RATE
  const [cos, alpha, a] = [Math.cos(w), Math.sin(w) / (2 * q), 10 ** (decibels / 40)]
  const root = 2 * Math.sqrt(a) * alpha
  let [b0, b1, b2, a0, a1, a2] = [1, 0, 0, 1, 0, 0]
  if (kind === 'low' || kind === 'high') {
    const sign = kind === 'low' ? 1 : -1
    b1 = sign * (1 - sign * cos)
    b0 = b2 = (1 - sign * cos) / 2
    ;[a0, a1, a2] = [1 + alpha, -2 * cos, 1 - alpha]
  } else if (kind === 'peak') {
    ;[b0, b1, b2] = [1 + alpha * a, -2 * cos, 1 - alpha * a]
    ;[a0, a1, a2] = [1 + alpha / a, -2 * cos, 1 - alpha / a]
  } else {
    const s = kind === 'lowShelf' ? 1 : -1
    b0 = a * (a + 1 - s * (a - 1) * cos + root)
    b1 = 2 * s * a * (a - 1 - s * (a + 1) * cos)
    b2 = a * (a + 1 - s * (a - 1) * cos - root)
    a0 = a + 1 + s * (a - 1) * cos + root
    a1 = -2 * s * (a - 1 + s * (a + 1) * cos)
    a2 = a + 1 + s * (a - 1) * cos - root
  }
  let [x1, x2, y1, y2] = [0, 0, 0, 0]
  for (let i = 0; i < x.length; i++) {
    const now = x[i]!
    const y = (b0 * now + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2) / a0
    x2 = x1
    x1 = now
    y2 = y1
    y1 = y
    x[i] = y
  }
}

/** Saturation, at most 1. */
function saturate(x: Float32Array, drive: number): void {
  for (let i = 0; i < x.length; i++) x[i] = Math.tanh(drive * x[i]!)
}

/** A guitar's amplifier and its cabinet. */
export function amplify(x: Float32Array, drive: number): void {
  filter(x, 'high', { hertz: 90 })
  saturate(x, drive / Math.max(1e-6, loudness(x)))
  filter(x, 'low', { hertz: 4200 })
  filter(x, 'peak', { hertz: 2500, q: 1, decibels: 5 })
}

/** Lowers what exceeds a level, as a compressor of a bus does: in place, levels of 0…1. */
export function compress(
  x: Float32Array,
  {
    threshold,
    ratio,
    attack,
    release,
  }: Record<'threshold' | 'ratio' | 'attack' | 'release', number>,
): void {
  const [rise, fall] = [attack, release].map((time) => Math.exp(-1 / (time * SAMPLE_RATE)))
  const power = 1 / ratio - 1
  let level = 0
  for (let i = 0; i < x.length; i++) {
    const now = Math.abs(x[i]!)
    const keep = now > level ? rise! : fall!
    level = keep * level + (1 - keep) * now
    if (level > threshold) x[i] = x[i]! * (level / threshold) ** power
  }
}

/** Side-chain: after each of some times the sound is down by a depth of 0…1 and returns. */
export function duck(
  x: Float32Array,
  times: readonly number[],
  { depth, seconds }: { depth: number; seconds: number },
): void {
  const length = Math.round(seconds * SAMPLE_RATE)
  const sorted = [...times].sort((a, b) => a - b)
  sorted.forEach((time, n) => {
    const from = Math.round(time * SAMPLE_RATE)
    const next = sorted[n + 1]
    const end = Math.min(x.length, from + length, next ? Math.round(next * SAMPLE_RATE) : x.length)
    for (let i = Math.max(0, from); i < end; i++) {
      const back = (i - from) / length
      x[i] = x[i]! * (1 - depth * (1 - back * back))
    }
  })
}

/** Echoes at a distance in seconds, each so much weaker. */
export function echo(x: Float32Array, seconds: number, feedback: number, level: number): void {
  const line = new Float32Array(Math.max(1, Math.round(seconds * SAMPLE_RATE)))
  for (let i = 0, at = 0; i < x.length; i++) {
    const late = line[at]!
    line[at] = x[i]! + feedback * late
    x[i] = x[i]! + level * late
    at = at + 1 === line.length ? 0 : at + 1
  }
}

/** The reverberation of a room, added: its size from 0.3 (a booth) to 2 (a church). */
export function reverberate(
  x: Float32Array,
  { size, seconds, level }: { size: number; seconds: number; level: number },
  random: Random,
): void {
  const wet = new Float32Array(x.length)
  for (const comb of COMBS) {
    const delay = comb * size * (0.95 + 0.1 * random())
    const feedback = 10 ** ((-3 * delay) / seconds)
    const line = new Float32Array(Math.round(delay * SAMPLE_RATE))
    for (let i = 0, at = 0, dull = 0; i < x.length; i++) {
      const late = line[at]!
      dull = 0.6 * late + 0.4 * dull
      line[at] = x[i]! + feedback * dull
      wet[i] = wet[i]! + late
      at = at + 1 === line.length ? 0 : at + 1
    }
  }
  for (const pass of ALLPASSES) {
    const line = new Float32Array(Math.round(pass * SAMPLE_RATE))
    for (let i = 0, at = 0; i < x.length; i++) {
      const late = line[at]!
      const now = wet[i]! + 0.7 * late
      line[at] = now
      wet[i] = late - 0.7 * now
      at = at + 1 === line.length ? 0 : at + 1
    }
  }
  for (let i = 0; i < x.length; i++) x[i] = x[i]! + 0.25 * level * wet[i]!
}

/** Scales to a peak. */
export function normalise(x: Float32Array, peak: number): void {
  let highest = 0
  for (let i = 0; i < x.length; i++) highest = Math.max(highest, Math.abs(x[i]!))
  if (highest > 0) for (let i = 0; i < x.length; i++) x[i] = (x[i]! * peak) / highest
}
