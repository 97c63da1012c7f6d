import { gaussian, pick, type Random, whole } from '../../support/chance.ts'
import { DRUM_CHANNEL } from './midi-file.ts'
import type { MidiNote } from './midi-notes.ts'

/** Progressions in degrees of the major scale: what is usual in major … */
const MAJOR_PROGRESSIONS = `
  I V vi IV, I IV V I, I vi ii V, ii7 V7 I I, I iii IV V, I vi IV V, I IV I V, IV I V vi,
  IV V iii vi, vi IV I V, vi ii V I, I V vi iii IV I IV V, I bVII IV I, I IV iv I, I II IV I,
  I III7 vi IV, I bVI bVII I, I7 I7 I7 I7 IV7 IV7 I7 I7 V7 IV7 I7 V7, I I I I, I ii I ii,
  IM7 IVM7 IM7 IVM7, I VI7 ii V7, I V IV I, I I IV IV, I bIII IV I, I5 bVII5 IV5 I5, IM7 vi7 ii7 V7
`
/** … and in minor: natural, harmonic, dorian, phrygian, borrowed. */
const MINOR_PROGRESSIONS = `
  i bVI bIII bVII, i bVII bVI V, i bVII bVI bVII, i iv V i, i iv v i, i bVI bVII i, i IV i IV,
  i bVII IV i, ii° V i i, i v iv i, i bVI iv V, i iv bVII bIII bVI ii° V i, i i i i, i bII i bII,
  bVI bVII i i, i7 i7 i7 i7 iv7 iv7 i7 i7 V7 iv7 i7 V7, i V i V, i7 IV7 i7 IV7, iv i V i,
  i bIII bVII IV, i5 bVI5 bVII5 i5, i v bVI bVII, i7 iv7 bVII7 bIIIM7, i iv i V
`
const SCALES = [
  [
    [0, 2, 3, 5, 7, 8, 10],
    [0, 2, 3, 5, 7, 8, 10],
    [0, 2, 3, 5, 7, 8, 11],
    [0, 2, 3, 5, 7, 9, 10],
    [0, 3, 5, 7, 10],
    [0, 3, 5, 6, 7, 10],
  ],
  [
    [0, 2, 4, 5, 7, 9, 11],
    [0, 2, 4, 5, 7, 9, 11],
    [0, 2, 4, 7, 9],
    [0, 2, 4, 5, 7, 9, 10],
  ],
] as const
const NUMERALS = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII']
const DEGREES = [0, 2, 4, 5, 7, 9, 11]
const NAMES = ['C', 'Db', 'D', 'Eb', 'E', 'F', 'Gb', 'G', 'Ab', 'A', 'Bb', 'B']
/** Beats of a bar, bars of a part, bars of a phrase of melody. */
const BEATS = 4
const PART = 8
const PHRASE = 4
/** Rhythms of melodies, in beats of a bar. */
const RHYTHMS = [
  [0, 1, 2, 3],
  [0, 0.5, 1, 2, 2.5, 3],
  [0, 1.5, 2, 3.5],
  [0, 2],
  [0.5, 1, 1.5, 2.5, 3],
  [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5],
  [1, 2, 3],
]
/** Beats at which chords are struck. */
const STRUMS = [[0], [0, 2], [0, 1, 2, 3], [0.5, 1.5, 2.5, 3.5], [0, 1.5, 2.5]]
const KITS = [
  { 36: [0, 2], 38: [1, 3], 42: [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5] },
  { 36: [0, 1, 2, 3], 42: [0.5, 1.5, 2.5, 3.5], 39: [1, 3] },
  { 36: [0, 1.5, 2.5], 40: [1, 3], 51: [0, 1, 1.67, 2, 3, 3.67] },
  { 36: [0, 2.5], 37: [1, 3], 45: [3.5], 50: [3.25], 46: [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5] },
]

/** 0 minor, 1 major. */
export type Mode = 0 | 1

/** A chord above a tonic. */
export interface Chord {
  /** Semitones from the tonic up. */
  root: number
  /** Semitones from the root up. */
  tones: readonly number[]
  /** As lead sheets name it, in C. */
  quality: string
}

/** Notes in seconds, and what they were composed in. */
export interface Composition {
  /** Pitch class of the tonic; of most of the time, where the piece modulates. */
  key: number
  mode: Mode
  seconds: number
  notes: Omit<MidiNote, 'program'>[]
}

