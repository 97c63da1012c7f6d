import { invalidParameter } from '../../values/errors.ts'
import { nearestTo } from '../correction/material.ts'
import type { AnalysisDocument } from '../document.ts'
import { LOUDNESS } from '../loudness-measures.ts'
import { medianOf } from '../statistics.ts'
import { type BarSound, barSoundOf, meanLevel, soundingFrom } from './bar-sound.ts'
import { highlightOf } from './highlight.ts'
import { type Found, introOf, loudestOf, outroOf, SHORTEST_END } from './louder-parts.ts'
import { phrasesOf, type Stretch, stretchesOf } from './phrases.ts'
import { type VoiceStretch, voicedShare } from './voices.ts'

const CUES = {
  /** Decibels below the loudest moment under which there is silence, as in the fades. */
  silence: 45,
  /** Seconds by which the first bar of music may begin before the first sound. */
  early: 0.1,
  /** Decibels below the mean level under which a bar is no music: an eighth as loud. */
  gate: 30,
  /** A bar of music has this share of the usual pulse, or of the usual clarity of pitch. */
  share: 0.5,
  /** The fewest bars of an outro to mix in. */
  fewestBars: 4,
  /** The fewest bars with which something may be said. */
  fewest: 8,
  /** Bars that a mix-out leaves, at least and at most. */
  rest: [8, 24],
  /** A mix-out has less than this share of voice in so many bars, if there is such a place. */
  voice: { share: 0.2, bars: 8, step: 4 },
  /** Bars by which a mix-in lies before the end of the intro. */
  phrases: [8, 4],
} as const

/** A moment of a track to which a player jumps. */
export interface Cue {
  /** Seconds from the beginning. */
  time: number
  /** The index in `bars` of the bar that begins then; of `start` and `end`, that sounds then. */
  bar: number | null
  /** How sure it is, 0…1. */
  confidence: number
}

/** A phrase: bars that belong together. */
export interface Phrase extends Cue {
  /** The index in `bars` of its first bar. */
  bar: number
  /** How many bars it has: 8 or 16. */
  bars: number
  /** Seconds. */
  duration: number
}

/** The cues of a track; `null` where one is not known, or there is none. */
export interface Cues {
  /** The first sound: the end of the silence. */
  start: Cue | null
  /** The first bar of music: what sounds before may be noise, speech or a pickup. */
  musicStart: Cue | null
  /** The end of a quieter intro. */
  introEnd: Cue | null
  /** The start of a quieter outro, or of the fade-out. */
  outroStart: Cue | null
  /** The start of the loudest section; of several, that after the greatest rise (the drop). */
  loudest: Cue | null
  /** The start of the most typical 30 seconds. */
  highlight: Cue | null
  /** Where the track may be started while another plays. */
  mixIn: Cue | null
  /** Where another track may be started. */
  mixOut: Cue | null
  /** The last sound: the start of the silence. */
  end: Cue | null
  /** Phrases of 8 or 16 bars, in order. */
  phrases: Phrase[]
}

/**
 * Where a track can be entered, left and mixed. All but `start` and `end` lie on bar lines, so
 * documents without bars have none of them. It is pure, and uses only the document.
 *
 * Boundaries are those of `sections`. An intro or outro is told by its level: sections of high and
 * low energy are the cues of L. Vande Veire and T. De Bie ("From raw audio to a seamless mix",
 * EURASIP J. Audio, Speech, Music, 2018), with phrases of 8 bars as the unit. The music begins where
 * the level is at most 30 dB below that of the track and there are beats or clear pitches. The
 * highlight is the thumbnail of Bartsch and Wakefield (2005).
 *
 * @param document - an analysis by any version of audile, or by the old service
 * @param voices - where someone sings; the mix-out is then later, where nobody does, if possible
 * @throws {ParameterError} when a part that is needed is missing
 *
 * @example
 * ```ts
 * import { analyze, cues } from 'audile/analysis'
 *
 * const { musicStart, introEnd, phrases } = cues(analyze({ samples: [left, right], sampleRate: 44100 }))
 * console.log(musicStart?.time, introEnd?.bar, phrases.map(({ time, bars }) => `${time}: ${bars} bars`))
 * ```
 */
