import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { Catalog, KeyError, ParameterError } from '../../src/index.ts'
import { Clock, gather, newCatalog, update, whenDue } from '../support/catalogs.ts'
import { failure } from '../support/failure.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

describe('catalogs.create', () => {
  it('makes an empty catalog, with an id of the service’s form', async () => {
    const music = await openInline()
    const catalog = await music.catalogs.create({ name: 'Evenings', type: 'song' })
    expect(catalog).toBeInstanceOf(Catalog)
    expect(catalog.id).toMatch(/^CA[A-Z]{5}[0-9A-F]{11}$/)
    expect({ ...catalog }).toEqual({ id: catalog.id, name: 'Evenings', type: 'song' })
    expect(await catalog.profile()).toEqual({
      id: catalog.id,
      name: 'Evenings',
      type: 'song',
      total: 0,
      resolved: 0,
      pendingTickets: [],
    })
    const artists = await music.catalogs.create({ name: 'Bands', type: 'artist' })
    expect(artists.type).toBe('artist')
    expect(artists.id).not.toBe(catalog.id)
  })

  it('takes any name but an empty one', async () => {
    const music = await openInline()
    for (const name of ['Les "années" 80', '日本語', ' ', "'; DROP TABLE catalogs; --", '💿']) {
      const catalog = await music.catalogs.create({ name, type: 'song' })
      expect(catalog.name).toBe(name)
      expect((await music.catalogs.get({ name })).id).toBe(catalog.id)
    }
    const { code, message } = await failure(music.catalogs.create({ name: '', type: 'song' }))
    expect(code).toBe('invalid_parameter')
    expect(message).toMatch(/^name - Invalid parameter/)
  })

  it('refuses a name that the key has, whatever its type; names differ by case', async () => {
    const music = await openInline()
    await music.catalogs.create({ name: 'Evenings', type: 'song' })
    for (const type of ['song', 'artist'] as const) {
      const error = await failure(music.catalogs.create({ name: 'Evenings', type }))
      expect(error).toBeInstanceOf(ParameterError)
      expect(error.code).toBe('invalid_parameter')
      expect(error.status).toBe(5)
      expect(error.message).toMatch(/^name - Invalid parameter: "Evenings"/)
    }
    await music.catalogs.create({ name: 'evenings', type: 'song' })
    const { apiKey } = await music.keys.create({})
    await music.as(apiKey).catalogs.create({ name: 'Evenings', type: 'song' })
    expect((await music.catalogs.list()).total).toBe(2)
  })

  it('lets a name be used again when its catalog is deleted', async () => {
    const music = await openInline()
    const first = await music.catalogs.create({ name: 'Evenings', type: 'song' })
    await first.delete()
    const second = await music.catalogs.create({ name: 'Evenings', type: 'artist' })
    expect(second.id).not.toBe(first.id)
  })

  it('says what is missing, or of the wrong kind', async () => {
    const music = await openInline()
    const tell = async (given: object) => failure(music.catalogs.create(given as never))
    expect((await tell({ type: 'song' })).message).toBe('name - Missing parameter')
    expect((await tell({ type: 'song' })).status).toBe(4)
    expect((await tell({ name: 'a' })).message).toMatch(/^type - /)
    expect((await tell({ name: 'a', type: 'general' })).message).toMatch(
      /^type - Invalid parameter: "general" is not one of "artist", "song"/,
    )
    expect((await tell({ name: 'a', type: 'song', kind: 1 })).message).toMatch(/^kind - Unknown/)
  })

  it('keeps 1,000 for a key that is not commercial; any number for one that is', async () => {
    const music = await openInline()
    const { apiKey } = await music.keys.create({ commercial: false })
    const poor = music.as(apiKey)
    for (let i = 0; i < 1000; i++) await poor.catalogs.create({ name: `${i}`, type: 'song' })
    const error = await failure(poor.catalogs.create({ name: 'more', type: 'song' }))
    expect(error.code).toBe('limit_exceeded')
    expect(error.status).toBe(5)
    expect(error.message).toContain('1000')
    expect((await poor.catalogs.list()).total).toBe(1000)
    const one = await poor.catalogs.get({ name: '17' })
    await one.delete()
    await poor.catalogs.create({ name: 'more', type: 'song' })

    const rich = music.as((await music.keys.create({ commercial: true })).apiKey)
    for (let i = 0; i < 1001; i++) await rich.catalogs.create({ name: `${i}`, type: 'song' })
    expect((await rich.catalogs.list()).total).toBe(1001)
  })

  it('needs a key that is valid', async () => {
    const music = await openInline()
    const error = await failure(music.as('Weezer').catalogs.create({ name: 'a', type: 'song' }))
    expect(error).toBeInstanceOf(KeyError)
    expect(error.message).toBe('api_key - Invalid key: "Weezer" is not a valid, active api key')
  })

  it('rejects with the reason of its signal', async () => {
    const music = await openInline()
    const signal = AbortSignal.abort(new Error('enough'))
    const error = await failure(music.catalogs.create({ name: 'a', type: 'song' }, { signal }))
    expect(error.message).toBe('enough')
    expect((await music.catalogs.list()).total).toBe(0)
  })
})

