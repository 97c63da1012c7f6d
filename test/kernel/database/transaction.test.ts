import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { setBusyTimeout } from '../../../src/kernel/database/lock-wait.ts'
import { openDatabase } from '../../../src/kernel/database/open.ts'
import { transaction } from '../../../src/kernel/database/transaction.ts'
import { scratch } from '../../support/scratch.ts'

function setUp() {
  const db = openDatabase(':memory:')
  onTestFinished(() => {
    db.close()
  })
  db.exec('CREATE TABLE notes (text TEXT)')
  const add = (text: string) => db.prepare('INSERT INTO notes VALUES (?)').run(text)
  const notes = () => db.prepare('SELECT text FROM notes').pluck().all()
  const synchronous = () => db.pragma('synchronous', { simple: true })
  return { db, atomically: transaction(db), add, notes, synchronous }
}

function failing(work: () => void): () => never {
  return () => {
    work()
    throw new Error('enough')
  }
}

describe('a transaction', () => {
  it('returns what its work returns, and undoes work that throws', () => {
    const { atomically, add, notes } = setUp()
    expect(atomically(() => add('a').changes)).toBe(1)
    expect(() => atomically(failing(() => add('b')))).toThrow('enough')
    expect(notes()).toEqual(['a'])
  })

  it('inside another one is undone alone', () => {
    const { atomically, add, notes } = setUp()
    atomically(() => {
      add('a')
      expect(() => atomically(failing(() => add('b')))).toThrow('enough')
      expect(() => atomically.step(failing(() => add('c')))).toThrow('enough')
      atomically.reading(() => add('d'))
    })
    expect(notes()).toEqual(['a', 'd'])
  })

  it('refuses work that returns a promise', () => {
    const { atomically, add, notes } = setUp()
    expect(() => atomically(async () => add('a'))).toThrow('cannot return a promise')
    expect(notes()).toEqual([])
  })

  it('waits for the disk, but not after a step', () => {
    const { atomically, synchronous } = setUp()
    const [normal, full] = [1, 2]
    expect(synchronous()).toBe(full)
    expect(atomically(synchronous)).toBe(full)
    expect(atomically.step(synchronous)).toBe(normal)
    expect(() => atomically.step(failing(() => {}))).toThrow('enough')
    expect(synchronous()).toBe(full)
    // A step is as durable as the transaction that it is a part of.
    expect(atomically(() => atomically.step(synchronous))).toBe(full)
  })

  it('keeps other connections from writing from its beginning, unless it only reads', () => {
    const path = join(scratch(), 'music.db')
    const [one, two] = [openDatabase(path), openDatabase(path)]
    onTestFinished(() => {
      one.close()
      two.close()
    })
    setBusyTimeout(two, 0)
    const writing = () => transaction(two)(() => 'written')
    transaction(one)(() => expect(writing).toThrow('locked'))
    transaction(one).step(() => expect(writing).toThrow('locked'))
    transaction(one).reading(() => expect(writing()).toBe('written'))
  })
})
