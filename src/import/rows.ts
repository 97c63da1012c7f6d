import { type ImportInput, invalidInput } from './input.ts'

/** A part of an input that could not be read. */
export interface Skipped {
  /** The path of the file, where the input is one. */
  file?: string
  /** The number of the line, from 1 on; in a CSV, of the line where the row ends. */
  line?: number
  /** What is wrong with it, in words. */
  reason: string
}

/** What happens with parts of an input that cannot be read. */
export interface SkippingOptions {
  /**
   * Called with every line, row or file that cannot be read; the import goes on with the next.
   * Without it they are skipped too, except that a fault before anything was read is an error: the
   * input is probably not the one that was meant.
   */
  onSkipped?: ((skipped: Skipped) => void) | undefined
}

/** Decides what happens with rows that cannot be read; one for the whole import. */
export class Skips {
  readonly #onSkipped: SkippingOptions['onSkipped']
  #anyRead = false

  constructor({ onSkipped }: SkippingOptions) {
    this.#onSkipped = onSkipped
  }

  /** Remembers that something was read, so that later faults are skipped. */
  countRead(): void {
    this.#anyRead = true
  }

  /** @throws {ParameterError} when nothing was read before and there is no `onSkipped` */
  skip(input: ImportInput, reason: string, line?: number): void {
    if (this.#onSkipped) {
      this.#onSkipped({
        ...(typeof input === 'string' && { file: input }),
        ...(line !== undefined && { line }),
        reason,
      })
    } else if (!this.#anyRead) {
      throw invalidInput(input, `${line === undefined ? '' : `line ${line}: `}${reason}`)
    }
  }
}

/**
 * Reads an input row by row.
 *
 * @param read - returns what a row says, or, as a text, why the row cannot be read
 */
export async function* readRows<Row extends { line: number }, T extends object>(
  input: ImportInput,
  rows: AsyncIterable<Row>,
  skips: Skips,
  read: (row: Row) => T | string,
): AsyncGenerator<T, void> {
  for await (const row of rows) {
    const found = read(row)
    if (typeof found === 'string') {
      skips.skip(input, found, row.line)
    } else {
      skips.countRead()
      yield found
    }
  }
}
