import { z } from 'zod'
import { parseFields } from '../options/validate.ts'
import { decodeCode } from '../recognition/systems/decode-code.ts'
import { invalidParameter, missingParameter, ParameterError } from '../values/errors.ts'
import { unixSeconds } from '../values/unix-time.ts'
import {
  lenientCount,
  lenientField,
  lenientFlag,
  lenientName,
  lenientPlace,
  lenientReference,
  lenientVersion,
  takeFromLists,
} from './lenient-values.ts'

/** The type of the items of a catalog. */
export type CatalogType = 'artist' | 'song'

export const MAX_KEYVALUES = 100
export const MAX_ID_LENGTH = 1024
const MAX_PLAYS = 100_000

const keyvaluesSchema = z
  .record(z.string(), z.unknown().transform(toKeyValue))
  .refine((pairs) => Object.keys(pairs).length <= MAX_KEYVALUES, {
    error: `has more than ${MAX_KEYVALUES} keys`,
  })
  .nullish()

const itemId = z
  .string()
  .regex(/^[A-Za-z0-9._-]+$/, 'may hold only A-Z a-z 0-9 . _ -')
  .max(MAX_ID_LENGTH)

const commonFields = {
  /** Your own name for it, unique in the catalog: letters, digits, `.`, `_` and `-`, at most 1,024. */
  itemId,
  /** Whether it is loved. */
  favorite: lenientFlag,
  /** Whether it is hated. */
  banned: lenientFlag,
  /** How often it was played. */
  playCount: lenientCount(Number.MAX_SAFE_INTEGER),
  /** How often it was skipped. */
  skipCount: lenientCount(Number.MAX_SAFE_INTEGER),
  /**
   * When it was played: Unix seconds, or texts such as `2021-03-02T14:05:06Z`, in UTC. The times are
   * added to those known, each once, and raise `playCount`; a `playCount` beside them becomes at
   * least their number. `null` removes the times.
   */
  plays: z
    .array(z.custom<number | string | Date>(() => true))
    .max(MAX_PLAYS)
    .nullish(),
  /** 0…10. */
  rating: lenientCount(10),
  /** Your own keys and values, at most 100. A value that is not a text is kept as JSON; `null` removes a key. */
  itemKeyvalues: keyvaluesSchema,
}

/** Other fields, which generators write beside a code, are ignored. */
const fpCodeSchema = z.union([
  z.string(),
  z.object({
    /** The version of the code: 3.15, 4.0, 4.11 or 4.12. */
    version: lenientVersion,
    /** The code string, as `songs.fingerprint` gives it. */
    code: z.string(),
  }),
])

const artistItemSchema = z.strictObject({
  ...commonFields,
  artistId: lenientReference,
  artistName: lenientName,
})

const songItemSchema = z.strictObject({
  ...commonFields,
  /** A fingerprint, of version 3.15 unless another one is given. */
  fpCode: lenientField<z.output<typeof fpCodeSchema>, z.input<typeof fpCodeSchema>>(
    (value) => value,
    fpCodeSchema,
  ),
  /** `TR…`, or a foreign id. */
  trackId: lenientReference,
  /** `SO…`, or a foreign id. */
  songId: lenientReference,
  /** The title, to be resolved with `artistName`. */
  songName: lenientName,
  /** `AR…`, or a foreign id. */
  artistId: lenientReference,
  /** The artist as credited. */
  artistName: lenientName,
  /** The album. */
  release: lenientName,
  /** The genre, in your own words. */
  genre: lenientName,
  /** The track number on the disc. */
  trackNumber: lenientPlace,
  /** The number of the disc. */
  discNumber: lenientPlace,
  /** The path or address of the file. `update` with `analyze` analyses a local file. */
  url: lenientReference,
})

/** An item in an update. */
export type ItemInput = z.input<typeof songItemSchema>
export type Item = z.output<typeof songItemSchema>
/** Keys and the values to set; `null` removes a key. */
export type KeyValues = NonNullable<Item['itemKeyvalues']>

const ACTIONS = [
  'delete',
  'update',
  'play',
  'skip',
  'favorite',
  'unfavorite',
  'ban',
  'unban',
] as const

/** What an entry does with its item. */
export type Action = (typeof ACTIONS)[number]

const entrySchema = z.strictObject({
  action: z.preprocess(normalizeAction, z.enum(ACTIONS)).optional(),
  item: z.looseObject({ itemId }).nullish(),
  catalogKeyvalues: keyvaluesSchema,
})

export function normalizeAction(action: unknown): unknown {
  return action == null || (typeof action === 'string' && action.trim() === '') ? 'update' : action
}

/** An entry of an update. */
export interface EntryInput {
  /** Default `update`. */
  action?: Action
  /** The item, with the fields to set. Only an entry with `catalogKeyvalues` may lack it. */
  item?: ItemInput
  /** Keys and values of the catalog itself, like `itemKeyvalues` of an item. */
  catalogKeyvalues?: Record<string, unknown>
}

