import { access } from 'node:fs/promises'
import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { callTurn } from '../kernel/scheduler.ts'
import type { UpkeepRoom } from './room.ts'

/** Something wrong in the database. */
export interface CheckProblem {
  /**
   * `integrity`: pages, an index or a block of names are damaged; `foreign_key`: a row refers to a missing row;
   * `total`: the count of a catalog differs from its items; `audio`: a track's kept audio is missing.
   */
  kind: 'integrity' | 'foreign_key' | 'total' | 'audio'
  /** The table it is in, if it is in one. */
  table?: string
  /** A description of the problem. */
  message: string
}

/** The result of `check`. */
export interface CheckReport {
  /** Whether there are no problems. */
  ok: boolean
  /** At most 100 of each kind and table. */
  problems: CheckProblem[]
  /** The version of the database's schema. */
  schema: number
  /** The size of the database. */
  bytes: number
  /** Bytes of empty pages; `vacuum` frees them. */
  freeBytes: number
}

const MAX_PROBLEMS = 100

/** `upkeep/check` (ours): reads the whole database, table by table, and reports what is wrong in it. */
export const checkDatabase = method({
  name: 'upkeep/check',
  parameters: z.strictObject({
    /** Names the task in `upkeep` events, which report its progress. */
    task: z.string().optional(),
  }),
  async run({ store, uploads, emit }: UpkeepRoom, { task }, { signal }): Promise<CheckReport> {
    const problems: CheckProblem[] = []
    const tables = queryOrReport(() => store.tables(), problems, 'sqlite_schema')
    for (const [done, table] of tables.entries()) {
      await callTurn(signal)
      if (task !== undefined) emit('upkeep', { task, done, total: tables.length + 1 })
      for (const message of queryOrReport(() => store.faultsOf(table), problems, table)) {
        problems.push({ kind: 'integrity', table, message })
      }
      for (const { rowid, parent } of queryOrReport(
        () => store.danglingOf(table),
        problems,
        table,
      )) {
        const message = `row ${rowid ?? '?'} names a row of ${parent} that is not there`
        problems.push({ kind: 'foreign_key', table, message })
      }
    }
    for (const { id, total, items } of queryOrReport(
      () => store.miscounted(),
      problems,
      'catalogs',
    )) {
      const message = `${id} should have ${total} items, and has ${items}`
      problems.push({ kind: 'total', table: 'catalogs', message })
    }
    try {
      let lostFiles = 0
      for (const md5 of store.cachedMd5s()) {
        signal.throwIfAborted()
        if (await fileExists(uploads.pathOf(md5))) continue
        const message = `the kept audio ${md5} is lost; its track can be played and analysed no more`
        problems.push({ kind: 'audio', table: 'tracks', message })
        if (++lostFiles === MAX_PROBLEMS) break
      }
    } catch (error) {
      problems.push(damageProblem(error, 'tracks'))
    }
    if (task !== undefined) emit('upkeep', { task, done: 1, total: 1 })
    return {
      ok: problems.length === 0,
      problems,
      schema: store.schemaVersion(),
      ...store.readSize(),
    }
  },
})

function fileExists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** If the database is too damaged for a query, that is one more problem. */
function queryOrReport<T>(query: () => T[], problems: CheckProblem[], table: string): T[] {
  try {
    return query()
  } catch (error) {
    problems.push(damageProblem(error, table))
    return []
  }
}

/** Any other error than SQLite's is thrown. */
function damageProblem(error: unknown, table: string): CheckProblem {
  if (!(error instanceof Error && error.name === 'SqliteError')) throw error
  return { kind: 'integrity', table, message: error.message }
}
