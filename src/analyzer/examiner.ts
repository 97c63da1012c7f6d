import { AnalysisStream, type AudioFormat } from '../analysis/analysis-stream.ts'
import { type AnalysisDocument, withCodes } from '../analysis/document.ts'
import type { SoundPrints } from '../recognition/search/identifying.ts'
import { chromaCodes } from '../recognition/systems/chroma.ts'
import { codeFields } from '../recognition/systems/codes.ts'
import { Fingerprinter } from '../recognition/systems/fingerprinter.ts'

/** How documents name the operating systems. */
const PLATFORMS: Readonly<Record<string, string>> = {
  linux: 'Linux',
  darwin: 'Darwin',
  win32: 'Windows',
}

/** Analysis and all fingerprints in one pass, as for an upload. */
export class Examiner {
  readonly #analysis: AnalysisStream
  readonly #fingerprinter: Fingerprinter

  /** @throws {ParameterError} when the sample rate or the number of channels is out of range */
  constructor(format: AudioFormat) {
    this.#analysis = new AnalysisStream(format, (mono) => this.#fingerprinter.push(mono))
    this.#fingerprinter = new Fingerprinter(format)
  }

  /** Analyses the next samples, one array per channel. The arrays are neither kept nor changed. */
  push(channels: Float32Array[]): void {
    this.#analysis.push(channels)
  }

  finish(): Omit<ReturnType<AnalysisStream['finish']>, 'document'> & {
    document: AnalysisDocument<true>
    prints: SoundPrints
  } {
    const { document, ...measured } = this.#analysis.finish()
    document.meta.platform = PLATFORMS[process.platform] ?? process.platform
    const traces = this.#fingerprinter.finish()
    const chroma = chromaCodes(document.segments)
    return {
      ...measured,
      document: withCodes(document, codeFields(chroma, traces.echoprint.codes)),
      prints: { ...traces, chroma },
    }
  }
}
