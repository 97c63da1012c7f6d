import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Network } from '../../../src/analysis/activation/network.ts'
import { FrontEnd } from '../../../src/analysis/front-end.ts'
import { soundingSpan } from '../../../src/analysis/levels.ts'
import { findRhythm } from '../../../src/analysis/rhythm.ts'
import { RHYTHM_CONFIDENCE } from '../../../src/analysis/rhythm-confidence.ts'
import { type Logit, logistic } from '../../../src/analysis/statistics.ts'
import { tempoOfBeats } from '../../../src/analysis/tempo.ts'
import { seeded } from '../../support/chance.ts'
import { type Case, printReliability } from './isotonic.ts'
import { logisticFit } from './logistic.ts'
import { type Model, networkOf, piecesOf, samplesOf } from './pieces.ts'
import { SAMPLE_RATE } from './rhythm-band.ts'
import type { Labels } from './rhythm-material.ts'

/**
 * Writes the network that rhythm-network.py trained into src/analysis/activation/network-weights.ts, and what its
 * certainties are worth into src/analysis/rhythm-confidence.ts.
 *
 *   npx tsx test/programs/trainers/rhythm-network.ts [--model MODEL.json] --data DIR [--data DIR …]
 *     [--unheard DIR …] [--held 0.06] [--only bar --only metre] [--each 12] [--try]
 *
 * The folders are those that it was trained on: the families that were held back then tell how often it is
 * right, and all pieces of folders that it was not trained on; at most `--each` of a family. Without `--model`
 * only the certainties of the source's network are told anew; `--held` is then the share that was held back.
 * Certainties that `--only` does not name stay what they are. `--try` writes nothing.
 */

const NAMES = ['tempo', 'beat', 'bar', 'metre'] as const
type Cases = Record<(typeof NAMES)[number], (Case & { family: string })[]>

const NOISE = { pieces: 12, seconds: 20 }
type Known = Pick<Labels, 'family' | 'beats' | 'downbeats' | 'tempo' | 'accepted'>

/** Seconds within which a beat is where it should be, and the share within which a tempo is. */
const NEAR = 0.07
const SAME_TEMPO = 0.04

export function main(argv: readonly string[]): void {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      model: { type: 'string' },
      data: { type: 'string', multiple: true, default: [] },
      unheard: { type: 'string', multiple: true, default: [] },
      each: { type: 'string', default: '12' },
      held: { type: 'string', default: '0.06' },
      only: { type: 'string', multiple: true, default: [...NAMES] },
      try: { type: 'boolean', default: false },
    },
  })
  const { model, network } = networkOf(values.model)
  const cases: Cases = { tempo: [], beat: [], bar: [], metre: [] }
  const families = new Map<string, number>()
  const pieces = [
    ...piecesOf(values.data, { share: model?.about.held ?? Number(values.held) }),
    ...piecesOf(values.unheard),
  ]
  for (const { folder, labels } of pieces) {
    const count = (families.get(labels.family) ?? 0) + 1
    if (count > Number(values.each)) continue
    families.set(labels.family, count)
    listen(samplesOf(join(folder, `${labels.id}.raw`)), { labels, network, cases })
  }
  const inNoise: Cases = { tempo: [], beat: [], bar: [], metre: [] }
  for (const { samples, labels } of noises()) listen(samples, { labels, network, cases: inNoise })
  const quiet = Math.max(...inNoise.beat.map(({ raw }) => raw))
  // Each family counts alike, whether few of its pieces were made or many.
  const shared = (name: keyof Cases): Case[] =>
    cases[name].map((one) => ({ ...one, share: one.share / families.get(one.family)! }))
  const fits: Record<keyof Cases, Logit> = { ...RHYTHM_CONFIDENCE }
  for (const name of NAMES) if (values.only.includes(name)) fits[name] = logisticFit(shared(name))
  console.log(`${cases.tempo.length} pieces of ${families.size} families that were held back`)
  for (const name of NAMES)
    printReliability(
      name,
      cases[name].map((one) => ({ ...one, confidence: logistic(one.raw, fits[name]) })),
    )
  if (values.try) return
  if (model) write('activation/network-weights.ts', () => weightsSource(model))
  const told = `RHYTHM_CONFIDENCE = Object.freeze(${JSON.stringify(fits)} as const`
  write('rhythm-confidence.ts', (source) =>
    source
      .replace(/RHYTHM_CONFIDENCE = Object.freeze\(.*?\} as const/s, told)
      .replace(/NOISE = -?[\d.]+/, `NOISE = ${Math.round(100 * quiet) / 100}`),
  )
}

