import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { AnalysisStream } from '../../../src/analysis/analysis-stream.ts'
import type { AnalysisDocument } from '../../../src/analysis/document.ts'
import { decodeFile } from '../../../src/audio/decode.ts'
import { record } from '../../support/figures.ts'
import { evaluateVectors } from './fingerprint-vectors.ts'
import { evaluateIdentification } from './identification.ts'
import { evaluateLive } from './live.ts'
import { compareMadeSongs } from './made-statistics.ts'
import { evaluateReferenceData } from './reference-data.ts'
import { evaluateResolution } from './resolution.ts'
import { evaluateRhythm, type RhythmPrediction, rhythmOf, type ScoreRhythm } from './rhythm.ts'
import { evaluateRobustness } from './robustness.ts'
import { evaluateSounds } from './sounds.ts'
import { evaluateSummary } from './summary.ts'
import { evaluateWorldNames } from './world-names.ts'

/** What the labels of one clip hold that is used here. */
interface Clip {
  id: string
  file: string
  key?: number
}

/** What the scorer compares with the labels. */
interface Prediction extends RhythmPrediction {
  sections: number[]
  onsets: number[]
  lufs: number
}

type Measures = Record<string, { mean: number; n: number } | number>
type Score = (
  clips: readonly Clip[],
  predictions: Record<string, Prediction>,
) => { all: Measures; clips: Record<string, number | string>[] }

/** What each measure is to reach, and whether it may also be smaller. */
const GOALS: readonly [measure: string, title: string, goal: number, atMost?: true][] = [
  ['beat_f', 'beat F', 0.85],
  ['cmlt', 'beat CMLt', 0.77],
  ['amlt', 'beat AMLt', 0.87],
  ['tempo_acc1', 'tempo Acc1', 0.83],
  ['tempo_acc2', 'tempo Acc2', 0.95],
  ['downbeat_f', 'downbeat F', 0.62],
  ['time_signature_lenient', 'time signature', 0.88],
  ['key_exact', 'key exact', 0.94],
  ['key_mirex', 'key MIREX', 0.97],
  ['onset_f', 'onset F', 0.8],
  ['section_f3', 'section F, 3 s', 0.65],
  ['section_f05', 'section F, 0.5 s', 0.35],
  ['loudest_error', 'loudness error, max LU', 0.1, true],
]
const SPEED_GOAL = 60

/**
 * Analyses labelled clips and prints how far the results agree with the labels, and how fast they
 * came. The clips are for measuring only: results are to hold for music at large. Before that it
 * compares fingerprints with those of their original generator.
 *
 * `--record` writes figures into figures.json, for README. `--data DIR` holds `vectors`, `eval/dev/manifest.json`, its audio and `eval/score.mjs` (default:
 * `shared` beside the repository). `--only TEXT` takes the clips whose id contains it, `--only
 * vectors` the fingerprints, `--only reference` the imports of reference data, `--only resolution`
 * how names are resolved, `--only world-names` how those are that files and people of all countries
 * write, `--only sounds` what the network of `models` hears, of the clips in `--sounds DIR`, `--only rhythm` beats, bars, tempo and key on three kinds of music beside
 * analyser 1.4.0 (with `--shifts` also how many are heard the same when they start later). `--robustness` measures as well what must not change; that takes some
 * six minutes more. `--ident DIR` measures identification instead, on the corpus in DIR (corpus.json
 * and its audio): see IdentificationOptions. `--made DIR` compares made songs with those of a corpus.
 *
 * @returns the exit code: 0, also when there is no such folder; 1 when a clip could not be analysed
 * or a fingerprint is another
 */
