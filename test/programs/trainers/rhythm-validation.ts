import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromaOf } from '../../../src/analysis/chroma.ts'
import { FrontEnd } from '../../../src/analysis/front-end.ts'
import { soundingSpan } from '../../../src/analysis/levels.ts'
import { trackRhythm } from '../../../src/analysis/rhythm.ts'
import { beatF, beatsAtAnyLevel, beatsAtLevel } from '../../support/accuracy.ts'
import { piecesOf, samplesOf } from './pieces.ts'
import { SAMPLE_RATE } from './rhythm-band.ts'

/**
 * Prints how right beats, tempo, bars and metre are on music that nothing was fitted on: the mean and its
 * standard error of each source. It writes nothing.
 *
 *   npx tsx test/programs/trainers/rhythm-validation.ts --data DIR [--data DIR …]
 */

const MULTIPLES = [1, 2, 3, 1 / 2, 1 / 3]
const SAME_TEMPO = 0.04
const TITLES = ['F', 'CMLt', 'AMLt', 'Acc1', 'Acc2', 'downbeats', 'metre']

export function main(argv: readonly string[]): void {
  const { values } = parseArgs({
    args: [...argv],
    options: { data: { type: 'string', multiple: true, default: [] } },
  })
  const rows = new Map<string, number[][]>()
  for (const { folder, labels } of piecesOf(values.data)) {
    const front = new FrontEnd(SAMPLE_RATE, 1)
    front.push([samplesOf(join(folder, `${labels.id}.raw`))])
    const { novelty, peaks, duration, lead, levels } = front.finish()
    const music = { spectrum: novelty.spectrum, chroma: chromaOf(peaks) }
    const found = trackRhythm(music, duration + lead, soundingSpan(levels))
    const [beats, bars] = [found.beats, found.bars].map((list) =>
      list.map(({ start }) => start - lead),
    ) as [number[], number[]]
    const isTempo = (multiples: readonly number[]): number =>
      Number(multiples.some((one) => Math.abs(found.tempo / (one * labels.tempo) - 1) < SAME_TEMPO))
    const row = [
      beatF(labels.beats, beats),
      beatsAtLevel(labels.beats, beats),
      beatsAtAnyLevel(labels.beats, beats),
      isTempo([1]),
      isTempo(MULTIPLES),
      beatF(labels.downbeats, bars),
      Number(labels.accepted.includes(found.timeSignature)),
    ]
    const { source } = labels
    for (const name of [source, 'all']) rows.set(name, [...(rows.get(name) ?? []), row])
  }
  console.log(['source', 'pieces', ...TITLES].join(' | '))
  for (const [name, list] of rows)
    console.log([name, list.length, ...TITLES.map((_, i) => told(list, i))].join(' | '))
}

function told(rows: readonly number[][], column: number): string {
  const mean = rows.reduce((sum, row) => sum + row[column]!, 0) / rows.length
  const square = rows.reduce((sum, row) => sum + (row[column]! - mean) ** 2, 0)
  const error = Math.sqrt(square / Math.max(1, rows.length - 1) / rows.length)
  return `${mean.toFixed(3)} ± ${error.toFixed(3)}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
