import type { AnalysisDocument } from '../document.ts'
import { between, exactTime, exactTimeBefore, type Interval } from '../intervals.ts'
import { tempoOfBeats } from '../tempo.ts'
import { layTatums, moveSections } from './bars.ts'
import { ended } from './grid.ts'
import type { GridAnchor } from './grid-anchors.ts'
import { edgesOf } from './material.ts'
import { withOwnTempo } from './rhythm.ts'

/** The share of a beat by which the first and last beats may lie beyond those that were heard. */
const BEYOND = 0.5

interface LaidBeat {
  time: number
  place: number
}

/**
 * A document whose beats are those of a grid, exactly, as far as beats were heard; bars follow from the places
 * of the anchors. All of it has confidence 1.
 */
export function laidOn<D extends AnalysisDocument>(
  document: D,
  anchors: readonly GridAnchor[],
  timeSignature: number | null | undefined,
): D {
  const { track } = document
  const size = timeSignature ?? (track.time_signature > 0 ? track.time_signature : 4)
  const laid = laidBeats(document, anchors, size)
  const edges = ended(
    laid.map(({ time }) => time),
    document,
  )
  if (edges.length === 0) return document
  const beats = between(edges, () => 1)
  const places = new Map(laid.map(({ time, place }) => [time, place]))
  const bars: Interval[] = between(
    edges.filter((time) => places.get(time) === 1),
    () => 1,
  )
  const [first] = anchors
  const measured = tempoOfBeats(edges.slice(0, -1))
  const after = {
    ...track,
    tempo: anchors.length === 1 || measured === 0 ? first!.tempo : measured,
    tempo_confidence: 1,
    time_signature: size,
    ...(timeSignature != null && { time_signature_confidence: 1 }),
  }
  const sections = moveSections(document.sections, document.bars, bars).map((section) =>
    withOwnTempo(section, beats, edges, after),
  )
  return { ...document, track: after, bars, beats, tatums: layTatums(beats, document), sections }
}

/** The beats of a grid between the first and the last that were heard, and one more where the last ends. */
function laidBeats(
  { beats, track }: AnalysisDocument,
  anchors: readonly GridAnchor[],
  size: number,
): LaidBeat[] {
  const heard = edgesOf(beats)
  const end = exactTimeBefore(track.duration)
  const inside = anchors.filter(({ time }) => time < end)
  const [first = anchors[0]!, last = first] = [inside[0], inside.at(-1)]
  const low = Math.max(0, Math.min(heard[0] ?? 0, first.time))
  const high = Math.min(end, Math.max(heard.at(-1) ?? end, last.time))
  const laid = beatsBefore(first, low, size)
  let place = (first.place ?? 1) - 1
  for (const [i, anchor] of (inside.length > 0 ? inside : [first]).entries()) {
    const { time, tempo } = anchor
    const period = 60 / tempo
    const next = inside[i + 1]?.time
    const span = (next ?? high) - time
    const count =
      next === undefined
        ? Math.floor(span / period + BEYOND)
        : Math.max(1, Math.round(span / period))
    if (anchor.place !== undefined) place = anchor.place - 1
    for (let beat = 0; beat < count; beat++, place++)
      laid.push({ time: exactTime(time + beat * period), place: (place % size) + 1 })
    if (next !== undefined) continue
    const close = Math.min(end, exactTime(time + count * period))
    laid.push({ time: close, place: (place % size) + 1 })
  }
  return laid.filter(({ time }) => time <= end)
}

function beatsBefore({ time, tempo, place = 1 }: GridAnchor, low: number, size: number) {
  const period = 60 / tempo
  const count = Math.max(0, Math.floor(Math.min(time, time - low + BEYOND * period) / period))
  return Array.from({ length: count }, (_, i): LaidBeat => {
    const back = count - i
    return {
      time: exactTime(time - back * period),
      place: ((((place - 1 - back) % size) + size) % size) + 1,
    }
  })
}
