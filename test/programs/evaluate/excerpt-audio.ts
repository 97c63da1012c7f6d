import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { gaussian, type Random } from '../../support/chance.ts'

/** A place that music is heard in. */
export interface Room {
  /** Seconds in which sound falls by 60 dB: at least, at most. */
  reverberation: readonly [number, number]
  /** Decibels of the music over the noise of the place. */
  over: number
}

/** Of all samples here, which are of one channel. */
export const SAMPLE_RATE = 44_100

/**
 * As a microphone hears it that stands in a room: the direct sound, a few reflections, a tail of
 * noise that falls by 60 dB in the reverberation time (Moorer, "About this reverberation business",
 * 1979), and noise of the place.
 */
export function inRoom(
  samples: Float32Array,
  { reverberation: [least, most], over }: Room,
  random: Random,
  scratch: string,
): Float32Array {
  const seconds = least + (most - least) * random()
  const response = new Float32Array(Math.round(seconds * SAMPLE_RATE))
  for (let i = 0; i < response.length; i++) {
    if (i > 0.02 * SAMPLE_RATE) {
      response[i] = 0.012 * gaussian(random) * 10 ** ((-3 * i) / (seconds * SAMPLE_RATE))
    }
  }
  response[0] = 1
  for (let i = 0; i < 7; i++) {
    const place = Math.round((0.004 + 0.04 * random()) * SAMPLE_RATE)
    response[place] = response[place]! + (random() < 0.5 ? -1 : 1) * (0.2 + 0.4 * random())
  }
  const [dry, room] = [join(scratch, 'dry.wav'), join(scratch, 'room.wav')]
  encode(samples, ['-c:a', 'pcm_f32le', dry])
  encode(response, ['-c:a', 'pcm_f32le', room], 1)
  const heard = samplesOf(['-i', dry, '-i', room, '-filter_complex', 'afir=gtype=none'])
  mix(heard, chatter(heard.length, random, 0.5), over)
  return heard
}

/** Noise with little treble whose strength changes about four times a second. */
export function chatter(length: number, random: Random, depth = 1): Float32Array {
  const noise = new Float32Array(length)
  let low = 0
  let lower = 0
  let strength = 1
  let aim = 1
  for (let i = 0; i < length; i++) {
    if (i % Math.round(SAMPLE_RATE / 4) === 0) aim = 1 - depth * random()
    strength += (aim - strength) / (0.03 * SAMPLE_RATE)
    low += (2 * random() - 1 - low) * 0.15
    lower += (low - lower) * 0.02
    noise[i] = strength * (low - lower)
  }
  return noise
}

/** Adds noise that is so many decibels weaker. */
export function mix(samples: Float32Array, noise: Float32Array, decibels: number): void {
  const gain = loudness(samples) / (loudness(noise) * 10 ** (decibels / 20))
  for (let i = 0; i < samples.length; i++) samples[i] = samples[i]! + gain * noise[i]!
}

/** Root mean square. */
export function loudness(samples: Float32Array): number {
  let sum = 0
  for (const value of samples) sum += value * value
  return Math.sqrt(sum / Math.max(1, samples.length))
}

export function samplesOf(input: readonly string[]): Float32Array {
  const raw = ['-ac', '1', '-ar', String(SAMPLE_RATE), '-f', 'f32le', '-']
  const bytes = ffmpeg([...input, ...raw])
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

/** Hands samples to ffmpeg, none above `peak`. */
export function encode(samples: Float32Array, output: readonly string[], peak = 0.98): void {
  let highest = peak
  for (const value of samples) highest = Math.max(highest, Math.abs(value))
  const fitting = samples.map((value) => (value * peak) / highest)
  const raw = ['-f', 'f32le', '-ar', String(SAMPLE_RATE), '-ac', '1', '-i', '-']
  ffmpeg([...raw, '-map_metadata', '-1', ...output], Buffer.from(fitting.buffer))
}

export function ffmpeg(args: readonly string[], input?: Buffer): Buffer {
  const options = { maxBuffer: 1 << 30, ...(input && { input }) }
  const made = spawnSync('ffmpeg', ['-v', 'error', '-y', ...args], options)
  if (made.status !== 0) throw new Error(`ffmpeg: ${made.stderr.toString().slice(0, 400)}`)
  return made.stdout
}

/** Runs a program; false if the machine has none of that name. */
export function run(program: string, args: readonly string[]): boolean {
  const made = spawnSync(program, args)
  if (made.error) return false
  if (made.status !== 0) throw new Error(`${program}: ${made.stderr.toString().slice(0, 400)}`)
  return true
}
