import { expect, it } from 'vitest'
import type { CatalogEntry, CatalogItem } from '../../src/index.ts'
import { gather, newCatalog, update } from '../support/catalogs.ts'
import { type Random, seeded } from '../support/music.ts'
import { openLibrary, SONGS } from '../support/reference-library.ts'

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/
const IDENTITY = ['songId', 'songName', 'trackId', 'artistId', 'artistName', 'fpCode']
const DETAILS = ['release', 'genre', 'trackNumber', 'discNumber', 'url']
const COUNTS = ['playCount', 'skipCount', 'favorite', 'banned', 'rating']

/** What stays of an identity when one of these comes alone; beside all others nothing stays. */
const BESIDE: Record<string, readonly string[]> = {
  songName: ['artistId', 'artistName', 'fpCode'],
  artistName: ['songName', 'fpCode'],
  artistId: ['songName', 'fpCode'],
}

type Fields = Record<string, unknown>
interface ModelItem {
  identity: Fields
  details: Fields
  counts: Fields
  keyvalues: Fields
}

/** The rules of the specification and of its decisions, as plainly as they can be written. */
function applied(items: Map<string, ModelItem>, { action = 'update', item }: CatalogEntry): void {
  const { itemId, ...all } = item as { itemId: string } & Fields
  const given = Object.fromEntries(
    Object.entries(all).filter(
      ([name, value]) => value !== '' && !(name === 'rating' && value === 11),
    ),
  )
  const known = items.get(itemId)
  if (action === 'delete') {
    items.delete(itemId)
    return
  }
  if (action !== 'update') {
    if (!known) return
    const { counts } = known
    if (action === 'play') {
      counts.playCount = Number(counts.playCount ?? 0) + 1
      counts.lastPlayed = expect.stringMatching(TIMESTAMP)
    }
    if (action === 'skip') counts.skipCount = Number(counts.skipCount ?? 0) + 1
    if (action.endsWith('favorite')) counts.favorite = action === 'favorite'
    if (action.endsWith('ban')) counts.banned = action === 'ban'
    return
  }
  if (isBad(given)) return
  const held = known ?? { identity: {}, details: {}, counts: {}, keyvalues: {} }
  items.set(itemId, held)
  const named = IDENTITY.filter((name) => given[name] !== undefined)
  const isChange = named.some((name) => (given[name] ?? undefined) !== held.identity[name])
  if (isChange) {
    const names = named.filter((name) => given[name] !== null)
    const beside = names.length > 1 ? undefined : BESIDE[names[0] ?? '']
    if (names.length > 0) {
      for (const old of IDENTITY) if (!beside?.includes(old)) delete held.identity[old]
    }
    for (const name of named) set(held.identity, name, given[name])
  }
  for (const name of DETAILS) set(held.details, name, given[name])
  for (const name of COUNTS) set(held.counts, name, given[name])
  Object.assign(held.keyvalues, given.itemKeyvalues)
}

function isBad(given: Fields): boolean {
  const has = (name: string) => given[name] != null
  return (
    [has('songId'), has('songName'), has('trackId')].filter(Boolean).length > 1 ||
    (has('artistId') && has('artistName')) ||
    ((has('songId') || has('trackId')) && (has('artistId') || has('artistName')))
  )
}

function set(fields: Fields, name: string, value: unknown): void {
  if (value === null) delete fields[name]
  else if (value !== undefined) fields[name] = value
}

function entryOf(random: Random): CatalogEntry {
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T
  const itemId = `${Math.floor(random() * 12)}`
  if (random() < 0.4) {
    const actions = ['delete', 'play', 'skip', 'favorite', 'unfavorite', 'ban', 'unban'] as const
    return { action: one(actions), item: { itemId } }
  }
  const values: Record<string, readonly unknown[]> = {
    songId: [SONGS.rust.id, SONGS.manha.id, 'SOAAAAA00000000000', null],
    songName: ['Qqqq', 'Wwww', '', null],
    artistId: ['ARAAAAA00000000000', null],
    artistName: ['Zzzz', 'Xxxx', null],
    trackId: ['7digital-US:track:333', null],
    release: ['a', 'b', '', null],
    trackNumber: [1, 2, null],
    url: ['http://a', null],
    playCount: [0, 7, null],
    skipCount: [3, null],
    favorite: [true, false, null],
    banned: [true, false, null],
    rating: [0, 5, 10, 11, null],
    itemKeyvalues: [{ a: '1' }, { b: '2', a: '3' }, {}],
  }
  const fields = Object.entries(values).flatMap(([name, of]) =>
    random() < 0.2 ? [[name, one(of)]] : [],
  )
  return { item: { itemId, ...Object.fromEntries(fields) } }
}

const SONG_OF: Record<string, string> = {
  [SONGS.rust.id]: SONGS.rust.id,
  [SONGS.manha.id]: SONGS.manha.id,
  '7digital-US:track:333': SONGS.ironHome.id,
}

/** An item as the model has it, in the form in which it is read. */
function readOf([itemId, { identity, details, counts, keyvalues }]: [string, ModelItem]): Fields {
  const songId = SONG_OF[String(identity.songId ?? identity.trackId)]
  return {
    request: { itemId, ...identity, ...details },
    kvstore: keyvalues,
    ...counts,
    ...(songId !== undefined && { songId }),
  }
}

function known({
  dateAdded,
  lastModified,
  foreignId,
  songName,
  artistId,
  artistName,
  ...item
}: CatalogItem): Fields {
  return item
}

it.each([1, 2, 3, 4, 5, 6])(
  'any entries make what the rules say, however parted (%d)',
  async (seed) => {
    const random = seeded(seed)
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    const items = new Map<string, ModelItem>()
    for (let round = 0; round < 12; round++) {
      const entries = Array.from({ length: 1 + Math.floor(random() * 60) }, () => entryOf(random))
      for (const entry of entries) applied(items, entry)
      const waiting = []
      for (let i = 0; i < entries.length; ) {
        const next = i + 1 + Math.floor(random() * entries.length)
        waiting.push(await catalog.update(entries.slice(i, next)))
        i = next
      }
      for (const ticket of waiting) await ticket.done().catch(() => {})
      const read = await gather(catalog.items({ bucket: 'kvstore' }))
      expect(read.map(known)).toEqual([...items].map(readOf))
      const total = items.size
      expect(await catalog.profile()).toMatchObject({
        total,
        resolved: read.filter(({ songId }) => songId !== undefined).length,
        pendingTickets: [],
      })
    }
    await update(catalog, [])
  },
)
