import type { AnalysisDocument } from '../document.ts'
import { exactTime, exactTimeBefore, type Interval, intervalsBetween } from '../intervals.ts'
import { tempoOfBeats } from '../tempo.ts'
import { layTatums, moveSections } from './bars.ts'
import { trimEdges } from './grid.ts'
import type { GridAnchor } from './grid-anchors.ts'
import { edgesOf } from './material.ts'
import { withOwnTempo } from './rhythm.ts'

/** The share of a beat by which the first and last beats may lie beyond those that were heard. */
const BEAT_BEYOND = 0.5

interface LaidBeat {
  time: number
  place: number
}

/**
 * The grid's beats exactly, as far as beats were heard, with confidence 1; bars follow from the
 * places of anchors.
 */
export function withLaidGrid<D extends AnalysisDocument>(
  document: D,
  anchors: readonly GridAnchor[],
  timeSignature: number | null | undefined,
): D {
  const { track } = document
  const size = timeSignature ?? (track.time_signature > 0 ? track.time_signature : 4)
  const laid = laidBeats(document, anchors, size)
  const edges = trimEdges(
    laid.map(({ time }) => time),
    document,
  )
  if (edges.length === 0) return document
  const beats = intervalsBetween(edges, () => 1)
  const places = new Map(laid.map(({ time, place }) => [time, place]))
  const bars: Interval[] = intervalsBetween(
    edges.filter((time) => places.get(time) === 1),
    () => 1,
  )
  const [first] = anchors
  const measured = tempoOfBeats(edges.slice(0, -1))
  const laidTrack = {
    ...track,
    tempo: anchors.length === 1 || measured === 0 ? first!.tempo : measured,
    tempo_confidence: 1,
    time_signature: size,
    ...(timeSignature != null && { time_signature_confidence: 1 }),
  }
  const sections = moveSections(document.sections, document.bars, bars).map((section) =>
    withOwnTempo(section, beats, edges, laidTrack),
  )
  return {
    ...document,
    track: laidTrack,
    bars,
    beats,
    tatums: layTatums(beats, document),
    sections,
  }
}

/** One beat more is where the last ends. */
function laidBeats(
  { beats, track }: AnalysisDocument,
  anchors: readonly GridAnchor[],
  size: number,
): LaidBeat[] {
  const heardEdges = edgesOf(beats)
  const end = exactTimeBefore(track.duration)
  const anchorsInside = anchors.filter(({ time }) => time < end)
  const [first = anchors[0]!, last = first] = [anchorsInside[0], anchorsInside.at(-1)]
  const low = Math.max(0, Math.min(heardEdges[0] ?? 0, first.time))
  const high = Math.min(end, Math.max(heardEdges.at(-1) ?? end, last.time))
  const laid = beatsBefore(first, low, size)
  let place = (first.place ?? 1) - 1
  for (const [i, anchor] of (anchorsInside.length > 0 ? anchorsInside : [first]).entries()) {
    const { time, tempo } = anchor
    const period = 60 / tempo
    const nextTime = anchorsInside[i + 1]?.time
    const span = (nextTime ?? high) - time
    const count =
      nextTime === undefined
        ? Math.floor(span / period + BEAT_BEYOND)
        : Math.max(1, Math.round(span / period))
    if (anchor.place !== undefined) place = anchor.place - 1
    for (let beat = 0; beat < count; beat++, place++)
      laid.push({ time: exactTime(time + beat * period), place: (place % size) + 1 })
    if (nextTime !== undefined) continue
    const lastEnd = Math.min(end, exactTime(time + count * period))
    laid.push({ time: lastEnd, place: (place % size) + 1 })
  }
  return laid.filter(({ time }) => time <= end)
}

function beatsBefore({ time, tempo, place = 1 }: GridAnchor, low: number, size: number) {
  const period = 60 / tempo
  const count = Math.max(0, Math.floor(Math.min(time, time - low + BEAT_BEYOND * period) / period))
  return Array.from({ length: count }, (_, i): LaidBeat => {
    const back = count - i
    return {
      time: exactTime(time - back * period),
      place: ((((place - 1 - back) % size) + size) % size) + 1,
    }
  })
}
