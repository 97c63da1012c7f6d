import type { Database, RunResult, Statement } from 'better-sqlite3'
import { runWithLock } from './lock-wait.ts'
import { type Transaction, transaction } from './transaction.ts'

type StatementArguments<P> = P extends unknown[] ? P : [P]
type StatementCall<P, Answer> = (...parameters: StatementArguments<P>) => Answer
type DeclaredCalls<Calls> = { [Name in keyof Calls]: (db: Database) => Calls[Name] }

/** Declares the statements of a store with their types; each is prepared at its first call. */
export function statements<Calls extends Record<string, (...parameters: never[]) => unknown>>(
  declared: DeclaredCalls<Calls>,
): (db: Database) => Calls {
  return (db) => {
    const calls = {} as Calls
    for (const name in declared) {
      let prepared: Calls[typeof name] | undefined
      const call = (...parameters: never[]) => {
        prepared ??= declared[name](db)
        return prepared(...parameters)
      }
      calls[name] = call as Calls[typeof name]
    }
    return calls
  }
}

/** A base class for stores, with the declared statements as methods. */
export function storeOf<Calls extends Record<string, (...parameters: never[]) => unknown>>(
  declared: DeclaredCalls<Calls>,
): new (
  db: Database,
) => Calls & { readonly db: Database; readonly atomically: Transaction } {
  const prepare = statements(declared)
  class Store {
    readonly db: Database
    readonly atomically: Transaction

    constructor(db: Database) {
      this.db = db
      this.atomically = transaction(db)
      Object.assign(this, prepare(db))
    }
  }
  return Store as new (
    db: Database,
  ) => Store & Calls
}

type PreparedStatement = Statement<unknown[], unknown>

/** SQLite plans a bare `LIMIT ?` again at each new value; it does not look into an expression. */
const LIMIT_PARAMETER = /\bLIMIT [?@]\w*/g
const NAMED_PARAMETER = /@(\w+)/g

type ParameterRow = Readonly<Record<string, unknown>>

function declareStatement<P, Answer>(
  sql: string,
  answer: (prepared: PreparedStatement, parameters: unknown[]) => unknown,
  prepare = (prepared: PreparedStatement) => prepared,
) {
  return (db: Database) => {
    // By position: better-sqlite3 looks a name up for each value.
    const names: string[] = []
    const planned = sql
      .replace(LIMIT_PARAMETER, '$& + 0')
      .replace(NAMED_PARAMETER, (_, name: string) => {
        names.push(name)
        return '?'
      })
    const prepared = prepare(db.prepare<unknown[], unknown>(planned))
    const valuesOf = ([row]: unknown[]) => names.map((name) => (row as ParameterRow)[name])
    const call = (...parameters: unknown[]) =>
      answer(prepared, names.length > 0 ? valuesOf(parameters) : parameters)
    const callWithLock = (...parameters: unknown[]) =>
      db.inTransaction ? call(...parameters) : runWithLock(db, () => call(...parameters))
    return (prepared.readonly ? call : callWithLock) as StatementCall<P, Answer>
  }
}

const firstRow = (prepared: PreparedStatement, parameters: unknown[]) => prepared.get(...parameters)
const everyRow = (prepared: PreparedStatement, parameters: unknown[]) => prepared.all(...parameters)
const pluckColumn = (prepared: PreparedStatement) => prepared.pluck()

/** Returns the first row, if there is one. */
export const one = <P, Row>(sql: string) => declareStatement<P, Row | undefined>(sql, firstRow)

export const only = <P, Row>(sql: string) =>
  declareStatement<P, Row>(sql, (prepared, parameters) => {
    const row = prepared.get(...parameters)
    if (row === undefined) throw new Error(`There is no row: ${sql}`)
    return row
  })

export const all = <P, Row>(sql: string) => declareStatement<P, Row[]>(sql, everyRow)

/** Returns the first column of the first row, if there is one. */
export const value = <P, Value>(sql: string) =>
  declareStatement<P, Value | undefined>(sql, firstRow, pluckColumn)

/** Returns the first column of all rows. */
export const values = <P, Value>(sql: string) =>
  declareStatement<P, Value[]>(sql, everyRow, pluckColumn)

export const count = <P>(sql: string) => declareStatement<P, number>(sql, firstRow, pluckColumn)

export const exists = <P>(sql: string) =>
  declareStatement<P, boolean>(
    sql,
    (prepared, parameters) => prepared.get(...parameters) !== undefined,
  )

/** Writes. Returns the number of changed rows and the last inserted row. */
export const run = <P>(sql: string) =>
  declareStatement<P, RunResult>(sql, (prepared, parameters) => prepared.run(...parameters))

/** A statement cannot run while it is read, so each call prepares one. */
export const each =
  <P, Row>(sql: string) =>
  (db: Database): StatementCall<P, IterableIterator<Row>> =>
  (...parameters) =>
    db.prepare<unknown[], Row>(sql).iterate(...parameters)