export function cues(document: AnalysisDocument, voices: readonly VoiceStretch[] = []): Cues {
  requireParts(document)
  const { bars, segments } = document
  const levels = segments.map(({ loudness_max }) => loudness_max)
  const loudest = levels.reduce((most, level) => Math.max(most, level), LOUDNESS.floor as number)
  const sounding = soundingFrom(segments, Math.max(LOUDNESS.floor, loudest - CUES.silence))
  const physical = (time: number | undefined): Cue | null =>
    time === undefined ? null : { time, bar: barAt(bars, time), confidence: 1 }
  const ends = { start: physical(sounding?.start), end: physical(sounding?.end) }
  const sound = bars.length >= CUES.fewest && sounding ? barSoundOf(document) : undefined
  const music = sound && firstOfMusic(sound, sounding!.start)
  if (!sound || !music) return { ...NONE, ...ends }
  const first = music.bar

  const stretches = stretchesOf(document, sound.edges, first)
  const cueAt = (bar: number, confidence: number): Cue & { bar: number } => ({
    time: sound.edges[bar]!,
    bar,
    confidence: Number(
      (Math.min(1, Math.max(0, confidence)) * (bars[bar]?.confidence ?? 0)).toFixed(3),
    ),
  })
  const cueOf = (found: Found | undefined) => (found ? cueAt(found.bar, found.confidence) : null)
  const phrases = phrasesOf(stretches)
  const last = Math.max(first + 1, nearestTo(sound.edges, sounding!.end))
  const intro = introOf(sound, stretches, last)
  const outro = outroOf(sound, stretches, last) ?? fadeOf(document, sound, first, last)
  const starts = stretches.map(({ from }) => from)
  const typical = highlightOf(sound, starts) ?? highlightOf(sound, barsFrom(first, bars.length))
  return {
    ...ends,
    musicStart: cueOf(music),
    introEnd: cueOf(intro),
    outroStart: cueOf(outro),
    loudest: cueOf(loudestOf(sound, stretches)),
    highlight: typical ? cueAt(typical.bar, typical.likeness) : null,
    mixIn: cueOf(mixInOf(music, intro)),
    mixOut: cueOf(unsungOf(mixOutOf(phrases, outro, last), { sound, voices, last })),
    phrases: phrases.map(({ from, to, confidence }) => ({
      ...cueAt(from, confidence),
      bars: to - from,
      duration: sound.edges[to]! - sound.edges[from]!,
    })),
  }
}

const NONE: Cues = {
  start: null,
  musicStart: null,
  introEnd: null,
  outroStart: null,
  loudest: null,
  highlight: null,
  mixIn: null,
  mixOut: null,
  end: null,
  phrases: [],
}

const barsFrom = (first: number, to: number) =>
  Array.from({ length: to - first }, (_, i) => first + i)

function barAt(bars: AnalysisDocument['bars'], time: number): number | null {
  const bar = bars.findIndex(({ start, duration }) => time >= start && time < start + duration)
  return bar < 0 ? null : bar
}

/** The first of two bars of music in a row, and how sure it is: as they are like the others. */
function firstOfMusic(sound: BarSound, start: number): Found | undefined {
  const shares = musicOf(sound)
  const music = shares.map(
    (share, bar) => sound.edges[bar]! >= start - CUES.early && share >= CUES.share,
  )
  const bar = music.findIndex((is, bar) => is && music[bar + 1] === true)
  return bar < 0 ? undefined : { bar, confidence: Math.min(1, shares[bar]!, shares[bar + 1]!) }
}

/** How far each bar is like the others of the track in pulse or clarity; 0 below the gate. */
function musicOf({ levels, pulses, clarities }: BarSound): number[] {
  const gate = meanLevel(levels) - CUES.gate
  const heard = (values: readonly number[]) => values.filter((_, bar) => levels[bar]! >= gate)
  const [pulse, clarity] = [medianOf(heard(pulses)), medianOf(heard(clarities))]
  const share = (value: number, usual: number) => (usual > 0 ? value / usual : 0)
  return levels.map((level, bar) =>
    level < gate ? 0 : Math.max(share(pulses[bar]!, pulse), share(clarities[bar]!, clarity)),
  )
}

/** The bar with which a fade-out begins, if it is no shorter than an outro. */
function fadeOf(
  { track, bars }: AnalysisDocument,
  { edges }: BarSound,
  first: number,
  last: number,
): Found | undefined {
  const bar = nearestTo(edges, track.start_of_fade_out)
  if (bar <= first || last - bar < SHORTEST_END) return undefined
  return { bar, confidence: bars[bar] ? 1 : 0 }
}

/** The first bar of music that is whole phrases before the end of the intro. */
function mixInOf(music: Found, intro: Found | undefined): Found {
  const bars = intro ? intro.bar - music.bar : 0
  const phrase = CUES.phrases.find((length) => bars >= length)
  if (!intro || !phrase) return music
  const confidence = Math.min(music.confidence, intro.confidence)
  return { bar: music.bar + (bars % phrase), confidence }
}

/** The outro if it is long enough to mix, else the last phrase that leaves time for it. */
function mixOutOf(
  phrases: readonly Stretch[],
  outro: Found | undefined,
  last: number,
): Found | undefined {
  const [least, most] = CUES.rest
  if (outro && last - outro.bar >= CUES.fewestBars) return outro
  const found = phrases.findLast(({ from }) => last - from >= least && last - from <= most)
  return found && { bar: found.from, confidence: found.confidence }
}

/** The first bar from a mix-out on, in whole groups of four, from which nobody sings. */
function unsungOf(
  mixOut: Found | undefined,
  {
    sound: { edges },
    voices,
    last,
  }: { sound: BarSound; voices: readonly VoiceStretch[]; last: number },
): Found | undefined {
  if (!mixOut) return undefined
  const { share, bars, step } = CUES.voice
  for (let bar = mixOut.bar; last - bar >= CUES.fewestBars; bar += step) {
    const end = edges[Math.min(bar + bars, last)]!
    if (voicedShare(voices, edges[bar]!, end) < share) return { ...mixOut, bar }
  }
  return mixOut
}

/** A document may be any JSON. */
function requireParts(document: Partial<AnalysisDocument> | null | undefined): void {
  const { track, bars, beats, sections, segments } = document ?? {}
  const parts = { bars, beats, sections, segments }
  const missing = Object.entries(parts).find(([, part]) => !Array.isArray(part))?.[0]
  if (track !== null && typeof track === 'object' && missing === undefined) return
  throw invalidParameter('document', `has no ${missing ?? 'track'}; give an analysis document.`)
}