export interface UpdateEntry {
  action: Action
  item?: Item
  /** `null` removes all of them. */
  catalogKeyvalues?: KeyValues | null
  /** The fields that were left out, and why. */
  faults: string[]
}

export const IDENTITY = [
  'fpCode',
  'songId',
  'songName',
  'trackId',
  'artistId',
  'artistName',
] as const
export const DETAILS = ['release', 'genre', 'trackNumber', 'discNumber', 'url'] as const

const EXCLUSIVE_FIELDS: readonly (readonly [keyof Item, keyof Item])[] = [
  ['songId', 'trackId'],
  ['songId', 'songName'],
  ['trackId', 'songName'],
  ['artistId', 'artistName'],
  ['songId', 'artistId'],
  ['trackId', 'artistId'],
  ['songId', 'artistName'],
  ['trackId', 'artistName'],
]

export function areExclusive(field: string, other: string): boolean {
  return EXCLUSIVE_FIELDS.some(
    ([a, b]) => (a === field && b === other) || (a === other && b === field),
  )
}

/** Those of the specification, and ours of system B. */
const CODE_VERSIONS = [3.15, 4, 4.11, 4.12]
const DEFAULT_CODE_VERSION = 3.15

/**
 * Wrong fields are left out with a fault each; a wrong action, id or combination rejects the entry.
 */
export function parseEntry(type: CatalogType, input: unknown): UpdateEntry {
  const { fields, faults } = parseFields(entrySchema, input, {
    of: 'an entry',
    vital: ['action', 'item'],
  })
  const { action, item, catalogKeyvalues } = fields
  const checked: UpdateEntry = { action: action ?? 'update', faults }
  if (catalogKeyvalues !== undefined) checked.catalogKeyvalues = catalogKeyvalues
  if (item == null) {
    if (catalogKeyvalues !== undefined && checked.action === 'update') return checked
    throw faults[0] === undefined
      ? missingParameter('item')
      : new ParameterError('invalid_parameter', faults[0])
  }
  if (checked.action !== 'update') return { ...checked, item: { itemId: item.itemId } }
  const parsedItem = parseItem(type, item)
  return { ...checked, item: parsedItem.item, faults: [...faults, ...parsedItem.faults] }
}

function parseItem(type: CatalogType, input: unknown): { item: Item; faults: string[] } {
  const itemSchema = type === 'song' ? songItemSchema : artistItemSchema
  const isValue = (name: string) =>
    Object.hasOwn(itemSchema.shape, name) && !['itemId', 'itemKeyvalues', 'plays'].includes(name)
  const unlisted = takeFromLists(input as Record<string, unknown>, isValue)
  const parsed = parseFields(itemSchema, unlisted.values, {
    of: type === 'song' ? 'a song item' : 'an artist item',
    vital: ['itemId'],
    remedy: 'itemKeyvalues takes fields of your own',
  })
  const item: Item = parsed.fields
  const faults = [...unlisted.faults, ...parsed.faults]
  const flaw = item.fpCode == null ? undefined : flawOfCode(item.fpCode)
  if (flaw !== undefined) {
    delete item.fpCode
    faults.push(invalidParameter('fpCode', `${flaw}; it was left out`).message)
  }
  if (item.plays) item.plays = readTimes(item.plays, faults)
  for (const [field, other] of EXCLUSIVE_FIELDS) {
    if (item[field] != null && item[other] != null) {
      const reason = `${JSON.stringify(item[other])} beside ${field}; give one of them`
      throw invalidParameter(other, reason)
    }
  }
  return { item, faults }
}

/** Times as Unix seconds; a fault counts those that are none. */
function readTimes(values: readonly unknown[], faults: string[]): number[] {
  const times = values.flatMap((time) => unixSeconds(time) ?? [])
  const missing = values.length - times.length
  if (missing > 0) {
    const wrong = values.find((time) => unixSeconds(time) === undefined)
    const reason = `${JSON.stringify(wrong)} is not a time from 1970 to 2100, in seconds or as 2021-03-02T14:05:06Z; ${missing} of ${values.length} were left out`
    faults.push(invalidParameter('plays', reason).message)
  }
  return times
}

export function fpCodeParts(fpCodeValue: NonNullable<Item['fpCode']>): {
  code: string
  version: number
} {
  const { code, version } =
    typeof fpCodeValue === 'string' ? { code: fpCodeValue, version: null } : fpCodeValue
  return { code, version: version ?? DEFAULT_CODE_VERSION }
}

function flawOfCode(fpCodeValue: NonNullable<Item['fpCode']>): string | undefined {
  const { code, version } = fpCodeParts(fpCodeValue)
  if (!CODE_VERSIONS.includes(version)) {
    return `version ${version} is not one of ${CODE_VERSIONS.map((v) => v.toFixed(v === 4 ? 1 : 2)).join(', ')}`
  }
  const decoded = decodeCode(code, version)
  return decoded.codes === undefined ? decoded.message.replace(/\.$/, '') : undefined
}

function toKeyValue(value: unknown): string | null {
  return typeof value === 'string' || value === null ? value : JSON.stringify(value)
}
