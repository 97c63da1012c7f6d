/**
 * Records pieces once more: each with the tape, tone, loudness, room, noise and codec that
 * rhythm-material.ts gives what it makes.
 *
 *     npx tsx test/programs/trainers/recorded-again.ts --from DIR --out DIR [--seed S]
 *
 * Reads and writes `ID.raw` and `ID.json` as rhythm-material.ts does; a piece of `--out` has the seed
 * in its id. A piece that is there is not made again.
 */
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { medianOf } from '../../../src/analysis/statistics.ts'
import { seeded, seedOf } from '../../support/chance.ts'
import { asStored, bytesOf, record, taped } from './material-recording.ts'
import { piecesOf, samplesOf } from './pieces.ts'
import { SAMPLE_RATE } from './rhythm-band.ts'
import type { Labels } from './rhythm-material.ts'

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    out: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})
const { from, out, seed } = values
if (from === undefined || out === undefined) throw new Error('--from DIR or --out DIR is missing.')
mkdirSync(out, { recursive: true })
for (const { labels } of piecesOf([from])) {
  const id = `${labels.id}-r${seed}`
  const [raw, json] = [join(out, `${id}.raw`), join(out, `${id}.json`)]
  if (existsSync(json)) continue
  const random = seeded(seedOf(id))
  const mix = samplesOf(join(from, `${labels.id}.raw`))
  const { samples, at } = taped(mix, random)
  record(samples, undefined, random)
  const end = samples.length / SAMPLE_RATE
  const moved = (times: readonly number[]) =>
    times
      .map(at)
      .filter((time) => time < end)
      .map((time) => Math.round(1e5 * time) / 1e5)
  const beats = moved(labels.beats)
  const tempo = 60 / medianOf(beats.slice(1).map((beat, i) => beat - beats[i]!))
  writeFileSync(raw, bytesOf(asStored(samples, random)))
  const told: Labels = {
    ...labels,
    id,
    beats,
    downbeats: moved(labels.downbeats),
    tempo: Math.round(1000 * tempo) / 1000,
  }
  writeFileSync(`${json}.part`, JSON.stringify(told))
  renameSync(`${json}.part`, json)
}
