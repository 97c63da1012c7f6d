import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FIELD_BITS, TEXTS_IN_BLOCK } from '../../../src/kernel/database/text-block.ts'
import { type PlacedWord, TextBlocks } from '../../../src/kernel/database/texts.ts'
import { Vocabulary } from '../../../src/naming/word-likeness.ts'
import { DatabaseError } from '../../../src/values/errors.ts'
import { scratch } from '../../support/scratch.ts'

/** Two texts in the first block, and one in the third. */
const WRITTEN = new Map([
  [1, textOf('a love supreme')],
  [3, textOf('love')],
  [2 * TEXTS_IN_BLOCK, textOf('naima')],
])

function textOf(title: string): PlacedWord[] {
  return title.split(' ').map((word) => ({ word, field: 2 }))
}

function connect(path: string) {
  const db = new Sqlite(path)
  onTestFinished(() => void db.close())
  return db
}

function written(path = ':memory:') {
  const db = connect(path)
  db.exec(`CREATE TABLE names_words (block INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
    CREATE TABLE names_postings (block INTEGER PRIMARY KEY, revision INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
    CREATE TABLE names (block INTEGER PRIMARY KEY, revision INTEGER NOT NULL, data BLOB NOT NULL) STRICT`)
  const texts = new TextBlocks(db, 'names')
  texts.writeTexts(WRITTEN)
  return { db, texts }
}

/** The text of a number, as words. */
function textAt(texts: TextBlocks, num: number): string {
  const held = texts.readTexts()
  const block = held.blockAt(Math.floor(num / TEXTS_IN_BLOCK)) as Uint32Array
  const at = num % TEXTS_IN_BLOCK
  const numbers = block.subarray(at === 0 ? TEXTS_IN_BLOCK : block[at - 1], block[at])
  return [...numbers].map((number) => held.words.wordOf(number >>> FIELD_BITS)).join(' ')
}

describe('TextBlocks', () => {
  it('hold what was written, and what is written later', () => {
    const { texts } = written()
    expect([1, 2, 3, 512].map((num) => textAt(texts, num))).toEqual([
      'a love supreme',
      '',
      'love',
      'naima',
    ])
    texts.writeTexts(new Map([[3, textOf('giant steps')]]))
    expect([1, 3].map((num) => textAt(texts, num))).toEqual(['a love supreme', 'giant steps'])
  })

  it('give a word one number, whoever writes it', () => {
    const path = join(scratch(), 'names.db')
    const { db, texts } = written(path)
    const other = new TextBlocks(connect(path), 'names')
    other.writeTexts(new Map([[4, textOf('giant love')]]))
    texts.writeTexts(new Map([[5, textOf('love giant')]]))
    other.writeTexts(new Map([[6, textOf('giant steps')]]))
    for (const each of [texts, other]) {
      expect([4, 5, 6].map((num) => textAt(each, num))).toEqual([
        'giant love',
        'love giant',
        'giant steps',
      ])
    }
    const { words } = new TextBlocks(db, 'names').readTexts()
    const all = Array.from({ length: words.length - 1 }, (_, i) => words.wordOf(i + 1))
    expect(all).toEqual(['a', 'love', 'supreme', 'naima', 'giant', 'steps'])
  })

  it('keep no word of a write that is rolled back, not even in a search that read it', () => {
    const { db, texts } = written()
    const vocabulary = new Vocabulary()
    const known = () => {
      vocabulary.updateWords(texts.readTexts().words)
      return ['giant', 'steps'].flatMap(
        (word) => vocabulary.fittingWords({ word, prefix: true }, false).nums,
      )
    }
    const fail = db.transaction(() => {
      texts.writeTexts(new Map([[3, textOf('giant steps')]]))
      expect(known()).toEqual([5, 6])
      throw new Error('no')
    })
    expect(fail).toThrow('no')
    texts.writeTexts(new Map([[4, textOf('steps')]]))
    expect(known()).toEqual([5])
    expect([3, 4].map((num) => textAt(texts, num))).toEqual(['love', 'steps'])
    expect(textAt(new TextBlocks(db, 'names'), 4)).toBe('steps')
  })

  it.each([
    ['an end of a text far behind its block', 'a block', 1, 0xffff_fff0],
    ['an end of a text before its beginning', 'a block', 3, 12],
    ['half a number', 'the length', 0, -2],
    ['less than its ends', 'the length', 0, -1100],
  ])('tell of damage at once: %s', (_what, how, at, value) => {
    const { db, texts } = written()
    const data = db
      .prepare<[], Buffer>('SELECT data FROM names WHERE block = 0')
      .pluck()
      .get() as Buffer
    const damaged = how === 'a block' ? Buffer.from(data) : data.subarray(0, data.length + value)
    if (how === 'a block') damaged.writeUInt32LE(value, 4 * at)
    db.prepare('UPDATE names SET data = ? WHERE block = 0').run(damaged)
    const told =
      'The database is damaged: block 0 of names is not as it was written; restore a backup.'
    expect(() => texts.checkTexts()).toThrow(new DatabaseError(told))
    expect(() => texts.blockAt(0)).toThrow(new DatabaseError(told))
    expect(() => texts.writeTexts(new Map([[2, textOf('naima')]]))).toThrow(new DatabaseError(told))
  })

  it.each([
    ['UPDATE names SET block = 99000000 WHERE block = 2', 'block 99000000 of names'],
    ['UPDATE names_words SET block = 4000000 WHERE block = 0', 'block 4000000 of names_words'],
  ])('tell of a number that no place has: %s', (damage, where) => {
    const { db } = written()
    db.exec(damage)
    expect(() => new TextBlocks(db, 'names').readTexts()).toThrow(
      `The database is damaged: ${where} is not as it was written`,
    )
  })
})
