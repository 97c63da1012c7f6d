import { invalidParameter } from '../../values/errors.ts'
import { nearestTo } from '../correction/material.ts'
import type { AnalysisDocument } from '../document.ts'
import { LOUDNESS } from '../loudness-measures.ts'
import { medianOf } from '../statistics.ts'
import { type BarSound, barSoundOf, meanLevel, soundingBetween } from './bar-sound.ts'
import { highlightOf } from './highlight.ts'
import { type BarCue, introOf, loudestStretch, outroOf, SHORTEST_END } from './louder-parts.ts'
import { phrasesOf, type Stretch, sectionStretches } from './phrases.ts'
import { type VoiceStretch, voicedShare } from './voices.ts'

const CUE_RULES = {
  /** dB below the loudest moment under which there is silence, as in the fades. */
  silence: 45,
  /** Seconds by which the first bar of music may begin before the first sound. */
  early: 0.1,
  /** dB below the mean level under which a bar is no music: an eighth as loud. */
  gate: 30,
  /** Share of the median pulse, or clarity of pitch, that a bar of music has. */
  share: 0.5,
  /** The fewest bars of an outro to mix in. */
  fewestBars: 4,
  /** With fewer bars there are no cues on bar lines. */
  fewest: 8,
  /** The fewest and the most bars that a mix-out leaves. */
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
  requireCueParts(document)
  const { bars, segments } = document
  const levels = segments.map(({ loudness_max }) => loudness_max)
  const loudest = levels.reduce(
    (highest, level) => Math.max(highest, level),
    LOUDNESS.floor as number,
  )
  const sounding = soundingBetween(segments, Math.max(LOUDNESS.floor, loudest - CUE_RULES.silence))
  const soundCue = (time: number | undefined): Cue | null =>
    time === undefined ? null : { time, bar: barAt(bars, time), confidence: 1 }
  const ends = { start: soundCue(sounding?.start), end: soundCue(sounding?.end) }
  const sound = bars.length >= CUE_RULES.fewest && sounding ? barSoundOf(document) : undefined
  const musicStart = sound && firstMusicBar(sound, sounding!.start)
  if (!sound || !musicStart) return { ...NO_CUES, ...ends }
  const firstBar = musicStart.bar

  const stretches = sectionStretches(document, sound.edges, firstBar)
  const cueAt = (bar: number, confidence: number): Cue & { bar: number } => ({
    time: sound.edges[bar]!,
    bar,
    confidence: Number(
      (Math.min(1, Math.max(0, confidence)) * (bars[bar]?.confidence ?? 0)).toFixed(3),
    ),
  })
  const cueOf = (barCue: BarCue | undefined) =>
    barCue ? cueAt(barCue.bar, barCue.confidence) : null
  const phrases = phrasesOf(stretches)
  const lastBar = Math.max(firstBar + 1, nearestTo(sound.edges, sounding!.end))
  const intro = introOf(sound, stretches, lastBar)
  const outro = outroOf(sound, stretches, lastBar) ?? fadeOf(document, sound, firstBar, lastBar)
  const starts = stretches.map(({ from }) => from)
  const highlight =
    highlightOf(sound, starts) ?? highlightOf(sound, barsFrom(firstBar, bars.length))
  return {
    ...ends,
    musicStart: cueOf(musicStart),
    introEnd: cueOf(intro),
    outroStart: cueOf(outro),
    loudest: cueOf(loudestStretch(sound, stretches)),
    highlight: highlight ? cueAt(highlight.bar, highlight.likeness) : null,
    mixIn: cueOf(mixInOf(musicStart, intro)),
    mixOut: cueOf(
      unsungMixOut(mixOutOf(phrases, outro, lastBar), { sound, voices, last: lastBar }),
    ),
    phrases: phrases.map(({ from, to, confidence }) => ({
      ...cueAt(from, confidence),
      bars: to - from,
      duration: sound.edges[to]! - sound.edges[from]!,
    })),
  }
}