/** A chord by its numeral: `ii7`, `bVII`, `IM7`, `ii°`, `I5`. */
export function chordOf(text: string): Chord {
  const parts = /^(b?)([iv]+|[IV]+)(°?)(M7|7|5)?$/.exec(text)
  if (!parts) throw new Error(`There is no chord ${text}.`)
  const [, flat, numeral = '', diminished, extra = ''] = parts
  const minor = numeral === numeral.toLowerCase()
  const root = (DEGREES[NUMERALS.indexOf(numeral.toUpperCase())]! - (flat ? 1 : 0) + 12) % 12
  const triad = diminished ? [0, 3, 6] : extra === '5' ? [0, 7] : [0, minor ? 3 : 4, 7]
  const seventh = extra === 'M7' ? [11] : extra === '7' ? [10] : []
  const quality = diminished ? 'dim' : `${minor ? 'm' : ''}${extra}`
  return { root, tones: [...triad, ...seventh], quality }
}

/** The name of a chord in a key, as lead sheets have it. */
export function chordName({ root, quality }: Chord, key: number): string {
  return `${NAMES[(key + root) % 12]}${quality}`
}

/**
 * The chords of each bar: two progressions of a mode that take turns every eight bars, from a bar by
 * chance, most with the tonic at the end.
 */
export function harmony(mode: Mode, bars: number, random: Random): Chord[] {
  const book = (mode === 1 ? MAJOR_PROGRESSIONS : MINOR_PROGRESSIONS).trim().split(/,\s*/)
  const progressions = [pick(random, book), pick(random, book)].map((text) =>
    text.split(' ').map(chordOf),
  )
  const entry = random() < 0.6 ? 0 : whole(random, 0, 16)
  const ends = random() < 0.6
  return Array.from({ length: bars }, (_, bar) => {
    if (ends && bar === bars - 1) return chordOf(mode === 1 ? 'I' : 'i')
    const progression = progressions[Math.floor((bar + entry) / PART) % 2]!
    return progression[((bar + entry) % PART) % progression.length]!
  })
}

/** Where a key goes: the last part a tone up, or a middle part elsewhere. Semitones by bar. */
export function modulation(bars: number, random: Random): number[] {
  const manner = random()
  const shift = pick(random, manner < 0.1 ? [1, 2] : [5, 7, 9, -3, 3])
  const [from, to] = manner < 0.1 ? [0.7, 1] : manner < 0.18 ? [0.4, 0.6] : [1, 1]
  return Array.from({ length: bars }, (_, bar) =>
    bar >= from * bars && bar < to * bars ? shift : 0,
  )
}

/**
 * A song: chords, bass, melody and drums, of which some may be missing. Channel 0 plays chords, 1 the
 * bass, 2 the melody, 3 a pad.
 */
export function composeInKey(random: Random): Composition {
  const key = whole(random, 0, 12)
  const mode: Mode = random() < 0.5 ? 0 : 1
  const beat = 60 / (70 + 80 * random())
  const bars = Math.max(4, Math.round((14 + 34 * random()) / (BEATS * beat)))
  const chords = harmony(mode, bars, random)
  const shifts = modulation(bars, random)
  const score: Score = {
    random,
    beat,
    bars,
    chordAt: (bar) => chords[bar]!,
    tonicAt: (bar) => 48 + key + shifts[bar]!,
    scale: pick<readonly number[]>(random, SCALES[mode]),
  }
  const manner = random()
  const notes: Composition['notes'] = []
  if (manner < 0.1) notes.push(...melody(score))
  else {
    notes.push(...strummed(score))
    if (random() < 0.8) notes.push(...bassLine(score))
    if (random() < 0.7) notes.push(...melody(score))
    if (random() < 0.25) notes.push(...pad(score))
    if (random() < 0.65) notes.push(...drums(score))
  }
  return { key, mode, seconds: bars * BEATS * beat, notes }
}

interface Score {
  random: Random
  /** Seconds. */
  beat: number
  bars: number
  chordAt(bar: number): Chord
  /** MIDI pitch of the tonic below middle C. */
  tonicAt(bar: number): number
  scale: readonly number[]
}

type Note = Composition['notes'][number]

