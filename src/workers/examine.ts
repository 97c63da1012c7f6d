import { Analyzer, type AudioFormat } from '../analysis/analyze.ts'
import type { AnalysisDocument, AnalysisSummary } from '../analysis/document.ts'
import { chromaCodes } from '../fingerprint/chroma.ts'
import { encodeCodes, WIRE_VERSION } from '../fingerprint/codec.ts'
import type { Prints } from '../fingerprint/evidence.ts'
import { Fingerprinter } from '../fingerprint/fingerprinter.ts'

/** All that is found out about a recording. */
export interface Examination {
  /** The analysis, its code strings included. */
  document: AnalysisDocument
  summary: AnalysisSummary
  /** The fingerprints of all families. */
  prints: Prints
}

/** Analyses audio and takes its fingerprints, as it streams by, in one pass. */
export class Examiner {
  readonly #analyzer: Analyzer
  readonly #fingerprinter: Fingerprinter

  /** @throws {ParameterError} when the format is not one of audio */
  constructor(format: AudioFormat) {
    this.#analyzer = new Analyzer(format)
    this.#fingerprinter = new Fingerprinter(format)
  }

  /** Takes the next samples of every channel; they are neither kept nor changed. */
  push(channels: Float32Array[]): void {
    this.#analyzer.push(channels)
    this.#fingerprinter.push(channels)
  }

  finish(): Examination {
    const { document, summary } = this.#analyzer.finish()
    const traces = this.#fingerprinter.finish()
    const chroma = chromaCodes(document.segments)
    // In the published order, the code strings stand before the other strings.
    const { synchstring, synch_version, rhythmstring, rhythm_version, ...rest } = document.track
    document.track = {
      ...rest,
      codestring: encodeCodes('chroma', chroma),
      code_version: Number(WIRE_VERSION.chroma),
      echoprintstring: encodeCodes('echoprint', traces.echoprint.codes),
      echoprint_version: Number(WIRE_VERSION.echoprint),
      synchstring,
      synch_version,
      rhythmstring,
      rhythm_version,
    }
    return { document, summary, prints: { ...traces, chroma } }
  }
}

/**
 * Analyses audio that is in memory: pure and synchronous, without a database. It takes about a second
 * for a minute and a half of music.
 *
 * @param input - `samples`: one Float32Array for each channel, equally long, full scale ±1;
 *   `sampleRate` in Hz, a whole number of 1,000…768,000
 * @throws {ParameterError} when there are no channels or no samples, or the lengths differ, or the
 *   rate is not such a number
 *
 * @example
 * ```ts
 * import { analyze } from 'audile/analysis'
 *
 * const { track, beats, segments } = analyze({ samples: [left, right], sampleRate: 44100 })
 * console.log(track.tempo, beats.length, segments[0]?.timbre)
 * ```
 */
export function analyze(input: { samples: Float32Array[]; sampleRate: number }): AnalysisDocument {
  const { samples, sampleRate } = input
  const examiner = new Examiner({ sampleRate, channels: samples.length })
  examiner.push(samples)
  return examiner.finish().document
}
