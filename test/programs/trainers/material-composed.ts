import { pick, whole } from '../../support/chance.ts'
import type { Random } from '../../support/music.ts'
import { isStroke, type Manner, type Production, type Score } from './material-score.ts'
import { LEVEL_STYLES, MATERIAL_STYLES } from './material-styles.ts'
import type { Sound } from './rhythm-band.ts'
import { materialOf, soundsOf } from './rhythm-composer.ts'
import { type Players, STYLES, type Style } from './rhythm-styles.ts'

/** Styles of the first book that are not a band's. */
const PLAYERS: Readonly<Record<string, Players>> = {
  house: 'electronic',
  trance: 'electronic',
  breakbeat: 'electronic',
  'drum and bass': 'electronic',
  disco: 'mixed',
  'hip-hop': 'mixed',
  ambient: 'electronic',
  rock: 'rock',
  punk: 'rock',
  'soft rock': 'mixed',
  'rock waltz': 'rock',
  'rock in five': 'rock',
  'rock in seven': 'rock',
  'drums alone': 'mixed',
  hymn: 'alone',
  romantic: 'alone',
  reel: 'alone',
  jig: 'alone',
  'picked folk': 'alone',
}
/**
 * A style of the first book is drawn half as often as one of the second, and any that is not in four
 * twice as often as its weight says: the songs and most grooves that come beside them are in four.
 */
const ALL: readonly Style[] = [...MATERIAL_STYLES, ...MATERIAL_STYLES, ...STYLES].flatMap((style) =>
  Array<Style>((style.weight ?? 1) * (style.beatsPerBar === 4 ? 1 : 2)).fill(style),
)
const LEVELS = LEVEL_STYLES.flatMap((style) => Array<Style>(style.weight ?? 1).fill(style))
const MANNERS: Readonly<Record<Players, readonly Manner[]>> = {
  alone: ['machine', 'band', 'free', 'free'],
  band: ['machine', 'band', 'band'],
  rock: ['machine', 'machine', 'band'],
  electronic: ['machine'],
  mixed: ['machine', 'machine', 'band'],
}
/** The tempo of a step or a ramp, and that of a soloist, may be that much faster. */
const ROOM = 1.4
/** Share of pieces whose chords come before their bars. */
const PUSHED = 0.12

/**
 * A piece of a style, arranged in sections; it begins anywhere within them.
 *
 * @param within  tempi in BPM that it may have: styles that have none of them are left out
 */
export function composedScore(
  seconds: number,
  random: Random,
  within: readonly [number, number] = [0, Infinity],
): Score {
  const styles = ALL.filter(({ tempo }) => tempo[0] < within[1] && tempo[1] > within[0])
  if (styles.length === 0)
    throw new RangeError(`No style has a tempo from ${within[0]} to ${within[1]} BPM.`)
  return composedOf(pick(random, styles), seconds, random, within)
}

/** A piece of a style whose level is hard to hear. */
export function levelScore(seconds: number, random: Random): Score {
  return composedOf(pick(random, LEVELS), seconds, random)
}

/** A piece of one style. */
export function composedOf(
  style: Style,
  seconds: number,
  random: Random,
  within: readonly [number, number] = [0, Infinity],
): Score {
  const players = playersOf(style)
  const { name, beatsPerBar } = style
  const tempo = [Math.max(style.tempo[0], within[0]), Math.min(style.tempo[1], within[1])] as const
  const bpm = tempo[0] + (tempo[1] - tempo[0]) * random()
  const needed = Math.ceil((ROOM * seconds * bpm) / 60 / beatsPerBar) + 2
  const lead = whole(random, 0, 13)
  const bars = needed + lead
  const material = materialOf(style, bars, random)
  const played = pushed(soundsOf(material), style, random)
  const { sounds, sections } = arranged(played, { style, players, bars }, random)
  return {
    family: name,
    music: `${name} ${whole(random, 0, 2 ** 31)}`,
    source: 'composed',
    style: name,
    bpm,
    beatsPerBar,
    accepted: acceptedOf(style),
    ...(style.feel !== 'swing' && { division: style.feel === 'thirds' ? 3 : 2 }),
    sounds,
    beats: bars * beatsPerBar,
    from: (lead + (random() < 0.5 ? random() : 0)) * beatsPerBar,
    ...(material.key && { key: material.key }),
    sections,
    manner: pick(random, MANNERS[players]),
    production: players === 'alone' ? 'solo' : (players satisfies Production),
  }
}

/** In some pieces what would begin with a bar begins before it, as in much pop: drums do not. */
function pushed(sounds: Sound[], { beatsPerBar, feel }: Style, random: Random): Sound[] {
  if (random() >= PUSHED || feel === 'thirds' || feel === 'swing') return sounds
  const early = pick(random, [0.5, 0.5, 0.25])
  const every = beatsPerBar * pick(random, [1, 2])
  const voices = new Set(sounds.map(({ voice }) => voice).filter((voice) => !isStroke(voice)))
  for (const voice of voices) if (random() < 0.3) voices.delete(voice)
  return sounds.map((sound) =>
    sound.start > 0 && sound.start % every === 0 && voices.has(sound.voice)
      ? { ...sound, start: sound.start - early, duration: sound.duration + early }
      : sound,
  )
}

