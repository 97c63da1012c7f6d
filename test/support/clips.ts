import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeWave, type Samples } from '../../src/client/audio-input.ts'

/**
 * A few seconds of music made of arithmetic: a click on each beat over a chord. Another `seed` is
 * another recording.
 */
export function clip({ seconds = 3, bpm = 120, seed = 1, sampleRate = 22_050 } = {}): Samples {
  const samples = new Float32Array(Math.round(seconds * sampleRate))
  let noise = seed
  const hiss = () => {
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) | 0
    return noise / 2 ** 31
  }
  const root = 220 * 2 ** ((seed % 12) / 12)
  for (let i = 0; i < samples.length; i++) {
    const t = i / sampleRate
    const sinceBeat = t % (60 / bpm)
    const chord = [1, 1.25, 1.5].reduce((sum, r) => sum + Math.sin(2 * Math.PI * root * r * t), 0)
    samples[i] = 0.08 * chord + 0.4 * Math.exp(-sinceBeat * 40) * hiss()
  }
  return { samples: [samples], sampleRate }
}

/** One piece after the other. */
export function joined(...pieces: Samples[]): Samples {
  const { sampleRate } = pieces[0] as Samples
  const all = pieces.map(({ samples }) => samples[0] as Float32Array)
  const whole = new Float32Array(all.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const samples of all) {
    whole.set(samples, at)
    at += samples.length
  }
  return { samples: [whole], sampleRate }
}

/** The bytes of a clip as a WAV file. */
export async function waveBytes(samples: Samples): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of encodeWave(samples)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Writes a clip to a WAV file and returns its path. */
export async function waveFile(folder: string, name: string, samples = clip()): Promise<string> {
  const path = join(folder, name)
  writeFileSync(path, await waveBytes(samples))
  return path
}
