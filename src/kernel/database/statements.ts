import type { Database, RunResult, Statement } from 'better-sqlite3'
import { waitingForLock } from './lock-wait.ts'
import { type Transaction, transaction } from './transaction.ts'

/** The arguments of a statement: a list by position, or one object by name. */
type Given<P> = P extends unknown[] ? P : [P]
type Call<P, Answer> = (...given: Given<P>) => Answer
type Declared<Calls> = { [Name in keyof Calls]: (db: Database) => Calls[Name] }

/**
 * Declares the statements of a store, with the types of their parameters and answers. Returns a function
 * that binds them to a connection. Each is prepared at its first call.
 *
 * @example
 * const prepare = statements({
 *   byId: one<[id: string], Row>('SELECT … WHERE id = ?'),
 *   insert: run<Row>('INSERT … VALUES (@id, @name)'),
 * })
 */
export function statements<Calls extends Record<string, (...given: never[]) => unknown>>(
  declared: Declared<Calls>,
): (db: Database) => Calls {
  return (db) => {
    const calls = {} as Calls
    for (const name in declared) {
      let prepared: Calls[typeof name] | undefined
      const call = (...given: never[]) => {
        prepared ??= declared[name](db)
        return prepared(...given)
      }
      calls[name] = call as Calls[typeof name]
    }
    return calls
  }
}

/** Makes a base class for stores, whose instances have the declared statements as methods. */
export function storeOf<Calls extends Record<string, (...given: never[]) => unknown>>(
  declared: Declared<Calls>,
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

type Prepared = Statement<unknown[], unknown>

/**
 * A statement with a bare `LIMIT ?`. SQLite plans it again at each call with another value, which
 * takes several times as long as most calls themselves; it does not look into an expression.
 */
const LIMIT = /\bLIMIT [?@]\w*/g
const NAME = /@(\w+)/g

type Row = Readonly<Record<string, unknown>>

/** Declares a statement; `answer` runs the prepared statement and returns its result. */
function declare<P, Answer>(
  sql: string,
  answer: (prepared: Prepared, given: unknown[]) => unknown,
  prepare = (prepared: Prepared) => prepared,
) {
  return (db: Database) => {
    // Values by position: better-sqlite3 looks a name up for each value of each call.
    const names: string[] = []
    const planned = sql.replace(LIMIT, '$& + 0').replace(NAME, (_, name: string) => {
      names.push(name)
      return '?'
    })
    const prepared = prepare(db.prepare<unknown[], unknown>(planned))
    const valuesOf = ([row]: unknown[]) => names.map((name) => (row as Row)[name])
    const call = (...given: unknown[]) =>
      answer(prepared, names.length > 0 ? valuesOf(given) : given)
    const waiting = (...given: unknown[]) =>
      db.inTransaction ? call(...given) : waitingForLock(db, () => call(...given))
    return (prepared.readonly ? call : waiting) as Call<P, Answer>
  }
}

const first = (prepared: Prepared, given: unknown[]) => prepared.get(...given)
const every = (prepared: Prepared, given: unknown[]) => prepared.all(...given)
const plucked = (prepared: Prepared) => prepared.pluck()

/** Returns the first row, if there is one. */
export const one = <P, Row>(sql: string) => declare<P, Row | undefined>(sql, first)

/** Returns the first row; throws when there is none. */
export const only = <P, Row>(sql: string) =>
  declare<P, Row>(sql, (prepared, given) => {
    const row = prepared.get(...given)
    if (row === undefined) throw new Error(`There is no row: ${sql}`)
    return row
  })

export const all = <P, Row>(sql: string) => declare<P, Row[]>(sql, every)

/** Returns the first column of the first row, if there is one. */
export const value = <P, Value>(sql: string) => declare<P, Value | undefined>(sql, first, plucked)

/** Returns the first column of all rows. */
export const values = <P, Value>(sql: string) => declare<P, Value[]>(sql, every, plucked)

/** Returns the value of an aggregate, such as a count. */
export const count = <P>(sql: string) => declare<P, number>(sql, first, plucked)

export const exists = <P>(sql: string) =>
  declare<P, boolean>(sql, (prepared, given) => prepared.get(...given) !== undefined)

/** Writes. Returns the number of changed rows and the last inserted row. */
export const run = <P>(sql: string) =>
  declare<P, RunResult>(sql, (prepared, given) => prepared.run(...given))

/** Returns rows one by one. A statement cannot run while it is read, so each call prepares one. */
export const each =
  <P, Row>(sql: string) =>
  (db: Database): Call<P, IterableIterator<Row>> =>
  (...given) =>
    db.prepare<unknown[], Row>(sql).iterate(...given)
