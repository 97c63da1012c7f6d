import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, it } from 'vitest'
import type { Catalog, CatalogEntry } from '../../src/index.ts'
import { run, start } from '../support/built.ts'
import { type Random, seeded } from '../support/music.ts'
import { scratch } from '../support/scratch.ts'

// By name, so that it is the built package.
const { Audile } = (await import('audile' as string)) as typeof import('../../src/index.ts')

const ENTRIES = 20_000
const NOWHERE = { applied: 0, resolved: 0, toResolve: 0 }
const SONGS = 500
const KILLS = 20
/** Runs that go on side by side. */
const LANES = 2

/** The same updates, plays and deletes for the same seed, here and in the process that is killed. */
function entriesOf(random: Random): CatalogEntry[] {
  const whole = (below: number) => Math.floor(random() * below)
  return Array.from({ length: ENTRIES }, (_, i): CatalogEntry => {
    const itemId = `${whole(8000)}`
    const kind = random()
    if (kind < 0.35) {
      const songId = `imported:song:${whole(SONGS * 1.1)}`
      return { item: { itemId, songId, release: `r${whole(5)}` } }
    }
    if (kind < 0.5) return { item: { itemId, rating: whole(12), itemKeyvalues: { last: `${i}` } } }
    if (kind < 0.8) return { action: 'play', item: { itemId } }
    if (kind < 0.85) return { action: 'skip', item: { itemId } }
    if (kind < 0.9) return { action: 'favorite', item: { itemId } }
    return { action: 'delete', item: { itemId } }
  })
}

const UPDATE = `
import { Audile } from 'audile'
const [database, id, json] = process.argv.slice(1).filter((a) => a !== '--')
const { seeded, entriesOf } = await import('data:text/javascript,' + encodeURIComponent(json))
const music = await Audile.open({ database })
const catalog = await music.catalogs.get({ id })
const entries = entriesOf(seeded(42))
const ticket = await catalog.update(entries)
console.log(ticket.id)
await new Promise(() => setInterval(() => {}, 1000))
`

/** All that can be read of a catalog, but for the times, in its order. */
async function stateOf(catalog: Catalog) {
  const items: unknown[] = []
  for await (const { dateAdded, lastModified, ...item } of catalog.items({ bucket: 'kvstore' })) {
    items.push(item)
  }
  return { profile: await catalog.profile(), items }
}

