import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AnalysisStream } from '../../../src/analysis/analysis-stream.ts'
import type { AnalysisDocument } from '../../../src/analysis/document.ts'
import { decodeFile } from '../../../src/audio/decode.ts'
import { record } from '../../support/figures.ts'
import { composedPieces } from './composed.ts'
import { type RhythmConfidences, rhythmConfidencesOf, shareRight } from './confidences.ts'

/** What is compared: times in seconds. */
export interface RhythmPrediction {
  tempo: number
  time_signature: number
  key?: number
  mode?: number
  beats: number[]
  downbeats: number[]
  /** Absent where they were not kept. */
  confidences?: RhythmConfidences
}

/** Labels in the form of the manifests. */
interface Label {
  id: string
  file?: string
  beats?: number[]
  downbeats?: number[]
}

type Measured = Record<string, number | string | null | undefined>
export type ScoreRhythm = (
  labels: readonly Label[],
  predictions: Record<string, RhythmPrediction>,
) => { clips: Measured[] }

const MEASURES: readonly [name: string, title: string][] = [
  ['beat_f', 'beat F'],
  ['cmlt', 'CMLt'],
  ['amlt', 'AMLt'],
  ['tempo_acc1', 'Acc1'],
  ['tempo_acc2', 'Acc2'],
  ['downbeat_f', 'downbeat F'],
  ['time_signature_lenient', 'metre'],
  ['key_exact', 'key'],
  ['key_mirex', 'MIREX'],
]
const LANDED = new URL('landed-rhythm.json', import.meta.url)
/** Samples that are analysed later than the others, and silence in front, in seconds. */
const SHIFTS = [
  { late: 0.005, silence: 0 },
  { late: 0.02, silence: 0 },
  { late: 0.037, silence: 0 },
  { late: 0.1, silence: 0 },
  { late: 0, silence: 10 },
]
/** Beats of a piece that starts later are the same within so many seconds, but for a few at its ends. */
const SAME = 0.02
const ENDS = 2
const SAME_TEMPO = 0.005

/** Decoded samples of all channels, block by block. */
export interface Decoded {
  blocks: readonly Float32Array[][]
  sampleRate: number
}

interface Music {
  label: Label
  decoded(): Promise<Decoded>
}

/**
 * Prints how right beats, bars, tempo and key are on labelled clips, on charted recordings and on composed
 * pieces, with standard errors, beside analyser 1.4.0 (`landed-rhythm.json`), and the paired differences;
 * and what its confidences are worth.
 *
 * @param known  predictions of the clips that were analysed already
 * @param shifts  whether to tell also how many pieces are heard the same when they start a little later
 */
export async function evaluateRhythm(
  data: string,
  score: ScoreRhythm,
  { known = {}, shifts = false }: { known?: Record<string, RhythmPrediction>; shifts?: boolean },
): Promise<void> {
  const landed = JSON.parse(readFileSync(LANDED, 'utf8')) as Record<
    string,
    Record<string, RhythmPrediction>
  >
  const column = (text: string) => text.padStart(15)
  console.log(`${''.padEnd(18)}${MEASURES.map(([, title]) => column(title)).join('')}`)
  for (const [name, music] of setsOf(data)) {
    const now: Record<string, RhythmPrediction> = {}
    const labels: Label[] = []
    /** Of each piece, whether it is heard the same in each version. */
    const heard: boolean[][] = []
    for await (const piece of music) {
      const { id } = piece.label
      labels.push(piece.label)
      if (known[id] && !shifts) now[id] = known[id]
      else {
        const music = await piece.decoded()
        const own = analyzed(music)
        now[id] = own
        if (shifts)
          heard.push(SHIFTS.map((shift) => isSame(own, analyzed(shifted(music, shift)), shift)))
      }
    }
    const before = score(labels, inSeconds(landed[name] ?? {})).clips
    const after = score(labels, now).clips
    const row = (title: string, of: (measure: string) => number[]): void => {
      const cells = MEASURES.map(([measure]) => column(told(of(measure))))
      console.log(`${title.padEnd(18)}${cells.join('')}`)
    }
    row(`${name} ${labels.length}`, (measure) => valuesOf(after, measure))
    for (const [measure] of MEASURES) {
      const { mean, error } = spreadOf(valuesOf(after, measure))
      const own = { [`${name}: ${measure}`]: mean, [`${name}: ${measure} error`]: error }
      if (labels.length > 0) record('evaluate', 'rhythm', own)
    }
    row('  before', (measure) => valuesOf(before, measure))
    row('  difference', (measure) =>
      after.flatMap((clip, i) => {
        const [a, b] = [clip[measure], before[i]![measure]]
        return typeof a === 'number' && typeof b === 'number' ? [a - b] : []
      }),
    )
    const judged = labels.map(({ id, beats, downbeats }, i) => ({
      confidences: now[id]!.confidences!,
      tempo: numberOf(after[i]!.tempo_acc1),
      metre: numberOf(after[i]!.time_signature_lenient),
      beats: { found: now[id]!.beats, true: beats },
      bars: { found: now[id]!.downbeats, true: downbeats },
    }))
    console.log(`  ${shareRight(judged)}`)
    if (shifts) {
      const share = (list: readonly boolean[]) =>
        `${((100 * list.filter(Boolean).length) / list.length).toFixed(1)} % of ${list.length}`
      const pieces = heard.map((versions) => versions.every(Boolean))
      console.log(
        `  heard the same: ${share(heard.flat())} shifted versions, in all of them ${share(pieces)} pieces`,
      )
    }
  }
}

