import type { ImportReport, LeftOut } from '../client/imports.ts'
import type { ParameterError } from '../values/errors.ts'
import { type ImportInput, invalidInput, isFolderPath, peekBytes } from './input.ts'
import { type InputKind, kindOfOpening, OPENING_BYTES } from './input-kind.ts'

/** A part of an input that could not be read. */
export interface Skipped {
  /** The path of the file, if the input is a path. */
  file?: string
  /** The line number, from 1; in a CSV, of the line where the row ends. */
  line?: number
  /** What is wrong with it, in words. */
  reason: string
}

/** How to handle parts of an input that cannot be read. */
export interface SkippingOptions {
  /**
   * Called for each line, row or file that cannot be read; the import continues with the next.
   * Without it, they are skipped too, but a fault before the first valid record is an error,
   * because the input is then probably the wrong one. The report counts them in both cases.
   */
  onSkipped?: ((skipped: Skipped) => void) | undefined
}

/**
 * The records of an import, and what it says of itself. An input without any record is an error,
 * which says what the input looks like and which importer reads it.
 */
export type Imported<T> = AsyncGenerator<T, void> & {
  /** What was read and what was left out until now. */
  readonly report: ImportReport
}

/** What an importer reads. */
export interface ImporterTraits {
  name: string
  /** With the article: `a playlist`. */
  reads: string
  /** The forms that it can parse. */
  forms: readonly InputKind['form'][]
}

/** Reasons may hold values of the input. */
const MAX_REASONS = 100
const OTHER_REASONS = 'other reasons'

export class ImportRun {
  readonly traits: ImporterTraits
  kind: InputKind | undefined
  records = 0
  readonly #onSkipped: SkippingOptions['onSkipped']
  readonly #leftOut = new Map<string, LeftOut>()
  #hasRead = false

  constructor(traits: ImporterTraits, { onSkipped }: SkippingOptions) {
    this.traits = traits
    this.#onSkipped = onSkipped
  }

  get report(): ImportReport {
    const leftOut = Array.from(this.#leftOut.values(), (leftOutPart) => ({ ...leftOutPart }))
    return { records: this.records, leftOut }
  }

  /** Faults after it are skipped, not thrown. */
  countRead(): void {
    this.#hasRead = true
  }

  /** @throws {ParameterError} when nothing was read before and there is no `onSkipped` */
  skip(input: unknown, reason: string, line?: number): void {
    if (!this.#onSkipped && !this.#hasRead) {
      const where = line === undefined ? '' : `line ${line}: `
      throw invalidInput(input, `${where}${reason}${this.likenessText()}`)
    }
    this.#onSkipped?.({ ...positionInInput(input, line), reason })
    this.leaveOut(input, reason, line)
  }

  /** A part that was read. */
  leaveOut(input: unknown, reason: string, line?: number): void {
    const isFull = this.#leftOut.size >= MAX_REASONS && !this.#leftOut.has(reason)
    const group = isFull ? OTHER_REASONS : reason
    const leftOutPart = this.#leftOut.get(group)
    if (leftOutPart) leftOutPart.count++
    else this.#leftOut.set(group, { reason: group, count: 1, first: positionInInput(input, line) })
  }

  /** The end of a message; empty if it says nothing new. */
  likenessText(): string {
    const { kind, traits } = this
    if (kind === undefined || kind.importer === traits.name) return ''
    return `; it looks like ${kind.what}${remedyOf(kind)}`
  }

  /** For an input without records. */
  emptyError(input: unknown): ParameterError {
    const reasons = Array.from(
      this.#leftOut.values(),
      ({ reason, count }) => `${count} × ${reason}`,
    )
    const leftOut = reasons.length === 0 ? '' : ` (left out: ${reasons.slice(0, 5).join('; ')})`
    const { name, reads } = this.traits
    const likeness = this.likenessText() || `; ${name}() reads ${reads}`
    return invalidInput(input, `has nothing to import${leftOut}${likeness}`)
  }
}

function positionInInput(input: unknown, line: number | undefined): LeftOut['first'] {
  return {
    ...(typeof input === 'string' && { file: input }),
    ...(line !== undefined && { line }),
  }
}

function remedyOf({ importer, remedy }: InputKind): string {
  if (importer !== undefined) return `; read it with ${importer}()`
  return remedy === undefined ? ', which no importer reads' : `; ${remedy}`
}

/** @param read - reads the input that it is given, because a stream can be read only once */
export function importRecords<T>(
  traits: ImporterTraits,
  givenInput: ImportInput,
  options: SkippingOptions,
  read: (input: ImportInput, run: ImportRun) => AsyncIterable<T>,
): Imported<T> {
  const run = new ImportRun(traits, options)
  return withReport(run, givenInput, async function* () {
    yield* read(await recognizeInput(givenInput, run), run)
  })
}

/** It throws if there are no records. */
export function withReport<T>(
  run: ImportRun,
  givenInput: unknown,
  read: () => AsyncIterable<T>,
): Imported<T> {
  async function* countedRecords(): AsyncGenerator<T, void> {
    for await (const record of read()) {
      run.records++
      yield record
    }
    if (run.records === 0) throw run.emptyError(givenInput)
  }
  const report = { get: () => run.report, enumerable: true }
  return Object.defineProperty(countedRecords(), 'report', report) as Imported<T>
}

/**
 * @returns the input to read in place of the given one
 * @throws {ParameterError} when the importer cannot read it
 */
async function recognizeInput(givenInput: ImportInput, run: ImportRun): Promise<ImportInput> {
  if (await isFolderPath(givenInput)) return givenInput
  const { opening, input } = await peekBytes(givenInput, OPENING_BYTES)
  const kind = kindOfOpening(opening)
  run.kind = kind
  const { name, reads, forms } = run.traits
  if (kind === undefined || kind.importer === name) return input
  if (kind.form === 'empty') throw invalidInput(givenInput, `is empty; ${name}() reads ${reads}`)
  if (kind.certain !== true && forms.includes(kind.form)) return input
  throw invalidInput(givenInput, `is not ${reads}${run.likenessText()}`)
}
