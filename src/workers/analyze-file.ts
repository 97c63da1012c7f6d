import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { describeSound } from '../analysis/descriptor.ts'
import type { AnalysisDocument, AnalysisSummary } from '../analysis/document.ts'
import { stringifyAnalysis } from '../analysis/document.ts'
import { type DecodeOptions, type DecodeReport, decode } from '../audio/decode.ts'
import { DecodeError } from '../errors.ts'
import { Examiner } from '../examiner.ts'
import type { Prints } from '../fingerprint/evidence.ts'
import { sketchOf } from '../fingerprint/sketch.ts'
import { occasionally } from './progress.ts'

/** A file to decode and analyse, as plain data. */
export interface AnalyzeTask {
  path: string
  decode: Omit<DecodeOptions, 'signal'>
  /** Tags for the `meta` of the document. */
  meta: Partial<AnalysisDocument['meta']>
  /** The length of the file according to its tags, in seconds; for the progress. */
  expectedSeconds?: number
}

/** The result of an {@link AnalyzeTask}. */
export interface AnalyzeResult {
  summary: AnalysisSummary
  report: DecodeReport
  prints: Prints
  /** The text of the analysis document, compressed by raw deflate. */
  document: Uint8Array<ArrayBuffer>
  /** What tracks are compared by. */
  sound: { descriptor: Float32Array<ArrayBuffer>; sketch: Uint16Array<ArrayBuffer> }
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
  const blocks = decode(task.path, { ...task.decode, ...(signal && { signal }) })
  let examiner: Examiner | undefined
  let seconds = 0
  const report = occasionally(onProgress)
  let block = await blocks.next()
  for (; !block.done; block = await blocks.next()) {
    const { channels, sampleRate } = block.value
    examiner ??= new Examiner({ sampleRate, channels: channels.length })
    examiner.push(channels)
    seconds += (channels[0]?.length ?? 0) / sampleRate
    report(() => progressOf(seconds, task.expectedSeconds))
  }
  if (!examiner) throw new DecodeError('The file holds no audio samples.')
  onProgress(DECODING_SHARE)
  const { document, summary, prints } = examiner.finish()
  Object.assign(document.meta, task.meta)
  if (block.value.truncated) document.meta.detailed_status = TRUNCATED
  const sound = { descriptor: describeSound(document), sketch: sketchOf(document.track) }
  const compressed = await compress(stringifyAnalysis(document))
  return { summary, prints, report: block.value, document: new Uint8Array(compressed), sound }
}

function progressOf(seconds: number, expected: number | undefined): number {
  // Without a known length, two minutes count as half, and the progress approaches the end slowly.
  const part = expected ? Math.min(1, seconds / expected) : seconds / (seconds + 120)
  return part * DECODING_SHARE
}
