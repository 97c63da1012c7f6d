import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Audile, DatabaseError, ParameterError } from '../../src/index.ts'
import { MIGRATIONS } from '../../src/kernel/database/migrate.ts'
import { hearOnce } from '../support/heard-once.ts'
import { openInline } from '../support/open.ts'
import { nativeId } from '../support/reference-library.ts'
import { tune } from '../support/tune.ts'

hearOnce()

let folder = ''
const file = (name: string) => join(folder, name)

/** A database with tracks of some tunes. */
async function library(database: string, seeds: readonly number[]): Promise<Map<number, string>> {
  const music = await Audile.open({ database, engine: 'inline', workers: 0 })
  const songs = new Map<number, string>()
  for (const seed of seeds) {
    const track = await music.tracks.upload({ ...tune({ seed }), wait: true })
    songs.set(seed, (await track.profile()).songId as string)
  }
  await music.close()
  return songs
}

/** Ten seconds of a tune. */
function piece(seed: number) {
  const { samples, sampleRate } = tune({ seed })
  return {
    samples: samples.map((all) => all.subarray(5 * sampleRate, 15 * sampleRate)),
    sampleRate,
  }
}

let a = new Map<number, string>()
let b = new Map<number, string>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'audile-test-'))
  a = await library(file('a.db'), [1, 2])
  b = await library(file('b.db'), [3])
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('references', () => {
  it('are identified as if their songs were one library, with their name', async () => {
    const references = [file('a.db'), file('b.db')]
    const music = await openInline({ references })
    const own = await music.tracks.upload({ ...tune({ seed: 4 }), wait: true })
    const { songId } = await own.profile()
    const answer = async (seed: number) =>
      (await music.songs.identify(piece(seed))).map(({ id, reference }) => ({ id, reference }))
    expect(await answer(2)).toEqual([{ id: a.get(2), reference: references[0] }])
    expect(await answer(3)).toEqual([{ id: b.get(3), reference: references[1] }])
    expect(await answer(4)).toEqual([{ id: songId, reference: undefined }])
    expect(await answer(5)).toEqual([])
    // They are no songs of the database.
    expect(await music.songs.search({})).toHaveLength(1)
    const query = await music.songs.fingerprint(tune({ seed: 3 }), { version: 4.12 })
    expect((await music.songs.identify(query)).map(({ id }) => id)).toEqual([b.get(3)])
  })

  it('are identified by audio where all that they have is codes of the old system', async () => {
    const audio = tune({ seed: 4, seconds: 32 })
    const maker = await openInline()
    const { code } = await maker.songs.fingerprint(audio, { version: 3.15 })
    const old = await Audile.open({ database: file('old.db'), engine: 'inline', workers: 0 })
    const id = nativeId('SO', 2)
    const record = { id, title: 'Old', artistName: 'A', fingerprints: [{ version: 3.15, code }] }
    await old.songs.import([record])
    await old.close()
    const music = await openInline({ references: [file('old.db')] })
    expect((await music.songs.identify(audio)).map((song) => song.id)).toEqual([id])
    const [, size] = await music.recordings.stat()
    expect(size).toMatchObject({ recordings: 1, systems: { chroma: { rows: 1 } } })
    expect(size?.systems.chroma?.bytes).toBeGreaterThan(100)
  })

  it('answer with what they know of a song, then and later', async () => {
    const source = await openInline({ references: [file('b.db')] })
    const query = await source.songs.fingerprint(tune({ seed: 3 }), { version: 4.12 })
    const named = await Audile.open({ database: file('named.db'), engine: 'inline', workers: 0 })
    await named.songs.import([
      {
        id: nativeId('SO', 1),
        title: 'Long Way Down',
        artistName: 'Nora Vale',
        isrc: 'GBAYE7700531',
        fingerprints: [{ version: 4.12, code: query.code }],
      },
    ])
    await named.close()
    const music = await openInline({ references: [file('named.db')] })
    const [song] = await music.songs.identify(query, { bucket: ['id:isrc'] })
    const known = {
      id: nativeId('SO', 1),
      title: 'Long Way Down',
      artistName: 'Nora Vale',
      reference: file('named.db'),
      foreignIds: [{ catalog: 'isrc', foreignId: 'isrc:song:GBAYE7700531' }],
    }
    expect(song).toMatchObject(known)
    expect(await song?.profile({ bucket: ['id:isrc'] })).toMatchObject(known)
    await expect(
      music.songs.profile({ id: nativeId('SO', 1), reference: 'other.db' }),
    ).rejects.toThrow('"other.db" is not in the option references')
    // The user's own song of that id comes first, and once.
    await music.songs.import([
      {
        id: nativeId('SO', 1),
        title: 'Own words',
        artistName: 'Nora Vale',
        fingerprints: [{ version: 4.12, code: query.code }],
      },
    ])
    const both = await music.songs.identify(query)
    expect(both.map(({ title, reference }) => [title, reference])).toEqual([
      ['Own words', undefined],
    ])
  })

  it('count together: a recording in two of them has no lead over itself, another one has', async () => {
    await library(file('again.db'), [1])
    const music = await openInline({ references: [file('a.db'), file('again.db')] })
    const found = await music.songs.identify(piece(1))
    expect(found.map(({ reference }) => reference).sort()).toEqual(
      [file('a.db'), file('again.db')].sort(),
    )
    expect(found[0]?.id).not.toBe(found[1]?.id)
  })

  it('may be open in any number of processes, and are not changed', async () => {
    const references = [file('a.db')]
    const one = await openInline({ references })
    const two = await openInline({ references })
    const owner = await openInline({ database: file('a.db') })
    await owner.tracks.upload({ ...tune({ seed: 6 }), wait: true })
    for (const music of [one, two]) {
      expect(await music.songs.identify(piece(6))).toMatchObject([{ reference: references[0] }])
    }
  })

  it.each<[string, () => void, RegExp]>([
    ['missing.db', () => {}, /missing\.db: there is no such file; check the option references/],
    [
      'text.db',
      () => writeFileSync(file('text.db'), 'no database '.repeat(100)),
      /text\.db: .*the file is no SQLite database, name another one/,
    ],
    [
      'foreign.db',
      () => new Sqlite(file('foreign.db')).exec('CREATE TABLE t (a)').close(),
      /foreign\.db: it is a SQLite database of another program .*name another file/,
    ],
    [
      'newer.db',
      () => changed('newer.db', MIGRATIONS.length + 1),
      /newer\.db: it was written by a newer audile .*update the audile package/,
    ],
    [
      'cut.db',
      () => {
        new Sqlite(file('a.db'), { readonly: true }).exec(`VACUUM INTO '${file('cut.db')}'`).close()
        truncateSync(file('cut.db'), 5_000)
      },
      /cut\.db: .*the file is damaged/,
    ],
  ])('that cannot be read, %s, are named with the remedy', async (name, make, message) => {
    make()
    const opening = Audile.open({
      database: ':memory:',
      engine: 'inline',
      workers: 0,
      references: [file(name)],
    })
    await expect(opening).rejects.toThrow(DatabaseError)
    await expect(opening).rejects.toThrow(message)
  })

  it('are named once, and not as the database itself', async () => {
    const options = { database: file('own.db'), engine: 'inline', workers: 0 } as const
    for (const references of [[file('own.db')], [file('a.db'), file('a.db')]]) {
      await expect(Audile.open({ ...options, references })).rejects.toThrow(ParameterError)
    }
  })
})

/** A copy of a database that says it has another schema. */
function changed(name: string, version: number, application?: number): void {
  new Sqlite(file('b.db'), { readonly: true }).exec(`VACUUM INTO '${file(name)}'`).close()
  const db = new Sqlite(file(name))
  db.pragma(`user_version = ${version}`)
  if (application !== undefined) db.pragma(`application_id = ${application}`)
  db.close()
}
