import type { MethodName, Params, Result } from '../host/door.ts'
import { invalidParameter } from '../values/errors.ts'
import type { Bytes } from './buffered-bytes.ts'
import { entriesOf } from './entries.ts'
import { identify } from './identify.ts'
import { ask, type WireCall, type WireMethod, type WireMethods } from './method.ts'
import { toSnake } from './names.ts'
import { COMMON, type Kinds, kindOf } from './parameters.ts'
import { TRACK_METHODS, trackData } from './track-methods.ts'

export interface ServedMethod extends WireMethod {
  verbs: readonly string[]
  kinds: Kinds
  required: readonly string[]
}

type WireRoom = Pick<WireMethod, 'formats' | 'style' | 'data'>

const formats = ['json', 'xml', 'jsonp'] as const

/**
 * The defaults for the methods of a room. `data` fits the answers of the specification's methods. A
 * method with another answer, such as a number of tracks, needs its own `data` in {@link METHODS};
 * types do not check this.
 */
const ROOMS: Readonly<Record<string, WireRoom>> = {
  catalog: { formats, style: 'catalog', data: (answer) => answer },
  song: { formats: ['json', 'xml'], style: 'song', data: (songs) => ({ songs }) },
  track: { formats, style: 'track', data: trackData },
}

const METHODS: WireMethods = {
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
  ...TRACK_METHODS,
  'song/identify': {
    // The specification lists no parameter `format` for it; clients that send format=xml parse JSON.
    formats: ['json'],
    kinds: { code: { type: 'text', repeatable: true } },
    fileParameter: { name: 'query', limit: 'queryBytes', text: true },
    ask: identify,
  },
}

/** The methods of the engine, each with what the wire adds to it, by name. */
export function servedMethods(
  described: Result<'engine/describe'>,
): ReadonlyMap<string, ServedMethod> {
  return new Map(described.map((one) => [one.name, served(one)]))
}

function served({
  name,
  verbs,
  properties,
  required,
}: Result<'engine/describe'>[number]): ServedMethod {
  const [room = ''] = name.split('/')
  const method = name as MethodName
  const known: Partial<WireMethod> = METHODS[method] ?? {}
  const file = known.fileParameter?.name
  const kinds = Object.entries(properties)
    .filter(([parameter]) => parameter !== file)
    .map(([parameter, schema]) => [toSnake(parameter), kindOf(schema)] as const)
  const asked = known.ask ?? ((call: WireCall) => ask(method, call, call.params))
  return {
    ...(ROOMS[room] ?? { formats, style: 'track', data: (answer) => ({ [room]: answer }) }),
    ...known,
    ask: async (call) => {
      refusePaths(call.params)
      return asked(call)
    },
    kinds: { ...COMMON, ...Object.fromEntries(kinds), ...known.kinds },
    verbs,
    required: required.map(toSnake),
  }
}

/**
 * Paths of files are private.
 *
 * @throws {ParameterError} on a bucket that contains them
 */
function refusePaths(params: object): void {
  const { bucket } = params as { bucket?: unknown }
  if (![bucket].flat().includes('own_tracks')) return
  throw invalidParameter('bucket', '"own_tracks" is not one of those that requests can ask for')
}

type EntryInput = Params<'catalog/update'>['data'][number]

/** The last members of an item, in the order that old clients expect. */
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

function ordered(item: object): object {
  const { ...rest } = item as Record<string, unknown>
  const last = LAST.map((name): [string, unknown] => [name, rest[name]])
  for (const name of LAST) delete rest[name]
  return { ...rest, ...Object.fromEntries(last) }
}
