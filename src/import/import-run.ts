import type { ImportReport, LeftOut } from '../client/imports.ts'
import type { ParameterError } from '../values/errors.ts'
import { type ImportInput, invalidInput, isFolder, peekBytes } from './input.ts'
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
  /** Its name. */
  name: string
  /** What it reads, with the article: `a playlist`. */
  reads: string
  /** The forms that it can parse. */
  forms: readonly InputKind['form'][]
}

/** Reasons that are counted one by one; they may hold values of the input. */
const MOST_REASONS = 100
const OTHER_REASONS = 'other reasons'

/** One import: counts its records, and what it leaves out. */
export class ImportRun {
  readonly traits: ImporterTraits
  /** What the input looks like, if that is known. */
  kind: InputKind | undefined
  records = 0
  readonly #onSkipped: SkippingOptions['onSkipped']
  readonly #leftOut = new Map<string, LeftOut>()
  #anyRead = false

  constructor(traits: ImporterTraits, { onSkipped }: SkippingOptions) {
    this.traits = traits
    this.#onSkipped = onSkipped
  }

  get report(): ImportReport {
    const leftOut = Array.from(this.#leftOut.values(), (one) => ({ ...one }))
    return { records: this.records, leftOut }
  }

  /** Remembers that something was read, so that later faults are skipped. */
  countRead(): void {
    this.#anyRead = true
  }

  /**
   * Leaves out a part that cannot be read.
   *
   * @throws {ParameterError} when nothing was read before and there is no `onSkipped`
   */
  skip(input: unknown, reason: string, line?: number): void {
    if (!this.#onSkipped && !this.#anyRead) {
      const where = line === undefined ? '' : `line ${line}: `
      throw invalidInput(input, `${where}${reason}${this.likeness()}`)
    }
    this.#onSkipped?.({ ...positionInInput(input, line), reason })
    this.leaveOut(input, reason, line)
  }

  /** Counts a part that was read and is left out. */
  leaveOut(input: unknown, reason: string, line?: number): void {
    const full = this.#leftOut.size >= MOST_REASONS && !this.#leftOut.has(reason)
    const group = full ? OTHER_REASONS : reason
    const known = this.#leftOut.get(group)
    if (known) known.count++
    else this.#leftOut.set(group, { reason: group, count: 1, first: positionInInput(input, line) })
  }

  /** What the input looks like, as the end of a message; empty if that says nothing new. */
  likeness(): string {
    const { kind, traits } = this
    if (kind === undefined || kind.importer === traits.name) return ''
    return `; it looks like ${kind.what}${remedyOf(kind)}`
  }

  /** The error of an input without records. */
  nothingRead(input: unknown): ParameterError {
    const reasons = Array.from(
      this.#leftOut.values(),
      ({ reason, count }) => `${count} × ${reason}`,
    )
    const leftOut = reasons.length === 0 ? '' : ` (left out: ${reasons.slice(0, 5).join('; ')})`
    const { name, reads } = this.traits
    const like = this.likeness() || `; ${name}() reads ${reads}`
    return invalidInput(input, `has nothing to import${leftOut}${like}`)
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

/**
 * Makes the records of an import, with its report.
 *
 * @param read - reads the input that it is given, because a stream can be read only once
 */
export function importing<T>(
  traits: ImporterTraits,
  given: ImportInput,
  options: SkippingOptions,
  read: (input: ImportInput, run: ImportRun) => AsyncIterable<T>,
): Imported<T> {
  const run = new ImportRun(traits, options)
  return reported(run, given, async function* () {
    yield* read(await recognized(given, run), run)
  })
}

/** The records that `read` makes, with the report of the run; an error if there are none. */
export function reported<T>(
  run: ImportRun,
  given: unknown,
  read: () => AsyncIterable<T>,
): Imported<T> {
  async function* counted(): AsyncGenerator<T, void> {
    for await (const record of read()) {
      run.records++
      yield record
    }
    if (run.records === 0) throw run.nothingRead(given)
  }
  const report = { get: () => run.report, enumerable: true }
  return Object.defineProperty(counted(), 'report', report) as Imported<T>
}

/**
 * Finds what the input looks like.
 *
 * @returns the input to read in place of the given one
 * @throws {ParameterError} when it is of a kind that the importer cannot read
 */
async function recognized(given: ImportInput, run: ImportRun): Promise<ImportInput> {
  if (await isFolder(given)) return given
  const { opening, input } = await peekBytes(given, OPENING_BYTES)
  const kind = kindOfOpening(opening)
  run.kind = kind
  const { name, reads, forms } = run.traits
  if (kind === undefined || kind.importer === name) return input
  if (kind.form === 'empty') throw invalidInput(given, `is empty; ${name}() reads ${reads}`)
  if (kind.certain !== true && forms.includes(kind.form)) return input
  throw invalidInput(given, `is not ${reads}${run.likeness()}`)
}