const NO_CUES: Cues = {
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

const barsFrom = (first: number, endBar: number) =>
  Array.from({ length: endBar - first }, (_, i) => first + i)

function barAt(bars: AnalysisDocument['bars'], time: number): number | null {
  const bar = bars.findIndex(({ start, duration }) => time >= start && time < start + duration)
  return bar < 0 ? null : bar
}

/** The first of two bars of music in a row. */
function firstMusicBar(sound: BarSound, start: number): BarCue | undefined {
  const shares = musicLikeness(sound)
  const music = shares.map(
    (share, bar) => sound.edges[bar]! >= start - CUE_RULES.early && share >= CUE_RULES.share,
  )
  const bar = music.findIndex((isMusic, bar) => isMusic && music[bar + 1] === true)
  return bar < 0 ? undefined : { bar, confidence: Math.min(1, shares[bar]!, shares[bar + 1]!) }
}

/** How far each bar is like the others in pulse or clarity; 0 below the gate. */
function musicLikeness({ levels, pulses, clarities }: BarSound): number[] {
  const gate = meanLevel(levels) - CUE_RULES.gate
  const aboveGate = (values: readonly number[]) => values.filter((_, bar) => levels[bar]! >= gate)
  const [pulse, clarity] = [medianOf(aboveGate(pulses)), medianOf(aboveGate(clarities))]
  const shareOfUsual = (value: number, usual: number) => (usual > 0 ? value / usual : 0)
  return levels.map((level, bar) =>
    level < gate
      ? 0
      : Math.max(shareOfUsual(pulses[bar]!, pulse), shareOfUsual(clarities[bar]!, clarity)),
  )
}

/** The bar with which a fade-out begins, if it is no shorter than an outro. */
function fadeOf(
  { track, bars }: AnalysisDocument,
  { edges }: BarSound,
  first: number,
  last: number,
): BarCue | undefined {
  const bar = nearestTo(edges, track.start_of_fade_out)
  if (bar <= first || last - bar < SHORTEST_END) return undefined
  return { bar, confidence: bars[bar] ? 1 : 0 }
}

/** The first bar of music that is whole phrases before the end of the intro. */
function mixInOf(music: BarCue, intro: BarCue | undefined): BarCue {
  const bars = intro ? intro.bar - music.bar : 0
  const phrase = CUE_RULES.phrases.find((length) => bars >= length)
  if (!intro || !phrase) return music
  const confidence = Math.min(music.confidence, intro.confidence)
  return { bar: music.bar + (bars % phrase), confidence }
}

/** The outro if it is long enough to mix, else the last phrase that leaves time for it. */
function mixOutOf(
  phrases: readonly Stretch[],
  outro: BarCue | undefined,
  last: number,
): BarCue | undefined {
  const [fewestLeft, mostLeft] = CUE_RULES.rest
  if (outro && last - outro.bar >= CUE_RULES.fewestBars) return outro
  const lastPhrase = phrases.findLast(
    ({ from }) => last - from >= fewestLeft && last - from <= mostLeft,
  )
  return lastPhrase && { bar: lastPhrase.from, confidence: lastPhrase.confidence }
}

/** The first bar from a mix-out on, in whole groups of four, from which nobody sings. */
function unsungMixOut(
  mixOut: BarCue | undefined,
  {
    sound: { edges },
    voices,
    last,
  }: { sound: BarSound; voices: readonly VoiceStretch[]; last: number },
): BarCue | undefined {
  if (!mixOut) return undefined
  const { share, bars, step } = CUE_RULES.voice
  for (let bar = mixOut.bar; last - bar >= CUE_RULES.fewestBars; bar += step) {
    const end = edges[Math.min(bar + bars, last)]!
    if (voicedShare(voices, edges[bar]!, end) < share) return { ...mixOut, bar }
  }
  return mixOut
}

/** A document may be any JSON. */
function requireCueParts(document: Partial<AnalysisDocument> | null | undefined): void {
  const { track, bars, beats, sections, segments } = document ?? {}
  const parts = { bars, beats, sections, segments }
  const missing = Object.entries(parts).find(([, list]) => !Array.isArray(list))?.[0]
  if (track !== null && typeof track === 'object' && missing === undefined) return
  throw invalidParameter('document', `has no ${missing ?? 'track'}; give an analysis document.`)
}