function playersOf({ name, players, piano, counterpoint }: Style): Players {
  return players ?? (piano || counterpoint ? 'alone' : (PLAYERS[name] ?? 'band'))
}

/** What a time signature of a style may be called. */
export function acceptedOf({ beatsPerBar, feel }: Pick<Style, 'beatsPerBar' | 'feel'>): number[] {
  if (beatsPerBar === 2) return feel === 'thirds' ? [2, 3, 6] : [2, 4]
  return beatsPerBar === 6 ? [6, 3, 2] : [beatsPerBar]
}

/** What is heard in a section. */
const SECTIONS = {
  all: () => true,
  'no drums': (voice: string) => !isStroke(voice),
  'no kick': (voice: string) => voice !== 'kick' && voice !== 'bass',
  'drums alone': (voice: string) => isStroke(voice),
  'drums and bass': (voice: string) => isStroke(voice) || voice === 'bass',
  'hats and chords': (voice: string) => voice !== 'kick' && voice !== 'snare' && voice !== 'clap',
} as const
type Section = keyof typeof SECTIONS

/** How pieces of each kind are built: sections, each as often as it stands here. */
const FORMS: Readonly<Record<Players, readonly Section[]>> = {
  alone: ['all'],
  band: ['all', 'all', 'all', 'all', 'all', 'no drums', 'drums and bass', 'hats and chords'],
  rock: ['all', 'all', 'all', 'all', 'all', 'no drums', 'drums and bass', 'drums alone'],
  electronic: ['all', 'all', 'all', 'all', 'no drums', 'no kick', 'drums and bass', 'drums alone'],
  mixed: ['all', 'all', 'all', 'all', 'no drums', 'no kick', 'drums and bass', 'hats and chords'],
}

/** Sections, what leads from one to the next, and where in beats they begin. */
function arranged(
  sounds: readonly Sound[],
  { style, players, bars }: { style: Style; players: Players; bars: number },
  random: Random,
): { sounds: Sound[]; sections: number[] } {
  const { beatsPerBar } = style
  const length = pick(random, [4, 8, 8, 16])
  const forms: Section[] = []
  for (let bar = 0; bar < bars; bar += length) {
    const before = forms.at(-1)
    const next = pick(random, FORMS[players])
    // What lacks something lasts for one section.
    forms.push(before !== undefined && before !== 'all' ? 'all' : next)
  }
  const drummed = sounds.some(({ voice }) => isStroke(voice))
  const sectionOf = (beat: number) => Math.floor(beat / beatsPerBar / length + 1e-6)
  const out = sounds.filter(({ start, voice }) => {
    const form = forms[Math.max(0, Math.min(forms.length - 1, sectionOf(start)))]!
    return !drummed || SECTIONS[form](voice)
  })
  const begins: number[] = []
  forms.forEach((form, s) => {
    const at = s * length * beatsPerBar
    if (s === 0 || form === forms[s - 1]) return
    begins.push(at)
    if (!drummed || players === 'alone') return
    if (form === 'all' && random() < 0.6)
      out.push({ start: at, duration: 4, gain: 0.3, voice: 'crash', pitch: 60 })
    if (form !== 'all') return
    if (players === 'electronic' && random() < 0.6) out.push(...buildUp(at, beatsPerBar, random))
    else if (random() < 0.7) out.push(...fill(at, random))
  })
  return { sounds: out, sections: begins }
}

/** A roll that doubles its pace, and a noise that rises, until a beat. */
function buildUp(until: number, beatsPerBar: number, random: Random): Sound[] {
  const bars = pick(random, [1, 2, 4])
  const beats = bars * beatsPerBar
  const voice = pick(random, ['snare', 'clap', 'kick', 'tom'])
  const sounds: Sound[] = [
    { start: until - beats, duration: beats, gain: 0.2, voice: 'riser', pitch: 60 },
  ]
  const rests = random() < 0.3 ? 1 : 0
  for (let at = 0; at < beats - rests; ) {
    const share = at / beats
    sounds.push({
      start: until - beats + at,
      duration: 1,
      gain: 0.15 + 0.25 * share,
      voice,
      pitch: 60,
    })
    at += share < 0.5 ? 1 : share < 0.75 ? 0.5 : 0.25
  }
  return sounds
}

/** Strokes over the last beat or two before a beat. */
function fill(until: number, random: Random): Sound[] {
  const beats = pick(random, [0.5, 1, 1, 2])
  const step = pick(random, [0.25, 0.25, 1 / 3, 0.5])
  const sounds: Sound[] = []
  for (let at = beats; at > 1e-6; at -= step) {
    if (random() < 0.15) continue
    const voice = pick(random, ['snare', 'tom', 'tom', 'kick'])
    sounds.push({ start: until - at, duration: 1, gain: 0.25 + 0.15 * random(), voice, pitch: 60 })
  }
  return sounds
}
