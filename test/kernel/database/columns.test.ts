import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Columns } from '../../../src/kernel/database/columns.ts'
import { seeded } from '../../support/music.ts'
import { scratch } from '../../support/scratch.ts'

const LAYOUT = { small: 'u8', wide: 'f64', year: 'i16', place: 'i32' } as const
type Name = keyof typeof LAYOUT
type Values = Record<Name, number>

const TABLE = `CREATE TABLE IF NOT EXISTS numbers (
  block INTEGER PRIMARY KEY, revision INTEGER NOT NULL, data BLOB NOT NULL) STRICT`

function connect(path = ':memory:') {
  const db = new Sqlite(path)
  onTestFinished(() => void db.close())
  db.pragma('journal_mode = WAL')
  // No test cuts the power.
  db.pragma('synchronous = OFF')
  db.exec(TABLE)
  return { db, columns: new Columns(db, 'numbers', LAYOUT) }
}

const write = (columns: Columns<Name>, rows: ReadonlyMap<number, Values | undefined>) =>
  columns.writeRows(rows, (values, name) => values[name])

const row = (wide: number, more: Partial<Values> = {}): Values => ({
  small: 1,
  wide,
  year: -1977,
  place: 70_000,
  ...more,
})

const rowAt = (columns: Columns<Name>, num: number): Values => {
  const { columns: held } = columns.readColumns()
  return Object.fromEntries(
    Object.entries(held).map(([name, values]) => [name, values[num]]),
  ) as Values
}

const NOTHING = { small: 0, wide: 0, year: 0, place: 0 }