describe('catalogs.get', () => {
  it('gives a handle by id, or by name among those of the calling key', async () => {
    const music = await openInline()
    const made = await music.catalogs.create({ name: 'Evenings', type: 'artist' })
    for (const found of [
      await music.catalogs.get({ id: made.id }),
      await music.catalogs.get({ name: 'Evenings' }),
    ]) {
      expect(found).toBeInstanceOf(Catalog)
      expect({ ...found }).toEqual({ ...made })
    }
    const other = music.as((await music.keys.create({})).apiKey)
    expect((await other.catalogs.get({ id: made.id })).name).toBe('Evenings')
    expect((await failure(other.catalogs.get({ name: 'Evenings' }))).code).toBe(
      'unknown_identifier',
    )
  })

  it('rejects what nobody knows', async () => {
    const music = await openInline()
    await music.catalogs.create({ name: 'Evenings', type: 'song' })
    for (const given of [{ id: 'CAAAAAA00000000000' }, { name: 'evenings' }, { id: 'Evenings' }]) {
      const error = await failure(music.catalogs.get(given))
      expect(error.code).toBe('unknown_identifier')
      expect(error.status).toBe(5)
      expect(error.message).toContain('The Identifier specified does not exist')
    }
  })

  it('takes exactly one of id and name', async () => {
    const music = await openInline()
    const { id, name } = await newCatalog(music)
    expect((await failure(music.catalogs.get({} as never))).code).toBe('missing_parameter')
    const both = await failure(music.catalogs.get({ id, name } as never))
    expect(both.code).toBe('invalid_parameter')
    expect(both.message).toContain('one of them')
  })
})

describe('catalogs.list', () => {
  it('answers start, total and catalogs, in the order they were made', async () => {
    const music = await openInline()
    expect(await music.catalogs.list()).toEqual({ start: 0, total: 0, catalogs: [] })
    const first = await music.catalogs.create({ name: 'b', type: 'song' })
    const second = await music.catalogs.create({ name: 'a', type: 'artist' })
    await update(first, [{ item: { itemId: 'x' } }, { item: { itemId: 'y' } }])
    expect(await music.catalogs.list()).toEqual({
      start: 0,
      total: 2,
      catalogs: [
        { id: first.id, name: 'b', type: 'song', total: 2 },
        { id: second.id, name: 'a', type: 'artist', total: 0 },
      ],
    })
  })

  it('lists 30 without being told, at most 100, from start on', async () => {
    const music = await openInline()
    for (let i = 0; i < 105; i++) await music.catalogs.create({ name: `${i}`, type: 'song' })
    const names = async (query: Parameters<typeof music.catalogs.list>[0]) => {
      const { start, total, catalogs } = await music.catalogs.list(query)
      expect(total).toBe(105)
      expect(start).toBe(query?.start ?? 0)
      return catalogs.map(({ name }) => Number(name))
    }
    expect(await names({})).toEqual([...Array(30).keys()])
    expect(await names({ results: 100 })).toEqual([...Array(100).keys()])
    expect(await names({ results: 100, start: 100 })).toEqual([100, 101, 102, 103, 104])
    expect(await names({ results: 2, start: 7 })).toEqual([7, 8])
    expect(await names({ results: 0 })).toEqual([])
    expect(await names({ start: 105 })).toEqual([])
    for (const query of [{ results: 101 }, { results: -1 }, { start: -1 }, { results: 1.5 }]) {
      const error = await failure(music.catalogs.list(query))
      expect(error.code).toBe('invalid_parameter')
    }
  })

  it('shows the catalogs of the calling key, no others', async () => {
    const music = await openInline()
    const other = music.as((await music.keys.create({})).apiKey)
    const { id: mine } = await newCatalog(music)
    const { id: theirs } = await newCatalog(other)
    const ids = async (one: typeof music) =>
      (await one.catalogs.list()).catalogs.map(({ id }) => id)
    expect(await ids(music)).toEqual([mine])
    expect(await ids(other)).toEqual([theirs])
  })
})

