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

/** One file to be decoded and analysed, as plain data. */
export interface AnalyzeTask {
  path: string
  decode: Omit<DecodeOptions, 'signal'>
  /** What the tags say; goes into the document's `meta`. */
  meta: Partial<AnalysisDocument['meta']>
  /** The file's length by its tags, in seconds, for the progress. */
  expectedSeconds?: number
}

/** What comes of an {@link AnalyzeTask}. */
export interface AnalyzeResult {
  summary: AnalysisSummary
  report: DecodeReport
  prints: Prints
  /** The text of the analysis document, raw deflate. */
  document: Uint8Array<ArrayBuffer>
  /** What the track is compared with others by. */
  sound: { descriptor: Float32Array<ArrayBuffer>; sketch: Uint16Array<ArrayBuffer> }
}

/** Decoding is the most of the work; what follows the last sample is the rest. */
const DECODING_SHARE = 0.9
/** The document's `detailed_status` of a file of which a part is missing; else it is "OK". */
const TRUNCATED = 'The file is truncated or damaged; analysed is what could be decoded of it'
/** Progress is told at most so often, in milliseconds. */
const PROGRESS_EVERY = 200

const compress = promisify(deflateRaw)

/**
 * Decodes a file and analyses it in one pass, in bounded memory.
 *
 * @param onProgress - told 0…1 a few times a second
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
  let told = 0
  let block = await blocks.next()
  for (; !block.done; block = await blocks.next()) {
    const { channels, sampleRate } = block.value
    examiner ??= new Examiner({ sampleRate, channels: channels.length })
    examiner.push(channels)
    seconds += (channels[0]?.length ?? 0) / sampleRate
    const now = Date.now()
    if (now - told >= PROGRESS_EVERY) {
      told = now
      onProgress(progressOf(seconds, task.expectedSeconds))
    }
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
  // Without a length to go by, half-way is at two minutes, and the end is never quite reached.
  const part = expected ? Math.min(1, seconds / expected) : seconds / (seconds + 120)
  return part * DECODING_SHARE
}
