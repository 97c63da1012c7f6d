import { pick } from '../../support/chance.ts'
import type { Random } from '../../support/music.ts'
import type { Sound } from './rhythm-band.ts'
import { MELODIES, PARTS, type Part, type Style } from './rhythm-styles.ts'

export const PROGRESSIONS = [
  [0, 4, 5, 3],
  [0, 5, 3, 4],
  [5, 3, 0, 4],
  [0, 3, 4, 0],
  [1, 4, 0, 5],
  [0, 2, 3, 4],
  [5, 4, 3, 2],
  [0, 4, 5, 2, 3, 0, 3, 4],
  [0, 0, 3, 4],
  [0, 0, 0, 0, 3, 3, 0, 0, 4, 3, 0, 4],
]
export const MAJOR = [0, 2, 4, 5, 7, 9, 11]
const LEADS = ['flute', 'strings', 'clarinet', 'brass', 'piano', 'guitar', 'bell', 'organ']
const CHORDAL = ['piano', 'piano', 'guitar', 'guitar', 'organ', 'bell', 'strings']
const DRUMS: readonly Part[] = [
  'kick',
  'snare',
  'hat',
  'ride',
  'rim',
  'conga',
  'clap',
  'openhat',
  'crash',
  'tom',
  'shaker',
  'cowbell',
]
const LOUDNESS: Readonly<Record<Part, number>> = {
  kick: 0.5,
  snare: 0.4,
  hat: 0.16,
  ride: 0.35,
  rim: 0.12,
  conga: 0.2,
  clap: 0.35,
  openhat: 0.18,
  crash: 0.3,
  tom: 0.35,
  shaker: 0.12,
  cowbell: 0.15,
  riff: 0.1,
  bass: 0.2,
  chords: 0.07,
  broken: 0.09,
  pad: 0.05,
}

/** The sounds of a piece, their times in beats. */
export function compose(style: Style, bars: number, random: Random): Sound[] {
  return soundsOf(materialOf(style, bars, random))
}

/** What a piece is made of. */
export function materialOf(style: Style, bars: number, random: Random): Material {
  const key = Math.floor(12 * random()) - 6
  const minor = random() < 0.4 ? 5 : 0
  /** MIDI pitch of a degree of the scale, 0 at the tonic above middle C. */
  const pitchOf = (degree: number): number =>
    60 +
    key +
    MAJOR[(((degree + minor) % 7) + 7) % 7]! +
    12 * Math.floor((degree + minor) / 7) -
    MAJOR[minor]!
  const progression = pick(random, PROGRESSIONS)
  const barsPerChord = style.beatsPerBar < 6 ? pick(random, [1, 1, 1, 2, 0.5]) : 1
  const chordAt = (beat: number): number =>
    progression[Math.floor(beat / style.beatsPerBar / barsPerChord + 1e-6) % progression.length]!
  return {
    style,
    bars,
    pitchOf,
    chordAt,
    random,
    // Of progressions that do not begin on the tonic, what is heard as the tonic is not certain.
    ...(progression[0] === 0 && {
      key: { tonic: (key + 12) % 12, mode: minor === 0 ? (1 as const) : (0 as const) },
    }),
  }
}

/** What is played of it. */
export function soundsOf(material: Material): Sound[] {
  const { style, random } = material
  if (style.counterpoint) return counterpoint(material)
  const drums = random() < 0.85
  const melody = style.tune || (random() < 0.65 && style.name !== 'drums alone')
  const sounds = accompaniment(material, drums)
  if (melody) sounds.push(...tune(material))
  return sounds
}

export interface Material {
  style: Style
  bars: number
  pitchOf(degree: number): number
  /** Root of the chord at a beat, in degrees of the scale. */
  chordAt(beat: number): number
  /** Where it is certain: 0 for C … 11 for B, and 1 for major. */
  key?: { tonic: number; mode: 0 | 1 }
  random: Random
}

function accompaniment(material: Material, drums: boolean): Sound[] {
  const { style, bars, random } = material
  const sounds: Sound[] = []
  const hand = style.piano ? 'piano' : pick(random, CHORDAL)
  const bass = random() < 0.92
  const fills = random() < 0.6
  for (const part of PARTS) {
    const patterns = style.parts[part]
    if (patterns === undefined) continue
    const drum = DRUMS.includes(part)
    const pattern = pick(random, patterns).split('|')
    if ((drum && !drums) || (part === 'bass' && !bass)) continue
    let voice: string = part
    if (part === 'bass' && style.piano) voice = 'piano'
    else if (part === 'riff') voice = 'drive'
    else if (part === 'pad') voice = pick(random, ['strings', 'organ'])
    else if (part === 'chords' || part === 'broken') voice = hand
    const gain = LOUDNESS[part] * (0.7 + 0.6 * random())
    const enters = random() < 0.15 ? 2 + Math.floor(3 * random()) : 0
    for (let bar = enters; bar < bars; bar++) {
      const fill = drum && fills && bar % 8 === 7
      sounds.push(
        ...barOf(part, { voice, gain, bar, fill, signs: pattern[bar % pattern.length]! }, material),
      )
    }
  }
  return sounds
}

