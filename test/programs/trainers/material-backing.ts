import { pick } from '../../support/chance.ts'
import type { Random } from '../../support/music.ts'
import { drumsOf } from './material-parts.ts'
import type { Pass } from './material-piece.ts'
import { MATERIAL_STYLES } from './material-styles.ts'
import type { Sound } from './rhythm-band.ts'
import { STYLES } from './rhythm-styles.ts'

/** Bars under a tune. */
export interface Ground {
  beats: number
  beatsPerBar: number
  /** Whether a beat has three parts. */
  compound: boolean
  /** MIDI pitches of a triad at a beat, its root first, within the octaves above 36. */
  chordAt(beat: number): readonly number[]
}

/**
 * A bar of what a player lays under a tune; its signs share the bar evenly: `B` the root in the bass,
 * `F` its fifth, `c` the chord, `a` the next tone of the chord, `.` none. By beats a bar, those of three
 * parts after a `t`.
 */
const FIGURES: Readonly<Record<string, readonly string[]>> = {
  '2': ['BcFc', 'BcFc', 'B.c.', 'B.F.', 'cccc', 'c...', 'BcBcFcFc', 'Bacaaaca', '.c.c', 'ccc.cccc'],
  '3': ['Bcc', 'Bcc', 'Bcc', 'B.c', 'B..', 'Baaaaa', 'Bc.', '.cc', 'c.cccc', 'B.cccc', 'c..'],
  '4': [
    'BcFc',
    'B.c.F.c.',
    'BcFcBcFc',
    'c...',
    'cccc',
    'Baaaaaaa',
    'B.ccF.cc',
    '.c.c',
    'c.cc.ccc',
    'B.F.',
  ],
  '5': ['BccFc', 'Bcccc', 'c..c.', 'B....'],
  '6': ['BccFcc', 'B.cF.c', 'Baaaaa', 'B.....', 'c..c..'],
  t2: [
    'B.cF.c',
    'B.cF.c',
    'BccFcc',
    'B..c..',
    'c.cc.c',
    'Baaaaa',
    'c..c..',
    'B.....',
    'cccccc',
    '..c..c',
  ],
  t3: ['B.cF.cF.c', 'BccFccFcc', 'B..c..c..', 'c.cc.cc.c', 'Baaaaaaaa', 'c........', 'B..F..F..'],
  t4: ['B.cF.cB.cF.c', 'BccFccBccFcc', 'c..c..c..c..', 'Baaaaaaaaaaa', 'B.....F.....'],
}
/** Strokes of a hand drum in a bar: `x` loud, `o` soft. */
const HANDS: Readonly<Record<string, readonly string[]>> = {
  '2': ['xoooxooo', 'x.oox.oo', 'x.x.', 'xoxo', '.x.x', 'x...', 'xooxooxo'],
  '3': ['xoo', 'x.oooo', 'x..', '.xx', 'xooooo'],
  '4': ['x.oox.oo', 'xoooxooo', 'x.x.', '.x.x', 'xooxooxo', 'x...'],
  '5': ['xooxo', 'x..x.'],
  '6': ['xooxoo', 'x.....'],
  t2: ['xooxoo', 'x.ox.o', 'x..x..', 'x.....', 'xo.xo.', 'xxoxxo'],
  t3: ['xooxooxoo', 'x.ox.ox.o', 'x..x..x..', 'x........'],
  t4: ['xooxooxooxoo', 'x.ox.ox.ox.o', 'x.....x.....'],
}
/** What a chord's root is worth by its distance from the tonic in semitones: a common one, shares of a bar. */
const ROOTS: Readonly<Record<number, number>> = {
  0: 0.35,
  5: 0.2,
  7: 0.25,
  9: 0.05,
  2: 0.05,
  3: 0.1,
  10: 0.1,
}
/** What a bar gains where its chord is that of the bar before. */
const KEPT = 0.1
const MAJOR_SCALE = [0, 2, 4, 5, 7, 9, 11]

function metreOf({ beatsPerBar, compound }: Ground): string {
  return `${compound ? 't' : ''}${beatsPerBar}`
}

/**
 * Triads of the keys of tunes, one a bar: that in which most of the bar's tune is, those of the tonic, the
 * fourth and the fifth before others.
 */
