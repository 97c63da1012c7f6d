import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gaussian, pick } from '../../support/chance.ts'
import type { Random } from '../../support/music.ts'
import type { Speakers } from './material-files.ts'
import { addStem, compress, filter, loudness, normalise, reverberate } from './material-studio.ts'
import { SAMPLE_RATE } from './rhythm-band.ts'

/** Codecs by their kbit/s, of recordings in mono at 22,050 Hz. */
const CODECS = [
  { extension: 'mp3', options: ['-c:a', 'libmp3lame'], rates: [24, 32, 48, 64] },
  { extension: 'ogg', options: ['-c:a', 'libvorbis'], rates: [24, 32, 48, 64] },
  { extension: 'opus', options: ['-c:a', 'libopus'], rates: [16, 24, 32, 48] },
] as const
/** Shares of pieces. */
const CODED = 0.3
const TALKED_OVER = 0.08
const CROWDED = 0.05
const TAPED = 0.3

/**
 * Records a mix in place: its tone, its loudness, the room and the medium, each by chance. No
 * filter here delays what it lets through by more than a millisecond.
 */
export function record(x: Float32Array, speakers: Speakers | undefined, random: Random): void {
  normalise(x, 0.7)
  tone(x, random)
  if (random() < 0.2)
    reverberate(
      x,
      { size: 0.6 + 1.2 * random(), seconds: 0.4 + 2 * random() ** 2, level: 0.6 * random() },
      random,
    )
  level(x, random)
  medium(x, speakers, random)
}

function tone(x: Float32Array, random: Random): void {
  const some = (share: number) => random() < share
  if (some(0.6))
    filter(x, 'lowShelf', { hertz: 80 + 200 * random(), decibels: 5 * gaussian(random) })
  if (some(0.6))
    filter(x, 'highShelf', { hertz: 2000 + 4000 * random(), decibels: 5 * gaussian(random) })
  if (some(0.4))
    filter(x, 'peak', { hertz: 200 * 20 ** random(), q: 0.8, decibels: 5 * gaussian(random) })
  if (some(0.12)) filter(x, 'high', { hertz: 40 * 6 ** random() })
  if (some(0.12)) filter(x, 'low', { hertz: 2000 + 5000 * random() })
}

/** Compression of the sum, then a limiter or clipping, as loud as the master is. */
function level(x: Float32Array, random: Random): void {
  normalise(x, 0.9)
  const rms = loudness(x)
  if (random() < 0.6)
    compress(x, {
      threshold: rms * (0.3 + 0.7 * random()),
      ratio: pick(random, [2, 3, 4, 8]),
      attack: 0.002 + 0.03 * random(),
      release: 0.05 + 0.25 * random(),
    })
  normalise(x, 0.9)
  // Most masters are loud; a fifth of the pieces keep their peaks.
  const push = pick(random, [1, 1.5, 2, 3, 4])
  const hard = random() < 0.3
  for (let i = 0; i < x.length; i++) {
    const y = push * x[i]!
    x[i] = hard ? Math.max(-1, Math.min(1, y)) : push > 1 ? Math.tanh(y) : y
  }
  normalise(x, pick(random, [0.98, 0.98, 0.98, 0.9, 0.9, 0.6, 0.25]))
}

/** Hiss, crackle and whoever talks. */
function medium(x: Float32Array, speakers: Speakers | undefined, random: Random): void {
  if (speakers && random() < TALKED_OVER) {
    const said = new Float32Array(x.length)
    for (let at = SAMPLE_RATE * 3 * random(); at < x.length; at += SAMPLE_RATE * 4 * random()) {
      const line = speakers.line(random)
      if (line === undefined) break
      said.set(line.subarray(0, x.length - Math.floor(at)), Math.floor(at))
      at += line.length
    }
    addStem(x, said, decibels(loudness(x)) + 8 * (random() - 0.6))
  }
  const hiss = random() < 0.25 ? 10 ** (-2 - 1.5 * random()) : 0
  if (random() < CROWDED)
    addStem(x, crowd(x.length, random), decibels(loudness(x)) - 6 - 15 * random())
  const crackle = random() < 0.08 ? (5 + 30 * random()) / SAMPLE_RATE : 0
  if (hiss > 0 || crackle > 0)
    for (let i = 0, last = 0; i < x.length; i++) {
      last = 0.5 * last + hiss * (random() - 0.5)
      const click = random() < crackle ? 0.3 * random() * (random() - 0.5) : 0
      x[i] = x[i]! + last + click
    }
  normalise(x, Math.min(0.98, peakOf(x)))
}