export async function main(argv: readonly string[]): Promise<number> {
  const option = (name: string): string | undefined => {
    const at = argv.indexOf(name)
    return at < 0 ? undefined : argv[at + 1]
  }
  const data = resolve(option('--data') ?? beside())
  const wanted = option('--only') ?? ''
  const made = option('--made')
  if (made !== undefined) {
    await compareMadeSongs(made)
    return 0
  }
  const corpus = option('--ident')
  if (corpus !== undefined) {
    const [degrade, models, only, answers] = ['--degrade', '--models', '--only', '--answers'].map(
      option,
    )
    await evaluateIdentification({
      folder: corpus,
      seeds: (option('--seeds') ?? '1').split(','),
      pieces: Number(option('--pieces') ?? 60),
      added: Number(option('--added') ?? option('--pieces') ?? 60),
      whole: Number(option('--whole') ?? 12),
      reference: Number(option('--reference') ?? 0),
      chroma: argv.includes('--chroma'),
      chromaprint: argv.includes('--chromaprint'),
      ...(degrade !== undefined && { degrade }),
      ...(models !== undefined && { models }),
      ...(only !== undefined && { only }),
      ...(answers !== undefined && { answers }),
    })
    return 0
  }
  if (wanted === 'live') {
    await evaluateLive(data)
    return 0
  }
  const vectors = wanted === '' || wanted === 'vectors'
  const others = vectors ? await evaluateVectors(join(data, 'vectors')) : 0
  if (wanted === 'vectors') return others > 0 ? 1 : 0
  if (wanted === '' || wanted === 'reference') {
    const rows = await evaluateReferenceData(data)
    printRows(rows)
    if (wanted === 'reference') return rows.every(({ reached }) => reached) ? 0 : 1
  }
  if (wanted === '' || wanted === 'resolution') {
    const rows = await evaluateResolution(data, wanted === '' ? undefined : console.log)
    printRows(rows)
    if (wanted === 'resolution') return rows.every(({ reached }) => reached) ? 0 : 1
  }
  if (wanted === '' || wanted === 'world-names') {
    const rows = await evaluateWorldNames(data, wanted === '' ? undefined : console.log)
    printRows(rows)
    if (wanted === 'world-names') return rows.every(({ reached }) => reached) ? 0 : 1
  }
  if (wanted === '' || wanted === 'sounds') {
    const isReached = await evaluateSounds(data, option('--sounds'))
    if (wanted === 'sounds') return isReached ? 0 : 1
  }
  if (wanted === '' || wanted === 'summary') {
    const rows = evaluateSummary(data)
    printRows(rows)
    if (wanted === 'summary') return rows.every(({ reached }) => reached) ? 0 : 1
  }
  const scorer = pathToFileURL(join(data, 'eval', 'score.mjs')).href
  const compare = async (known: Record<string, Prediction>): Promise<void> => {
    const { score } = (await import(scorer)) as { score: ScoreRhythm }
    await evaluateRhythm(data, score, { known, shifts: argv.includes('--shifts') })
  }
  if (wanted === 'rhythm') {
    if (existsSync(join(data, 'eval', 'score.mjs'))) await compare({})
    else console.log(`There is no scorer in ${join(data, 'eval')}; nothing to evaluate.`)
    return 0
  }
  const folder = join(data, 'eval', 'dev')
  if (!existsSync(join(folder, 'manifest.json'))) {
    console.log(`There are no labelled clips in ${folder}; nothing to evaluate.`)
    return others > 0 ? 1 : 0
  }
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Clip[]
  const clips = manifest.filter(({ id }) => id.includes(wanted))
  const predictions: Record<string, Prediction> = {}
  const spent = { audio: 0, decoding: 0, analysis: 0 }
  let failed = 0
  for (const [i, clip] of clips.entries()) {
    if (process.stderr.isTTY) process.stderr.write(`\r${i + 1}/${clips.length} ${clip.id}\x1b[K`)
    try {
      predictions[clip.id] = predictionOf(await analyzeClip(join(folder, clip.file), spent))
    } catch (error) {
      failed++
      console.log(`${clip.id}: ${error instanceof Error ? error.message : error}`)
    }
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  const file = join(mkdtempSync(join(tmpdir(), 'audile-evaluate-')), 'predictions.json')
  writeFileSync(file, JSON.stringify(predictions))
  const { score } = (await import(scorer)) as { score: Score }
  const result = score(clips, predictions)
  const errors = result.clips.map((clip) => Number(clip.loudness_abs_err_db ?? 0))
  const measures: Measures = {
    ...result.all,
    loudest_error: { mean: Math.max(...errors), n: errors.length },
  }
  print(measures, spent)
  console.log(`${clips.length} clips, ${failed} failed. Predictions: ${file}`)
  if (wanted === '') await compare(predictions)
  if (argv.includes('--robustness')) {
    await evaluateRobustness(clips.map((clip) => join(folder, clip.file)))
  }
  return failed + others > 0 ? 1 : 0
}

function printRows(
  rows: readonly { title: string; measured: string; goal: string; reached: boolean }[],
): void {
  for (const { title, measured, goal, reached } of rows) {
    console.log(`${title.padEnd(56)}${measured}  ${reached ? 'yes' : `NO, should be ${goal}`}`)
  }
}

/** The folder of shared data next to the repository's own. */
function beside(): string {
  return fileURLToPath(new URL('../../../../shared', import.meta.url))
}

async function analyzeClip(
  path: string,
  spent: { audio: number; decoding: number; analysis: number },
): Promise<AnalysisDocument> {
  let analyzer: AnalysisStream | undefined
  let from = process.cpuUsage()
  const lap = (stage: 'decoding' | 'analysis'): void => {
    const { user, system } = process.cpuUsage(from)
    spent[stage] += (user + system) / 1e6
    from = process.cpuUsage()
  }
  for await (const { channels, sampleRate } of decodeFile(path)) {
    lap('decoding')
    analyzer ??= new AnalysisStream({ sampleRate, channels: channels.length })
    analyzer.push(channels)
    lap('analysis')
  }
  lap('decoding')
  if (!analyzer) throw new Error('no samples')
  const { document } = analyzer.finish()
  lap('analysis')
  spent.audio += document.track.duration
  return document
}

function predictionOf(document: AnalysisDocument): Prediction {
  const { track } = document
  const starts = (list: readonly { start: number }[]) => list.map(({ start }) => start)
  return {
    ...rhythmOf(document),
    sections: starts(document.sections),
    onsets: starts(document.segments),
    lufs: track.loudness ?? Number.NaN,
  }
}

function print(
  measures: Measures,
  spent: { audio: number; decoding: number; analysis: number },
): void {
  console.log(`${'measure'.padEnd(26)}${'measured'.padStart(10)}${'goal'.padStart(10)}`)
  const row = (title: string, measured: string, goal: string, reached: boolean, note = '') =>
    console.log(
      `${title.padEnd(26)}${measured.padStart(10)}${goal.padStart(10)}  ${reached ? 'yes' : 'NO '}${note}`,
    )
  for (const [measure, title, goal, atMost] of GOALS) {
    const value = measures[measure]
    if (typeof value !== 'object') continue
    record('evaluate', 'clips', { [measure]: value.mean })
    const reached = atMost ? value.mean <= goal : value.mean >= goal
    const sign = atMost ? '<=' : '>='
    row(title, value.mean.toFixed(3), `${sign} ${goal}`, reached, `  n = ${value.n}`)
  }
  const { audio, decoding, analysis } = spent
  const speed = audio / (decoding + analysis)
  const parts = `  decoding ${(audio / decoding).toFixed(0)}x, analysis ${(audio / analysis).toFixed(0)}x`
  row('x real time (CPU)', speed.toFixed(0), `>= ${SPEED_GOAL}`, speed >= SPEED_GOAL, parts)
}