function* setsOf(data: string): Generator<[name: string, music: AsyncGenerator<Music>]> {
  for (const name of ['dev', 'real']) {
    const folder = join(data, 'eval', name)
    if (existsSync(join(folder, 'manifest.json'))) yield [name, clipsOf(folder)]
    else console.log(`There are no labelled clips in ${folder}.`)
  }
  yield ['composed', composed()]
}

export async function* clipsOf(folder: string): AsyncGenerator<Music> {
  const labels = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Label[]
  for (const label of labels) {
    if (label.beats === undefined && label.file === undefined) continue
    yield {
      label,
      async decoded() {
        const blocks: Float32Array[][] = []
        let rate = 0
        for await (const { channels, sampleRate } of decodeFile(join(folder, label.file!))) {
          rate = sampleRate
          blocks.push(channels.map((channel) => channel.slice()))
        }
        return { blocks, sampleRate: rate }
      },
    }
  }
}

async function* composed(): AsyncGenerator<Music> {
  for (const { label, samples, sampleRate } of composedPieces())
    yield { label, decoded: async () => ({ blocks: [[samples]], sampleRate }) }
}

/** The same music without its beginning, or with silence in front; both in seconds. */
function shifted(
  { blocks, sampleRate }: Decoded,
  { late, silence }: { late: number; silence: number },
): Decoded {
  const before = new Float32Array(Math.round(silence * sampleRate))
  let skipped = Math.round(late * sampleRate)
  const rest = blocks.flatMap((block) => {
    const from = Math.min(skipped, block[0]!.length)
    skipped -= from
    return from < block[0]!.length ? [block.map((channel) => channel.subarray(from))] : []
  })
  return { blocks: before.length > 0 ? [blocks[0]!.map(() => before), ...rest] : rest, sampleRate }
}

function analyzed({ blocks, sampleRate }: Decoded): RhythmPrediction {
  const stream = new AnalysisStream({ sampleRate, channels: blocks[0]!.length })
  for (const block of blocks) stream.push(block)
  return rhythmOf(stream.finish().document)
}

function isSame(
  at: RhythmPrediction,
  other: RhythmPrediction,
  { late, silence }: { late: number; silence: number },
): boolean {
  if (other.time_signature !== at.time_signature) return false
  if (Math.abs(other.tempo / at.tempo - 1) > SAME_TEMPO) return false
  const moved = other.beats.map((beat) => beat + late - silence)
  const inner = at.beats.slice(ENDS, -ENDS)
  return inner.every((beat) => moved.some((one) => Math.abs(one - beat) <= SAME))
}

/** What a document says of the rhythm and the key. */
export function rhythmOf({
  track,
  beats,
  bars,
}: Pick<AnalysisDocument, 'track' | 'beats' | 'bars'>): RhythmPrediction {
  const { tempo, time_signature, key, mode } = track
  const starts = (list: readonly { start: number }[]) => list.map(({ start }) => start)
  return {
    ...{ tempo, time_signature, key, mode, beats: starts(beats), downbeats: starts(bars) },
    confidences: rhythmConfidencesOf({ track, beats, bars }),
  }
}

/** Predictions of which the times are in milliseconds. */
function inSeconds(
  predictions: Record<string, RhythmPrediction>,
): Record<string, RhythmPrediction> {
  const seconds = (times: readonly number[]) => times.map((time) => time / 1_000)
  return Object.fromEntries(
    Object.entries(predictions).map(([id, one]) => [
      id,
      { ...one, beats: seconds(one.beats), downbeats: seconds(one.downbeats) },
    ]),
  )
}

function numberOf(value: Measured[string]): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function valuesOf(clips: readonly Measured[], measure: string): number[] {
  return clips.map((clip) => clip[measure]).filter((value) => typeof value === 'number')
}

/** The mean and its standard error. */
function told(values: readonly number[]): string {
  if (values.length === 0) return '–'
  const { mean, error } = spreadOf(values)
  return `${mean.toFixed(3)} ±${error.toFixed(3)}`
}

function spreadOf(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, error: Math.sqrt(square / Math.max(1, values.length - 1) / values.length) }
}