/** What a part plays in one bar. */
function barOf(
  part: Part,
  {
    voice,
    gain,
    bar,
    fill,
    signs,
  }: { voice: string; gain: number; bar: number; fill: boolean; signs: string },
  { style, pitchOf, chordAt, random }: Material,
): Sound[] {
  const sounds: Sound[] = []
  const metre = style.beatsPerBar
  const step = metre / signs.length
  for (let s = 0; s < signs.length; s++) {
    if (signs[s] === '.' || random() < 0.02) continue
    const start = bar * metre + s * step
    if (fill && s * step >= metre - 1) continue
    const loud = gain * (signs[s] === 'x' ? 1 : 0.55) * (0.88 + 0.2 * random())
    const root = chordAt(start)
    const add = (pitch: number, duration: number) =>
      sounds.push({ start, duration, gain: loud, voice, pitch })
    if (DRUMS.includes(part)) add(60, 4)
    else if (part === 'bass')
      add(pitchOf(root + (random() < 0.2 ? 4 : 0)) - 24, Math.max(step, 0.4))
    else if (part === 'riff')
      for (const tone of [0, 7, 12]) add(pitchOf(root) - 24 + tone, Math.max(step, 0.22))
    else if (part === 'broken')
      add(pitchOf(root + [0, 2, 4, 7, 4, 2][s % 6]!) - 12, Math.max(step, 0.5))
    else {
      const held = part === 'pad' ? metre * 0.98 : Math.min(1, Math.max(step, 0.35))
      for (const third of [0, 2, 4]) add(pitchOf(root + third) - 12, held)
    }
  }
  if (part === 'kick' && bar % 8 === 0 && bar > 0)
    sounds.push({ start: bar * metre, duration: 4, gain: 0.3, voice: 'crash', pitch: 60 })
  if (part === 'snare' && fill)
    for (const quarter of [-1, -0.75, -0.5, -0.25]) {
      const start = (bar + 1) * metre + quarter
      sounds.push({ start, duration: 1, gain: gain * 0.8, voice, pitch: 60 })
    }
  return sounds
}

/** A melody over the chords: figures of rhythm that come again, steps and small leaps. */
export function tune({ style, bars, pitchOf, chordAt, random }: Material): Sound[] {
  const sounds: Sound[] = []
  const metre = style.beatsPerBar
  const voice = style.piano ? 'piano' : pick(random, LEADS)
  const gain = 0.11 * (0.7 + 0.7 * random())
  const octave = pick(random, [0, 0, 12])
  let figures: (readonly number[])[] = []
  let degree = 4
  for (let bar = 0; bar < bars; bar++) {
    if (bar % 8 === 0)
      figures = Array.from({ length: 2 * metre }, () => pick(random, MELODIES[style.feel]))
    if (bar % 4 === 3 && random() < 0.25) continue
    for (let beat = 0; beat < metre; beat++)
      for (const at of figures[(beat + metre * (bar % 2)) % figures.length]!) {
        if (random() < 0.08) continue
        degree = Math.max(-3, Math.min(9, degree + pick(random, [-2, -1, -1, 0, 1, 1, 2, 3, -3])))
        const start = bar * metre + beat + at
        if (beat === 0 && at === 0)
          degree = chordAt(start) + pick(random, [0, 2, 4]) - 2 * Math.floor(chordAt(start) / 3)
        const accent = at === 0 ? 1.1 : 1
        sounds.push({
          start,
          duration: pick(random, [0.4, 0.45, 0.9]),
          gain: gain * accent * (0.85 + 0.3 * random()),
          voice,
          pitch: pitchOf(degree) + octave,
        })
      }
  }
  return sounds
}

/**
 * Two to four voices that take turns at running, walking and holding. Their harmony moves with the
 * beats, and on a beat they sing its notes: where nothing else tells notes apart, that tells beats.
 */
function counterpoint({ style, bars, pitchOf, random }: Material): Sound[] {
  const sounds: Sound[] = []
  const metre = style.beatsPerBar
  const voice = pick(random, ['piano', 'piano', 'organ', 'guitar'])
  const voices = pick(random, [2, 3, 4])
  const runs =
    style.feel === 'thirds'
      ? pick(random, [
          [0, 1 / 3, 2 / 3],
          [0, 1 / 6, 1 / 3, 1 / 2, 2 / 3, 5 / 6],
        ])
      : [0, 0.25, 0.5, 0.75]
  const walks = style.feel === 'thirds' ? [0, 2 / 3] : [0, 0.5]
  const progression = pick(random, PROGRESSIONS)
  const beatsPerChord = pick(random, [1, 1, 2, metre])
  for (let v = 0; v < voices; v++) {
    let degree = 7 - 4 * v
    for (let bar = 2 * v; bar < bars; bar++) {
      const manner = (Math.floor(bar / 2) + v) % 3
      for (let beat = 0; beat < metre; beat++)
        for (const at of manner === 0 ? runs : manner === 1 ? walks : beat % 2 === 0 ? [0] : []) {
          degree += pick(random, [-1, 1, -1, 1, 2, -2])
          degree = Math.max(2 - 4 * v, Math.min(12 - 4 * v, degree))
          if (at === 0) {
            const chord = Math.floor((bar * metre + beat) / beatsPerChord) % progression.length
            degree = inChord(degree, progression[chord]!)
          }
          if (random() < 0.06) continue
          const accent = at === 0 && beat === 0 ? 1.12 : 1
          sounds.push({
            start: bar * metre + beat + at,
            duration: manner === 0 ? 0.24 : manner === 1 ? 0.45 : 1.6,
            gain: 0.12 * accent * (0.8 + 0.4 * random()),
            voice,
            pitch: pitchOf(degree),
          })
        }
    }
  }
  return sounds
}

/** The nearest degree that is of the triad on a root. */
function inChord(degree: number, root: number): number {
  const place = (((degree - root) % 7) + 7) % 7
  if (place === 6) return degree + 1
  return place % 2 === 1 ? degree - 1 : degree
}
