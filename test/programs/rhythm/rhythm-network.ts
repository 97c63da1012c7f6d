import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { tempoOfBeats } from '../../../src/analysis/beats.ts'
import { type CalibrationTable, calibrated } from '../../../src/analysis/statistics.ts'
import { type Case, calibrationTable, printReliability } from '../trainers/isotonic.ts'
import type { Labels } from '../trainers/rhythm-material.ts'
import { type Form, Network } from './network.ts'
import { findRhythm } from './rhythm.ts'

/**
 * Tells what the certainties of the network that rhythm-network.py trained are worth, on the families that
 * were held back, and writes them into rhythm-confidence.ts.
 *
 *   npx tsx test/programs/rhythm/rhythm-network.ts --model MODEL.json --data DIR [--data DIR …]
 *     [--each 12] [--try]
 *
 * The folders are those that it was trained on; at most `--each` pieces of a family are heard. `--try` writes
 * nothing.
 */

interface Model {
  form: Form
  weights: string
  about: {
    held: number
    trainer: string
    seed: number
    date: string
    steps: number
    seconds: number
  }
}

const NAMES = ['tempo', 'beat', 'bar', 'metre'] as const
type Cases = Record<(typeof NAMES)[number], (Case & { family: string })[]>

/** Seconds within which a beat is where it should be, and the share within which a tempo is. */
const NEAR = 0.07
const SAME_TEMPO = 0.04

export function main(argv: readonly string[]): void {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      model: { type: 'string' },
      data: { type: 'string', multiple: true, default: [] },
      each: { type: 'string', default: '12' },
      try: { type: 'boolean', default: false },
    },
  })
  if (values.model === undefined) throw new Error('--model FILE is missing.')
  const model = JSON.parse(readFileSync(values.model, 'utf8')) as Model
  const network = new Network(model.form, model.weights)
  const cases: Cases = { tempo: [], beat: [], bar: [], metre: [] }
  const families = new Map<string, number>()
  for (const { folder, labels } of heldBack(values.data, model.about.held)) {
    const count = (families.get(labels.family) ?? 0) + 1
    if (count > Number(values.each)) continue
    families.set(labels.family, count)
    listen(join(folder, `${labels.id}.raw`), { labels, network, cases })
  }
  // Each family counts alike, whether few of its pieces were made or many.
  const shared = (name: keyof Cases): Case[] =>
    cases[name].map((one) => ({ ...one, share: one.share / families.get(one.family)! }))
  const tables = {
    tempo: calibrationTable(shared('tempo'), { first: [-4, 0.05] }),
    beat: calibrationTable(shared('beat'), { first: [-4, 0.05], last: [8, 0.98] }),
    bar: calibrationTable(shared('bar'), { first: [-20, 0.1], last: [80, 0.97] }),
    metre: calibrationTable(shared('metre'), { first: [-1, 0.2] }),
  }
  console.log(`${cases.tempo.length} pieces of ${families.size} families that were held back`)
  for (const name of NAMES)
    printReliability(
      name,
      cases[name].map((one) => ({ ...one, confidence: calibrated(one.raw, tables[name]) })),
    )
  if (values.try) return
  write('rhythm-confidence.ts', tablesSource(tables, families.size))
}

/** The pieces of the families that rhythm-network.py holds back for a share. */
function* heldBack(
  folders: readonly string[],
  share: number,
): Generator<{ folder: string; labels: Labels }> {
  for (const folder of folders)
    for (const name of readdirSync(folder).sort()) {
      if (!name.endsWith('.json')) continue
      const labels = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Labels
      const digest = createHash('md5').update(`s${labels.family}`).digest('hex')
      if (Number.parseInt(digest.slice(0, 8), 16) / 2 ** 32 < share) yield { folder, labels }
    }
}

function listen(
  file: string,
  { labels, network, cases }: { labels: Labels; network: Network; cases: Cases },
): void {
  const raw = readFileSync(file)
  const samples = Float32Array.from(
    { length: raw.length >> 1 },
    (_, i) => raw.readInt16LE(2 * i) / 32_768,
  )
  const found = findRhythm(samples, network)
  if (found === undefined) return
  const { sureness, starts, bars, metre } = found
  const { family } = labels
  const tell = (name: keyof Cases, raw: number, isRight: boolean, share = 1): void => {
    cases[name].push({ raw, right: Number(isRight), share, family })
  }
  const isNear = (times: readonly number[], time: number): boolean =>
    times.some((one) => Math.abs(one - time) <= NEAR)
  tell('tempo', sureness.tempo, Math.abs(tempoOfBeats(starts) / labels.tempo - 1) < SAME_TEMPO)
  tell('metre', sureness.metre, labels.accepted.includes(metre))
  const [first, last] = [labels.beats[0]! - NEAR, labels.beats.at(-1)! + NEAR]
  starts.forEach((start, i) => {
    if (start < first || start > last) return
    tell('beat', sureness.beats[i]!, isNear(labels.beats, start), 1 / starts.length)
  })
  bars.slice(0, -1).forEach((start, i) => {
    if (start < first || start > last) return
    tell('bar', sureness.bars[i]!, isNear(labels.downbeats, start), 1 / bars.length)
  })
}

function tablesSource(tables: Record<string, CalibrationTable>, families: number): string {
  return `import type { CalibrationTable } from '../../../src/analysis/statistics.ts'

/**
 * What certainties are worth: the share right on made music of ${families} families that the network had not
 * heard, by test/programs/rhythm/rhythm-network.ts.
 */
export const RHYTHM_CONFIDENCE: Readonly<Record<'tempo' | 'beat' | 'bar' | 'metre', CalibrationTable>> =
  Object.freeze(${JSON.stringify(tables)})
`
}

function write(name: string, source: string): void {
  const path = fileURLToPath(new URL(name, import.meta.url))
  writeFileSync(path, source)
  execFileSync('npx', ['biome', 'check', '--write', path])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