describe('Catalog.delete', () => {
  it('deletes the catalog with its items, and answers its id and name', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    const ticket = await catalog.update([{ item: { itemId: 'x' } }])
    await ticket.done()
    const { id, name } = catalog
    expect(await catalog.delete()).toEqual({ id, name })
    expect((await music.catalogs.list()).total).toBe(0)
    expect(await ticket.status()).toEqual({ ticketStatus: 'unknown' })
    for (const asking of [
      catalog.delete(),
      catalog.read(),
      catalog.profile(),
      catalog.feed(),
      catalog.update([]),
      music.catalogs.get({ id }),
    ]) {
      expect((await failure(asking)).code).toBe('unknown_identifier')
    }
  })

  it('leaves nothing behind of however much there was', async () => {
    const clock = new Clock()
    const database = join(scratch(), 'music.db')
    const music = await openInline({ database, now: clock.now })
    const catalog = await newCatalog(music)
    const entries = Array.from({ length: 2000 }, (_, i) => ({
      item: { itemId: `${i}`, songId: `nowhere:song:${i}`, itemKeyvalues: { i: `${i}` } },
    }))
    await update(catalog, entries)
    const open = await music.call('catalog/update', { id: catalog.id, data: [], more: true })
    const kept = await newCatalog(music)
    await update(kept, entries.slice(0, 3))
    await catalog.delete()
    expect((await music.catalogs.list()).catalogs.map(({ id }) => id)).toEqual([kept.id])
    expect(await music.call('catalog/status', { ticket: open.ticket })).toEqual({
      ticketStatus: 'unknown',
    })
    // Its name is free at once, and nothing of it is in the way.
    const again = await music.catalogs.create({ name: catalog.name, type: 'song' })
    await update(again, entries.slice(0, 5))
    await whenDue(music, clock, 'catalog/popularity')
    await music.close()
    const db = new Sqlite(database, { readonly: true })
    const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
    expect(count('catalog_items')).toBe(8)
    expect(count('ticket_infos')).toBe(8)
    expect(count('ticket_batches')).toBe(0)
    // Those of the two that are left, and one of the waiting for the job.
    expect(count('tickets')).toBe(3)
    expect(count('catalogs')).toBe(3)
    db.close()
  })

  it('ends the updates that are under way', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    const entries = Array.from({ length: 5000 }, (_, i) => ({ item: { itemId: `${i}` } }))
    const ticket = await catalog.update(entries)
    const waiting = failure(ticket.done())
    await catalog.delete()
    expect((await waiting).code).toBe('unknown_identifier')
    expect(await gather(ticket.progress())).toEqual([{ ticketStatus: 'unknown' }])
    // Nothing of it comes back in a catalog that is made after.
    const next = await newCatalog(music)
    await update(next, [{ item: { itemId: 'x' } }])
    expect((await next.profile()).total).toBe(1)
  })
})

describe('keys', () => {
  it('only the key that made a catalog updates or deletes it; all read it', async () => {
    const music = await openInline()
    const mine = await newCatalog(music)
    const ticket = await mine.update([{ item: { itemId: 'x' } }])
    await ticket.done()
    const other = music.as((await music.keys.create({})).apiKey)
    const theirs = await other.catalogs.get({ id: mine.id })
    for (const asking of [
      theirs.update([{ item: { itemId: 'y' } }]),
      theirs.update([]),
      theirs.delete(),
    ]) {
      const error = await failure(asking)
      expect(error).toBeInstanceOf(KeyError)
      expect(error.code).toBe('not_allowed')
      expect(error.status).toBe(2)
    }
    expect((await theirs.read()).items).toEqual((await mine.read()).items)
    expect(await theirs.profile()).toEqual(await mine.profile())
    expect(await theirs.feed()).toEqual([])
    expect(await other.call('catalog/status', { ticket: ticket.id })).toMatchObject({
      ticketStatus: 'complete',
    })
    expect((await mine.profile()).total).toBe(1)
  })

  it('a key that is revoked can do nothing; its catalogs stay', async () => {
    const music = await openInline()
    const { id, apiKey } = await music.keys.create({})
    const other = music.as(apiKey)
    const catalog = await newCatalog(other)
    await update(catalog, [{ item: { itemId: 'x' } }])
    await music.keys.revoke(id)
    expect((await failure(catalog.read())).code).toBe('invalid_key')
    const still = await music.catalogs.get({ id: catalog.id })
    expect((await still.read()).total).toBe(1)
  })
})
