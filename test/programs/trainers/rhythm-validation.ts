import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { FrontEnd } from '../../../src/analysis/front-end.ts'
import { soundingSpan } from '../../../src/analysis/levels.ts'
import { findRhythm } from '../../../src/analysis/rhythm.ts'
import { tempoOfBeats } from '../../../src/analysis/tempo.ts'
import { beatF, beatsAtAnyLevel, beatsAtLevel } from '../../support/accuracy.ts'
import { networkOf, piecesOf, samplesOf } from './pieces.ts'
import { SAMPLE_RATE } from './rhythm-band.ts'
import type { Labels } from './rhythm-material.ts'

/**
 * Prints how right beats, tempo, bars and metre are on music that nothing was fitted on: the mean and its
 * standard error of each source; with a model also those of its network, and its gain piece by piece over
 * the network of the source. It writes nothing.
 *
 *   npx tsx test/programs/trainers/rhythm-validation.ts --data DIR [--data DIR …] [--model MODEL.json]
 */

const MULTIPLES = [1, 2, 3, 1 / 2, 1 / 3]
const SAME_TEMPO = 0.04
const TITLES = ['F', 'CMLt', 'AMLt', 'Acc1', 'Acc2', 'downbeats', 'metre']

export function main(argv: readonly string[]): void {
  const { values } = parseArgs({
    args: [...argv],
    options: { data: { type: 'string', multiple: true, default: [] }, model: { type: 'string' } },
  })
  const networks = [undefined, ...(values.model ? [values.model] : [])].map(
    (file) => networkOf(file).network,
  )
  const rows = new Map<string, number[][][]>()
  for (const { folder, labels } of piecesOf(values.data)) {
    const front = new FrontEnd(SAMPLE_RATE, 1)
    front.push([samplesOf(join(folder, `${labels.id}.raw`))])
    const { novelty, chroma, duration, lead, levels } = front.finish()
    const music = { spectrum: novelty.spectrum, chroma }
    const sound = soundingSpan(levels)
    const found = networks.map((network) => {
      const rhythm = findRhythm(music, { duration: duration + lead, sound, network })
      const { beats: heard = [], bars = [], metre = 0 } = rhythm ?? {}
      const [beats, downbeats] = [heard, bars].map((list) =>
        list.map(({ start }) => start - lead),
      ) as [number[], number[]]
      return rightness(labels, { beats, downbeats, metre })
    })
    const { source } = labels
    for (const name of [source, 'all']) rows.set(name, [...(rows.get(name) ?? []), found])
  }
  console.log(['source', 'pieces', ...TITLES].join(' | '))
  for (const [name, list] of rows) {
    const told = (title: string, of: (found: number[][]) => number[]): void =>
      console.log(
        [title, list.length, ...TITLES.map((_, i) => spread(list.map(of), i))].join(' | '),
      )
    told(name, ([own]) => own!)
    if (networks.length === 1) continue
    told('  the model', ([, other]) => other!)
    told('  its gain', ([own, other]) => other!.map((value, i) => value - own![i]!))
  }
}

interface Found {
  beats: number[]
  downbeats: number[]
  metre: number
}

/** What is right of a piece, in the order of {@link TITLES}. */
function rightness(labels: Labels, { beats, downbeats, metre }: Found): number[] {
  const tempo = tempoOfBeats(beats)
  const isTempo = (multiples: readonly number[]): number =>
    Number(multiples.some((one) => Math.abs(tempo / (one * labels.tempo) - 1) < SAME_TEMPO))
  return [
    beatF(labels.beats, beats),
    beatsAtLevel(labels.beats, beats),
    beatsAtAnyLevel(labels.beats, beats),
    isTempo([1]),
    isTempo(MULTIPLES),
    beatF(labels.downbeats, downbeats),
    Number(labels.accepted.includes(metre)),
  ]
}

function spread(rows: readonly number[][], column: number): string {
  const mean = rows.reduce((sum, row) => sum + row[column]!, 0) / rows.length
  const square = rows.reduce((sum, row) => sum + (row[column]! - mean) ** 2, 0)
  const error = Math.sqrt(square / Math.max(1, rows.length - 1) / rows.length)
  return `${mean.toFixed(3)} ± ${error.toFixed(3)}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
