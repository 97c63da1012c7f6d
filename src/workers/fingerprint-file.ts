import { AnalysisStream } from '../analysis/analysis-stream.ts'
import { type DecodeOptions, type DecodeReport, decode } from '../audio/decode.ts'
import { DecodeError } from '../errors.ts'
import { chromaCodes, chromaProbes } from '../fingerprint/chroma.ts'
import type { Codes } from '../fingerprint/codes.ts'
import { Fingerprinter, type Traces } from '../fingerprint/fingerprinter.ts'
import { occasionally } from './progress.ts'

/** A file to fingerprint, as plain data. */
export interface FingerprintTask {
  path: string
  decode: Omit<DecodeOptions, 'signal'>
  /** Seconds to skip at the start. Default 0. */
  start?: number | undefined
  /** Seconds to fingerprint. Default: to the end. */
  length?: number | undefined
  /** Adds codes of system A, as songs store them or as queries need them: several times the work. */
  chroma?: 'codes' | 'probes' | undefined
}

/** The result of a {@link FingerprintTask}. */
export interface FingerprintResult {
  traces: Traces
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
  const blocks = decode(task.path, { ...task.decode, ...(signal && { signal }) })
  let fingerprinter: Fingerprinter | undefined
  let analyzer: AnalysisStream | undefined
  let rate = 0
  let position = 0
  const reportProgress = occasionally(onProgress)
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
      reportProgress(() => position / (position + 60 * rate))
    }
  } finally {
    // The decoder may still be open: a part ends before the file, and an error ends it anywhere.
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

/** Why the part contains no samples. @param position - samples that were read */
function nothingIn(start: number, length: number, position: number, rate: number): string {
  if (position === 0) return 'The file holds no audio samples.'
  if (Math.round(start * rate) < position) return `A length of ${length} s contains no sample.`
  return `The file has only ${(position / rate).toFixed(1)} s, nothing from ${start} s on.`
}
