import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { DatabaseError } from '../../../src/errors.ts'
import { MIGRATIONS, migrate } from '../../../src/kernel/database/migrate.ts'
import { openDatabase } from '../../../src/kernel/database/open.ts'
import { openInline } from '../../support/open.ts'
import { nativeId } from '../../support/reference-library.ts'
import { scratch } from '../../support/scratch.ts'

function schemaOf(db: Sqlite.Database): string {
  return db
    .prepare<[], string>(
      "SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name",
    )
    .pluck()
    .all()
    .join('\n')
}

describe('migrations', () => {
  it('are numbered one after the other', () => {
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, i) => i + 1))
  })

  it('make the schema that is checked in', async () => {
    const db = openDatabase(':memory:')
    await expect(`${schemaOf(db)}\n`).toMatchFileSnapshot('../../golden/schema.sql')
    db.close()
  })

  it('bring each older version to the newest', () => {
    for (let known = 0; known <= MIGRATIONS.length; known++) {
      const db = new Sqlite(':memory:')
      migrate(db, MIGRATIONS.slice(0, known))
      migrate(db)
      const fresh = openDatabase(':memory:')
      expect(schemaOf(db)).toBe(schemaOf(fresh))
      db.close()
      fresh.close()
    }
  })

  it('leave nothing of a step that fails', () => {
    const db = new Sqlite(':memory:')
    const broken = { version: 1, name: 'broken', sql: 'CREATE TABLE a (b); CREATE TABLE a (b);' }
    expect(() => migrate(db, [broken])).toThrow(/already exists/)
    expect(schemaOf(db)).toBe('')
    expect(db.pragma('user_version', { simple: true })).toBe(0)
    db.close()
  })

  it('refuse a database of a newer audile, and do not touch it', () => {
    const path = join(scratch(), 'newer.db')
    const db = openDatabase(path)
    db.pragma(`user_version = ${MIGRATIONS.length + 1}`)
    db.close()
    expect(() => openDatabase(path)).toThrow(DatabaseError)
    expect(() => openDatabase(path)).toThrow(/newer audile.*update/)
  })

  it('refuse a database of another program', () => {
    const path = join(scratch(), 'other.db')
    const db = new Sqlite(path)
    db.exec('CREATE TABLE theirs (a)')
    db.close()
    expect(() => openDatabase(path)).toThrow(/another program/)
  })

  it('keep artists, songs, recordings and tracks of before there was reference data', async () => {
    const path = join(scratch(), 'music.db')
    const old = new Sqlite(path)
    migrate(old, MIGRATIONS.slice(0, 2))
    const [nora, kettles] = [nativeId('AR', 1), nativeId('AR', 2)]
    const [home, rust, mine] = [nativeId('SO', 1), nativeId('SO', 2), nativeId('SO', 3)]
    const track = nativeId('TR', 1)
    const add = (table: string, rows: unknown[][]) => {
      for (const row of rows) {
        old.prepare(`INSERT INTO ${table} VALUES (${row.map(() => '?').join(', ')})`).run(...row)
      }
    }
    add('artists (id, name, name_key, imported, created_at)', [
      [nora, 'Nora Vale', 'nora vale', 1, 5],
      [kettles, 'The Iron Kettles', 'iron kettles', 0, 6],
    ])
    add('songs (id, title, title_key, artist_id, release, duration, year, imported, created_at)', [
      [home, 'Home', 'home', nora, 'Cellar Songs', 200.5, 1977, 1, 5],
      [rust, 'Rust', 'rust', nora, null, null, null, 1, 6],
      [mine, 'Iron Home', 'iron home', kettles, null, 100, null, 0, 7],
      [nativeId('SO', 4), 'Nobody’s', 'nobodys', null, null, null, null, 1, 8],
    ])
    add('song_foreign_ids (song_id, catalog, foreign_id)', [
      [home, 'spotify', 'sp1'],
      [home, 'isrc', 'GBAYE7700531'],
      [rust, 'imported', 'my-rust'],
    ])
    add('tracks (id, md5, status, title, artist, created_at, updated_at, song_id)', [
      [track, 'abc', 'complete', 'Iron Home', 'Iron Kettles', 7, 7, mine],
    ])
    add(
      `analyses (track_id, analyzer_version, analyzed_at, duration, tempo, "key", mode,
         time_signature, loudness, document)`,
      [[track, 'old', 7, 100.5, 123, 9, 0, 4, -9.5, Buffer.from('{}')]],
    )
    add('recordings (song_id, track_id, duration, fingerprint_version, code_md5)', [
      [home, null, 200.5, '4.12', 'd1'],
      [mine, track, 100.5, '1', null],
    ])
    old.close()

    const music = await openInline({ database: path })
    const titlesOf = async (query: Parameters<typeof music.songs.search>[0]) =>
      (await music.songs.search(query)).map(({ title }) => title)
    expect(await titlesOf({})).toEqual(['Home', 'Rust', 'Iron Home', 'Nobody’s'])
    expect(await titlesOf({ title: 'home' })).toEqual(['Home', 'Iron Home'])
    expect(await titlesOf({ title: 'nobodys' })).toEqual(['Nobody’s'])
    expect(await titlesOf({ artist: 'nora vale' })).toEqual(['Home', 'Rust'])
    expect(await titlesOf({ artist: 'the iron kettles' })).toEqual(['Iron Home'])
    expect(await titlesOf({ combined: 'kettles home' })).toEqual(['Iron Home'])
    expect(await titlesOf({ artistId: nora, maxDuration: 200.5 })).toEqual(['Home'])
    expect(await titlesOf({ minTempo: 123, maxTempo: 123, key: 'a', mode: 0 })).toEqual([
      'Iron Home',
    ])
    expect(await titlesOf({ bucket: 'id:spotify', limit: true })).toEqual(['Home'])
    const [first] = await music.songs.profile({
      id: 'isrc:song:GBAYE7700531',
      bucket: ['id:spotify', 'origins'],
    })
    expect({ ...first }).toMatchObject({
      id: home,
      artistId: nora,
      foreignIds: [{ catalog: 'spotify', foreignId: 'spotify:song:sp1' }],
      origins: { title: 'import', release: 'import', duration: 'import', year: 'import' },
    })
    expect((await music.songs.profile({ id: 'my-rust' })).map(({ id }) => id)).toEqual([rust])
    const [own] = await music.songs.profile({ trackId: track, bucket: ['origins'] })
    expect(own).toMatchObject({ id: mine, origins: { title: 'tags', duration: 'analysis' } })
    expect((await music.artists.search('nora'))[0]?.id).toBe(nora)

    const db = new Sqlite(path)
    expect(db.prepare('SELECT song_id, track_id FROM recordings ORDER BY id').raw().all()).toEqual([
      [home, null],
      [mine, track],
    ])
    expect(db.prepare('SELECT created_at FROM songs ORDER BY num').pluck().all()).toEqual([
      5, 6, 7, 8,
    ])
    expect(db.prepare('SELECT imported, created_at FROM artists ORDER BY num').raw().all()).toEqual(
      [
        [1, 5],
        [0, 6],
      ],
    )
    expect(db.pragma('foreign_key_check')).toEqual([])
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')

    // What stands on what is still known: the song of a track goes with it, and its artist.
    await music.tracks.remove(track)
    expect(await titlesOf({})).toEqual(['Home', 'Rust', 'Nobody’s'])
    expect(db.prepare('SELECT count(*) FROM recordings').pluck().get()).toBe(1)
    expect(await music.artists.search('kettles')).toEqual([])
    db.close()
  })

  it('index what was there once, however often it is opened', async () => {
    const path = join(scratch(), 'music.db')
    const old = new Sqlite(path)
    migrate(old, MIGRATIONS.slice(0, 2))
    old
      .prepare(
        `INSERT INTO songs (id, title, title_key, imported, created_at)
         VALUES (?, 'Home', 'home', 1, 5)`,
      )
      .run(nativeId('SO', 1))
    old.close()
    for (let i = 0; i < 3; i++) {
      const music = await openInline({ database: path })
      expect(await music.songs.search({ title: 'home' })).toHaveLength(1)
      await music.close()
    }
    const db = new Sqlite(path)
    expect(db.prepare('SELECT max(revision) FROM song_columns').pluck().get()).toBe(1)
    db.close()
  })
})
