import type { Params } from '../door.ts'
import type { Bytes } from './buffered-bytes.ts'
import { entriesOf } from './entries.ts'
import type { WireMethods } from './method.ts'

/** Members that clients of the time expect after all others of an item, in this order. */
const LAST = [
  'lastModified',
  'dateAdded',
  'songName',
  'artistId',
  'artistName',
  'foreignId',
  'songId',
  'trackId',
  'request',
] as const

/** What the wire adds to the catalog methods. */
export const CATALOG_METHODS: WireMethods = {
  'catalog/create': { data: ({ type, name, id }) => ({ type, name, id }) },
  'catalog/update': {
    fileParameter: { name: 'data', limit: 'updateBytes', text: true },
    async ask({ music, params, file, config, signal }) {
      const updated = await music.catalogs.get({ id: params.id }, { signal })
      const entries = entriesOf(file as Bytes, config.limits) as AsyncIterable<EntryInput>
      const ticket = await updated.update(entries, { signal })
      return { ticket: ticket.id }
    },
  },
  'catalog/profile': {
    data: ({ resolved, pendingTickets, name, total, type, id }) => ({
      catalog: { resolved, pendingTickets, name, total, type, id },
    }),
  },
  'catalog/read': {
    data: ({ name, items, start, total, type, id }) => ({
      catalog: { name, items: items.map(ordered), start, total, type, id },
    }),
  },
  'catalog/feed': { data: (feed) => ({ feed }) },
  'catalog/delete': { data: ({ name, id }) => ({ name, id }) },
  'catalog/list': {
    data: ({ start, total, catalogs }) => ({
      start,
      total,
      catalogs: catalogs.map(({ total, name, type, id }) => ({ total, name, type, id })),
    }),
  },
}

type EntryInput = Params<'catalog/update'>['data'][number]

function ordered(item: object): object {
  const { ...rest } = item as Record<string, unknown>
  const last = LAST.map((name): [string, unknown] => [name, rest[name]])
  for (const name of LAST) delete rest[name]
  return { ...rest, ...Object.fromEntries(last) }
}
