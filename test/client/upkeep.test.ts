import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Audile } from '../../src/host/audile.ts'
import { DatabaseError, ParameterError } from '../../src/values/errors.ts'
import { clip, waveBytes } from '../support/clips.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

const ENTRIES = Array.from({ length: 300 }, (_, i) => ({
  item: { itemId: `item${i}`, artistName: `Artist ${i}`, songName: `Song number ${i}` },
}))

let folder: string
let database: string
let music: Audile

beforeEach(async () => {
  folder = scratch()
  database = join(folder, 'music.db')
  music = await openInline({ database })
})

/** Fills the file with free pages, so that a copy takes as long as some calls over a socket. */
function makeLarge(): void {
  const file = new Sqlite(database)
  file.exec(
    'CREATE TABLE large (bytes); INSERT INTO large VALUES (zeroblob(64000000)); DROP TABLE large',
  )
  file.close()
}

describe('backup', () => {
  it('is a database of its own with everything in it, kept audio too', async () => {
    const bytes = await waveBytes(clip())
    const track = await music.tracks.upload({ bytes })
    const catalog = await music.catalogs.create({ name: 'all', type: 'song' })
    await (await catalog.update(ENTRIES)).done()
    const path = join(folder, 'copy.db')

    const { audioFiles, bytes: size, ...rest } = await music.backup(path)

    expect(rest).toEqual({ path })
    expect(audioFiles).toBe(1)
    expect(statSync(path).size).toBe(size)
    await music.tracks.remove(track.id)
    await catalog.delete()
    const copy = await openInline({ database: path })
    expect(await copy.check()).toMatchObject({ ok: true, problems: [] })
    const again = await copy.tracks.get(track.id)
    expect((await again.analyze({ wait: true })).answer.status).toBe('complete')
    const { total } = await (await copy.catalogs.get({ name: 'all' })).read({ results: 1 })
    expect(total).toBe(ENTRIES.length)
  })

  it('holds what was acknowledged while it was made', async () => {
    makeLarge()
    const catalog = await music.catalogs.create({ name: 'all', type: 'song' })
    await (await catalog.update(ENTRIES)).done()
    const path = join(folder, 'copy.db')
    const during: Promise<unknown>[] = []

    await music.backup(path, {
      onProgress: ({ done, total }) => {
        if (during.length === 0 && done < total) {
          during.push(music.catalogs.create({ name: 'later', type: 'artist' }))
        }
      },
    })

    await Promise.all(during)
    expect(during).toHaveLength(1)
    const copy = await openInline({ database: path })
    expect((await copy.catalogs.list()).catalogs.map(({ name }) => name)).toContain('later')
  })

  it('carries unfinished jobs, which go on there at once', async () => {
    const path = join(folder, 'copy.db')
    const track = await music.tracks.upload({ bytes: await waveBytes(clip()), wait: false })
    await music.backup(path)

    const copy = await openInline({ database: path })
    await (await copy.tracks.get(track.id)).analyzed()
    expect((await (await copy.tracks.get(track.id)).profile()).status).toBe('complete')
  })

  it('works for a database in memory', async () => {
    const memory = await openInline()
    await memory.catalogs.create({ name: 'mine', type: 'song' })
    const path = join(folder, 'memory.db')
    await memory.backup(path)
    const copy = await openInline({ database: path })
    expect((await copy.catalogs.list()).total).toBe(1)
  })

  it('replaces no file unless told to', async () => {
    const path = join(folder, 'copy.db')
    await music.backup(path)
    await expect(music.backup(path)).rejects.toThrow(
      new ParameterError(
        'invalid_parameter',
        `path - Invalid parameter: "${path}" exists already; name another file, or set overwrite`,
      ),
    )
    await music.catalogs.create({ name: 'new', type: 'song' })
    await music.backup(path, { overwrite: true })
    const copy = await openInline({ database: path })
    expect((await copy.catalogs.list()).total).toBe(1)
  })

  it('refuses to replace the database by itself', async () => {
    await expect(music.backup(database, { overwrite: true })).rejects.toThrow(
      /path - Invalid parameter: .* is the database itself/,
    )
  })

  it('names a folder that is not there', async () => {
    await expect(music.backup(join(folder, 'no', 'copy.db'))).rejects.toThrow(
      /path - Invalid parameter: ".*copy\.db"; the folder .*no does not exist, make it first/,
    )
  })

  it('leaves nothing when it is aborted', async () => {
    makeLarge()
    const catalog = await music.catalogs.create({ name: 'all', type: 'song' })
    await (await catalog.update(ENTRIES)).done()
    const before = readdirSync(folder)
    const enough = new AbortController()
    const reason = new Error('enough')
    const copying = music.backup(join(folder, 'copy.db'), {
      signal: enough.signal,
      onProgress: () => enough.abort(reason),
    })
    await expect(copying).rejects.toBe(reason)
    // Over a socket the engine is told, and not waited for.
    await expect.poll(() => readdirSync(folder)).toEqual(before)
  })

  it('leaves nothing but the database when it is closed meanwhile', async () => {
    const path = join(folder, 'copy.db')
    const copying = music.backup(path).catch(() => {})
    await music.close()
    await copying
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([])
  })
})