describe('Columns', () => {
  it('are empty at first', () => {
    const { columns } = connect()
    expect(columns.revision).toBe(0)
    expect(columns.readColumns().length).toBe(0)
    write(columns, new Map())
    expect(columns.readColumns().length).toBe(0)
  })

  it('hold what was written, of every type', () => {
    const { columns } = connect()
    const values = { small: 255, wide: Math.PI, year: 9999, place: -(2 ** 31) }
    write(columns, new Map([[7, values]]))
    expect(rowAt(columns, 7)).toEqual(values)
    expect(rowAt(columns, 6)).toEqual(NOTHING)
    write(columns, new Map([[8, row(Number.NaN)]]))
    expect(rowAt(columns, 8).wide).toBeNaN()
    expect(rowAt(columns, 7)).toEqual(values)
  })

  it('are the same for whoever comes later', () => {
    const path = join(scratch(), 'numbers.db')
    const { columns } = connect(path)
    for (const num of [0, 1, 511, 512, 5000]) write(columns, new Map([[num, row(num + 0.5)]]))
    const later = connect(path).columns
    for (const num of [0, 1, 511, 512, 5000]) expect(rowAt(later, num)).toEqual(row(num + 0.5))
    expect(later.readColumns().length).toBeGreaterThan(5000)
  })

  it('write only the blocks of the rows that change', () => {
    const { db, columns } = connect()
    write(
      columns,
      new Map([
        [3, row(3)],
        [511, row(511)],
        [512, row(512)],
        [1700, row(1700)],
      ]),
    )
    const revisions = db.prepare('SELECT block, revision FROM numbers ORDER BY block').raw()
    expect(revisions.all()).toEqual([
      [0, 1],
      [1, 1],
      [3, 1],
    ])
    write(columns, new Map([[600, row(600)]]))
    expect(revisions.all()).toEqual([
      [0, 1],
      [1, 2],
      [3, 1],
    ])
    expect(rowAt(columns, 512)).toEqual(row(512))
    expect(rowAt(columns, 600)).toEqual(row(600))
  })

  it('grow without losing what they hold, and leave what was read before as it was', () => {
    const { columns } = connect()
    write(columns, new Map([[0, row(0.25)]]))
    const before = columns.readColumns()
    expect(before.length).toBe(512)
    for (let num = 512; num < 40_000; num += 512) {
      write(columns, new Map([[num, row(num)]]))
      expect(columns.readColumns().length).toBe(num + 512)
    }
    expect(before.columns.wide[0]).toBe(0.25)
    for (let num = 512; num < 40_000; num += 512) expect(rowAt(columns, num).wide).toBe(num)
    expect(rowAt(columns, 0).wide).toBe(0.25)
    const { length, columns: held } = columns.readColumns()
    for (const values of Object.values(held)) expect(values.length).toBeGreaterThanOrEqual(length)
  })

  it('take rows far apart, and what lies between is nothing', () => {
    const { db, columns } = connect()
    write(columns, new Map([[1_000_000, row(1)]]))
    expect(db.prepare('SELECT count(*) FROM numbers').pluck().get()).toBe(1)
    expect(rowAt(columns, 1_000_000)).toEqual(row(1))
    expect(rowAt(columns, 999_000)).toEqual(NOTHING)
  })

  it('clear a row, and no other', () => {
    const { columns } = connect()
    write(
      columns,
      new Map([
        [1, row(1)],
        [2, row(2)],
      ]),
    )
    expect(rowAt(columns, 1).wide).toBe(1)
    write(columns, new Map([[1, undefined]]))
    expect(rowAt(columns, 1)).toEqual(NOTHING)
    expect(rowAt(columns, 2)).toEqual(row(2))
    // One that was never there.
    write(columns, new Map([[9000, undefined]]))
    expect(rowAt(columns, 9000)).toEqual(NOTHING)
  })

  it('see at once what another connection writes', () => {
    const path = join(scratch(), 'numbers.db')
    const [one, two] = [connect(path), connect(path)]
    write(one.columns, new Map([[1, row(1)]]))
    expect(rowAt(two.columns, 1).wide).toBe(1)
    write(two.columns, new Map([[2, row(2)]]))
    write(one.columns, new Map([[2000, row(2000)]]))
    for (const { columns } of [one, two]) {
      expect([1, 2, 2000].map((num) => rowAt(columns, num).wide)).toEqual([1, 2, 2000])
    }
    expect(one.columns.revision).toBe(3)
    expect(two.columns.revision).toBe(3)
  })

  it('grow in revision with each change, whoever makes it', () => {
    const path = join(scratch(), 'numbers.db')
    const pair = [connect(path).columns, connect(path).columns] as const
    let last = 0
    for (let i = 0; i < 10; i++) {
      write(pair[i % 2] as Columns<Name>, new Map([[i % 3, row(i)]]))
      expect(pair[0].revision).toBeGreaterThan(last)
      expect(pair[1].revision).toBe(pair[0].revision)
      last = pair[0].revision
    }
  })

  it('keep nothing of a write that is rolled back', () => {
    const path = join(scratch(), 'numbers.db')
    const { db, columns } = connect(path)
    write(columns, new Map([[1, row(1)]]))
    expect(rowAt(columns, 1).wide).toBe(1)
    const fail = db.transaction(() => {
      write(columns, new Map([[1, row(100)]]))
      throw new Error('no')
    })
    expect(fail).toThrow('no')
    expect(rowAt(columns, 1).wide).toBe(1)
    const other = connect(path).columns
    write(other, new Map([[2, row(2)]]))
    expect(rowAt(columns, 2).wide).toBe(2)
  })

  it('keep nothing of it when it was read in between', () => {
    const path = join(scratch(), 'numbers.db')
    const { db, columns } = connect(path)
    const other = connect(path).columns
    write(columns, new Map([[1, row(1)]]))
    expect(rowAt(columns, 1).wide).toBe(1)
    const fail = db.transaction(() => {
      write(
        columns,
        new Map([
          [1, row(100)],
          [600, row(600)],
        ]),
      )
      expect(rowAt(columns, 1).wide).toBe(100)
      throw new Error('no')
    })
    expect(fail).toThrow('no')
    expect(rowAt(columns, 1).wide).toBe(1)
    expect(rowAt(columns, 600)).toEqual(NOTHING)
    // Its revision is given again, to another change.
    write(other, new Map([[2, row(2)]]))
    expect(rowAt(columns, 2).wide).toBe(2)
    expect(rowAt(columns, 1).wide).toBe(1)
  })

  it('keep nothing of it when they are written again before they are read', () => {
    const { db, columns } = connect()
    const fail = db.transaction(() => {
      write(columns, new Map([[600, row(600)]]))
      expect(rowAt(columns, 600).wide).toBe(600)
      throw new Error('no')
    })
    expect(fail).toThrow('no')
    write(columns, new Map([[1, row(1)]]))
    expect(rowAt(columns, 1).wide).toBe(1)
    expect(columns.readColumns().length).toBe(512)
  })

  it('read one state of the database while another connection writes', () => {
    const path = join(scratch(), 'numbers.db')
    const [one, two] = [connect(path), connect(path)]
    write(one.columns, new Map([[1, row(1)]]))
    two.db.transaction(() => {
      expect(rowAt(two.columns, 1).wide).toBe(1)
      write(one.columns, new Map([[1, row(5)]]))
      expect(rowAt(two.columns, 1).wide).toBe(1)
    })()
    expect(rowAt(two.columns, 1).wide).toBe(5)
  })

  it('are what a plain map is, whatever is written from two sides', () => {
    const path = join(scratch(), 'numbers.db')
    const pair = [connect(path), connect(path)]
    const random = seeded(31)
    const model = new Map<number, Values>()
    for (let step = 0; step < 300; step++) {
      const { db, columns } = pair[step % 2] as (typeof pair)[number]
      const rows = new Map<number, Values | undefined>()
      const count = 1 + Math.floor(random() * 20)
      for (let i = 0; i < count; i++) {
        const num = Math.floor(random() ** 3 * 5000)
        rows.set(num, random() < 0.2 ? undefined : row(random(), { year: step }))
      }
      const kept = random() < 0.8
      const work = db.transaction(() => {
        write(columns, rows)
        if (random() < 0.5) columns.readColumns()
        if (!kept) throw new Error('no')
      })
      if (kept) {
        work()
        for (const [num, values] of rows) {
          if (values) model.set(num, values)
          else model.delete(num)
        }
      } else {
        expect(work).toThrow('no')
      }
      const reader = (pair[Math.floor(random() * 2)] as (typeof pair)[number]).columns
      for (const num of [...rows.keys(), Math.floor(random() * 5000)]) {
        expect(num < reader.readColumns().length ? rowAt(reader, num) : NOTHING).toEqual(
          model.get(num) ?? NOTHING,
        )
      }
    }
    for (const { columns } of pair) {
      const { length, columns: held } = columns.readColumns()
      const numbers = Array.from({ length }, (_, num) => num)
      for (const name of Object.keys(LAYOUT) as Name[]) {
        expect(Array.from(held[name].subarray(0, length))).toEqual(
          numbers.map((num) => model.get(num)?.[name] ?? 0),
        )
      }
    }
  })

  it.each([
    ['UPDATE numbers SET data = substr(data, 9)', 'block 0', 8],
    ['UPDATE numbers SET block = 4194304', 'block 4194304', 2 ** 31 + 8],
  ])('tell of damage: %s', (damage, where, num) => {
    const { db, columns } = connect()
    write(columns, new Map([[7, row(1)]]))
    db.exec(damage)
    const told = `The database is damaged: ${where} of numbers is not as it was written; restore a backup.`
    expect(() => columns.readColumns()).toThrow(told)
    expect(() => write(columns, new Map([[num, row(1)]]))).toThrow(told)
  })
})
