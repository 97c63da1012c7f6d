import type { Samples } from '../../src/client/audio-input.ts'
import { type SongPlan, seeded, song } from './music.ts'

const PLAN: SongPlan = {
  seconds: 20,
  tempo: 104,
  key: 2,
  mode: 0,
  chords: 'strings',
  lead: 'flute',
}

const made = new Map<string, Samples>()

/** A piece of one band, played otherwise if wanted. */
export function piece(seed: number, changed: Partial<SongPlan> = {}): Samples {
  const name = `${seed} ${JSON.stringify(changed)}`
  const known = made.get(name)
  if (known) return known
  const { samples, sampleRate } = song({ ...PLAN, ...changed }, seeded(seed))
  const audio = { samples: [samples], sampleRate }
  made.set(name, audio)
  return audio
}

/** A part of a piece, in seconds, louder or softer. */
export function part({ samples, sampleRate }: Samples, from: number, to = 1e9, gain = 1): Samples {
  return {
    sampleRate,
    samples: samples.map((channel) =>
      channel.slice(from * sampleRate, to * sampleRate).map((sample) => gain * sample),
    ),
  }
}
