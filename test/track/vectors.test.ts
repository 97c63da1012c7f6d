import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeSound } from '../../src/analysis/descriptor.ts'
import type { AnalysisDocument } from '../../src/analysis/document.ts'
import { soundDistance } from '../../src/analysis/sound-distance.ts'
import { estimatedDistance, soundVector, VECTOR_LENGTH } from '../../src/analysis/sound-vector.ts'
import { type Database, openDatabase } from '../../src/kernel/database/open.ts'
import { transaction } from '../../src/kernel/database/transaction.ts'
import { TrackVectors } from '../../src/track/vectors.ts'
import { gaussian, pick, seeded, whole } from '../support/chance.ts'
import { addTracks, madeDocument, mixLibrary } from '../support/mix-library.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

const BLOCK = 512

/** A vector of small numbers by chance. */
function someVector(random: () => number): Int8Array {
  const vector = Int8Array.from({ length: VECTOR_LENGTH }, () => whole(random, -127, 128))
  vector[VECTOR_LENGTH - 1] = 1
  return vector
}

function squared(one: Int8Array, other: Int8Array): number {
  return one.reduce((sum, value, k) => sum + (value - other[k]!) ** 2, 0)
}

/** The vectors of a database, as another process would read them. */
function vectorsIn(database: string): { db: Database; vectors: TrackVectors } {
  const db = openDatabase(database)
  const vectors = new TrackVectors(db)
  vectors.refresh()
  return { db, vectors }
}

describe('the vectors of the library', () => {
  it('have the distances of a plain sum, in WebAssembly and without', () => {
    const { db, vectors } = vectorsIn(':memory:')
    const random = seeded(3)
    const rows = new Map<number, Int8Array>()
    // The extremes too: 48 differences of 254 do not fit in 16 bits.
    rows.set(0, new Int8Array(VECTOR_LENGTH).fill(-127))
    rows.set(1, new Int8Array(VECTOR_LENGTH).fill(127))
    for (let num = 2; num < 1_300; num++) if (num % 7 !== 0) rows.set(num, someVector(random))
    vectors.writeVectors(rows)
    expect(vectors.refresh()).toBe(3 * BLOCK)
    for (const query of [rows.get(0)!, rows.get(1)!, rows.get(2)!, someVector(random)]) {
      const all = [...vectors.squaredDistances(query, 0, 1_300)]
      for (const [num, vector] of rows) {
        expect(all[num]).toBe(squared(query, vector))
        expect(vectors.squaredDistance(num, query)).toBe(squared(query, vector))
      }
      expect([...vectors.squaredDistances(query, 600, 50)]).toEqual(all.slice(600, 650))
    }
    expect(vectors.vectorOf(2)).toEqual(rows.get(2))
    expect([vectors.has(2), vectors.has(7), vectors.has(1_299), vectors.has(3 * BLOCK)]).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect(vectors.vectorOf(7)).toBeUndefined()
    db.close()
  })

  it('are written in the transaction that changes tracks, or not at all', () => {
    const database = join(scratch(), 'music.db')
    const { db, vectors } = vectorsIn(database)
    const vector = someVector(seeded(1))
    expect(() =>
      transaction(db)(() => {
        vectors.writeVectors(new Map([[4, vector]]))
        throw new Error('no')
      }),
    ).toThrow('no')
    vectors.refresh()
    expect(vectors.has(4)).toBe(false)
    transaction(db)(() => vectors.writeVectors(new Map([[4, vector]])))
    vectors.refresh()
    expect(vectors.vectorOf(4)).toEqual(vector)
    db.close()
  })

  it('are seen by other processes, as they come, change and go', () => {
    const database = join(scratch(), 'music.db')
    const [one, other] = [vectorsIn(database), vectorsIn(database)]
    const random = seeded(2)
    const [first, second, changed] = [someVector(random), someVector(random), someVector(random)]
    one.vectors.writeVectors(new Map([[1, first]]))
    other.vectors.writeVectors(new Map([[BLOCK + 1, second]]))
    for (const { vectors } of [one, other]) {
      vectors.refresh()
      expect([vectors.vectorOf(1), vectors.vectorOf(BLOCK + 1)]).toEqual([first, second])
    }
    other.vectors.writeVectors(
      new Map([
        [1, changed],
        [BLOCK + 1, undefined],
      ]),
    )
    one.vectors.refresh()
    expect([one.vectors.vectorOf(1), one.vectors.vectorOf(BLOCK + 1)]).toEqual([changed, undefined])
    for (const { db } of [one, other]) db.close()
  })

  it.each([
    ['too short a block', "UPDATE track_vectors SET data = x'00', revision = revision + 1"],
    ['a block of an impossible number', 'UPDATE track_vectors SET block = 1000000, revision = 9'],
  ])('are reported as damaged: %s', (_what, sql) => {
    const database = join(scratch(), 'music.db')
    const { db, vectors } = vectorsIn(database)
    vectors.writeVectors(new Map([[1, someVector(seeded(4))]]))
    vectors.refresh()
    db.exec(sql)
    expect(() => vectors.refresh()).toThrow(expect.objectContaining({ name: 'DatabaseError' }))
    db.close()
  })
})

