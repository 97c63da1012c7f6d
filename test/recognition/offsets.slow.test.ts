import { beforeAll, describe, expect, it } from 'vitest'
import type { Samples } from '../../src/client/audio-input.ts'
import {
  reverseEvidence,
  type WholeFile,
} from '../../src/recognition/whole-files/same-recording.ts'
import { addDrum, addTone, seeded, VOICES } from '../support/music.ts'
import { compare, fileOf, mono, RATE, styled, trimmed } from '../support/whole-files.ts'

/** A bar of drums, and of a riff on the bass if wanted, repeated exactly for 26 s. */
function repeatedBar(bpm: number, riff: boolean): Samples {
  const beat = 60 / bpm
  const length = Math.round(4 * beat * RATE)
  const random = seeded(11)
  // The last stroke of a bar rings on in the next one.
  const bar = new Float32Array(length + (riff ? RATE : 0))
  const at = (place: number, gain: number) => ({ start: place * beat, gain })
  for (const place of [0, 1, 2, 3]) addDrum(bar, RATE, at(place, 0.5), 'kick', random)
  for (const place of [1, 3, 3.75]) addDrum(bar, RATE, at(place, 0.4), 'snare', random)
  for (let half = 0; half < 8; half++) addDrum(bar, RATE, at(half / 2, 0.2), 'hat', random)
  const notes = [41, 44, 41, 46, 48, 44]
  for (const [i, place] of (riff ? [0, 0.75, 1.5, 2, 2.5, 3.25] : []).entries()) {
    const tone = { ...at(place, 0.2), duration: beat / 2, pitch: notes[i] as number }
    addTone(bar, RATE, tone, VOICES.bass!, random)
  }
  const samples = new Float32Array(length * Math.round((26 * bpm) / 240))
  for (let start = 0; start < samples.length; start += length)
    for (let i = start; i < Math.min(samples.length, start + bar.length); i++)
      samples[i] = (samples[i] as number) + (bar[i - start] as number)
  return mono(samples.map(Math.tanh))
}

describe.each([
  ['drums at 96 a minute', () => repeatedBar(96, false), [0.005, 0.5, 1, 2]],
  ['drums at 120 a minute', () => repeatedBar(120, false), [0.1, 0.5, 1]],
  ['drums and a riff at 96 a minute', () => repeatedBar(96, true), [0.02, 0.1, 0.37, 0.5, 1, 2]],
  ['drums and a riff at 120 a minute', () => repeatedBar(120, true), [0.005, 0.1, 0.37, 0.5, 1]],
  ['drums whose bars differ', () => styled('drums alone', 3, 96, 10), [0.005, 0.37, 2]],
] as const)('of the offsets at which %s agree the right one is found', (_, make, cuts) => {
  let original: Samples
  let whole: WholeFile
  beforeAll(() => {
    original = make()
    whole = fileOf(original)
  })

  it.each(cuts)('without the first %d s', async (cut) => {
    const copy = fileOf(trimmed(original, cut))
    const evidence = await compare(copy, whole)
    expect(Math.abs((evidence?.offset ?? 99) + cut)).toBeLessThan(0.05)
    const other = await compare(whole, copy)
    expect(other).toEqual(evidence && reverseEvidence(evidence))
  })
})
