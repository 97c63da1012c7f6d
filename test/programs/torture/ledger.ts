import type { Database } from 'better-sqlite3'
import type { Found, Undoing } from './deeds/deed.ts'
import { cutImport, type Import } from './deeds/import.ts'
import { kindOf } from './deeds/kinds.ts'
import { type Update, wrongCounters } from './deeds/update.ts'
import type { Line, Refusal } from './journal.ts'

/** What is known of a deed. */
interface Entry {
  op: string
  kind: string
  deed: unknown
  answer?: unknown
  /**
   * done: answered, or found to be there since; it must be there. unsure: never answered; either is
   * right. undone: refused by the database, or found not to be there; it must not be there.
   */
  state: 'done' | 'unsure' | 'undone'
  /** Its work was made to fail: it may have ended in an error. */
  frail: boolean
}

/** What a process did, by its journal. */
export interface Deeds {
  answered: number
  failures: Refusal[]
}

/** What a check found. */
export interface Checked {
  /** How many answers were looked for. */
  checked: number
  /** What is not as it must be. */
  wrong: string[]
}

/** All that processes were answered, and what of it must be in the database. */
export class Ledger {
  readonly #entries = new Map<string, Entry>()

  /** As it stands now, for a copy of the database. */
  copy(): Ledger {
    const copy = new Ledger()
    for (const [op, entry] of this.#entries) copy.#entries.set(op, { ...entry })
    return copy
  }

  /** Takes in the journal of a process. */
  take(lines: readonly Line[], { frail }: { frail: boolean }): Deeds {
    const deeds: Deeds = { answered: 0, failures: [] }
    for (const line of lines) {
      if (line.is === 'begun') this.#begin(line, frail)
      else if (line.is === 'done') {
        deeds.answered++
        const entry = this.#entries.get(line.op)
        if (entry) Object.assign(entry, { state: 'done', answer: line.answer })
      } else {
        deeds.failures.push(line.refusal)
        if (line.is === 'failed') this.#fail(line.op, line.refusal)
      }
    }
    return deeds
  }

  #begin({ op, kind, deed }: Extract<Line, { is: 'begun' }>, frail: boolean): void {
    if (!kindOf(kind).find) return
    const { again, set } = deed as Partial<Import>
    if (again !== undefined && set !== undefined) this.#forgetImport(set)
    this.#entries.set(op, { op, kind, deed, state: 'unsure', frail })
  }

  /** Of an import that is run again only the last run counts. */
  #forgetImport(set: string): void {
    for (const [op, { deed }] of this.#entries) {
      if ((deed as Partial<Import>).set === set) this.#entries.delete(op)
    }
  }

  #fail(op: string, { kind }: Refusal): void {
    const entry = this.#entries.get(op)
    if (!entry || kind !== 'DatabaseError') return
    // What is run again may have been done by another client that ran it again.
    if (!isAgain(entry) && kindOf(entry.kind).atOnce?.(entry.deed)) entry.state = 'undone'
  }

  /** Imports that nobody was answered: to be run again. */
  cutImports(): string[] {
    return [...this.#entries.values()]
      .filter(({ kind, state }) => kind === 'import' && state !== 'done')
      .map(({ deed }) => cutImport(deed as Import))
  }

  /** Looks for everything in a database whose jobs are at their end. What was unsure is sure then. */
  check(database: Database): Checked {
    const wrong: string[] = []
    const updates: Update[] = []
    let checked = 0
    const entries = [...this.#entries.values()]
    // What takes another deed back comes first: it tells whether that one is to be there.
    entries.sort((a, b) => Number(isUndoing(b)) - Number(isUndoing(a)))
    for (const entry of entries) {
      const { op, kind, deed, answer, state } = entry
      if (!this.#entries.has(op)) continue
      const found = kindOf(kind).find?.(database, deed, answer) ?? 'present'
      if (state === 'done') checked++
      const why = whatIsWrong(entry, found)
      if (why !== undefined) wrong.push(`${kind} ${op} (${state}): ${why}`)
      if (found === 'present' && kind === 'update') updates.push(deed as Update)
      this.#learn(entry, found)
    }
    wrong.push(...wrongCounters(database, updates))
    return { checked, wrong }
  }

  #learn(entry: Entry, found: Found): void {
    if (found === 'present' && isUndoing(entry)) {
      this.#entries.delete((entry.deed as Undoing).undoes)
      return
    }
    if (entry.state !== 'unsure') return
    if (found === 'present') entry.state = 'done'
    else if (found === 'absent') {
      if (isUndoing(entry)) this.#entries.delete(entry.op)
      else entry.state = 'undone'
    }
  }

  /**
   * Checks a database that has lost its end, as a cut log leaves it: of each client what is there
   * must be what it did first.
   *
   * @param name - of the process whose end may be lost
   */
  checkPrefix(database: Database, name: string): Checked {
    const wrong: string[] = []
    const updates: Update[] = []
    const lost = new Map<string, string>()
    let checked = 0
    const undone = new Set(
      [...this.#entries.values()].filter(isUndoing).map(({ deed }) => (deed as Undoing).undoes),
    )
    for (const entry of this.#entries.values()) {
      const { op, kind, deed, answer, state } = entry
      if (undone.has(op) || isUndoing(entry)) continue
      const found = kindOf(kind).find?.(database, deed, answer) ?? 'present'
      if (found === 'present' && kind === 'update') updates.push(deed as Update)
      const mayBeLost = op.startsWith(`${name}.`)
      const client = op.slice(0, op.lastIndexOf('.'))
      if (state === 'done') checked++
      if (mayBeLost && (found === 'absent' || isUnfinished(found))) {
        if (state === 'done') lost.set(client, lost.get(client) ?? op)
        continue
      }
      const before = lost.get(client)
      // Of an import that was run again what is there may be of the first time.
      if (before !== undefined && found === 'present' && state === 'done' && !isAgain(entry)) {
        wrong.push(`${kind} ${op} is there, and ${before}, which was done before it, is not`)
      }
      const why = whatIsWrong(entry, found)
      if (why !== undefined) wrong.push(`${kind} ${op} (${state}): ${why}`)
    }
    wrong.push(...wrongCounters(database, updates))
    return { checked, wrong }
  }
}

function whatIsWrong({ state, frail }: Entry, found: Found): string | undefined {
  if (typeof found === 'object') {
    if ('broken' in found) return found.broken
    return state === 'done' && !frail ? found.unfinished : undefined
  }
  if (state === 'done' && found === 'absent') return 'was answered and is lost'
  if (state === 'undone' && found === 'present')
    return 'was refused, or not there, and now is there'
  return undefined
}

function isUnfinished(found: Found): boolean {
  return typeof found === 'object' && 'unfinished' in found
}

function isAgain({ deed }: Entry): boolean {
  return (deed as Partial<Import>).again !== undefined
}

function isUndoing({ deed }: Entry): boolean {
  return (deed as Partial<Undoing>).undoes !== undefined
}
