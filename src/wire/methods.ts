import type { MethodName, Params, Result } from '../host/door.ts'
import { invalidParameter } from '../values/errors.ts'
import type { Bytes } from './buffered-bytes.ts'
import { readEntries } from './entries.ts'
import { identifySong } from './identify.ts'
import { callEngine, type WireCall, type WireMethod, type WireMethods } from './method.ts'
import { toSnake } from './names.ts'
import { COMMON_KINDS, kindOfSchema, type ParameterKinds } from './parameters.ts'
import { TRACK_METHODS, trackData } from './track-methods.ts'

export interface ServedMethod extends WireMethod {
  verbs: readonly string[]
  kinds: ParameterKinds
  required: readonly string[]
}

type WireRoom = Pick<WireMethod, 'formats' | 'style' | 'toMembers'>

const ALL_FORMATS = ['json', 'xml', 'jsonp'] as const

/** A method with another answer than its room's others needs its own `toMembers`. */
const ROOM_DEFAULTS: Readonly<Record<string, WireRoom>> = {
  catalog: { formats: ALL_FORMATS, style: 'catalog', toMembers: (answer) => answer },
  song: { formats: ['json', 'xml'], style: 'song', toMembers: (songs) => ({ songs }) },
  track: { formats: ALL_FORMATS, style: 'track', toMembers: trackData },
}

const WIRE_METHODS: WireMethods = {
  'catalog/create': { toMembers: ({ type, name, id }) => ({ type, name, id }) },
  'catalog/update': {
    fileParameter: { name: 'data', limit: 'updateBytes', text: true },
    async call({ music, params, file, config, signal }) {
      const catalog = await music.catalogs.get({ id: params.id }, { signal })
      const entries = readEntries(file as Bytes, config.limits) as AsyncIterable<CatalogUpdateEntry>
      const ticket = await catalog.update(entries, { signal })
      return { ticket: ticket.id }
    },
  },
  'catalog/profile': {
    toMembers: ({ resolved, pendingTickets, name, total, type, id }) => ({
      catalog: { resolved, pendingTickets, name, total, type, id },
    }),
  },
  'catalog/read': {
    toMembers: ({ name, items, start, total, type, id }) => ({
      catalog: { name, items: items.map(orderMembers), start, total, type, id },
    }),
  },
  'catalog/feed': { toMembers: (feed) => ({ feed }) },
  'catalog/delete': { toMembers: ({ name, id }) => ({ name, id }) },
  'catalog/list': {
    toMembers: ({ start, total, catalogs }) => ({
      start,
      total,
      catalogs: catalogs.map(({ total, name, type, id }) => ({ total, name, type, id })),
    }),
  },
  ...TRACK_METHODS,
  'song/identify': {
    // The specification lists no `format` here; clients that send format=xml parse JSON.
    formats: ['json'],
    kinds: { code: { type: 'text', repeatable: true } },
    fileParameter: { name: 'query', limit: 'queryBytes', text: true },
    call: identifySong,
  },
}

export function servedMethods(
  descriptions: Result<'engine/describe'>,
): ReadonlyMap<string, ServedMethod> {
  return new Map(descriptions.map((described) => [described.name, serveMethod(described)]))
}

function serveMethod({
  name,
  verbs,
  properties,
  required,
}: Result<'engine/describe'>[number]): ServedMethod {
  const [room = ''] = name.split('/')
  const method = name as MethodName
  const wireMethod: Partial<WireMethod> = WIRE_METHODS[method] ?? {}
  const file = wireMethod.fileParameter?.name
  const kinds = Object.entries(properties)
    .filter(([parameter]) => parameter !== file)
    .map(([parameter, schema]) => [toSnake(parameter), kindOfSchema(schema)] as const)
  const callMethod = wireMethod.call ?? ((call: WireCall) => callEngine(method, call, call.params))
  return {
    ...(ROOM_DEFAULTS[room] ?? {
      formats: ALL_FORMATS,
      style: 'track',
      toMembers: (answer) => ({ [room]: answer }),
    }),
    ...wireMethod,
    call: async (call) => {
      refusePaths(call.params)
      return callMethod(call)
    },
    kinds: { ...COMMON_KINDS, ...Object.fromEntries(kinds), ...wireMethod.kinds },
    verbs,
    required: required.map(toSnake),
  }
}

/**
 * Paths of files are private.
 * @throws {ParameterError} on a bucket that contains them
 */
function refusePaths(params: object): void {
  const { bucket } = params as { bucket?: unknown }
  if (![bucket].flat().includes('own_tracks')) return
  throw invalidParameter('bucket', '"own_tracks" is not one of those that requests can ask for')
}

type CatalogUpdateEntry = Params<'catalog/update'>['data'][number]

/** Old clients expect these members of an item at its end, in this order. */
const LAST_MEMBERS = [
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

function orderMembers(item: object): object {
  const { ...members } = item as Record<string, unknown>
  const lastMembers = LAST_MEMBERS.map((name): [string, unknown] => [name, members[name]])
  for (const name of LAST_MEMBERS) delete members[name]
  return { ...members, ...Object.fromEntries(lastMembers) }
}
