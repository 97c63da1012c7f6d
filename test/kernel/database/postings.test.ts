import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { FIELD_BITS, TEXTS_IN_BLOCK } from '../../../src/kernel/database/text-block.ts'
import { type PlacedWord, TextBlocks } from '../../../src/kernel/database/texts.ts'
import { seeded } from '../../support/music.ts'
import { scratch } from '../../support/scratch.ts'

const TABLES = `CREATE TABLE IF NOT EXISTS names_words (block INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS names (block INTEGER PRIMARY KEY, revision INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS names_postings (block INTEGER PRIMARY KEY, revision INTEGER NOT NULL, data BLOB NOT NULL) STRICT`

function opened(path: string) {
  const db = new Sqlite(path)
  onTestFinished(() => void db.close())
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = OFF')
  db.exec(TABLES)
  return { db, texts: new TextBlocks(db, 'names') }
}

const textOf = (words: readonly string[]): PlacedWord[] => words.map((word) => ({ word, field: 1 }))

/** The texts with all the words: what the postings give, each looked at. */
function withWords(texts: TextBlocks, words: readonly string[]): number[] {
  const held = texts.readTexts()
  const nums = words.map((word) => held.words.numberOf(word))
  const wordsAt = (row: number): number[] => {
    const block = held.blockAt(Math.floor(row / TEXTS_IN_BLOCK))
    const place = row % TEXTS_IN_BLOCK
    const start = place === 0 ? TEXTS_IN_BLOCK : block?.[place - 1]
    return [...(block?.subarray(start, block[place]) ?? [])].map((packed) => packed >>> FIELD_BITS)
  }
  return held
    .withAll(nums.map((num) => [num]))
    .filter((row) => nums.every((num) => wordsAt(row).includes(num)))
}

const segmentsIn = (db: Sqlite.Database) =>
  db.prepare('SELECT block FROM names_postings ORDER BY block').pluck().all()

/** Five thousand texts of three words, and what they are. */
function manyTexts(count = 5000): Map<number, PlacedWord[]> {
  return new Map(
    Array.from({ length: count }, (_, num) => [
      num,
      textOf([`w${num % 7}`, `w${(num % 11) + 3}`, `only${num}`]),
    ]),
  )
}

it('finds texts by words, whichever connection wrote, changed or rolled back what', () => {
  const path = join(scratch(), 'names.db')
  const pair = [opened(path), opened(path)]
  const random = seeded(3)
  const model = new Map<number, string[]>()
  const write = (side: (typeof pair)[number], texts: Map<number, PlacedWord[] | undefined>) => {
    side.texts.writeTexts(texts)
    for (const [num, text] of texts)
      model.set(
        num,
        (text ?? []).map(({ word }) => word),
      )
  }
  const expected = (words: readonly string[]) =>
    [...model]
      .filter(([, text]) => words.every((word) => text.includes(word)))
      .map(([num]) => num)
      .sort((a, b) => a - b)
  write(pair[0]!, manyTexts())
  for (let step = 0; step < 24; step++) {
    const side = pair[step % 2]!
    const changed = new Map(
      Array.from({ length: 30 }, () => {
        const num = Math.floor(random() * 40_000)
        const words = [`w${Math.floor(random() * 14)}`, `new${step}`, `w${num % 5}`]
        return [num, random() < 0.2 ? undefined : textOf(words)] as const
      }),
    )
    if (random() < 0.3) {
      const undone = side.db.transaction(() => {
        side.texts.writeTexts(changed)
        // A search inside it reads what is undone.
        side.texts.withAll([[side.texts.words.numberOf(`new${step}`)]])
        throw new Error('no')
      })
      expect(undone).toThrow('no')
    } else write(side, changed)
    for (const { texts } of pair) {
      for (const words of [['w3'], ['w1', 'w4'], [`new${step}`], ['only17'], ['w9', 'only20']]) {
        expect(withWords(texts, words)).toEqual(expected(words))
      }
    }
  }
})

it('stores the texts of words with those texts, so that a new reader makes nothing', () => {
  const { db, texts } = opened(join(scratch(), 'names.db'))
  texts.writeTexts(new Map([[1, textOf(['few'])]]))
  expect(segmentsIn(db)).toEqual([])
  texts.writeTexts(manyTexts(20_000))
  expect(segmentsIn(db)).toEqual([0])
  texts.writeTexts(new Map([...manyTexts(4096)].map(([num, text]) => [num + 16_384, text])))
  expect(segmentsIn(db)).toEqual([0, 1])
  const later = new TextBlocks(db, 'names').readTexts()
  const rows = later.withAll([[later.words.numberOf('only77')]])
  // Only those whose blocks are as new as their segment are told apart.
  expect(rows).toEqual([77, 16_384 + 77])
})

it('finds a text that was written alone, and not by the words that it had', () => {
  const { texts } = opened(join(scratch(), 'names.db'))
  texts.writeTexts(manyTexts())
  texts.writeTexts(new Map([[77, textOf(['other'])]]))
  expect(withWords(texts, ['other'])).toEqual([77])
  expect(withWords(texts, ['only77'])).toEqual([])
  expect(withWords(texts, ['only78'])).toEqual([78])
})

it('makes a segment again in memory when many of its texts changed', () => {
  const path = join(scratch(), 'names.db')
  const { texts } = opened(path)
  const reader = opened(path).texts
  texts.writeTexts(manyTexts())
  // Few blocks a write, so that none of the writes makes a segment.
  for (let block = 0; block < 15; block++) {
    texts.writeTexts(new Map([[block * TEXTS_IN_BLOCK, textOf(['changed'])]]))
  }
  const { words } = reader.readTexts()
  expect(reader.withAll([[words.numberOf('changed')]]).length).toBe(15 * TEXTS_IN_BLOCK)
  expect(withWords(reader, ['changed']).length).toBe(15)
})

it.each([
  ['a word twice', 3, 1],
  ['an end behind the places', 9, 4_000_000],
])('tells of damage: %s', (_what, at, value) => {
  const { db, texts } = opened(join(scratch(), 'names.db'))
  texts.writeTexts(manyTexts(4096))
  const data = db.prepare<[], Buffer>('SELECT data FROM names_postings').pluck().get() as Buffer
  const [, count = 0] = new Uint32Array(new Uint8Array(data).buffer, 0, 2)
  data.writeUInt32LE(value, 4 * (at === 3 ? at : 2 + 2 * count - 1))
  db.prepare('UPDATE names_postings SET data = ?').run(data)
  const told = 'The database is damaged: block 0 of names_postings is not as it was written'
  expect(() => new TextBlocks(db, 'names').checkTexts()).toThrow(told)
})

it('keeps words of any letters, and the first 1,000 letters of long ones', () => {
  const { db, texts } = opened(join(scratch(), 'names.db'))
  const words = ['', '𝒳yz', 'ёлка', 'ü', 'x'.repeat(5000), '\ud800']
  texts.writeTexts(new Map([[1, textOf(words)]]))
  texts.writeTexts(new Map([[2, textOf(Array.from({ length: 3000 }, (_, i) => `n${i}`))]]))
  const later = new TextBlocks(db, 'names').readTexts().words
  expect(later.length).toBe(1 + words.length + 3000)
  for (const [i, word] of words.entries()) {
    expect(later.numberOf(word)).toBe(i + 1)
    expect(later.wordOf(i + 1)).toBe(word.slice(0, 1000))
  }
  expect(later.numberOf('n2999')).toBe(words.length + 3000)
  expect(later.numberOf('n3000')).toBe(0)
})
