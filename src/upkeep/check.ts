import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { callTurn } from '../kernel/scheduler.ts'
import type { UpkeepRoom } from './room.ts'

const parameters = z.strictObject({
  /** The name of the work in `upkeep` events, which tell its progress. */
  task: z.string().optional(),
})

/** Something in the database that is not as it should be. */
export interface CheckProblem {
  /**
   * `integrity`: SQLite cannot make sense of pages or an index; `foreign_key`: a row names another
   * one that is gone; `total`: a catalog's count is not that of its items; `audio`: kept bytes of a
   * track are not in their folder.
   */
  kind: 'integrity' | 'foreign_key' | 'total' | 'audio'
  /** The table it is in, where there is one. */
  table?: string
  /** What is wrong, in words. */
  message: string
}

/** What `check` found. */
export interface CheckReport {
  /** Whether there are no problems. */
  ok: boolean
  /** At most 100 of each kind and table. */
  problems: CheckProblem[]
  /** The number of the database's schema. */
  schema: number
  /** The size of the database. */
  bytes: number
  /** Of pages that hold nothing; `vacuum` gives them back. */
  freeBytes: number
}

/** Files of kept audio that are looked for between two looks at the signal. */
const FILES = 100
const MOST = 100

/** `upkeep/check` (ours): reads the whole database, table by table, and tells what is wrong in it. */
export const check = method({
  name: 'upkeep/check',
  parameters,
  async run({ store, audio, emit }: UpkeepRoom, { task }, { signal }): Promise<CheckReport> {
    const problems: CheckProblem[] = []
    const tables = attempt(() => store.tables(), problems, 'sqlite_schema') ?? []
    for (const [done, table] of tables.entries()) {
      await callTurn(signal)
      if (task !== undefined) emit('upkeep', { task, done, total: tables.length + 1 })
      for (const message of attempt(() => store.faultsOf(table), problems, table) ?? []) {
        problems.push({ kind: 'integrity', table, message })
      }
      for (const { rowid, parent } of attempt(() => store.danglingOf(table), problems, table) ??
        []) {
        const message = `row ${rowid ?? '?'} names a row of ${parent} that is not there`
        problems.push({ kind: 'foreign_key', table, message })
      }
    }
    for (const { id, total, items } of attempt(() => store.miscounted(), problems, 'catalogs') ??
      []) {
      const message = `${id} should have ${total} items, and has ${items}`
      problems.push({ kind: 'total', table: 'catalogs', message })
    }
    let lost = 0
    for (let after = ''; lost < MOST; ) {
      signal.throwIfAborted()
      const names = attempt(() => store.keptAfter(after, FILES), problems, 'tracks') ?? []
      for (const md5 of names) {
        if (await audio.has(md5)) continue
        lost++
        const message = `the kept audio ${md5} is lost; its track can be played and analysed no more`
        problems.push({ kind: 'audio', table: 'tracks', message })
      }
      const last = names.at(-1)
      if (last === undefined) break
      after = last
    }
    if (task !== undefined) emit('upkeep', { task, done: 1, total: 1 })
    return { ok: problems.length === 0, problems, schema: store.schema(), ...store.size() }
  },
})

/** What a question finds; a database too damaged to be asked it has one problem more. */
function attempt<T>(ask: () => T, problems: CheckProblem[], table: string): T | undefined {
  try {
    return ask()
  } catch (error) {
    if (!(error instanceof Error && error.name === 'SqliteError')) throw error
    problems.push({ kind: 'integrity', table, message: error.message })
    return undefined
  }
}