function decibels(level: number): number {
  return 20 * Math.log10(level + 1e-6)
}

/** People who clap and shout, none in time. */
function crowd(length: number, random: Random): Float32Array {
  const out = new Float32Array(length)
  let [strength, target] = [0, 0]
  for (let i = 0; i < length; i++) {
    if (i % SAMPLE_RATE === 0) target = random() ** 2
    strength += (target - strength) / SAMPLE_RATE
    const clap = random() < 0.002 ? 6 : 1
    out[i] = strength * clap * (2 * random() - 1)
  }
  filter(out, 'peak', { hertz: 1200, q: 0.7, decibels: 12 })
  filter(out, 'low', { hertz: 5000 })
  return out
}

/**
 * The speed of a tape or a record that is not quite right, and wavers: the samples, and where each
 * time of the original is in them.
 */
export function taped(
  x: Float32Array,
  random: Random,
): { samples: Float32Array; at: (seconds: number) => number } {
  if (random() >= TAPED) return { samples: x, at: (seconds) => seconds }
  const speed = 0.98 + 0.04 * random()
  const depth = random() < 0.3 ? 0.002 * random() : 0
  const turn = 2 * Math.PI * (0.4 + 5 * random())
  const sourceOf = (seconds: number) => speed * seconds + depth * Math.sin(turn * seconds)
  const length = Math.floor((x.length - 2) / speed - depth * SAMPLE_RATE)
  const samples = new Float32Array(length)
  for (let i = 0; i < length; i++) {
    const place = SAMPLE_RATE * sourceOf(i / SAMPLE_RATE)
    const whole = Math.min(x.length - 2, Math.floor(place))
    samples[i] = x[whole]! + (place - whole) * (x[whole + 1]! - x[whole]!)
  }
  const at = (seconds: number) => {
    let time = seconds / speed
    for (let i = 0; i < 3; i++) time -= (sourceOf(time) - seconds) / speed
    return time
  }
  return { samples, at }
}

function peakOf(x: Float32Array): number {
  let peak = 0
  for (let i = 0; i < x.length; i++) peak = Math.max(peak, Math.abs(x[i]!))
  return peak
}

/** Samples of 16 bits, through a lossy codec for a share of the pieces. */
export function asStored(x: Float32Array, random: Random): Int16Array {
  const samples = new Int16Array(x.length)
  for (let i = 0; i < x.length; i++)
    samples[i] = Math.round(32767 * Math.max(-1, Math.min(1, x[i]!)))
  const { extension, options, rates } = pick(random, CODECS)
  const rate = pick(random, rates)
  if (random() >= CODED) return samples
  return coded(samples, extension, [...options, '-b:a', `${rate}k`])
}

/** What remains of samples after a codec, at the same times. */
export function coded(
  samples: Int16Array,
  extension: string,
  options: readonly string[],
): Int16Array {
  const folder = mkdtempSync(join(tmpdir(), 'audile-coded-'))
  try {
    const [from, file] = [join(folder, 'from.raw'), join(folder, `coded.${extension}`)]
    const raw = ['-f', 's16le', '-ar', `${SAMPLE_RATE}`, '-ac', '1']
    writeFileSync(from, bytesOf(samples))
    const quiet = ['-v', 'error', '-y', '-threads', '1']
    // A file, not a pipe: only then is the encoder's delay written, which a decoder leaves out.
    execFileSync('ffmpeg', [...quiet, ...raw, '-i', from, ...options, file])
    execFileSync('ffmpeg', [...quiet, '-i', file, ...raw, from])
    const bytes = readFileSync(from)
    const out = new Int16Array(samples.length)
    const decoded = new Int16Array(new Uint8Array(bytes).buffer, 0, bytes.length >> 1)
    out.set(decoded.subarray(0, out.length))
    return out
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function bytesOf(samples: Int16Array): Buffer {
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
}
