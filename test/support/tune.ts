import type { Samples } from '../../src/client/audio-input.ts'
import { seeded, song } from './music.ts'

const made = new Map<string, Samples>()

/** A piece of music of its own for each seed: tempo, key, melody and all. */
export function tune({ seed, seconds = 20 }: { seed: number; seconds?: number }): Samples {
  const name = `${seed} ${seconds}`
  const known = made.get(name)
  if (known) return known
  const random = seeded(1000 + seed)
  const { samples, sampleRate } = song(
    {
      seconds,
      tempo: 80 + Math.round(80 * random()),
      key: Math.floor(12 * random()),
      mode: random() < 0.5 ? 0 : 1,
      chords: random() < 0.5 ? 'piano' : 'strings',
      lead: random() < 0.5 ? 'flute' : 'clarinet',
    },
    random,
  )
  const audio = { samples: [samples], sampleRate }
  made.set(name, audio)
  return audio
}
