import type { Samples } from '../../src/client/audio-input.ts'
import { seeded, song } from './music.ts'
import { onceARun } from './once-a-run.ts'

const made = new Map<string, Samples>()

/** A piece of music of its own for each seed: tempo, key, melody and all. */
export function tune({ seed, seconds = 20 }: { seed: number; seconds?: number }): Samples {
  const name = `${seed} ${seconds}`
  const known = made.get(name)
  if (known) return known
  const audio = onceARun(`tune ${name}`, () => makeTune(seed, seconds))
  made.set(name, audio)
  return audio
}

function makeTune(seed: number, seconds: number): Samples {
  const random = seeded(1000 + seed)
  const plan = {
    seconds,
    tempo: 80 + Math.round(80 * random()),
    key: Math.floor(12 * random()),
    mode: random() < 0.5 ? (0 as const) : (1 as const),
    chords: random() < 0.5 ? 'piano' : 'strings',
    lead: random() < 0.5 ? 'flute' : 'clarinet',
  }
  const { samples, sampleRate } = song(plan, random)
  return { samples: [samples], sampleRate }
}
