import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { type CatalogEntry, ParameterError, Ticket } from '../../src/index.ts'
import { gather, newCatalog, update } from '../support/catalogs.ts'
import { failure } from '../support/failure.ts'
import { isAtHand, openInline } from '../support/open.ts'
import { openLibrary, SONGS } from '../support/reference-library.ts'
import { scratch } from '../support/scratch.ts'

const named = (count: number): CatalogEntry[] =>
  Array.from({ length: count }, (_, i) => ({
    item: { itemId: `${i}`, songId: Object.values(SONGS)[i % 8]?.id },
  }))

describe('a ticket', () => {
  it('is 32 characters, pending at first, then complete', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    const total = 6_000
    const ticket = await catalog.update(named(total))
    expect(ticket).toBeInstanceOf(Ticket)
    expect(ticket.id).toMatch(/^[0-9a-f]{32}$/)
    // Over a socket, some of it is done before the first question is there.
    const some = isAtHand() ? 0 : expect.any(Number)
    expect(await ticket.status()).toEqual({
      ticketStatus: 'pending',
      totalItems: total,
      itemsUpdated: some,
      percentComplete: some,
      updateInfo: [],
    })
    expect((await catalog.profile()).pendingTickets).toEqual([ticket.id])
    const done = await ticket.done()
    expect(done).toEqual({
      ticketStatus: 'complete',
      totalItems: total,
      itemsUpdated: total,
      percentComplete: 100,
      updateInfo: [],
    })
    expect(await ticket.status()).toEqual(done)
    expect(await catalog.profile()).toMatchObject({
      total,
      resolved: total,
      pendingTickets: [],
    })
  })

  it('that nobody was given is unknown', async () => {
    const music = await openInline()
    const answer = await music.call('catalog/status', { ticket: 'f'.repeat(32) })
    expect(answer).toEqual({ ticketStatus: 'unknown' })
    expect((await failure(music.call('catalog/status', {} as never))).code).toBe(
      'missing_parameter',
    )
  })

  it('fails, and the log says why, when what goes wrong is no fault of the entry', async () => {
    const database = join(scratch(), 'music.db')
    const logged: [message: string, detail: unknown][] = []
    const logger = { error: (...told: [string, unknown]) => logged.push(told) }
    const music = await openInline({ database, logger })
    const catalog = await newCatalog(music)
    await update(catalog, [{ item: { itemId: 'a', songName: 'Help!' } }])
    const file = new Sqlite(database)
    file.exec("UPDATE catalog_items SET identity = 'no JSON'")
    file.close()
    const ticket = await catalog.update([{ item: { itemId: 'a', rating: 8 } }])
    expect(await failure(ticket.done())).toMatchObject({ message: expect.stringMatching(/JSON/) })
    expect(await ticket.status()).toEqual({
      ticketStatus: 'error',
      details: expect.stringMatching(/JSON.* 0 of 1 entries were applied before/),
    })
    expect(logged).toEqual([
      [expect.stringContaining(ticket.id), expect.objectContaining({ name: 'SyntaxError' })],
    ])
  })

  it('is found again by its id, after the database was closed', async () => {
    const database = join(scratch(), 'music.db')
    const first = await openInline({ database })
    const { id } = await (await newCatalog(first)).update(named(500))
    await first.close()
    const music = await openInline({ database })
    const ticket = music.catalogs.ticket(id)
    expect(ticket).toBeInstanceOf(Ticket)
    const [status, last] = [await ticket.status(), (await gather(ticket.progress())).at(-1)]
    expect(status).toMatchObject({ totalItems: 500 })
    expect(last).toMatchObject({ ticketStatus: 'complete' })
    expect(await ticket.done()).toEqual(last)
  })

  it('of an id that nobody was given has the status unknown, and no end', async () => {
    const music = await openInline()
    const ticket = music.catalogs.ticket('f'.repeat(32))
    expect(await ticket.status()).toEqual({ ticketStatus: 'unknown' })
    expect(await failure(ticket.done())).toMatchObject({ code: 'unknown_identifier' })
    for (const wrong of ['', 7, undefined]) {
      expect(() => music.catalogs.ticket(wrong as never)).toThrow(
        /ticket - .*text of 32 characters/,
      )
    }
  })

  it('of no entries is complete at 100', async () => {
    const music = await openInline()
    const status = await update(await newCatalog(music), [])
    expect(status).toEqual({
      ticketStatus: 'complete',
      totalItems: 0,
      itemsUpdated: 0,
      percentComplete: 100,
      updateInfo: [],
    })
  })

  it('of good and bad entries is complete and tells of the bad ones, in their order', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    const status = await update(catalog, [
      { item: { itemId: 'good', songId: SONGS.rust.id } },
      { item: { itemId: 'many', songId: SONGS.rust.id, songName: 'Rust' } },
      { item: { itemId: 'not allowed!' } },
      { action: 'play', item: { itemId: 'gone' } },
      { item: { itemId: 'rated', rating: 11, playCount: 3 } },
      { action: 'love' as never, item: { itemId: 'loved' } },
      'no entry' as never,
      { item: { itemId: 'late' } },
    ])
    expect(status).toMatchObject({
      ticketStatus: 'complete',
      totalItems: 8,
      itemsUpdated: 8,
      percentComplete: 100,
    })
    expect(status.updateInfo?.map(({ itemId }) => itemId)).toEqual([
      'many',
      'not allowed!',
      'gone',
      'rated',
      'loved',
      undefined,
    ])
    for (const { info } of status.updateInfo ?? []) expect(info).toMatch(/^.{5,300}$/s)
    expect(status.updateInfo?.at(-1)?.info).toMatch(/^entry - Invalid parameter/)
    expect(status.updateInfo?.[2]).toEqual({ itemId: 'gone', info: 'item not found' })
    const { items } = await catalog.read()
    expect(items.map(({ request }) => request.itemId)).toEqual(['good', 'rated', 'late'])
    expect(items[1]).toMatchObject({ playCount: 3 })
    expect(items[1]).not.toHaveProperty('rating')
  })

  it('of nothing but bad entries is error, with details', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    const ticket = await catalog.update([
      { action: 'skip', item: { itemId: 'gone' } },
      { item: { itemId: 'many', songId: 'x', songName: 'y' } },
    ])
    const error = await failure(ticket.done())
    expect(error.code).toBe('invalid_parameter')
    const { details, ...status } = await ticket.status()
    expect(details).toMatch(/\w+ \w+/)
    expect(error.message).toContain(details)
    expect(status).toMatchObject({
      ticketStatus: 'error',
      updateInfo: [{ itemId: 'gone' }, { itemId: 'many' }],
    })
    expect((await catalog.profile()).pendingTickets).toEqual([])
  })

  it('tells what could not be resolved, and keeps it', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    const { ticketStatus, updateInfo } = await update(catalog, [
      { item: { itemId: 'a', songId: 'SOAAAAA00000000000' } },
      { item: { itemId: 'b', trackId: 'TRAAAAA00000000000' } },
      { item: { itemId: 'c', songName: 'qqqqqq zzzz', artistName: 'xxxxx wwwww' } },
      { item: { itemId: 'd', songId: SONGS.rust.id } },
    ])
    expect(ticketStatus).toBe('complete')
    expect(updateInfo?.map(({ itemId }) => itemId)).toEqual(['a', 'b', 'c'])
    expect(updateInfo?.[0]?.info).toContain('SOAAAAA00000000000')
    expect(updateInfo?.[1]?.info).toContain('TRAAAAA00000000000')
    expect(updateInfo?.[2]?.info).toBe("couldn't resolve item")
    expect(await catalog.profile()).toMatchObject({ total: 4, resolved: 1 })
  })

  it('is short about what is long', async () => {
    const music = await openInline()
    const long = 'x'.repeat(100_000)
    const { updateInfo } = await update(await newCatalog(music), [
      { item: { itemId: 'fine' } },
      { item: { itemId: 'a', songName: 'y', songId: long } },
      { item: { itemId: 'a', songId: 'y', songName: long } },
      { item: { itemId: 'a', [long]: 1 } },
      { item: { itemId: long } },
      { item: { itemId: 'a', rating: long as never } },
      { item: { itemId: 'a', fpCode: long } },
      { item: { itemId: 'a', songId: long } },
      { item: { itemId: 'b', songName: 'n', artistId: long } },
    ])
    expect(updateInfo?.length).toBeGreaterThanOrEqual(8)
    for (const { itemId = '', info } of updateInfo ?? []) {
      expect(info.length).toBeLessThan(500)
      expect(itemId.length).toBeLessThan(1100)
    }
  })

  it('progress yields states that only go on, the last at its end', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    const ticket = await catalog.update(named(6000))
    const all = await gather(ticket.progress())
    expect(all.length).toBeGreaterThan(3)
    const percents = all.map(({ percentComplete = -1 }) => percentComplete)
    expect(percents).toEqual([...percents].sort((a, b) => a - b))
    if (isAtHand()) expect(percents[0]).toBe(0)
    expect(percents.at(-1)).toBe(100)
    expect(all.map(({ ticketStatus }) => ticketStatus)).toEqual([
      ...Array(all.length - 1).fill('pending'),
      'complete',
    ])
    const applied = all.map(({ itemsUpdated = -1 }) => itemsUpdated)
    expect(applied).toEqual([...applied].sort((a, b) => a - b))
    // Once at its end it yields that state, and ends.
    expect(await gather(ticket.progress())).toEqual([all.at(-1)])
  })

  it('progress of one that fails yields the error and ends', async () => {
    const music = await openInline()
    const ticket = await (await newCatalog(music)).update([null as never])
    const all = await gather(ticket.progress())
    expect(all.at(-1)?.ticketStatus).toBe('error')
  })

  it('can be asked and waited for by many at once, inside a progress loop too', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    const ticket = await catalog.update(named(3000))
    const waiting = Array.from({ length: 50 }, () => ticket.done())
    let steps = 0
    for await (const { ticketStatus } of ticket.progress()) {
      steps++
      if (steps === 2) await update(catalog, [{ item: { itemId: 'inside' } }])
      expect(['pending', 'complete']).toContain(ticketStatus)
    }
    for (const { ticketStatus } of await Promise.all(waiting)) expect(ticketStatus).toBe('complete')
    expect((await catalog.profile()).total).toBe(3001)
  })

  it('a loop that is left early does not stop the update', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    const ticket = await catalog.update(named(2000))
    for await (const _ of ticket.progress()) break
    expect((await ticket.done()).ticketStatus).toBe('complete')
  })

  it('an abort ends the waiting with its reason, and not the update', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    const ticket = await catalog.update(named(2000))
    const abort = new AbortController()
    const done = failure(ticket.done({ signal: abort.signal }))
    const watched = failure(gather(ticket.progress({ signal: abort.signal })))
    const reason = new Error('enough')
    abort.abort(reason)
    expect(await done).toBe(reason)
    expect(await watched).toBe(reason)
    expect(await failure(ticket.status({ signal: abort.signal }))).toBe(reason)
    expect((await ticket.done()).ticketStatus).toBe('complete')
  })

  it('close ends the waiting; the update goes on when the database is opened again', async () => {
    const database = join(scratch(), 'music.db')
    const music = await openLibrary({ database })
    const catalog = await newCatalog(music)
    const ticket = await catalog.update(named(4000))
    const done = failure(ticket.done())
    await music.close()
    expect((await done).code).toBe('closed')
    expect((await failure(ticket.status())).code).toBe('closed')
    expect((await failure(catalog.update([]))).code).toBe('closed')
    const again = await openInline({ database })
    const same = await again.catalogs.get({ id: catalog.id })
    await waitFor(again, ticket.id)
    expect(await same.profile()).toMatchObject({ total: 4000, resolved: 4000 })
    expect(await again.call('catalog/status', { ticket: ticket.id })).toMatchObject({
      ticketStatus: 'complete',
      itemsUpdated: 4000,
    })
  })

  it('tells its end as an event', async () => {
    const music = await openInline()
    const told = new Map<string, string>()
    let heard = () => {}
    music.on('ticket', ({ id, status }) => {
      told.set(id, status)
      heard()
    })
    const event = async (id: string) => {
      while (!told.has(id)) await new Promise<void>((resolve) => (heard = resolve))
      return told.get(id)
    }
    const catalog = await newCatalog(music)
    const good = await catalog.update([{ item: { itemId: 'a' } }])
    expect(await event(good.id)).toBe('complete')
    const bad = await catalog.update([null as never])
    expect(await event(bad.id)).toBe('error')
  })

  it('given up after many crashes is error with details, and leaves nothing undone behind', async () => {
    const database = join(scratch(), 'music.db')
    const music = await openLibrary({ database })
    const catalog = await newCatalog(music)
    const ticket = await catalog.update(named(3000))
    for await (const { itemsUpdated = 0 } of ticket.progress()) if (itemsUpdated > 1000) break
    await music.close()
    const db = new Sqlite(database)
    db.prepare("UPDATE jobs SET crashes = 10 WHERE kind = 'catalog/update'").run()
    db.close()
    const again = await openInline({ database })
    const { ticketStatus, details } = await waitFor(again, ticket.id)
    expect(ticketStatus).toBe('error')
    expect(details).toMatch(/\d+ of 3000/)
    const same = await again.catalogs.get({ id: catalog.id })
    const { total } = await same.profile()
    expect(total).toBeGreaterThan(1000)
    expect(total).toBeLessThan(3000)
    // Later updates are not held up, and what was applied before is found like any other item.
    const later = await update(same, [{ item: { itemId: 'later', songId: SONGS.rust.id } }])
    expect(later.ticketStatus).toBe('complete')
    const left = new Sqlite(database, { readonly: true })
    expect(left.prepare('SELECT count(*) FROM ticket_batches').pluck().get()).toBe(0)
    expect(
      left.prepare('SELECT count(*) FROM catalog_items WHERE ticket IS NOT NULL').pluck().get(),
    ).toBe(0)
    left.close()
  })
})

