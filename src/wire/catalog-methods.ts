import type { MethodName, Params, Result } from '../door.ts'
import type { Bytes } from './buffered-bytes.ts'
import { entriesOf } from './entries.ts'
import type { WireCall, WireMethod } from './method.ts'
import type { Kinds } from './parameters.ts'

const catalog = { formats: ['json', 'xml', 'jsonp'], style: 'catalog' } as const
const page: Kinds = { results: 'integer', start: 'integer' }

/** What a client of the time needs behind what else an item says, in this order. */
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

/** Calls a method of the engine with the parameters as they came: the engine checks them. */
function ask<M extends MethodName>(
  method: M,
  { music, params, signal }: Pick<WireCall, 'music' | 'params' | 'signal'>,
): Promise<Result<M>> {
  return music.call(method, params as Params<M>, { signal })
}

/** The catalog methods. Members stand in the order in which the service wrote them. */
export const CATALOG_METHODS: Readonly<Record<string, WireMethod>> = {
  'catalog/create': {
    ...catalog,
    verbs: ['POST'],
    kinds: { name: 'text', type: { oneOf: ['artist', 'song'] } },
    required: ['name', 'type'],
    async run(call) {
      const { type, name, id } = await ask('catalog/create', call)
      return { type, name, id }
    },
  },

  'catalog/update': {
    ...catalog,
    verbs: ['POST'],
    kinds: { id: 'text', data_type: { oneOf: ['json'] } },
    required: ['id', 'data'],
    fileParameter: { name: 'data', limit: 'updateBytes', text: true },
    async run({ music, params, file, config, signal }) {
      const updated = await music.catalogs.get({ id: params.id as string }, { signal })
      const entries = entriesOf(file as Bytes, config.limits) as AsyncIterable<EntryInput>
      const ticket = await updated.update(entries, { signal })
      return { ticket: ticket.id }
    },
  },

  'catalog/status': {
    ...catalog,
    verbs: ['GET'],
    kinds: { ticket: 'text' },
    required: ['ticket'],
    async run(call) {
      return { ...(await ask('catalog/status', call)) }
    },
  },

  'catalog/profile': {
    ...catalog,
    verbs: ['GET'],
    kinds: { id: 'text', name: 'text' },
    async run(call) {
      const { resolved, pendingTickets, name, total, type, id } = await ask('catalog/profile', call)
      return { catalog: { resolved, pendingTickets, name, total, type, id } }
    },
  },

  'catalog/read': {
    ...catalog,
    verbs: ['GET'],
    kinds: { id: 'text', item_id: 'texts', bucket: 'texts', ...page },
    required: ['id'],
    async run(call) {
      const { name, items, start, total, type, id } = await ask('catalog/read', call)
      return { catalog: { name, items: items.map(ordered), start, total, type, id } }
    },
  },

  'catalog/feed': {
    ...catalog,
    verbs: ['GET'],
    kinds: {
      id: 'text',
      bucket: { many: ['news', 'blogs', 'reviews', 'audio', 'video'] },
      ...page,
      since: 'text',
      high_relevance: 'flag',
    },
    required: ['id'],
    async run(call) {
      return { feed: await ask('catalog/feed', call) }
    },
  },

  'catalog/delete': {
    ...catalog,
    verbs: ['POST'],
    kinds: { id: 'text' },
    required: ['id'],
    async run(call) {
      const { name, id } = await ask('catalog/delete', call)
      return { name, id }
    },
  },

  'catalog/list': {
    ...catalog,
    verbs: ['GET'],
    kinds: page,
    async run(call) {
      const { start, total, catalogs } = await ask('catalog/list', call)
      const listed = catalogs.map((one) => ({
        total: one.total,
        name: one.name,
        type: one.type,
        id: one.id,
      }))
      return { start, total, catalogs: listed }
    },
  },
}

type EntryInput = Params<'catalog/update'>['data'][number]

function ordered(item: object): Record<string, unknown> {
  const { ...rest } = item as Record<string, unknown>
  const last = LAST.map((name): [string, unknown] => [name, rest[name]])
  for (const name of LAST) delete rest[name]
  return { ...rest, ...Object.fromEntries(last) }
}
