import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect } from 'vitest'
import type { Catalog, CatalogEntry } from '../../src/index.ts'
import { start } from './built.ts'
import { type Random, seeded } from './music.ts'
import { scratch } from './scratch.ts'

// By name, so that it is the built package.
const { Audile } = (await import('audile' as string)) as typeof import('../../src/index.ts')

const NOWHERE = { applied: 0, resolved: 0, toResolve: 0 }
const SONGS = 500
/** Runs that go on side by side. */
const LANES = 2

/** The same updates, plays and deletes for the same seed, here and in the process that is killed. */
function entriesOf(random: Random, count: number): CatalogEntry[] {
  const whole = (below: number) => Math.floor(random() * below)
  return Array.from({ length: count }, (_, i): CatalogEntry => {
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
const [database, id, count, json] = process.argv.slice(1).filter((a) => a !== '--')
const { seeded, entriesOf } = await import('data:text/javascript,' + encodeURIComponent(json))
const music = await Audile.open({ database })
const catalog = await music.catalogs.get({ id })
const entries = entriesOf(seeded(42), Number(count))
const ticket = await catalog.update(entries)
console.log(ticket.id)
await new Promise(() => setInterval(() => {}, 1000))
`

/** All that can be read of a catalog, but for the times, in its order. */
export async function stateOf(catalog: Catalog) {
  const items: unknown[] = []
  for await (const item of catalog.items({ bucket: 'kvstore' })) {
    const { dateAdded, lastModified, lastPlayed, ...timeless } = item
    items.push({ ...timeless, isPlayed: lastPlayed !== undefined })
  }
  return { profile: await catalog.profile(), items }
}

/**
 * Kills a process at moments of an update, which are spread over all of it, and expects that the
 * next one ends it as if nothing had been.
 *
 * @returns how far each update was when its process was gone, 0…1
 */
export async function killedUpdates(given: { entries: number; kills: number }): Promise<number[]> {
  const { entries, kills } = given
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

  const all = entriesOf(seeded(42), entries)
  const undisturbed = await Audile.open({ database: whole })
  const catalog = await undisturbed.catalogs.get({ id })
  const status = await (await catalog.update(all)).done()
  const expected = await stateOf(catalog)
  await undisturbed.close()
  expect(status).toMatchObject({ totalItems: entries, itemsUpdated: entries })
  expect(status.updateInfo?.length).toBeGreaterThan(entries / 20)
  expect(expected.items.length).toBeGreaterThan(1500)
  expect(expected.profile.resolved).toBeGreaterThan(1000)

  const source = `export ${seeded}\nconst SONGS = ${SONGS}\nexport ${entriesOf}`
  const random = seeded(9)
  const moments = Array.from({ length: kills }, (_, i) => (i + random()) / kills)
  const reached: number[] = []
  const one = async (moment: number) => {
    const database = join(folder, `${moment}.db`)
    copyFileSync(base, database)
    const child = start(UPDATE, [database, id, String(entries), source])
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
      return (0.7 * applied) / entries + 0.3 * share
    }
    while (far() < moment) await new Promise((resolve) => setTimeout(resolve, 1))
    child.kill('SIGKILL')
    await once(child, 'close')
    reached.push(far())
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    db.close()

    const again = await Audile.open({ database })
    const end = await again.call('catalog/wait', { ticket })
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
  return reached
}
