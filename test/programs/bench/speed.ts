import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AnalysisStream } from '../../../src/analysis/analysis-stream.ts'
import { Examiner } from '../../../src/analyzer/examiner.ts'
import { decodeFile } from '../../../src/audio/decode.ts'
import type { Samples } from '../../../src/client/audio-input.ts'
import { clip, waveBytes } from '../../support/clips.ts'
import { mp3Bytes, oggBytes } from '../../support/encode.ts'
import { record } from '../../support/figures.ts'
import { samplesOf } from '../../support/samples-of.ts'
import { sized } from './sized.ts'
import { checkSpeed, keepSpeed } from './speed-history.ts'

const SECONDS = sized(180, 4)
const ROUNDS = sized(7, 1)
/** The short form: seconds of audio, and rounds. */
const SHORT = { seconds: sized(60, 4), rounds: sized(5, 1) }
const require = createRequire(import.meta.url)

const ESSENTIA = 'essentia.js 0.1.3: RhythmExtractor2013 (degara) + KeyExtractor, samples given'
const MEYDA = 'Meyda 5.6.3: extract, 10 features at 2048/1024, samples given'

/** What each contestant does, by its name. */
type Contest = Record<string, () => unknown>

/**
 * Analysis speed of one core as seconds of audio per CPU second, and as a ratio to essentia.js's beats
 * and key (development only; its licence keeps it out of the product) and to the same frames through
 * `Meyda.extract`, all in one process. The ratios of the short form enter the history.
 *
 * @param options.gate - the short form alone, which is compared with the history
 * @param options.pieces - a folder: the stereo files there are analysed in place of a made clip
 */
export async function benchSpeed(options: { gate: boolean; release: boolean; pieces?: string }) {
  const { gate, release, pieces } = options
  if (pieces) {
    const paths = readdirSync(pieces).map((name) => join(pieces, name))
    return wholeBench(await Promise.all(paths.map(samplesOf)))
  }
  const ratios = await shortRatios()
  if (gate) return checkSpeed(ratios)
  await wholeBench([madeClip(SECONDS)])
  if (!process.argv.includes('--small')) keepSpeed(ratios, release)
}

async function wholeBench(pieces: readonly Samples[]): Promise<void> {
  const formats = ['wav', 'mp3', 'ogg']
  const speeds = new Map<string, number[]>()
  const ratios = new Map<string, number[]>()
  for (const audio of pieces) {
    const { samples, sampleRate } = audio
    const duration = (samples[0]?.length ?? 0) / sampleRate
    const seconds = await withFiles(audio, formats, (paths, mono) => {
      const contest: Contest = {}
      formats.forEach((format, i) => {
        contest[`decoding ${format}`] = () => decodeOnly(paths[i]!)
        contest[`document ${format}`] = () => analyzeFile(paths[i]!)
        contest[`fingerprints ${format}`] = () => examineFile(paths[i]!)
      })
      return paired({ ...contest, ...peers(mono) }, ROUNDS)
    })
    for (const [name, times] of Object.entries(seconds)) {
      entry(speeds, name).push(duration / median(times))
      for (const peer of [ESSENTIA, MEYDA])
        entry(ratios, `${name} ${peer}`).push(ratioOf(times, seconds[peer]!))
    }
  }
  console.log(`\nAnalysis of ${pieces.length} pieces of stereo, x real time on one core, medians`)
  const speed = (name: string) => median(speeds.get(name)!)
  const ratio = (name: string, peer: string) => median(ratios.get(`${name} ${peer}`)!)
  for (const name of speeds.keys()) {
    console.log(
      `  ${name.padEnd(78)} ${speed(name).toFixed(0).padStart(5)}x   ${ratio(name, ESSENTIA).toFixed(2).padStart(5)} of essentia.js  ${ratio(name, MEYDA).toFixed(2).padStart(5)} of Meyda`,
    )
  }
  const figures = formats.flatMap((format): [string, number][] => [
    [`decoding ${format}`, speed(`decoding ${format}`)],
    [`document ${format}`, speed(`document ${format}`)],
    [`fingerprints ${format}`, speed(`fingerprints ${format}`)],
    [`ratio ${format}`, ratio(`document ${format}`, ESSENTIA)],
    [`fingerprints ratio ${format}`, ratio(`fingerprints ${format}`, ESSENTIA)],
  ])
  record('bench', 'speed', Object.fromEntries(figures))
}

function entry(lists: Map<string, number[]>, name: string): number[] {
  if (!lists.has(name)) lists.set(name, [])
  return lists.get(name)!
}