describe('check', () => {
  it('finds nothing wrong while another engine writes into the same file', async () => {
    const songs = (count: number, name: string) =>
      Array.from({ length: count }, (_, i) => ({ title: `${name} ${i}`, artistName: `By ${name}` }))
    await music.songs.import(songs(60, 'Mine'))
    await music.songs.search({ title: 'Mine' })
    const other = await openInline({ database })
    for (let i = 0; i < 30; i++) await other.songs.import(songs(20, `Theirs${i}`))
    await other.close()
    expect(await music.check()).toMatchObject({ ok: true, problems: [] })
  })

  it('finds nothing in a database in use, and tells its size', async () => {
    await music.tracks.upload({ bytes: await waveBytes(clip()), wait: true })
    const seen: number[] = []
    const report = await music.check({ onProgress: ({ done, total }) => seen.push(done / total) })
    expect(report).toMatchObject({ ok: true, problems: [] })
    expect(report.bytes).toBeGreaterThan(100_000)
    expect(seen[0]).toBe(0)
    expect(seen.at(-1)).toBe(1)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
  })

  it('tells damaged pages by their table', async () => {
    const catalog = await music.catalogs.create({ name: 'all', type: 'song' })
    await (await catalog.update(ENTRIES)).done()
    await music.close()
    const damaged = join(folder, 'damaged.db')
    damage(database, damaged, 'catalog_items')

    const again = await openInline({ database: damaged })
    const { ok, problems } = await again.check()

    expect(ok).toBe(false)
    expect(problems.map(({ kind, table }) => `${kind} ${table}`)).toContain(
      'integrity catalog_items',
    )
  })

  it('tells a damaged block of names, which is told to those who search, too', async () => {
    await music.songs.import([{ id: 'one', title: 'Blue Train', artistName: 'John Coltrane' }])
    await music.close()
    const db = new Sqlite(database)
    db.exec("UPDATE song_texts SET data = CAST(x'ffffffff' || substr(data, 5) AS BLOB)")
    db.close()
    const message =
      'The database is damaged: block 0 of song_texts is not as it was written; restore a backup.'

    const damaged = await openInline({ database })
    const { ok, problems } = await damaged.check()

    expect(ok).toBe(false)
    expect(problems).toEqual([{ kind: 'integrity', table: 'song_texts', message }])
    await expect(damaged.songs.search({ title: 'blue' })).rejects.toThrow(message)
  })

  it('tells rows that name others which are gone, and counts that are wrong', async () => {
    const catalog = await music.catalogs.create({ name: 'all', type: 'song' })
    await (await catalog.update(ENTRIES.slice(0, 2))).done()
    await music.close()
    const db = new Sqlite(database)
    db.pragma('foreign_keys = OFF')
    db.exec("UPDATE catalogs SET total = 3; UPDATE catalogs SET key_id = 'nobody'")
    db.close()

    const { problems } = await (await openInline({ database })).check()

    expect(problems).toContainEqual({
      kind: 'total',
      table: 'catalogs',
      message: `${catalog.id} should have 3 items, and has 2`,
    })
    expect(problems.map(({ kind, table }) => `${kind} ${table}`)).toContain('foreign_key catalogs')
  })

  it('tells kept audio that is lost', async () => {
    const track = await music.tracks.upload({ bytes: await waveBytes(clip()), wait: true })
    const { md5 } = track.answer
    rmSync(join(`${database}-audio`, String(md5)))
    expect((await music.check()).problems).toEqual([
      {
        kind: 'audio',
        table: 'tracks',
        message: `the kept audio ${md5} is lost; its track can be played and analysed no more`,
      },
    ])
  })

  it('ends when it is aborted', async () => {
    const enough = new AbortController()
    const checking = music.check({
      signal: enough.signal,
      onProgress: () => enough.abort(new Error('enough')),
    })
    await expect(checking).rejects.toThrow('enough')
  })
})

describe('vacuum', () => {
  it('gives back what removed rows took', async () => {
    const catalog = await music.catalogs.create({ name: 'all', type: 'song' })
    const long = Array.from({ length: 3000 }, (_, i) => ({
      item: { itemId: `item${i}`, artistName: `Artist ${i} ${'x'.repeat(200)}`, songName: 'Song' },
    }))
    await (await catalog.update(long)).done()
    const swept = new Promise<void>((resolve) => {
      music.on('job', ({ kind, state }) => {
        if (kind === 'catalog/popularity' && state === 'complete') resolve()
      })
    })
    await catalog.delete()
    await swept
    const other = await music.catalogs.create({ name: 'other', type: 'song' })

    const { bytesBefore, bytesAfter } = await music.vacuum()

    expect(bytesAfter).toBeLessThan(bytesBefore)
    expect(await music.check()).toMatchObject({ ok: true, bytes: bytesAfter, freeBytes: 0 })
    expect(statSync(database).size).toBe(bytesAfter)
    await (await other.update(ENTRIES)).done()
    expect((await other.read({ results: 1 })).total).toBe(ENTRIES.length)
  })

  it('says so when another process is at work on the file', async () => {
    const other = new Sqlite(database)
    other.exec('BEGIN IMMEDIATE')
    try {
      const told = await music.vacuum().catch((error: unknown) => error)
      expect(told).toBeInstanceOf(DatabaseError)
      expect((told as Error).message).toMatch(/another process holds the file/)
    } finally {
      other.close()
    }
  })
})

/** A copy of a database with rubbish in place of a table's first page. */
function damage(from: string, to: string, table: string): void {
  const db = new Sqlite(from)
  db.pragma('wal_checkpoint(TRUNCATE)')
  const page = db
    .prepare<[string], number>(`SELECT rootpage FROM sqlite_schema WHERE name = ?`)
    .pluck()
    .get(table) as number
  const size = db.pragma('page_size', { simple: true }) as number
  db.close()
  expect(existsSync(`${from}-wal`)).toBe(false)
  copyFileSync(from, to)
  const file = openSync(to, 'r+')
  writeSync(file, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size)
  closeSync(file)
}
