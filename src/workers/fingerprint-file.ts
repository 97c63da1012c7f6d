import { AnalysisStream } from '../analysis/analysis-stream.ts'
import { type DecodeOptions, type DecodeReport, decode } from '../audio/decode.ts'
import { DecodeError } from '../errors.ts'
import { chromaCodes, chromaProbes } from '../fingerprint/chroma.ts'
import type { Codes } from '../fingerprint/codes.ts'
import { Fingerprinter, type Traces } from '../fingerprint/fingerprinter.ts'

/** One file whose fingerprints are to be taken, as plain data. */
export interface FingerprintTask {
  path: string
  decode: Omit<DecodeOptions, 'signal'>
  /** Seconds to pass over. Default 0. */
  start?: number | undefined
  /** Seconds to listen to. Default: to the end. */
  length?: number | undefined
  /** Codes of system A too, as a song has them or to look songs up by: several times the work. */
  chroma?: 'codes' | 'probes' | undefined
}

/** What comes of a {@link FingerprintTask}. */
export interface FingerprintResult {
  traces: Traces
  /** Of system A; none where they were not asked for. */
  chroma: Codes
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
  let analyzer: AnalysisStream | undefined
  let rate = 0
  let position = 0
  let told = 0
  let report: DecodeReport | undefined
  try {
    for (;;) {
      const block = await blocks.next()
      if (block.done) {
        report = block.value ?? undefined
        break
      }
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
        if (task.chroma) {
          analyzer ??= new AnalysisStream({ sampleRate, channels: channels.length })
          analyzer.push(part)
        }
      }
      if (to < frames) break
      const now = Date.now()
      if (now - told >= PROGRESS_EVERY) {
        told = now
        onProgress(position / (position + 60 * rate))
      }
    }
  } finally {
    // A part ends before the file does, and so does what fails.
    await blocks.return(undefined as never)
  }
  if (!fingerprinter) throw new DecodeError(nothingIn(start, length, position, rate))
  const segments = analyzer?.finish().document.segments ?? []
  return {
    traces: fingerprinter.finish(),
    chroma: task.chroma === 'codes' ? chromaCodes(segments) : chromaProbes(segments),
    duration: Math.min(position / rate, start + length) - start,
    report,
  }
}

/** Why no sample was taken of a file of which so many were read. */
function nothingIn(start: number, length: number, position: number, rate: number): string {
  if (position === 0) return 'The file holds no audio samples.'
  if (Math.round(start * rate) < position) return `A length of ${length} s holds not one sample.`
  return `The file has no more than ${(position / rate).toFixed(1)} s, nothing from ${start} s on.`
}
