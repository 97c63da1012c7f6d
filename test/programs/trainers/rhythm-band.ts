import { addDrum, addTone, type Drum, type Random, seeded, VOICES } from '../../support/music.ts'

export const SAMPLE_RATE = 22_050
/** Seconds after which no sound is heard any more. */
const LONGEST = 4
const RELEASE = 0.04

/** One sound of a piece. */
export interface Sound {
  /** Seconds. */
  start: number
  duration: number
  gain: number
  /** A name of `VOICES` with a MIDI pitch, or a stroke. */
  voice: string
  pitch: number
}

/** Whoever plays sounds: what it makes is as long as asked, at {@link SAMPLE_RATE}. */
export interface Ensemble {
  /** @param random - for what is left to the players */
  play(sounds: readonly Sound[], seconds: number, random: Random): Float32Array
}

/** Strokes that are tones, not noise: a voice and its pitch. */
const BARS: Readonly<Record<string, readonly [voice: string, pitch: number]>> = {
  rim: ['bell', 91],
  conga: ['guitar', 55],
  lowConga: ['guitar', 48],
}

/**
 * Plays sounds as a sampler does: each pitch of each voice is made once, for all pieces, and then
 * only added, shortened and scaled.
 */
export class Band implements Ensemble {
  readonly #samples = new Map<string, Float32Array>()

  play(sounds: readonly Sound[], seconds: number): Float32Array {
    const out = new Float32Array(Math.round(seconds * SAMPLE_RATE))
    for (const { start, duration, gain, voice, pitch } of sounds) {
      const sample = this.#sample(voice, pitch)
      const from = Math.round(start * SAMPLE_RATE)
      const held = Math.round(duration * SAMPLE_RATE)
      const release = Math.round(RELEASE * SAMPLE_RATE)
      const end = Math.min(sample.length, held + release, out.length - from)
      for (let i = Math.max(0, -from); i < end; i++) {
        const fade = i < held ? 1 : 1 - (i - held) / release
        out[from + i] = out[from + i]! + gain * fade * sample[i]!
      }
    }
    return out
  }

  #sample(voice: string, pitch: number): Float32Array {
    const key = `${voice} ${pitch}`
    const known = this.#samples.get(key)
    if (known) return known
    const made = new Float32Array(Math.round(LONGEST * SAMPLE_RATE))
    const random = seeded(pitch + 1)
    const tone = BARS[voice] ?? (VOICES[voice] ? [voice, pitch] : undefined)
    if (tone) {
      const at = { start: 0, duration: BARS[voice] ? 0.12 : LONGEST, pitch: tone[1], gain: 1 }
      addTone(made, SAMPLE_RATE, at, VOICES[tone[0]]!, random)
    } else {
      const drum = (voice === 'ride' ? 'crash' : voice) as Drum
      addDrum(made, SAMPLE_RATE, { start: 0, gain: voice === 'ride' ? 0.4 : 1 }, drum, random)
    }
    this.#samples.set(key, made)
    return made
  }
}
