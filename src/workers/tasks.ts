import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createDeflateRaw, deflateRaw } from 'node:zlib'
import { AnalysisStream } from '../analysis/analysis-stream.ts'
import { corrected } from '../analysis/correction/correct.ts'
import type { Corrections } from '../analysis/correction/corrections.ts'
import { describeSound } from '../analysis/descriptor.ts'
import { type AnalysisDocument, textOf } from '../analysis/document.ts'
import { type AnalysisSummary, summarize } from '../analysis/document-summary.ts'
import { SoundSum } from '../analysis/sample-sum.ts'
import { flatten, type MeasuredWaveform } from '../analysis/waveform.ts'
import { Examiner } from '../analyzer/examiner.ts'
import { type Cover, readCover } from '../audio/cover.ts'
import { type DecodeOptions, type DecodeReport, decode, type PcmBlock } from '../audio/decode.ts'
import { type MonoListener, MonoStream } from '../audio/mono-stream.ts'
import { readTags, type Tags } from '../audio/tags.ts'
import { chromaCodes, chromaProbes } from '../recognition/systems/chroma.ts'
import type { Codes } from '../recognition/systems/codes.ts'
import { Fingerprinter, type PrintTraces } from '../recognition/systems/fingerprinter.ts'
import { type RecordingPrints, recordingPrints } from '../recognition/systems/recording-prints.ts'
import { type FeedBytes, type FeedDocument, readFeed } from '../syndication/read-feed.ts'
import { type WriteTagsTask, type WrittenTags, writeTags } from '../tagging/write-tags.ts'
import { DecodeError, type PlainError } from '../values/errors.ts'

interface TagsTask {
  path: string
  /** The most bytes that are read for the tags. */
  bytes: number
}

interface AudioTask {
  path: string
  decode: Omit<DecodeOptions, 'signal'>
}

/** The tasks of workers: plain data in, plain data out. */
export interface Tasks {
  analyze: { task: AnalyzeTask; result: AnalyzeResult }
  feed: { task: FeedBytes; result: FeedDocument }
  fingerprint: { task: FingerprintTask; result: FingerprintResult }
  cover: { task: TagsTask; result: { cover?: Cover } }
  sum: { task: AudioTask; result: { audioMd5: string } }
  tags: { task: TagsTask; result: Tags }
  'write-tags': { task: WriteTagsTask; result: WrittenTags }
}

export type TaskKind = keyof Tasks

export type Run<K extends TaskKind> = (
  task: Tasks[K]['task'],
  onProgress: (progress: number) => void,
  signal?: AbortSignal,
) => Promise<Tasks[K]['result']>

/**
 * The function of each kind of task, for a worker thread or the calling one. Feeds and tags take
 * milliseconds, but a malicious one can take hours, and only the end of its thread stops that.
 */
export const RUN: { readonly [K in TaskKind]: Run<K> } = {
  analyze: analyzeFile,
  feed: readFeed,
  fingerprint: fingerprintFile,
  cover: async ({ path, bytes }) => {
    const cover = await readCover(path, bytes)
    return cover ? { cover } : {}
  },
  sum: sumFile,
  tags: ({ path, bytes }) => readTags(path, bytes),
  'write-tags': writeTags,
}

/** The first argument of the process of a task, which tells it from other processes. */
export const TASK_ARGUMENT = 'audile-task'

/** The message that asks a thread to leave its task and end. */
export const STOP = 'stop'

export interface WorkerRequest {
  kind: TaskKind
  task: Tasks[TaskKind]['task']
}

export type WorkerReply =
  | { type: 'progress'; progress: number }
  | { type: 'result'; result: Tasks[TaskKind]['result'] }
  | { type: 'error'; error: PlainError }

/** The buffers of a result that move to another thread without being copied. */
export function transferablesOf(result: Tasks[TaskKind]['result']): ArrayBuffer[] {
  return 'document' in result ? [result.document.buffer, result.waveform.peaks.buffer] : []
}

