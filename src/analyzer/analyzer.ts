import { AnalysisStream, type AudioFormat } from '../analysis/analysis-stream.ts'
import { type AnalysisDocument, withCodes } from '../analysis/document.ts'
import type { Resampler } from '../audio/resample.ts'
import { chromaCodes } from '../recognition/systems/chroma.ts'
import { codeFields } from '../recognition/systems/codes.ts'
import { EchoprintCoder } from '../recognition/systems/echoprint.ts'
import { printResampler } from '../recognition/systems/fingerprinter.ts'
import { invalidParameter } from '../values/errors.ts'

/** The options of an {@link Analyzer}. */
export interface AnalyzerOptions<Fingerprints extends boolean = boolean> extends AudioFormat {
  /** Whether the document has the code strings as well. Default false. */
  fingerprints?: Fingerprints
}

/** Audio in memory, for {@link analyze}. */
export interface AnalyzeInput<Fingerprints extends boolean = boolean> {
  /** A Float32Array for each channel, equally long, full scale ±1. */
  samples: Float32Array[]
  /** Hz, a whole number of 1,000…768,000. */
  sampleRate: number
  /** Whether the document has the code strings as well. Default false. */
  fingerprints?: Fingerprints
}

/**
 * Analyses streamed audio, in Node, a browser or a worker: {@link push} block after block, then
 * {@link finish} once. It needs no database, keeps no sample, and grows by about 1 MB for a minute of
 * music.
 *
 * @typeParam Fingerprints - follows the option: whether the type of the document has code strings
 *
 * @example
 * ```ts
 * import { Analyzer } from 'audile/analysis'
 *
 * const analyzer = new Analyzer({ sampleRate: 44100, channels: 2 })
 * const second = 44100
 * for (let from = 0; from < left.length; from += second) {
 *   analyzer.push([left.subarray(from, from + second), right.subarray(from, from + second)])
 *   console.log(`${Math.round((100 * from) / left.length)} %`)
 * }
 * console.log(analyzer.finish().track.tempo)
 * ```
 */
export class Analyzer<Fingerprints extends boolean = false> {
  readonly #analysis: AnalysisStream
  readonly #prints: { coder: EchoprintCoder; resampler: Resampler } | undefined

  /**
   * @param options - `sampleRate` in Hz, a whole number of 1,000…768,000; the number of `channels`;
   *   `fingerprints: true` for the code strings, which take a third more time
   * @throws {ParameterError} when the rate is invalid, there is no channel, or an option is unknown
   *
   * @example
   * ```ts
   * import { Analyzer } from 'audile/analysis'
   *
   * const analyzer = new Analyzer({ sampleRate: 48000, channels: 1, fingerprints: true })
   * ```
   */
  constructor(options: AnalyzerOptions<Fingerprints>) {
    requireNames(options, ['sampleRate', 'channels', 'fingerprints'])
    const { sampleRate, fingerprints } = options
    this.#analysis = new AnalysisStream(options, (mono) => {
      this.#prints?.coder.push(this.#prints.resampler.push(mono))
    })
    if (!fingerprints) return
    this.#prints = { coder: new EchoprintCoder(), resampler: printResampler(sampleRate) }
  }

  /**
   * Takes the next samples of every channel; they are neither kept nor changed. Samples that are not
   * finite count as 0. The document is the same however the samples are cut into blocks.
   *
   * @param samples - a Float32Array for each channel, equally long, full scale ±1
   * @throws {ParameterError} when `samples` is anything else, or the analysis is finished
   *
   * @example
   * ```ts
   * import { Analyzer } from 'audile/analysis'
   *
   * const analyzer = new Analyzer({ sampleRate: 44100, channels: 2 })
   * analyzer.push([left, right])
   * ```
   */
  push(samples: Float32Array[]): void {
    requireChannels(samples)
    this.#analysis.push(samples)
  }

  /**
   * The analysis of all pushed samples. This takes about 0.1 s for a minute of music and blocks the
   * thread: on a page, analyse in a worker.
   *
   * @throws {ParameterError} when no samples were pushed, or the analysis is finished already
   *
   * @example
   * ```ts
   * import { Analyzer } from 'audile/analysis'
   *
   * const analyzer = new Analyzer({ sampleRate: 44100, channels: 2 })
   * analyzer.push([left, right])
   * const { track, beats, segments } = analyzer.finish()
   * ```
   */
  finish(): AnalysisDocument<Fingerprints> {
    const { document } = this.#analysis.finish()
    const plain: AnalysisDocument = document
    if (!this.#prints) return plain as AnalysisDocument<Fingerprints>
    const { coder, resampler } = this.#prints
    coder.push(resampler.flush())
    const codes = codeFields(chromaCodes(document.segments), coder.finish().codes)
    return withCodes(document, codes) as AnalysisDocument as AnalysisDocument<Fingerprints>
  }
}

/**
 * Analyses audio that is in memory: pure and synchronous, without a database, in Node, a browser, a
 * worker. It takes about a third of a second for a minute of music.
 *
 * @param input - `samples`: one Float32Array for each channel, equally long, full scale ±1;
 *   `sampleRate` in Hz, a whole number of 1,000…768,000; `fingerprints: true` for the code strings
 *   (`codestring`, `echoprintstring`), which take a third more time
 * @throws {ParameterError} when there are no channels or no samples, or the lengths differ, or the
 *   rate is invalid
 *
 * @example
 * ```ts
 * import { analyze } from 'audile/analysis'
 *
 * const { track, beats, segments } = analyze({ samples: [left, right], sampleRate: 44100 })
 * console.log(track.tempo, beats.length, segments[0]?.timbre)
 * ```
 */
export function analyze<Fingerprints extends boolean = false>(
  input: AnalyzeInput<Fingerprints>,
): AnalysisDocument<Fingerprints> {
  requireNames(input, ['samples', 'sampleRate', 'fingerprints'])
  const { samples, ...options } = input
  requireChannels(samples)
  const analyzer = new Analyzer({ ...options, channels: samples.length })
  analyzer.push(samples)
  return analyzer.finish()
}

/** A misspelt option would be ignored otherwise. */
function requireNames(options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw invalidParameter('options', `give an object of ${known.join(', ')}.`)
  }
  const other = Object.keys(options).find((name) => !known.includes(name))
  if (other !== undefined) throw invalidParameter(other, `the options are ${known.join(', ')}.`)
  const { fingerprints = false } = options as { fingerprints?: unknown }
  if (typeof fingerprints !== 'boolean')
    throw invalidParameter('fingerprints', 'give true or false.')
}

function requireChannels(samples: unknown): void {
  // Test runners and frames have their own Float32Array classes.
  const isChannel = (value: unknown) =>
    Object.prototype.toString.call(value) === '[object Float32Array]'
  // Array.from turns holes into undefined; every() would skip them.
  if (Array.isArray(samples) && Array.from(samples).every(isChannel)) return
  throw invalidParameter('samples', 'give an array that holds a Float32Array for each channel.')
}