describe('the vector of a track', () => {
  it('is there, follows a new analysis, and goes with the track', async () => {
    const { music, tracks, database } = await mixLibrary([
      { title: 'One', sound: 0 },
      { title: 'Two', sound: 3 },
    ])
    const { db, vectors } = vectorsIn(database)
    const numOf = db.prepare<[string], number>('SELECT num FROM track_nums WHERE track_id = ?')
    const num = numOf.pluck().get(tracks[0]!.id) as number
    const before = vectors.vectorOf(num)
    const sound = db.prepare<[string], Buffer>(
      'SELECT descriptor FROM track_sounds WHERE track_id = ?',
    )
    const descriptor = sound.pluck().get(tracks[0]!.id) as Buffer
    expect(before).toEqual(soundVector(new Float32Array(new Uint8Array(descriptor).buffer)))
    const beside = await openInline({ database })
    const analysis = madeDocument({ sound: 3, tempo: 90 }, seeded(8))
    await beside.tracks.import([{ id: tracks[0]!.id, title: 'One', analysis }], { strict: true })
    vectors.refresh()
    expect(vectors.has(num)).toBe(true)
    expect(squared(vectors.vectorOf(num)!, before!)).toBeGreaterThan(100)
    const [, other] = await addTracks(music, [{ title: 'Three' }, { title: 'Four', sound: 2 }])
    expect(await music.tracks.similar(other!)).toHaveLength(3)
    await music.tracks.remove(tracks[0]!)
    vectors.refresh()
    expect(vectors.has(num)).toBe(false)
    expect(await beside.tracks.similar(other!)).toHaveLength(2)
    db.close()
  })
})

describe('soundVector', () => {
  /** Descriptors of kinds by chance, ten of each, which are as near as tracks of one album. */
  function descriptors(count: number): Float32Array[] {
    const random = seeded(11)
    const kinds = Array.from({ length: count / 10 }, () =>
      Array.from({ length: 36 }, () => 2 * random() - 1),
    )
    return Array.from({ length: count }, () => {
      const sound = pick(random, kinds).map((place) => place + 0.2 * gaussian(random))
      const tempo = whole(random, 60, 180)
      return describeSound(madeDocument({ sound, tempo }, random) as AnalysisDocument)
    })
  }

  it('is the same small numbers for a descriptor, everywhere', () => {
    const [descriptor] = descriptors(10)
    const vector = soundVector(descriptor as Float32Array)
    expect(vector).toHaveLength(VECTOR_LENGTH)
    expect([...vector.slice(0, 6), vector.at(-1)]).toEqual([-10, 43, -5, 14, 61, 32, 1])
    const extreme = (descriptor as Float32Array).map((value, i) => (i < 12 ? 1e6 : value))
    expect(Math.max(...soundVector(extreme).map(Math.abs))).toBe(127)
  })

  it('finds the nearest ten of 2,000 among the 400 that are compared', () => {
    const all = descriptors(2_000)
    const vectors = all.map(soundVector)
    const queries = Array.from({ length: 40 }, (_, i) => 50 * i)
    const nearest = (keys: readonly number[], most: number) =>
      [...keys.keys()].sort((a, b) => keys[a]! - keys[b]!).slice(0, most)
    let found = 0
    let error = 0
    for (const query of queries) {
      const exact = all.map((other) => soundDistance(all[query]!, 0, other, 0))
      const coarse = vectors.map((other) => squared(vectors[query]!, other))
      const compared = new Set(nearest(coarse, 400))
      // The track itself is the nearest of the eleven.
      const wanted = nearest(exact, 11)
      found += wanted.filter((num) => compared.has(num)).length / wanted.length / queries.length
      error += Math.abs(estimatedDistance(coarse[wanted[10]!]!) - exact[wanted[10]!]!)
    }
    expect(found).toBeGreaterThanOrEqual(0.95)
    expect(error / queries.length).toBeLessThan(1.2)
  })
})