interface AnalyzeTask extends AudioTask {
  /** Tags for the `meta` of the document. */
  meta: Partial<AnalysisDocument['meta']>
  /** The user's corrections. They do not change the document. */
  corrections?: Corrections
  /** The length of the file according to its tags, in seconds; for the progress. */
  expectedSeconds?: number
}

export interface AnalyzeResult {
  summary: AnalysisSummary
  /** The summary of the document with corrections. */
  corrected?: AnalysisSummary
  report: DecodeReport
  prints: RecordingPrints
  /** The text of the analysis document, compressed by raw deflate. */
  document: Uint8Array<ArrayBuffer>
  /** The sound descriptor, by which similar tracks are found. */
  descriptor: Float32Array<ArrayBuffer>
  waveform: MeasuredWaveform
}

/** The share of the progress that decoding has; the rest is the work after the last sample. */
const DECODING_SHARE = 0.9
/** The `detailed_status` of the document of a truncated file; that of a whole file is "OK". */
const TRUNCATED = 'The file is truncated or damaged; analysed is what could be decoded of it'

const compress = promisify(deflateRaw)

/**
 * Decodes a file and analyses it in one pass, in bounded memory.
 *
 * @param onProgress - called with 0…1 a few times a second
 * @throws {DecodeError} when the file cannot be decoded
 */
export async function analyzeFile(
  task: AnalyzeTask,
  onProgress: (progress: number) => void,
  signal?: AbortSignal,
): Promise<AnalyzeResult> {
  let examiner: Examiner | undefined
  let seconds = 0
  const tell = occasionally(onProgress)
  const report = await listen(task, signal, ({ channels, sampleRate }) => {
    examiner ??= new Examiner({ sampleRate, channels: channels.length })
    examiner.push(channels)
    seconds += (channels[0]?.length ?? 0) / sampleRate
    tell(() => progressOf(seconds, task.expectedSeconds))
  })
  if (!examiner || !report) throw new DecodeError('The file holds no audio samples.')
  onProgress(DECODING_SHARE)
  const { document, prints, waveform, loudnessBlocks } = examiner.finish()
  Object.assign(document.meta, task.meta)
  if (report.truncated) document.meta.detailed_status = TRUNCATED
  const descriptor = describeSound(document)
  // Rounds the numbers, as a later summary is made of the stored ones.
  const compressed = await pipeline(textOf(document, true), createDeflateRaw(), buffer)
  const result = {
    summary: summarize(document),
    prints: recordingPrints(prints),
    report,
    document: new Uint8Array(compressed),
    descriptor,
    waveform: {
      sampleRate: waveform.sampleRate,
      samples: waveform.samples,
      blocks: loudnessBlocks,
      peaks: new Uint8Array(await compress(flatten(waveform))),
    },
  }
  if (!task.corrections) return result
  return { ...result, corrected: summarize(corrected(document, task.corrections)) }
}

/**
 * Decodes a file block by block, until `take` returns `true`.
 *
 * @returns the report on a file that was read to its end
 */
async function listen(
  { path, decode: options }: AudioTask,
  signal: AbortSignal | undefined,
  take: (block: PcmBlock) => unknown,
): Promise<DecodeReport | undefined> {
  const blocks = decode(path, { ...options, ...(signal && { signal }) })
  try {
    for (;;) {
      const block = await blocks.next()
      if (block.done) return block.value
      if (take(block.value) === true) return undefined
    }
  } finally {
    // The decoder may still be open, after a partial read or an error.
    await blocks.return(undefined as never)
  }
}

function progressOf(seconds: number, expected: number | undefined): number {
  // Without a known length, two minutes count as half, and the progress approaches the end slowly.
  const part = expected ? Math.min(1, seconds / expected) : seconds / (seconds + 120)
  return part * DECODING_SHARE
}

