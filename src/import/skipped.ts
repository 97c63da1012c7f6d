import { type ImportInput, invalid } from './input.ts'

/** A part of an input that could not be read. */
export interface Skipped {
  /** The file's path, where the input is one. */
  file?: string
  /** The line (in a CSV: where the row ends), from 1 on. */
  line?: number
  /** What is wrong with it, in words. */
  reason: string
}

/** What becomes of the parts of an input that cannot be read. */
export interface SkippingOptions {
  /**
   * Told of every line, row or file that cannot be read; the import goes on with the next. Without
   * it they are passed over too, but when the very first is bad, the input is another than was
   * meant, and that is an error.
   */
  onSkipped?: ((skipped: Skipped) => void) | undefined
}

/** Keeps count of what is passed over. */
export class Skips {
  readonly #onSkipped: SkippingOptions['onSkipped']
  #good = false

  constructor({ onSkipped }: SkippingOptions) {
    this.#onSkipped = onSkipped
  }

  /** One was read: the input is what was meant. */
  took(): void {
    this.#good = true
  }

  /** @throws {ParameterError} when nothing was read before and nobody is told */
  skip(input: ImportInput, reason: string, line?: number): void {
    if (this.#onSkipped) {
      this.#onSkipped({
        ...(typeof input === 'string' && { file: input }),
        ...(line !== undefined && { line }),
        reason,
      })
    } else if (!this.#good) {
      throw invalid(input, `${line === undefined ? '' : `line ${line}: `}${reason}`)
    }
  }
}