it(`kill -9 at ${KILLS} moments of an update of ${ENTRIES} entries: it ends as if nothing had been`, async () => {
  const folder = scratch()
  const base = join(folder, 'base.db')
  const first = await Audile.open({ database: base })
  await first.songs.import(
    Array.from({ length: SONGS }, (_, i) => ({
      id: `${i}`,
      title: `T${i}`,
      artistName: `A${i % 50}`,
    })),
  )
  const { id } = await first.catalogs.create({ name: 'mine', type: 'song' })
  const made = await first.catalogs.get({ id })
  const before = Array.from({ length: 2000 }, (_, i) => ({
    item: { itemId: `${4 * i}`, songId: `imported:song:${i % SONGS}`, playCount: 5 },
  }))
  await (await made.update(before)).done()
  await first.close()
  const whole = join(folder, 'whole.db')
  copyFileSync(base, whole)

  const entries = entriesOf(seeded(42))
  const undisturbed = await Audile.open({ database: whole })
  const catalog = await undisturbed.catalogs.get({ id })
  const status = await (await catalog.update(entries)).done()
  const expected = await stateOf(catalog)
  await undisturbed.close()
  expect(status).toMatchObject({ totalItems: ENTRIES, itemsUpdated: ENTRIES })
  expect(status.updateInfo?.length).toBeGreaterThan(1000)
  expect(expected.items.length).toBeGreaterThan(3000)
  expect(expected.profile.resolved).toBeGreaterThan(1500)

  const source = `export ${seeded}\nconst ENTRIES = ${ENTRIES}, SONGS = ${SONGS}\nexport ${entriesOf}`
  const random = seeded(9)
  const moments = Array.from({ length: KILLS }, (_, i) => (i + random()) / KILLS)
  const reached: number[] = []
  const one = async (moment: number) => {
    const database = join(folder, `${moment}.db`)
    copyFileSync(base, database)
    const child = start(UPDATE, [database, id, source])
    const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
    const ticket = String(line).trim()
    const db = new Sqlite(database)
    const look = db.prepare<[string], { applied: number; resolved: number; toResolve: number }>(
      'SELECT applied, resolved, to_resolve AS toResolve FROM tickets WHERE id = ?',
    )
    // Seven tenths are applying, the rest is resolving.
    const far = () => {
      const { applied, resolved, toResolve } = look.get(ticket) ?? NOWHERE
      const share = toResolve === 0 ? 0 : resolved / toResolve
      return (0.7 * applied) / ENTRIES + 0.3 * share
    }
    while (far() < moment) await new Promise((resolve) => setTimeout(resolve, 1))
    child.kill('SIGKILL')
    await once(child, 'close')
    reached.push(far())
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    db.close()

    const again = await Audile.open({ database })
    const end = await again.call('catalog/settled', { ticket })
    expect(end).toEqual(status)
    expect(await stateOf(await again.catalogs.get({ id }))).toEqual(expected)
    await again.close()
    const after = new Sqlite(database)
    expect(after.prepare('SELECT count(*) FROM ticket_batches').pluck().get()).toBe(0)
    expect(after.pragma('foreign_key_check')).toEqual([])
    after.close()
  }
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let i = lane; i < moments.length; i += LANES) await one(moments[i] as number)
  })
  await Promise.all(lanes)
  // They were in the middle of it indeed.
  expect(reached.filter((far) => far < 0.999).length).toBeGreaterThan(KILLS / 2)
}, 600_000)

const MANY = `
import { Audile } from 'audile'
const [database, id, name] = process.argv.slice(1).filter((a) => a !== '--')
const music = await Audile.open({ database })
const catalog = await music.catalogs.get({ id })
const tickets = []
for (let u = 0; u < 30; u++) {
  const entries = [{ item: { itemId: name, rating: u % 11, itemKeyvalues: { [name]: String(u) } } }]
  for (let i = 0; i < 40; i++) {
    entries.push({ item: { itemId: name + '-' + (u * 40 + i) } })
    entries.push({ action: 'play', item: { itemId: 'both' } })
  }
  tickets.push(await catalog.update(entries))
}
const ends = await Promise.all(tickets.map((ticket) => ticket.done()))
await music.close()
console.log(JSON.stringify(ends.map(({ ticketStatus, itemsUpdated, updateInfo }) => [ticketStatus, itemsUpdated, updateInfo.length])))
`

it('two processes that update one catalog at once lose nothing, and each keeps its order', async () => {
  const database = join(scratch(), 'music.db')
  const music = await Audile.open({ database })
  const catalog = await music.catalogs.create({ name: 'ours', type: 'song' })
  await (await catalog.update([{ item: { itemId: 'both' } }])).done()
  const ended = await Promise.all(['a', 'b'].map((name) => run(MANY, [database, catalog.id, name])))
  for (const { stdout, stderr } of ended) {
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(Array(30).fill(['complete', 81, 0]))
  }
  const { items } = await stateOf(catalog)
  const all = items as Awaited<ReturnType<typeof catalog.read>>['items']
  expect(all).toHaveLength(1 + 2 * (1 + 1200))
  const byId = new Map(all.map((item) => [item.request.itemId, item]))
  expect(byId.get('both')?.playCount).toBe(2 * 1200)
  for (const name of ['a', 'b']) {
    expect(byId.get(name)).toMatchObject({ rating: 29 % 11, kvstore: { [name]: '29' } })
    const own = [...byId.keys()].filter((itemId) => itemId.startsWith(`${name}-`))
    expect(own).toEqual(Array.from({ length: 1200 }, (_, i) => `${name}-${i}`))
  }
  expect((await catalog.profile()).pendingTickets).toEqual([])
  await music.close()
})
