import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '../../../src/kernel/database/open.ts'
import {
  all,
  count,
  each,
  exists,
  one,
  only,
  run,
  statements,
  storeOf,
  value,
  values,
} from '../../../src/kernel/database/statements.ts'

interface Note {
  id: number
  text: string
}

const prepare = statements({
  add: run<Note>('INSERT INTO notes (id, text) VALUES (@id, @text)'),
  byId: one<[id: number], Note>('SELECT id, text FROM notes WHERE id = ?'),
  ofId: only<[id: number], Note>('SELECT id, text FROM notes WHERE id = ?'),
  between: all<{ first: number; last: number }, Note>(
    'SELECT id, text FROM notes WHERE id BETWEEN @first AND @last ORDER BY id',
  ),
  text: value<[id: number], string>('SELECT text FROM notes WHERE id = ?'),
  ids: values<[], number>('SELECT id FROM notes ORDER BY id'),
  walk: each<[], Note>('SELECT id, text FROM notes ORDER BY id'),
})

function setUp() {
  const db = openDatabase(':memory:')
  onTestFinished(() => {
    db.close()
  })
  db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)')
  const sql = prepare(db)
  const [a, b] = [
    { id: 1, text: 'a' },
    { id: 2, text: 'b' },
  ] as const
  return { db, sql, a, b }
}

describe('statements', () => {
  it('answer what they are declared to', () => {
    const { sql, a, b } = setUp()
    expect(sql.add(a)).toEqual({ changes: 1, lastInsertRowid: 1 })
    sql.add(b)
    expect(sql.byId(1)).toEqual(a)
    expect(sql.byId(3)).toBeUndefined()
    expect(sql.ofId(2)).toEqual(b)
    expect(() => sql.ofId(3)).toThrow('There is no row: SELECT')
    expect(sql.between({ first: 1, last: 2 })).toEqual([a, b])
    expect(sql.text(2)).toBe('b')
    expect(sql.text(3)).toBeUndefined()
    expect(sql.ids()).toEqual([1, 2])
    // One walk does not end another.
    expect([...sql.walk()].map(() => [...sql.walk()].length)).toEqual([2, 2])
  })

  it('are prepared once, at their first call', () => {
    const { db, a } = setUp()
    const spy = vi.spyOn(db, 'prepare')
    const sql = prepare(db)
    expect(spy).toHaveBeenCalledTimes(0)
    sql.add(a)
    for (let i = 0; i < 3; i++) sql.byId(1)
    expect(spy).toHaveBeenCalledTimes(2)
  })

  it('are planned once, whatever LIMIT they get', () => {
    const { db } = setUp()
    // Much to plan, nothing to read.
    const much = Array.from({ length: 60 }, () => 'SELECT id FROM notes WHERE text = @text')
    const sql = statements({
      first: values<{ text: string; most: number }, number>(
        `${much.join(' UNION ALL ')} LIMIT @most`,
      ),
    })(db)
    const timeOf = (work: () => unknown) => {
      const begun = process.cpuUsage()
      work()
      const { user, system } = process.cpuUsage(begun)
      return user + system
    }
    const most = Array.from({ length: 100 }, (_, i) => i)
    const planned = timeOf(() => most.map(() => db.prepare(much.join(' UNION ALL '))))
    const called = timeOf(() => most.map((one) => sql.first({ text: 'a', most: one })))
    expect(called).toBeLessThan(planned / 2)
  })
})

it('are the methods of a store, beside its own', () => {
  class Notes extends storeOf({
    insert: run<Note>('INSERT INTO notes (id, text) VALUES (@id, @text)'),
    count: count<[]>('SELECT count(*) FROM notes'),
    has: exists<[text: string]>('SELECT 1 FROM notes WHERE text = ?'),
  }) {
    add(...notes: Note[]): number {
      return this.atomically(() => {
        for (const note of notes) this.insert(note)
        return this.count()
      })
    }
  }
  const { db, a, b } = setUp()
  const notes = new Notes(db)
  expect(notes.add(a, b)).toBe(2)
  expect([notes.has('a'), notes.has('c')]).toEqual([true, false])
  expect(() => notes.add({ id: 3, text: 'c' }, a)).toThrow('UNIQUE')
  expect(notes.count()).toBe(2)
})