describe('catalog/update at the door', () => {
  it('takes an update in parts under one ticket, and applies it when the last has come', async () => {
    const music = await openInline()
    const { id, ...catalog } = await newCatalog(music)
    const part = (itemId: string, more: object) =>
      music.call('catalog/update', { id, data: [{ item: { itemId } }], ...more })
    const { ticket } = await part('a', { more: true })
    // Its caller has not completed it: nobody else may see it.
    expect(await music.call('catalog/status', { ticket })).toEqual({ ticketStatus: 'unknown' })
    expect(await part('b', { more: true, ticket })).toEqual({ ticket })
    expect((await music.call('catalog/read', { id })).total).toBe(0)
    expect(await part('c', { ticket })).toEqual({ ticket })
    expect((await music.call('catalog/wait', { ticket })).totalItems).toBe(3)
    const { items } = await music.call('catalog/read', { id })
    expect(items.map(({ request }) => request.itemId)).toEqual(['a', 'b', 'c'])
    const error = await failure(part('d', { ticket }))
    expect(error).toBeInstanceOf(ParameterError)
    expect(error.message).toContain(ticket)
    expect(catalog.type).toBe('song')
  })

  it('refuses a ticket of another catalog, or of none', async () => {
    const music = await openInline()
    const one = await newCatalog(music)
    const { ticket } = await music.call('catalog/update', { id: one.id, data: [], more: true })
    const other = await newCatalog(music)
    for (const wrong of [ticket, 'nothing']) {
      const call = music.call('catalog/update', { id: other.id, data: [], ticket: wrong })
      expect((await failure(call)).code).toBe('unknown_identifier')
    }
  })

  it('takes at most 1,000 entries in one call, as JSON', async () => {
    const music = await openInline()
    const { id } = await newCatalog(music)
    const tell = async (more: object) =>
      (await failure(music.call('catalog/update', { id, data: [], ...more } as never))).message
    expect(await tell({ data: Array(1001).fill(null) })).toMatch(/^data - Invalid parameter/)
    expect(await tell({ data: undefined })).toBe('data - Missing parameter')
    expect(await tell({ data: 'text' })).toMatch(/^data - /)
    expect(await tell({ dataType: 'xml' })).toMatch(/^dataType - Invalid parameter: "xml"/)
    expect(await tell({ id: undefined })).toBe('id - Missing parameter')
    await music.call('catalog/update', { id, data: [], dataType: 'json' })
  })
})

/** The end of an update, wherever it goes on. */
async function waitFor(music: Awaited<ReturnType<typeof openInline>>, ticket: string) {
  return music.call('catalog/wait', { ticket })
}