/**
 * Decodes a file for the checksum of its samples, which tells whether two files sound the same.
 *
 * @throws {DecodeError} when it cannot be decoded
 */
async function sumFile(
  task: AudioTask,
  onProgress: (progress: number) => void,
  signal?: AbortSignal,
): Promise<{ audioMd5: string }> {
  const tell = occasionally(onProgress)
  let sum: SoundSum | undefined
  let seconds = 0
  await listen(task, signal, ({ channels, sampleRate }) => {
    sum ??= new SoundSum(sampleRate)
    sum.push(channels)
    seconds += (channels[0]?.length ?? 0) / sampleRate
    tell(() => progressOf(seconds, undefined))
  })
  if (!sum) throw new DecodeError('The file holds no audio samples.')
  return { audioMd5: sum.finish() }
}

export interface FingerprintTask extends AudioTask {
  /** Seconds to skip at the start. Default 0. */
  start?: number | undefined
  /** Seconds to fingerprint. Default: to the end. */
  length?: number | undefined
  /** Adds codes of system A, as songs store them or as queries need them: several times the work. */
  chroma?: 'codes' | 'probes' | undefined
}

export interface FingerprintResult {
  traces: PrintTraces
  /** Codes of system A; empty unless the task has `chroma`. */
  chroma: Codes
  /** Seconds that were fingerprinted. */
  duration: number
  report: DecodeReport | undefined
}

/**
 * Decodes a file, or a part of it, and computes its fingerprints.
 *
 * @throws {DecodeError} when it cannot be decoded, or the part contains no samples
 */
export async function fingerprintFile(
  task: FingerprintTask,
  onProgress: (progress: number) => void,
  signal?: AbortSignal,
): Promise<FingerprintResult> {
  const { start = 0, length = Number.POSITIVE_INFINITY } = task
  let fingerprinter: Fingerprinter | undefined
  let mono: AnalysisStream | MonoStream | undefined
  let rate = 0
  let position = 0
  const tell = occasionally(onProgress)
  const report = await listen(task, signal, ({ channels, sampleRate }) => {
    rate = sampleRate
    const frames = channels[0]?.length ?? 0
    const from = Math.max(0, Math.round(start * rate) - position)
    const to = Math.min(frames, Math.round((start + length) * rate) - position)
    position += frames
    if (from < to) {
      fingerprinter ??= new Fingerprinter({ sampleRate, startOffset: Math.floor(start) })
      const hear: MonoListener = (samples) => fingerprinter?.push(samples)
      mono ??= task.chroma
        ? new AnalysisStream({ sampleRate, channels: channels.length }, hear)
        : new MonoStream(sampleRate, hear)
      mono.push(channels.map((samples) => samples.subarray(from, to)))
    }
    tell(() => progressOf(position / rate, undefined))
    return to < frames
  })
  if (!fingerprinter) throw new DecodeError(nothingIn(start, length, position, rate))
  const segments = mono?.finish()?.document.segments ?? []
  return {
    traces: fingerprinter.finish(),
    chroma: task.chroma === 'codes' ? chromaCodes(segments) : chromaProbes(segments),
    duration: Math.min(position / rate, start + length) - start,
    report,
  }
}

/** Why the part contains no samples. @param position - samples that were read */
function nothingIn(start: number, length: number, position: number, rate: number): string {
  if (position === 0) return 'The file holds no audio samples.'
  if (Math.round(start * rate) < position) return `A length of ${length} s contains no sample.`
  return `The file has only ${(position / rate).toFixed(1)} s, nothing from ${start} s on.`
}

/** Milliseconds between two reports. A worker that reports nothing for long counts as stuck. */
const INTERVAL = 200

/** Reports progress from 0 to 1, a few times a second at most. */
function occasionally(onProgress: (progress: number) => void) {
  let last = 0
  return (progress: () => number): void => {
    const now = Date.now()
    if (now - last < INTERVAL) return
    last = now
    onProgress(progress())
  }
}
