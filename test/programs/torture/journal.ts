import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'

/** What a call was rejected with. */
export interface Refusal {
  /** The class of the error: one of audile's, or what it names itself. */
  kind: string
  code?: string
  message: string
  stack?: string
}

/** What a process of mixed work says of what it does. */
export type Line =
  /** A deed is about to be done. */
  | { is: 'begun'; op: string; kind: string; deed: unknown }
  /** The call was answered: from now on it must be there. */
  | { is: 'done'; op: string; answer: unknown }
  /** The call was rejected. */
  | { is: 'failed'; op: string; refusal: Refusal }
  /** The database could not be opened, or not be closed. */
  | { is: 'not opened' | 'not closed'; refusal: Refusal }

/**
 * A log outside the database, which survives what happens to that: each line is on the disk before
 * the process goes on.
 */
export class Journal {
  readonly #file: number

  constructor(path: string) {
    this.#file = openSync(path, 'a')
  }

  write(line: Line): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`)
    // What was only begun may be lost: nothing is asked of it.
    if (line.is === 'done') fsyncSync(this.#file)
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** Reads a journal; its last line may have been cut by a kill. */
export function readJournal(path: string): Line[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Line)
}
