import { pick } from '../../support/chance.ts'
import type { Random } from '../../support/music.ts'
import { isStroke } from './material-score.ts'
import type { Sound } from './rhythm-band.ts'
import { compose } from './rhythm-composer.ts'
import { PARTS, STYLES, type Style } from './rhythm-styles.ts'

/** Chords over time, for parts that are laid onto them. */
export interface Harmony {
  beats: number
  beatsPerBar: number
  /** MIDI pitches of the chord at a beat, its root first, within the octave above 36. */
  chordAt(beat: number): readonly number[]
}

/** Patterns of a bar of four, as `rhythm-styles.ts` writes them. */
const PATTERNS = {
  bass: [
    'x...x...',
    'x..xx...',
    'xxxxxxxx',
    'x.......',
    'x..x..x.',
    'xxxx',
    '.x.x.x.x',
    'x.....x...x.....',
    'x..x..x...x..x..',
    '.xxx.xxx.xxx.xxx',
    'x...x..xx...x...',
  ],
  riff: [
    'xxxxxxxx',
    'x...x...',
    'x..x..x.',
    'x.......',
    'x.xxx.xxx.xxx.xx',
    '.x.x.x.x',
    'x.xx.xx.',
  ],
  pad: ['x', 'x', 'x.', 'xxxx', 'x..x..x.'],
} as const

/** A bass, a pad or a guitar's power chords on given chords. */
export function accompany(
  part: keyof typeof PATTERNS,
  { beats, beatsPerBar, chordAt }: Harmony,
  random: Random,
): Sound[] {
  const patterns = [pick(random, PATTERNS[part]), pick(random, PATTERNS[part])]
  const sounds: Sound[] = []
  for (let bar = 0; bar * beatsPerBar < beats; bar++) {
    const signs = patterns[Math.floor(bar / 8) % 2]!
    const step = beatsPerBar / signs.length
    for (let s = 0; s < signs.length; s++) {
      if (signs[s] !== 'x' || random() < 0.02) continue
      const start = bar * beatsPerBar + s * step
      const chord = chordAt(start)
      const duration = part === 'bass' ? Math.max(0.3, 0.9 * step) : 0.95 * step
      const gain = 0.85 + 0.3 * random()
      const add = (pitch: number, voice: string, share: number) =>
        sounds.push({ start, duration, gain: gain * share, voice, pitch })
      if (part === 'bass') add(chord[random() < 0.12 ? 2 % chord.length : 0]!, 'bass', 0.2)
      else if (part === 'riff') for (const tone of [0, 7, 12]) add(chord[0]! + tone, 'drive', 0.1)
      else for (const pitch of chord) add(pitch + 24, 'pad', 0.05)
    }
  }
  return sounds
}

/** Styles in four whose drums fit any song in four. */
const DRUMMED = STYLES.filter(
  ({ beatsPerBar, feel, parts, tempo }) =>
    beatsPerBar === 4 && feel !== 'thirds' && parts.kick && parts.snare && tempo[1] > 70,
)

/**
 * Drums of a style for so many beats.
 *
 * @param pace  2 where they play as if the tempo were twice as fast, 0.5 half as fast
 */
export function drumming(
  { beats, beatsPerBar }: Harmony,
  { pace, bpm, swing }: { pace: number; bpm: number; swing: boolean },
  random: Random,
): Sound[] {
  const fitting = DRUMMED.filter(
    ({ feel, tempo: [slowest, fastest] }) =>
      (feel === 'swing') === swing && pace * bpm > 0.75 * slowest && pace * bpm < 1.25 * fastest,
  )
  const style = pick(random, fitting.length > 0 ? fitting : DRUMMED)
  const enters = random() < 0.3 ? beatsPerBar * pick(random, [2, 4, 8]) : 0
  return drumsOf(style, Math.ceil((pace * beats) / beatsPerBar), random)
    .map((sound) => ({ ...sound, start: sound.start / pace }))
    .filter(({ start }) => start >= enters && start < beats)
}

/** What a style's drummer plays, at least a kick or a snare. */
export function drumsOf(style: Style, bars: number, random: Random): Sound[] {
  const parts = Object.fromEntries(
    PARTS.filter((part) => isStroke(part)).flatMap((part) =>
      style.parts[part] ? [[part, style.parts[part]]] : [],
    ),
  )
  for (let attempt = 0; attempt < 20; attempt++) {
    const drums = compose({ ...style, parts }, bars, random).filter(({ voice }) => isStroke(voice))
    if (drums.length > bars) return drums
  }
  return []
}
