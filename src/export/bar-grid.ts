import { type Cue, type Cues, cues } from '../analysis/cues/cues.ts'
import type { OwnCue } from '../analysis/cues/own-cues.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { type GridFit, type GridMarker, gridMarkers } from '../analysis/grid-markers.ts'
import { snapToGrid } from '../analysis/gridded.ts'
import { withFilledPauses } from '../analysis/intervals.ts'

/** Documents of other analysers are rounded: times that differ less are one, seconds. */
const SAME = 0.01

/** A marker of a beat grid that knows its place in the bar. */
export interface BarMarker extends GridMarker {
  /** 1: the first beat of a bar. */
  place: number
}

/** A document on its grid, which goes on through pauses: formats know no place without beats. */
export function gridOf(document: AnalysisDocument): AnalysisDocument {
  const grid = snapToGrid(document)
  return { ...grid, beats: withFilledPauses(grid.beats) }
}

/** The beats with which bars begin, by their indices. */
export function barStarts({ bars, beats }: AnalysisDocument): number[] {
  let beat = 0
  return bars.flatMap(({ start }) => {
    while (beat + 1 < beats.length && beats[beat]!.start < start - SAME) beat++
    return Math.abs((beats[beat]?.start ?? Infinity) - start) <= SAME ? [beat] : []
  })
}

/** The beats in a bar; four where a document does not say. */
export function metreOf({ track }: Pick<AnalysisDocument, 'track'>): number {
  return track.time_signature > 0 ? track.time_signature : 4
}

/**
 * The markers of a document that is on its grid: as many as keep every beat within 10 ms, on first beats of
 * bars where that is possible, and one wherever bars are not counted on regularly.
 */
export function barMarkers(document: AnalysisDocument, fit: GridFit = {}): BarMarker[] {
  const starts = barStarts(document)
  const metre = metreOf(document)
  const marked: number[] = []
  starts.forEach((beat, i) => {
    if (i > 0 && (beat - starts[i - 1]!) % metre !== 0) marked.push(beat)
  })
  const beats = document.beats.map(({ start }) => start)
  const markers = gridMarkers(beats, { ...fit, marked, preferred: new Set(starts) })
  return markers.map((marker) => ({ ...marker, place: placeOf(marker.beat, starts, metre) }))
}

/** The place of a beat in its bar, from 1. Before the first bar it is counted back. */
function placeOf(beat: number, starts: readonly number[], metre: number): number {
  const start = starts.findLast((one) => one <= beat) ?? starts[0] ?? 0
  return ((((beat - start) % metre) + metre) % metre) + 1
}

/**
 * The markers with the first one moved to the first beat of a bar, for programs that count bars from
 * it and go on with its tempo to either side.
 */
export function fromFirstBar(markers: readonly BarMarker[], metre: number): BarMarker[] {
  const [first, ...rest] = markers
  if (!first) return []
  const skipped = (metre + 1 - first.place) % metre
  if (skipped === 0 || skipped >= first.beats) return [...markers]
  const { beat, time, bpm, beats } = first
  const moved = { beat: beat + skipped, time: time + (skipped * 60) / bpm, beats: beats - skipped }
  return [{ ...first, ...moved, place: 1 }, ...rest]
}

/** The names of cues as other programs show them. Of several at one point, the first is kept. */
const LABELS = {
  mixIn: 'Mix in',
  mixOut: 'Mix out',
  introEnd: 'Intro end',
  outroStart: 'Outro',
  loudest: 'Loudest',
  highlight: 'Highlight',
  musicStart: 'Music',
} as const satisfies Partial<Record<keyof Cues, string>>

/** A cue for other programs. */
export interface NamedCue extends Cue {
  name: keyof typeof LABELS
  label: string
}

/** The musical cues of a document, by their times: at most seven. */
export function namedCues(document: AnalysisDocument): NamedCue[] {
  const known = cues(document)
  return (Object.keys(LABELS) as NamedCue['name'][])
    .flatMap((name) => {
      const cue = known[name]
      return cue ? [{ ...cue, name, label: LABELS[name] }] : []
    })
    .sort((a, b) => a.time - b.time)
}

/**
 * The cues for programs that jump to them: none without confidence, and one at each point, where one's own
 * have precedence.
 */
export function hotCues(document: AnalysisDocument, own: readonly OwnCue[] = []): NamedCue[] {
  const order = Object.keys(LABELS)
  return namedCues(document)
    .filter(({ confidence }) => confidence > 0)
    .filter(({ time }) => !own.some((one) => Math.abs(one.time - time) < SAME))
    .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
    .filter(({ time }, i, all) => !all.slice(0, i).some((one) => Math.abs(one.time - time) < SAME))
    .sort((a, b) => a.time - b.time)
}

/** Pads of cues, from 0: those of one's own cues, and for the others the lowest that are free. */
export function padsOf(own: readonly OwnCue[], others: number): number[] {
  const taken = new Set(own.map(({ number }) => number - 1))
  const free: number[] = []
  for (let pad = 0; free.length < others; pad++) if (!taken.has(pad)) free.push(pad)
  return free
}

/** Red, green and blue, 0…255, of a colour. */
export function rgbOfColour(colour: string): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
