import { Analyzer } from '../analysis/analyze.ts'
import { type DecodeOptions, type DecodeReport, decode } from '../audio/decode.ts'
import { DecodeError } from '../errors.ts'
import type { ChromaSegment } from '../fingerprint/chroma.ts'
import { Fingerprinter, type Traces } from '../fingerprint/fingerprinter.ts'

/** One file whose fingerprints are to be taken, as plain data. */
export interface FingerprintTask {
  path: string
  decode: Omit<DecodeOptions, 'signal'>
  /** Seconds to pass over. Default 0. */
  start?: number | undefined
  /** Seconds to listen to. Default: to the end. */
  length?: number | undefined
  /** Segments too, for system A: several times the work. */
  segments: boolean
}

/** What comes of a {@link FingerprintTask}. */
export interface FingerprintResult {
  traces: Traces
  /** Of the analysis, when they were asked for. */
  segments?: ChromaSegment[]
  /** Seconds that were listened to. */
  duration: number
  report: DecodeReport | undefined
}

/** Progress is told at most so often, in milliseconds; a worker that tells nothing counts as stuck. */
const PROGRESS_EVERY = 200

/**
 * Decodes a file, or a part of it, and takes its fingerprints.
 *
 * @throws {DecodeError} when it cannot be decoded, or nothing of it is in the part
 */
export async function fingerprintFile(
  task: FingerprintTask,
  onProgress: (progress: number) => void,
  signal?: AbortSignal,
): Promise<FingerprintResult> {
  const { start = 0, length = Number.POSITIVE_INFINITY } = task
  const blocks = decode(task.path, { ...task.decode, ...(signal && { signal }) })
  let fingerprinter: Fingerprinter | undefined
  let analyzer: Analyzer | undefined
  let rate = 0
  let position = 0
  let told = 0
  let block = await blocks.next()
  for (; !block.done; block = await blocks.next()) {
    const { channels, sampleRate } = block.value
    rate = sampleRate
    const frames = channels[0]?.length ?? 0
    const from = Math.max(0, Math.round(start * rate) - position)
    const to = Math.min(frames, Math.round((start + length) * rate) - position)
    position += frames
    if (from < to) {
      fingerprinter ??= new Fingerprinter({ sampleRate, startOffset: Math.floor(start) })
      const part = channels.map((samples) => samples.subarray(from, to))
      fingerprinter.push(part)
      if (task.segments) {
        analyzer ??= new Analyzer({ sampleRate, channels: channels.length })
        analyzer.push(part)
      }
    }
    if (to < frames) {
      await blocks.return(undefined as never)
      break
    }
    const now = Date.now()
    if (now - told >= PROGRESS_EVERY) {
      told = now
      onProgress(position / (position + 60 * rate))
    }
  }
  if (!fingerprinter) {
    throw new DecodeError(
      start > 0
        ? `The file has no more than ${(position / Math.max(rate, 1)).toFixed(1)} s, nothing from ${start} s on.`
        : 'The file holds no audio samples.',
    )
  }
  const result: FingerprintResult = {
    traces: fingerprinter.finish(),
    duration: Math.min(position / rate, start + length) - start,
    report: block.done ? (block.value ?? undefined) : undefined,
  }
  if (analyzer) result.segments = analyzer.finish().document.segments
  return result
}