/** Noise, white to brown: sound in which no beat and no bar is right. */
function* noises(): Generator<{ samples: Float32Array; labels: Known }> {
  for (let seed = 0; seed < NOISE.pieces; seed++) {
    const random = seeded(seed)
    const colour = random() ** 0.2
    let level = 0
    const samples = Float32Array.from({ length: NOISE.seconds * SAMPLE_RATE }, () => {
      level = colour * level + (1 - 0.9 * colour) * (random() - 0.5)
      return level
    })
    yield { samples, labels: { family: 'noise', beats: [], downbeats: [], tempo: 0, accepted: [] } }
  }
}

function listen(
  samples: Float32Array,
  { labels, network, cases }: { labels: Known; network: Network; cases: Cases },
): void {
  const front = new FrontEnd(SAMPLE_RATE, 1)
  front.push([samples])
  const { novelty, chroma, duration, lead, levels } = front.finish()
  const sound = soundingSpan(levels)
  const music = { spectrum: novelty.spectrum, chroma }
  const found = findRhythm(music, { duration: duration + lead, sound, network })
  if (found === undefined) return
  const { sureness, metre, beats } = found
  const [starts, bars] = [beats, found.bars].map((list) =>
    list.map(({ start }) => start - lead),
  ) as [number[], number[]]
  const { family } = labels
  const tell = (name: keyof Cases, raw: number, isRight: boolean, share = 1): void => {
    cases[name].push({ raw, right: Number(isRight), share, family })
  }
  const isNear = (times: readonly number[], time: number): boolean =>
    times.some((one) => Math.abs(one - time) <= NEAR)
  tell('tempo', sureness.tempo, Math.abs(tempoOfBeats(starts) / labels.tempo - 1) < SAME_TEMPO)
  tell('metre', sureness.metre, labels.accepted.includes(metre))
  // Before the first beat that is known and after the last, nothing is known.
  const [first, last] =
    labels.beats.length > 0
      ? [labels.beats[0]! - NEAR, labels.beats.at(-1)! + NEAR]
      : [-Infinity, Infinity]
  starts.forEach((start, i) => {
    if (start < first || start > last) return
    tell('beat', beats[i]!.nats, isNear(labels.beats, start), 1 / starts.length)
  })
  bars.forEach((start, i) => {
    if (start < first || start > last) return
    tell('bar', found.bars[i]!.nats, isNear(labels.downbeats, start), 1 / bars.length)
  })
}

function weightsSource({ form, weights, about }: Model): string {
  const digest = createHash('sha256').update(Buffer.from(weights, 'base64')).digest('hex')
  return `import type { NetworkForm } from './network.ts'

/**
 * The network that hears beats, by test/programs/trainers/rhythm-network.py (SHA-256 ${about.trainer}…, seed
 * ${about.seed}, ${about.date}, ${about.steps} steps, ${Math.round(about.seconds / 60)} minutes); its README
 * has the figures. The weights' own SHA-256 is ${digest.slice(0, 16)}….
 */
export const ACTIVATION: { readonly form: NetworkForm; readonly weights: string } = {
  form: ${JSON.stringify(form)},
  weights:
    '${weights}',
}
`
}

function write(name: string, change: (source: string) => string): void {
  const path = fileURLToPath(new URL(`../../../src/analysis/${name}`, import.meta.url))
  writeFileSync(path, change(readFileSync(path, 'utf8')))
  execFileSync('npx', ['biome', 'check', '--write', path])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
