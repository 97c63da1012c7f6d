import { addTone, type Random, type SongPlan, seeded, song, VOICES } from './music.ts'

const RATE = 22_050
const SECONDS = 24

/** Two made recordings, of which the first is to get the higher value. */
export interface OrderedPair {
  name: string
  value: 'energy' | 'danceability' | 'speechiness' | 'acousticness' | 'valence'
  higher: () => Float32Array
  lower: () => Float32Array
}

/** What differs from pair to pair of one kind. */
interface Casting {
  key: number
  chords: string
  lead: string
  random: Random
}

const CHORDS = ['piano', 'organ', 'guitar', 'strings']
const LEADS = ['flute', 'clarinet', 'brass', 'bell']

function castingOf(seed: number): Casting {
  const chords = CHORDS[seed % CHORDS.length]!
  const lead = LEADS[Math.floor(seed / 2) % LEADS.length]!
  return { key: (5 * seed) % 12, chords, lead, random: seeded(100 + seed) }
}

function piece(seed: number, plan: Partial<SongPlan>): Float32Array {
  const { random, ...casting } = castingOf(seed)
  return song({ seconds: SECONDS, sampleRate: RATE, ...casting, ...plan }, random).samples
}

/** The pairs with a seed; each seed makes other keys, instruments and tempi. */
export function orderedPairs(seed: number): OrderedPair[] {
  const faster = 1 + 0.01 * seed
  const tempo = 112 * faster
  return [
    {
      name: `a dance above a ballad, ${seed}`,
      value: 'danceability',
      higher: () => piece(seed, { tempo, drums: true }),
      lower: () => piece(seed, { tempo: 62 * faster, drums: false, chords: 'strings' }),
    },
    {
      name: `with drums above without, ${seed}`,
      value: 'energy',
      higher: () => piece(seed, { tempo, drums: true }),
      lower: () => piece(seed, { tempo, drums: false }),
    },
    {
      name: `major and lively above minor and slow, ${seed}`,
      value: 'valence',
      higher: () => piece(seed, { tempo: 130 * faster, mode: 1 }),
      lower: () => piece(seed, { tempo: 66 * faster, mode: 0 }),
    },
    {
      name: `speech above music, ${seed}`,
      value: 'speechiness',
      higher: () => speech(seeded(200 + seed)),
      lower: () => piece(seed, { tempo, drums: seed % 2 === 0 }),
    },
    {
      name: `a guitar above a band, ${seed}`,
      value: 'acousticness',
      higher: () => guitar(castingOf(seed), 90 * faster),
      lower: () => piece(seed, { tempo, drums: true, lead: 'brass', gain: 2 }),
    },
  ]
}

/** A guitar alone that picks chords. */
function guitar({ key, random }: Casting, tempo: number): Float32Array {
  const samples = new Float32Array(SECONDS * RATE)
  const step = 30 / tempo
  for (let i = 0; i * step < SECONDS; i++) {
    const root = [0, 5, 7, 0][Math.floor(i / 8) % 4]!
    const pitch = 48 + key + root + [0, 7, 12, 16, 19, 16, 12, 7][i % 8]!
    const gain = 0.05 + 0.05 * random()
    addTone(samples, RATE, { start: i * step, duration: 1.5, pitch, gain }, VOICES.guitar!, random)
  }
  return samples
}

/**
 * Sounds of speech without words: vowels on gliding pitches, with three formants, and consonants of
 * noise between them, in phrases with pauses.
 */
function speech(random: Random): Float32Array {
  const samples = new Float32Array(SECONDS * RATE)
  const voice = 90 + 130 * random()
  let at = 0.2 * RATE
  while (at < samples.length - RATE) {
    const syllables = 3 + Math.floor(7 * random())
    for (let i = 0; i < syllables && at < samples.length - RATE; i++) {
      at = noise(samples, at, random)
      at = vowel(samples, at, voice * (1.25 - (0.4 * i) / syllables), random)
    }
    at += (0.15 + 0.5 * random()) * RATE
  }
  return samples
}

function vowel(out: Float32Array, from: number, pitch: number, random: Random): number {
  const length = Math.round((0.07 + 0.16 * random()) * RATE)
  const formants = [300 + 500 * random(), 900 + 1400 * random(), 2500 + 500 * random()]
  const glide = 0.8 + 0.4 * random()
  const overtones = Math.floor(5_000 / pitch)
  const strengths = Array.from({ length: overtones }, (_, n) =>
    formants.reduce((sum, formant, i) => {
      const distance = ((n + 1) * pitch - formant) / (80 + 40 * i)
      return sum + 1 / (1 + i) / (1 + distance * distance)
    }, 0.01),
  )
  let phase = 0
  for (let i = 0; i < length; i++) {
    phase += (2 * Math.PI * pitch * glide ** (i / length)) / RATE
    let sum = 0
    for (let n = 0; n < overtones; n++) sum += strengths[n]! * Math.sin((n + 1) * phase)
    const at = Math.round(from) + i
    out[at] = out[at]! + 0.12 * Math.sin((Math.PI * i) / length) * sum
  }
  return from + length
}

function noise(out: Float32Array, from: number, random: Random): number {
  const length = Math.round((0.03 + 0.09 * random()) * RATE)
  const gain = 0.05 * random()
  let previous = 0
  for (let i = 0; i < length; i++) {
    const white = 2 * random() - 1
    const at = Math.round(from) + i
    out[at] = out[at]! + gain * Math.sin((Math.PI * i) / length) * (white - previous)
    previous = white
  }
  return from + length
}
