import { firstFrom } from '../../audio/samples.ts'
import type { AnalysisDocument, Section } from '../document.ts'
import { type Interval, intervalsBetween } from '../intervals.ts'
import { tempoBetween } from '../sections.ts'
import { barSizeAfter, layBars, layTatums, moveSections } from './bars.ts'
import type { Corrections } from './corrections.ts'
import {
  type Grid,
  gridAsRequested,
  gridAt,
  gridThrough,
  nearBeat,
  statedTempo,
  tempoWithin,
} from './grid.ts'
import { type Edges, type Material, materialOf, nearestTo, supportAt } from './material.ts'

/** Corrects tempo, downbeat and time signature of a whole document. */
export function withRhythm<D extends AnalysisDocument>(document: D, corrections: Corrections): D {
  const { timeSignature } = corrections
  const downbeat = downbeatWithin(document, corrections)
  const mayChange = [corrections.tempo, corrections.tempoRange, downbeat, timeSignature]
  if (mayChange.every((value) => value == null)) return document
  const material = materialOf(document)
  const tempo = requestedTempo(material, corrections)

  const track = { ...document.track }
  let grid: Grid = { edges: material.edges, ratio: [1, 1] }
  if (tempo !== undefined) grid = gridAt(material, tempo, downbeat)
  if (typeof corrections.tempo === 'number')
    grid = gridAsRequested(material, grid, corrections.tempo, downbeat)
  if (downbeat !== undefined) grid = gridThrough(material, grid, downbeat, tempo ?? track.tempo)
  if (tempo !== undefined) track.tempo = statedTempo(grid.edges, tempo)
  if (corrections.tempo != null) track.tempo_confidence = 1
  track.time_signature = timeSignature ?? barSizeAfter(track.time_signature, grid.ratio)
  if (timeSignature != null) track.time_signature_confidence = 1

  const beatsStay = grid.edges === material.edges
  const beats = beatsStay ? document.beats : beatsOf(grid.edges, material)
  const tatums = beatsStay ? document.tatums : layTatums(beats, document)
  const sameSize = track.time_signature === document.track.time_signature
  const barsStay = beatsStay && sameSize && hasBar(material, downbeat)
  const bars = barsStay
    ? document.bars
    : layBars(grid.edges, track.time_signature, material, downbeat)
  const placedSections = barsStay
    ? document.sections
    : moveSections(document.sections, document.bars, bars)
  const { time_signature, time_signature_confidence } = track
  const sections = placedSections.map((placedSection) => {
    const section = { ...placedSection, ...(!sameSize && { time_signature }) }
    if (timeSignature != null) Object.assign(section, { time_signature, time_signature_confidence })
    return tempo === undefined || beatsStay
      ? section
      : withOwnTempo(section, beats, grid.edges, track)
  })
  return { ...document, track, bars, beats, tatums, sections }
}

export function withOwnTempo(
  section: Section,
  beats: readonly Interval[],
  edges: Edges,
  { tempo, tempo_confidence }: AnalysisDocument['track'],
): Section {
  const end = section.start + section.duration
  const inside = beats.slice(firstFrom(edges, section.start), firstFrom(edges, end))
  const trackTempo = { tempo, tempoConfidence: tempo_confidence }
  const sectionTempo = tempoBetween(inside, section.start, end, trackTempo)
  return { ...section, tempo: sectionTempo.tempo, tempo_confidence: sectionTempo.confidence }
}

/** BPM; `undefined` to keep the document's. */
function requestedTempo(
  material: Material,
  { tempo, tempoRange }: Corrections,
): number | undefined {
  const present = material.document.track.tempo
  if (tempo === 'double') return 2 * present
  if (tempo === 'half') return present / 2
  return tempo ?? (tempoRange ? tempoWithin(material, tempoRange) : undefined)
}

function downbeatWithin(
  { track }: AnalysisDocument,
  { downbeat }: Corrections,
): number | undefined {
  return downbeat != null && downbeat < track.duration ? downbeat : undefined
}

/** True without a downbeat. */
function hasBar({ edges, document }: Material, downbeat: number | undefined): boolean {
  if (downbeat === undefined) return true
  const beat = nearBeat(edges, downbeat)
  return document.bars.some(({ start }) => beat !== undefined && start === edges[beat])
}

function beatsOf(edges: Edges, material: Material): Interval[] {
  const { beats } = material.document
  return intervalsBetween(edges, (i) => {
    const near = beats[nearestTo(material.edges, edges[i]!)] ?? beats.at(-1)
    return near?.confidence ?? supportAt(material, edges[i]!).support
  })
}
