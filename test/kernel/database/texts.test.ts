import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  FIELD_BITS,
  type PlacedWord,
  TEXTS_IN_BLOCK,
  TextBlocks,
} from '../../../src/kernel/database/texts.ts'
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
  db.exec(`CREATE TABLE names_words (num INTEGER PRIMARY KEY, word TEXT NOT NULL) STRICT;
    CREATE TABLE names (block INTEGER PRIMARY KEY, revision INTEGER NOT NULL, data BLOB NOT NULL) STRICT`)
  const texts = new TextBlocks(db, 'names')
  texts.writeTexts(WRITTEN)
  return { db, texts }
}

/** The text of a number, as words. */
function textAt(texts: TextBlocks, num: number): string {
  const { words, blocks } = texts.readTexts()
  const block = blocks[Math.floor(num / TEXTS_IN_BLOCK)] as Uint32Array
  const at = num % TEXTS_IN_BLOCK
  const numbers = block.subarray(at === 0 ? TEXTS_IN_BLOCK : block[at - 1], block[at])
  return [...numbers].map((number) => words[number >>> FIELD_BITS]).join(' ')
}

describe('Texts', () => {
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
    const words = db.prepare('SELECT word FROM names_words ORDER BY num').pluck().all()
    expect(words).toEqual(['a', 'love', 'supreme', 'naima', 'giant', 'steps'])
  })

  it('keep no word of a write that is rolled back, not even in a search that read it', () => {
    const { db, texts } = written()
    const vocabulary = new Vocabulary()
    const known = () => {
      vocabulary.update(texts.readTexts().words)
      const found: number[] = []
      for (const word of ['giant', 'steps']) {
        vocabulary.eachFitting({ word, prefix: false }, false, (num) => found.push(num))
      }
      return found
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
    expect(() => texts.readTexts()).toThrow(new DatabaseError(told))
    expect(() => texts.writeTexts(new Map([[2, textOf('naima')]]))).toThrow(new DatabaseError(told))
  })

  it.each([
    ['UPDATE names SET block = 99000000 WHERE block = 2', 'block 99000000 of names'],
    [
      "UPDATE names_words SET num = 4000000000 WHERE word = 'naima'",
      'word 4000000000 of names_words',
    ],
  ])('tell of a number that no place has: %s', (damage, where) => {
    const { db, texts } = written()
    db.exec(damage)
    expect(() => texts.readTexts()).toThrow(
      `The database is damaged: ${where} is not as it was written`,
    )
  })
})
