import { type Cue, type Cues, cues } from '../analysis/cues/cues.ts'
import type { OwnCue } from '../analysis/cues/own-cues.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { type GridFit, type GridMarker, gridMarkers } from '../analysis/grid-markers.ts'
import { snapToGrid } from '../analysis/gridded.ts'
import { withFilledPauses } from '../analysis/intervals.ts'

/** Documents of other analysers are rounded. */
const SAME_TIME_SECONDS = 0.01

export interface BarMarker extends GridMarker {
  /** 1: the first beat of a bar. */
  place: number
}

/** Formats know no place without beats, so the grid goes on through pauses. */
export function documentOnGrid(document: AnalysisDocument): AnalysisDocument {
  const grid = snapToGrid(document)
  return { ...grid, beats: withFilledPauses(grid.beats) }
}

export function barStarts({ bars, beats }: AnalysisDocument): number[] {
  let beat = 0
  return bars.flatMap(({ start }) => {
    while (beat + 1 < beats.length && beats[beat]!.start < start - SAME_TIME_SECONDS) beat++
    return Math.abs((beats[beat]?.start ?? Infinity) - start) <= SAME_TIME_SECONDS ? [beat] : []
  })
}

/** Four where a document does not say. */
export function metreOf({ track }: Pick<AnalysisDocument, 'track'>): number {
  return track.time_signature > 0 ? track.time_signature : 4
}

/** As few as keep every beat within 10 ms, on first beats of bars where possible. */
export function barMarkers(document: AnalysisDocument, fit: GridFit = {}): BarMarker[] {
  const starts = barStarts(document)
  const metre = metreOf(document)
  const markedBeats: number[] = []
  starts.forEach((beat, i) => {
    if (i > 0 && (beat - starts[i - 1]!) % metre !== 0) markedBeats.push(beat)
  })
  const beats = document.beats.map(({ start }) => start)
  const markers = gridMarkers(beats, { ...fit, marked: markedBeats, preferred: new Set(starts) })
  return markers.map((marker) => ({ ...marker, place: placeInBar(marker.beat, starts, metre) }))
}

/** From 1; before the first bar it is counted back. */
function placeInBar(beat: number, starts: readonly number[], metre: number): number {
  const start = starts.findLast((barBeat) => barBeat <= beat) ?? starts[0] ?? 0
  return ((((beat - start) % metre) + metre) % metre) + 1
}

/** Some programs count bars from the first marker. */
export function fromFirstBar(markers: readonly BarMarker[], metre: number): BarMarker[] {
  const [firstMarker, ...laterMarkers] = markers
  if (!firstMarker) return []
  const skippedBeats = (metre + 1 - firstMarker.place) % metre
  if (skippedBeats === 0 || skippedBeats >= firstMarker.beats) return [...markers]
  const { beat, time, bpm, beats } = firstMarker
  const movedStart = {
    beat: beat + skippedBeats,
    time: time + (skippedBeats * 60) / bpm,
    beats: beats - skippedBeats,
  }
  return [{ ...firstMarker, ...movedStart, place: 1 }, ...laterMarkers]
}

/** Of several cues at one point, the first is kept. */
const CUE_LABELS = {
  mixIn: 'Mix in',
  mixOut: 'Mix out',
  introEnd: 'Intro end',
  outroStart: 'Outro',
  loudest: 'Loudest',
  highlight: 'Highlight',
  musicStart: 'Music',
} as const satisfies Partial<Record<keyof Cues, string>>

export interface NamedCue extends Cue {
  name: keyof typeof CUE_LABELS
  label: string
}

/** By their times: at most seven. */
export function namedCues(document: AnalysisDocument): NamedCue[] {
  const documentCues = cues(document)
  return (Object.keys(CUE_LABELS) as NamedCue['name'][])
    .flatMap((name) => {
      const cue = documentCues[name]
      return cue ? [{ ...cue, name, label: CUE_LABELS[name] }] : []
    })
    .sort((a, b) => a.time - b.time)
}

/** None without confidence, and one at each point, where own cues have precedence. */
export function hotCues(document: AnalysisDocument, ownCues: readonly OwnCue[] = []): NamedCue[] {
  const order = Object.keys(CUE_LABELS)
  return namedCues(document)
    .filter(({ confidence }) => confidence > 0)
    .filter(
      ({ time }) => !ownCues.some((ownCue) => Math.abs(ownCue.time - time) < SAME_TIME_SECONDS),
    )
    .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
    .filter(
      ({ time }, i, cueList) =>
        !cueList
          .slice(0, i)
          .some((earlierCue) => Math.abs(earlierCue.time - time) < SAME_TIME_SECONDS),
    )
    .sort((a, b) => a.time - b.time)
}

/** From 0, the lowest that own cues leave free. */
export function freePads(ownCues: readonly OwnCue[], count: number): number[] {
  const takenPads = new Set(ownCues.map(({ number }) => number - 1))
  const pads: number[] = []
  for (let pad = 0; pads.length < count; pad++) if (!takenPads.has(pad)) pads.push(pad)
  return pads
}

/** 0…255. */
export function rgbOfColour(colour: string): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
