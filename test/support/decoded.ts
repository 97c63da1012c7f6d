import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { type DecodeOptions, type DecodeReport, decodeFile } from '../../src/audio/decode.ts'
import { scratch } from './scratch.ts'

export interface Decoded extends DecodeReport {
  samples: Float32Array[]
}

/** Decodes a whole file: a path, or bytes, which are written to a file without a telling name. */
export async function decoded(
  file: string | Uint8Array,
  options: DecodeOptions = {},
): Promise<Decoded> {
  const blocks = decodeFile(typeof file === 'string' ? file : written(file), options)
  const parts: Float32Array[][] = []
  for (;;) {
    const next = await blocks.next()
    if (next.done) {
      const samples = Array.from({ length: next.value.channels }, (_, c) =>
        joined(parts.map((part) => part[c]!)),
      )
      return { ...next.value, samples }
    }
    // Blocks may be reused.
    parts.push(next.value.channels.map((channel) => channel.slice()))
  }
}

export function written(bytes: Uint8Array): string {
  const path = join(scratch(), 'sound')
  writeFileSync(path, bytes)
  return path
}

/** The path of a file in test/audio/fixtures. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../audio/fixtures/${name}`, import.meta.url))
}

/**
 * Root mean square of the difference between samples and a sine: small only if the pitch, the level
 * and the position in time are all right.
 */
export function differenceFromSine(
  samples: Float32Array,
  { hertz = 441, amplitude = 0.5, sampleRate = 44_100, edge = 2000 } = {},
): number {
  let sum = 0
  for (let i = edge; i < samples.length - edge; i++) {
    sum += (samples[i]! - amplitude * Math.sin((2 * Math.PI * hertz * i) / sampleRate)) ** 2
  }
  return Math.sqrt(sum / (samples.length - 2 * edge))
}

/**
 * The sine of this pitch in a signal: its amplitude, and by how many samples it is late. Lossy codecs
 * change the level and add noise; delay that was not removed shows in the lag.
 */
export function fittedSine(
  samples: Float32Array,
  { hertz = 441, sampleRate = 44_100, edge = 2000 } = {},
): { amplitude: number; lag: number } {
  let sine = 0
  let cosine = 0
  for (let i = edge; i < samples.length - edge; i++) {
    const angle = (2 * Math.PI * hertz * i) / sampleRate
    sine += samples[i]! * Math.sin(angle)
    cosine += samples[i]! * Math.cos(angle)
  }
  const amplitude = (2 * Math.hypot(sine, cosine)) / (samples.length - 2 * edge)
  return { amplitude, lag: (-Math.atan2(cosine, sine) * sampleRate) / (2 * Math.PI * hertz) }
}

/** Expects the two tones of the stereo fixtures, none of them late by more than `lag` samples. */
export function expectTones(samples: readonly Float32Array[], lag: number): void {
  const tones = [
    { hertz: 441, amplitude: 0.5 },
    { hertz: 661.5, amplitude: 0.4 },
  ]
  expect(samples).toHaveLength(tones.length)
  for (const [c, { hertz, amplitude }] of tones.entries()) {
    const fitted = fittedSine(samples[c]!, { hertz })
    expect(Math.abs(fitted.lag)).toBeLessThan(lag)
    expect(fitted.amplitude).toBeCloseTo(amplitude, 1)
  }
}

export function joined(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