export function harmonyOf(
  passes: readonly Pass[],
  { beatsPerBar, beats }: Ground,
  random: Random,
): Ground['chordAt'] {
  const chords: number[][] = []
  const fresh = 0.05 * random()
  for (const { piece, at, shift } of passes) {
    const scale = MAJOR_SCALE.map((step) => (((step + 7 * piece.sharps + shift) % 12) + 120) % 12)
    const tonic = ((piece.key?.tonic ?? (7 * piece.sharps + 120) % 12) + shift + 12) % 12
    const heard = Array.from({ length: piece.bars }, () => new Float64Array(12))
    for (const [start, duration, pitch] of piece.notes) {
      const bar = heard[Math.floor(start / beatsPerBar + 1e-6)]
      if (bar) {
        const tone = (pitch + shift) % 12
        bar[tone] = bar[tone]! + duration * (Number.isInteger(start) ? 1.3 : 1)
      }
    }
    let before = -1
    heard.forEach((bar, b) => {
      let [best, most] = [[0, 4, 7], Number.NEGATIVE_INFINITY]
      scale.forEach((root, s) => {
        const tones = [root, scale[(s + 2) % 7]!, scale[(s + 4) % 7]!]
        // No diminished triads.
        if ((((tones[2]! - root) % 12) + 12) % 12 !== 7) return
        const share = tones.reduce((sum, tone) => sum + bar[tone]!, 0) / beatsPerBar
        const worth =
          share +
          (ROOTS[(root - tonic + 12) % 12] ?? 0) +
          (root === before ? KEPT : 0) +
          fresh * random()
        if (worth > most) [best, most] = [tones, worth]
      })
      before = best[0]!
      const root = 36 + best[0]!
      chords[at / beatsPerBar + b] = best.map((tone) => root + ((tone - best[0]! + 12) % 12))
    })
  }
  const last = Math.ceil(beats / beatsPerBar) - 1
  return (beat) => chords[Math.min(last, Math.floor(beat / beatsPerBar + 1e-6))] ?? [36, 40, 43]
}

/** Chords and a bass under a tune; without a bass the player of the chords plays its notes too. */
export function backing(
  ground: Ground,
  { chords, bass }: { chords?: string; bass?: string },
  random: Random,
): Sound[] {
  const { beats, beatsPerBar, chordAt } = ground
  const options = FIGURES[metreOf(ground)] ?? ['B']
  const figures = [pick(random, options), pick(random, options)]
  const enters = random() < 0.2 ? beatsPerBar * pick(random, [4, 8]) : 0
  const held = pick(random, [0.4, 0.8, 1])
  const sounds: Sound[] = []
  for (let bar = enters / beatsPerBar; bar * beatsPerBar < beats; bar++) {
    const figure = figures[Math.floor(bar / 8) % 2]!
    const step = beatsPerBar / figure.length
    let tone = 0
    for (let s = 0; s < figure.length; s++) {
      const sign = figure[s]!
      if (sign === '.' || random() < 0.02) continue
      const start = bar * beatsPerBar + s * step
      const chord = chordAt(start)
      const gain = 0.85 + 0.3 * random()
      const rest = figure.slice(s + 1).search(/[^.]/)
      const length = step * held * (1 + (rest < 0 ? figure.length - 1 - s : rest))
      const add = (pitch: number, voice: string, share: number) =>
        sounds.push({ start, duration: length, gain: gain * share, voice, pitch })
      if (sign === 'B' || sign === 'F') {
        const pitch = sign === 'B' ? chord[0]! : chord[2]! - 12
        add(bass === undefined ? pitch + 12 : pitch, bass ?? chords!, bass === 'bass' ? 0.2 : 0.09)
      }
      if (chords === undefined) continue
      if (sign === 'c') for (const pitch of chord) add(pitch + 24, chords, 0.05)
      if (sign === 'a') add(chord[++tone % 3]! + 24, chords, 0.06)
    }
  }
  return sounds
}

/** Strokes for so many beats: of a hand drum, or of a kit in a style that has as many beats. */
export function strokesOf(
  who: 'hand' | 'kit',
  ground: Ground & { bpm: number },
  random: Random,
): Sound[] {
  const { beats, beatsPerBar, compound, bpm } = ground
  const enters = random() < 0.25 ? beatsPerBar * pick(random, [2, 4, 8]) : 0
  const within = ({ start }: Sound) => start >= enters && start < beats
  if (who === 'kit') {
    const fitting = [...STYLES, ...MATERIAL_STYLES].filter(
      ({ beatsPerBar: others, feel, parts, tempo: [slowest, fastest] }) =>
        (others === beatsPerBar || (beatsPerBar === 2 && others === 4 && !compound)) &&
        (feel === 'thirds') === compound &&
        feel !== 'swing' &&
        (parts.kick || parts.snare) &&
        bpm > 0.75 * slowest &&
        bpm < 1.3 * fastest,
    )
    const style = fitting.length > 0 ? pick(random, fitting) : undefined
    const strokes = style ? drumsOf(style, Math.ceil(beats / style.beatsPerBar), random) : []
    if (strokes.length > 0) return strokes.filter(within)
  }
  const [loud, soft] = pick(random, [
    ['lowConga', 'conga'],
    ['tom', 'tom'],
    ['lowConga', 'lowConga'],
    ['kick', 'rim'],
    ['snare', 'snare'],
    ['shaker', 'shaker'],
  ] as const)
  const signs = pick(random, HANDS[metreOf(ground)] ?? ['x'])
  const step = beatsPerBar / signs.length
  const sounds: Sound[] = []
  for (let i = 0; i * step < beats; i++) {
    const sign = signs[i % signs.length]!
    if (sign === '.' || random() < 0.05) continue
    const gain = (sign === 'x' ? 0.3 : 0.12) * (0.8 + 0.4 * random())
    sounds.push({
      start: i * step,
      duration: 0.5,
      gain,
      voice: sign === 'x' ? loud : soft,
      pitch: 60,
    })
  }
  return sounds.filter(within)
}