/** The speed of the document and of everything as ratios to the peers: medians of paired runs. */
async function shortRatios(): Promise<Record<string, number>> {
  return await withFiles(madeClip(SHORT.seconds), ['wav'], async ([path], mono) => {
    const contest: Contest = {
      document: () => analyzeFile(path!),
      fingerprints: () => examineFile(path!),
    }
    const seconds = await paired({ ...contest, ...peers(mono) }, SHORT.rounds)
    const ratios: Record<string, number> = {}
    for (const name of Object.keys(contest))
      for (const [short, peer] of Object.entries({ 'essentia.js': ESSENTIA, Meyda: MEYDA }))
        ratios[`${name} / ${short}`] = ratioOf(seconds[name]!, seconds[peer]!)
    return ratios
  })
}

/**
 * The CPU seconds of each contestant in each round. They run one after the other, in every second
 * round in reverse, so that what disturbs the machine disturbs all alike.
 */
async function paired(contest: Contest, rounds: number): Promise<Record<string, number[]>> {
  const entries = Object.entries(contest)
  const seconds = Object.fromEntries(entries.map(([name]): [string, number[]] => [name, []]))
  for (const [, work] of entries) await work()
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of round % 2 === 0 ? entries : entries.toReversed()) {
      const before = process.cpuUsage()
      await work()
      const { user, system } = process.cpuUsage(before)
      seconds[name]!.push((user + system) / 1e6)
    }
  }
  return seconds
}

/** How many times as fast as the peer: the median over the rounds. */
function ratioOf(times: readonly number[], peer: readonly number[]): number {
  return median(times.map((time, round) => peer[round]! / time))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}

function peers(mono: Float32Array): Contest {
  return { [ESSENTIA]: essentia(mono), [MEYDA]: meyda(mono) }
}

function madeClip(seconds: number): Samples {
  return stereo(clip({ seconds, sampleRate: 44_100 }))
}

async function withFiles<T>(
  audio: Samples,
  formats: readonly string[],
  work: (paths: string[], mono: Float32Array) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'audile-bench-'))
  try {
    const paths: string[] = []
    for (const format of formats) {
      const path = join(folder, `clip.${format}`)
      writeFileSync(path, await encoded(audio, format))
      paths.push(path)
    }
    return await work(paths, audio.samples[0] as Float32Array)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function encoded(audio: Samples, format: string): Promise<Uint8Array> {
  if (format === 'mp3') return await mp3Bytes(audio, 192)
  return format === 'ogg' ? await oggBytes(audio, 5) : await waveBytes(audio)
}

/** The best of a few runs, as audio seconds per second of CPU: the others were disturbed. */
export async function speed(work: () => unknown, seconds: number): Promise<number> {
  const times = Object.values(await paired({ work }, sized(3, 1)))[0]!
  return seconds / Math.min(...times)
}

async function decodeOnly(path: string): Promise<number> {
  let frames = 0
  for await (const { channels } of decodeFile(path)) frames += channels[0]?.length ?? 0
  return frames
}

async function analyzeFile(path: string): Promise<unknown> {
  let analyzer: AnalysisStream | undefined
  for await (const { channels, sampleRate } of decodeFile(path)) {
    analyzer ??= new AnalysisStream({ sampleRate, channels: channels.length })
    analyzer.push(channels)
  }
  return analyzer?.finish()
}

async function examineFile(path: string): Promise<unknown> {
  let examiner: Examiner | undefined
  for await (const { channels, sampleRate } of decodeFile(path)) {
    examiner ??= new Examiner({ sampleRate, channels: channels.length })
    examiner.push(channels)
  }
  return examiner?.finish()
}

function stereo({ samples, sampleRate }: Samples): Samples {
  const left = samples[0] as Float32Array
  return { samples: [left, left.map((x, i) => 0.7 * x + 0.3 * (left[i - 400] ?? 0))], sampleRate }
}

interface Essentia {
  arrayToVector(samples: Float32Array): { delete(): void }
  RhythmExtractor2013(...args: unknown[]): unknown
  KeyExtractor(...args: unknown[]): unknown
}

function essentia(mono: Float32Array): () => void {
  const { Essentia, EssentiaWASM } = require('essentia.js') as {
    Essentia: new (wasm: unknown) => Essentia
    EssentiaWASM: unknown
  }
  const engine = new Essentia(EssentiaWASM)
  return () => {
    const vector = engine.arrayToVector(mono)
    engine.RhythmExtractor2013(vector, 208, 'degara', 40)
    engine.KeyExtractor(vector)
    vector.delete()
  }
}

function meyda(mono: Float32Array): () => void {
  const engine = require('meyda') as {
    bufferSize: number
    sampleRate: number
    extract(names: string[], frame: Float32Array): unknown
  }
  const features =
    'rms energy zcr spectralCentroid spectralFlatness spectralRolloff spectralSpread loudness mfcc chroma'
  const names = features.split(' ')
  return () => {
    engine.bufferSize = 2048
    engine.sampleRate = 44_100
    for (let i = 0; i + 2048 <= mono.length; i += 1024) {
      engine.extract(names, mono.subarray(i, i + 2048))
    }
  }
}
