import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createDeflateRaw, deflateRaw } from 'node:zlib'
import { AnalysisStream } from '../analysis/analysis-stream.ts'
import { applyCorrections } from '../analysis/correction/correct.ts'
import type { Corrections } from '../analysis/correction/corrections.ts'
import { describeSound } from '../analysis/descriptor.ts'
import { type AnalysisDocument, documentText } from '../analysis/document.ts'
import { type AnalysisSummary, summarize } from '../analysis/document-summary.ts'
import { SoundSum } from '../analysis/sample-sum.ts'
import { flattenWaveform, type MeasuredWaveform } from '../analysis/waveform.ts'
import { Examiner } from '../analyzer/examiner.ts'
import { type Cover, readCover } from '../audio/cover.ts'
import type { DecodeReport } from '../audio/decode.ts'
import { type MonoListener, MonoStream } from '../audio/mono-stream.ts'
import { readTags, type Tags } from '../audio/tags.ts'
import { chromaCodes, chromaProbes } from '../recognition/systems/chroma.ts'
import type { Codes } from '../recognition/systems/codes.ts'
import { Fingerprinter, type PrintTraces } from '../recognition/systems/fingerprinter.ts'
import { type RecordingPrints, recordingPrints } from '../recognition/systems/recording-prints.ts'
import { type FeedBytes, type FeedDocument, readFeed } from '../syndication/read-feed.ts'
import { type WriteTagsTask, type WrittenTags, writeFileTags } from '../tagging/write-tags.ts'
import { DecodeError, type PlainError } from '../values/errors.ts'
import {
  type AudioTask,
  DECODING_SHARE,
  decodeBlocks,
  progressOf,
  reportOccasionally,
} from './decode-task.ts'
import { type HearResult, type HearTask, hearFile } from './hear-file.ts'

interface TagsTask {
  path: string
  bytes: number
}

/** The tasks of workers: plain data in, plain data out. */
export interface Tasks {
  analyze: { task: AnalyzeTask; result: AnalyzeResult }
  feed: { task: FeedBytes; result: FeedDocument }
  fingerprint: { task: FingerprintTask; result: FingerprintResult }
  cover: { task: TagsTask; result: { cover?: Cover } }
  hear: { task: HearTask; result: HearResult }
  sum: { task: AudioTask; result: { audioMd5: string } }
  tags: { task: TagsTask; result: Tags }
  'write-tags': { task: WriteTagsTask; result: WrittenTags }
}

export type TaskKind = keyof Tasks

export type TaskRunner<K extends TaskKind> = (
  task: Tasks[K]['task'],
  onProgress: (progress: number) => void,
  signal?: AbortSignal,
) => Promise<Tasks[K]['result']>

/** A malicious feed or tag can take hours, which only the end of its thread stops. */
export const TASK_RUNNERS: { readonly [K in TaskKind]: TaskRunner<K> } = {
  analyze: analyzeFile,
  feed: readFeed,
  fingerprint: fingerprintFile,
  cover: async ({ path, bytes }) => {
    const cover = await readCover(path, bytes)
    return cover ? { cover } : {}
  },
  hear: hearFile,
  sum: sumSamples,
  tags: ({ path, bytes }) => readTags(path, bytes),
  'write-tags': writeFileTags,
}

/** Tells the process of a task from others. */
export const TASK_ARGUMENT = 'audile-task'

export const STOP_MESSAGE = 'stop'

export interface TaskRequest {
  kind: TaskKind
  task: Tasks[TaskKind]['task']
}

export type TaskReply =
  | { type: 'progress'; progress: number }
  | { type: 'result'; result: Tasks[TaskKind]['result'] }
  | { type: 'error'; error: PlainError }

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
  corrected?: AnalysisSummary
  report: DecodeReport
  prints: RecordingPrints
  /** The text of the analysis document, compressed by raw deflate. */
  document: Uint8Array<ArrayBuffer>
  descriptor: Float32Array<ArrayBuffer>
  waveform: MeasuredWaveform
}

