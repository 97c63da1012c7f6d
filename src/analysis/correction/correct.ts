import { invalidParameter } from '../../errors.ts'
import { steadiness, tempoOfBeats } from '../beats.ts'
import type { AnalysisDocument, Section } from '../document.ts'
import { between, type Interval } from '../intervals.ts'
import { layBars, layTatums, moveSections, sizeAfter } from './bars.ts'
import { edgesOf, type Grid, gridAt, gridThrough, ownGrid, tempoWithin, toldTempo } from './grid.ts'
import { firstFrom, materialOf, nearestTo } from './material.ts'

export interface Corrections {
  tempo?: 'double' | 'half' | number | null | undefined
  downbeat?: number | null | undefined
  key?: number | null | undefined
  mode?: number | null | undefined
  timeSignature?: number | null | undefined
  tempoRange?: readonly [number, number] | null | undefined
}

export function correct(document: AnalysisDocument, corrections: Corrections): AnalysisDocument {
  const material = materialOf(document)
  const { tempo, downbeat, timeSignature, key, mode } = corrections
  const wanted = tempo === 'double' ? 2 * document.track.tempo : tempo === 'half' ? document.track.tempo / 2 : tempo ?? (corrections.tempoRange ? tempoWithin(document, material, corrections.tempoRange) : undefined)
  const at = downbeat ?? undefined
  let grid: Grid = ownGrid(document)
  if (wanted !== undefined) grid = gridAt(document, material, wanted, at)
  if (at !== undefined) grid = gridThrough(document, material, grid, at)
  const size = timeSignature ?? sizeAfter(document.track.time_signature, grid.ratio)
  const beats = grid.own ? document.beats : beatsOf(grid, document)
  const bars = layBars(grid.edges, size, document, material, at)
  const tatums = grid.own ? document.tatums : layTatums(beats, document)
  const sections = moveSections(document.sections, document.bars, bars)
  return { ...document, track: { ...document.track, tempo: toldTempo(grid.edges, wanted), time_signature: size }, bars, beats, tatums, sections }
}
function beatsOf({ edges }: Grid, { beats }: AnalysisDocument): Interval[] {
  const starts = beats.map(({ start }) => start)
  return between(edges, (i) => beats[nearestTo(starts, edges[i]!)]?.confidence ?? 0)
}