function note(
  score: Score,
  channel: number,
  at: [bar: number, beats: number, length: number],
  pitch: number,
  velocity: number,
): Note {
  const [bar, beats, length] = at
  return {
    start: (bar * BEATS + beats) * score.beat,
    duration: 0.95 * length * score.beat,
    channel,
    pitch,
    velocity: Math.max(20, Math.min(127, Math.round(velocity + 8 * gaussian(score.random)))),
  }
}

function strummed(score: Score): Note[] {
  const strum = pick(score.random, STRUMS)
  const broken = score.random() < 0.35
  const inversion = whole(score.random, 0, 3)
  return bars(score, (bar, { root, tones }, tonic) => {
    const pitches = tones.map((tone, i) => tonic + ((root + tone) % 12) + (i < inversion ? 12 : 0))
    if (broken)
      return Array.from({ length: 8 }, (_, i) =>
        note(score, 0, [bar, i / 2, 0.6], pitches[[0, 1, 2, 1][i % 4]! % pitches.length]!, 75),
      )
    return strum.flatMap((at, i) =>
      pitches.map((pitch) => note(score, 0, [bar, at, (strum[i + 1] ?? BEATS) - at], pitch, 72)),
    )
  })
}

function bassLine(score: Score): Note[] {
  const manner = pick(score.random, ['root', 'fifth', 'eighths', 'walk'] as const)
  return bars(score, (bar, { root, tones }, tonic) => {
    const low = tonic - 12 + root - (root > 7 ? 12 : 0)
    const play = (at: number, length: number, above: number) =>
      note(score, 1, [bar, at, length], low + above, 90)
    if (manner === 'root') return [play(0, BEATS, 0)]
    if (manner === 'fifth') return [play(0, 2, 0), play(2, 2, tones.at(tones.length > 2 ? 2 : 1)!)]
    if (manner === 'eighths') return Array.from({ length: 8 }, (_, i) => play(i / 2, 0.5, 0))
    const steps = [0, ...tones.slice(1), 12].slice(0, BEATS)
    return steps.map((above, i) => play(i, 1, above))
  })
}

function pad(score: Score): Note[] {
  return bars(score, (bar, { root, tones }, tonic) =>
    tones.map((tone) => note(score, 3, [bar, 0, BEATS], tonic + 12 + ((root + tone) % 12), 60)),
  )
}

/** Steps of the scale that meet the chord on the beats, and come to rest every four bars. */
function melody(score: Score): Note[] {
  const { random, scale } = score
  const figures = [pick(random, RHYTHMS), pick(random, RHYTHMS)]
  const octave = 12 * whole(random, 1, 3)
  let height = 4
  return bars(score, (bar, chord, tonic) => {
    const tones = chord.tones.map((tone) => (chord.root + tone) % 12)
    const rests = bar % PHRASE === PHRASE - 1
    const figure = rests && random() < 0.7 ? [0, 2] : figures[bar % 2]!
    return figure.flatMap((at, i) => {
      if (random() < 0.05) return []
      height = Math.max(-2, Math.min(9, height + pick(random, [-2, -1, -1, 1, 1, 2])))
      const place = ((height % scale.length) + scale.length) % scale.length
      let above = scale[place]!
      // A note that the chord alters is altered; on a beat it is the chord's nearest.
      const altered = tones.find((tone) => Math.abs(tone - above) === 1 && !scale.includes(tone))
      if (altered !== undefined) above = altered
      if (at % 2 === 0 && !tones.includes(above)) above = nearest(above, tones)
      const pitch = tonic + octave + above + 12 * Math.floor(height / scale.length)
      return [note(score, 2, [bar, at, (figure[i + 1] ?? BEATS) - at], pitch, 92)]
    })
  })
}

function nearest(above: number, tones: readonly number[]): number {
  const away = (tone: number) => Math.min((tone - above + 12) % 12, (above - tone + 12) % 12)
  return [...tones].sort((a, b) => away(a) - away(b))[0]!
}

function drums(score: Score): Note[] {
  const kit = Object.entries(pick<Readonly<Record<number, number[]>>>(score.random, KITS))
  return bars(score, (bar) =>
    kit.flatMap(([pitch, beats]) =>
      beats.map((at) => note(score, DRUM_CHANNEL, [bar, at, 0.3], Number(pitch), 90)),
    ),
  )
}

function bars(score: Score, play: (bar: number, chord: Chord, tonic: number) => Note[]): Note[] {
  return Array.from({ length: score.bars }, (_, bar) =>
    play(bar, score.chordAt(bar), score.tonicAt(bar)),
  ).flat()
}