const TRUNCATED_STATUS = 'The file is truncated or damaged; analysed is what could be decoded of it'

const compressRaw = promisify(deflateRaw)

/**
 * Decodes and analyses in one pass, in bounded memory.
 *
 * @throws {DecodeError} when the file cannot be decoded
 */
export async function analyzeFile(
  task: AnalyzeTask,
  onProgress: (progress: number) => void,
  signal?: AbortSignal,
): Promise<AnalyzeResult> {
  let examiner: Examiner | undefined
  let seconds = 0
  const reportProgress = reportOccasionally(onProgress)
  const report = await decodeBlocks(task, signal, ({ channels, sampleRate }) => {
    examiner ??= new Examiner({ sampleRate, channels: channels.length })
    examiner.push(channels)
    seconds += (channels[0]?.length ?? 0) / sampleRate
    reportProgress(() => progressOf(seconds, task.expectedSeconds))
  })
  if (!examiner || !report) throw new DecodeError('The file holds no audio samples.')
  onProgress(DECODING_SHARE)
  const { document, prints, waveform, loudnessBlocks } = examiner.finish()
  Object.assign(document.meta, task.meta)
  if (report.truncated) document.meta.detailed_status = TRUNCATED_STATUS
  const descriptor = describeSound(document)
  // Rounds the numbers, as a later summary uses the stored ones.
  const compressed = await pipeline(documentText(document, true), createDeflateRaw(), buffer)
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
      peaks: new Uint8Array(await compressRaw(flattenWaveform(waveform))),
    },
  }
  if (!task.corrections) return result
  return { ...result, corrected: summarize(applyCorrections(document, task.corrections)) }
}

/**
 * The checksum tells whether two files sound the same.
 *
 * @throws {DecodeError} when it cannot be decoded
 */
async function sumSamples(
  task: AudioTask,
  onProgress: (progress: number) => void,
  signal?: AbortSignal,
): Promise<{ audioMd5: string }> {
  const reportProgress = reportOccasionally(onProgress)
  let sum: SoundSum | undefined
  let seconds = 0
  await decodeBlocks(task, signal, ({ channels, sampleRate }) => {
    sum ??= new SoundSum(sampleRate)
    sum.push(channels)
    seconds += (channels[0]?.length ?? 0) / sampleRate
    reportProgress(() => progressOf(seconds, undefined))
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
  const reportProgress = reportOccasionally(onProgress)
  const report = await decodeBlocks(task, signal, ({ channels, sampleRate }) => {
    rate = sampleRate
    const frames = channels[0]?.length ?? 0
    const firstFrame = Math.max(0, Math.round(start * rate) - position)
    const endFrame = Math.min(frames, Math.round((start + length) * rate) - position)
    position += frames
    if (firstFrame < endFrame) {
      fingerprinter ??= new Fingerprinter({ sampleRate, startOffset: Math.floor(start) })
      const hear: MonoListener = (samples) => fingerprinter?.push(samples)
      mono ??= task.chroma
        ? new AnalysisStream({ sampleRate, channels: channels.length }, hear)
        : new MonoStream(sampleRate, hear)
      mono.push(channels.map((samples) => samples.subarray(firstFrame, endFrame)))
    }
    reportProgress(() => progressOf(position / rate, undefined))
    return endFrame < frames
  })
  if (!fingerprinter) throw new DecodeError(emptyPartMessage(start, length, position, rate))
  const segments = mono?.finish()?.document.segments ?? []
  return {
    traces: fingerprinter.finish(),
    chroma: task.chroma === 'codes' ? chromaCodes(segments) : chromaProbes(segments),
    duration: Math.min(position / rate, start + length) - start,
    report,
  }
}

function emptyPartMessage(start: number, length: number, position: number, rate: number): string {
  if (position === 0) return 'The file holds no audio samples.'
  if (Math.round(start * rate) < position) return `A length of ${length} s contains no sample.`
  return `The file has only ${(position / rate).toFixed(1)} s, nothing from ${start} s on.`
}
