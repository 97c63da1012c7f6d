import { z } from 'zod'
import { parseFields } from '../options/validate.ts'
import { decodeCode } from '../recognition/systems/decode-code.ts'
import { invalidParameter, missingParameter, ParameterError } from '../values/errors.ts'
import {
  flag,
  lenient,
  place,
  reference,
  title,
  unlisted,
  version,
  whole,
} from './lenient-values.ts'

/** The type of the items of a catalog. */
export type CatalogType = 'artist' | 'song'

export const MOST_KEYS = 100
export const LONGEST_ID = 1024

const keyValues = z
  .record(z.string(), z.unknown().transform(asKeyValue))
  .refine((pairs) => Object.keys(pairs).length <= MOST_KEYS, {
    error: `has more than ${MOST_KEYS} keys`,
  })
  .nullish()

const itemId = z
  .string()
  .regex(/^[A-Za-z0-9._-]+$/, 'may hold only A-Z a-z 0-9 . _ -')
  .max(LONGEST_ID)

const own = {
  /** Your own name for it, unique in the catalog: letters, digits, `.`, `_` and `-`, at most 1,024. */
  itemId,
  /** Whether it is loved. */
  favorite: flag,
  /** Whether it is hated. */
  banned: flag,
  /** How often it was played. */
  playCount: whole(Number.MAX_SAFE_INTEGER),
  /** How often it was skipped. */
  skipCount: whole(Number.MAX_SAFE_INTEGER),
  /** 0…10. */
  rating: whole(10),
  /** Your own keys and values, at most 100. A value that is not a text is kept as JSON; `null` removes a key. */
  itemKeyvalues: keyValues,
}

/** Other fields, which generators write beside a code, are ignored. */
const fpCode = z.union([
  z.string(),
  z.object({
    /** The version of the code: 3.15, 4.0, 4.11 or 4.12. */
    version: version,
    /** The code string, as `songs.fingerprint` gives it. */
    code: z.string(),
  }),
])

const artistItem = z.strictObject({ ...own, artistId: reference, artistName: title })

const songItem = z.strictObject({
  ...own,
  /** A fingerprint, of version 3.15 unless another one is given. */
  fpCode: lenient<z.output<typeof fpCode>, z.input<typeof fpCode>>((value) => value, fpCode),
  /** `TR…`, or a foreign id. */
  trackId: reference,
  /** `SO…`, or a foreign id. */
  songId: reference,
  /** The title, to be resolved with `artistName`. */
  songName: title,
  /** `AR…`, or a foreign id. */
  artistId: reference,
  /** The artist as credited. */
  artistName: title,
  /** The album. */
  release: title,
  /** The genre, in your own words. */
  genre: title,
  /** The track number on the disc. */
  trackNumber: place,
  /** The number of the disc. */
  discNumber: place,
  /** The path or address of the file. `update` with `analyze` analyses a local file. */
  url: reference,
})

/** An item in an update. */
export type ItemInput = z.input<typeof songItem>
export type Item = z.output<typeof songItem>
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

const entry = z.strictObject({
  action: z.preprocess(actionOf, z.enum(ACTIONS)).optional(),
  item: z.looseObject({ itemId }).nullish(),
  catalogKeyvalues: keyValues,
})

export function actionOf(action: unknown): unknown {
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

export interface Entry {
  action: Action
  item?: Item
  /** `null` removes all of them. */
  catalogKeyvalues?: KeyValues | null
  /** The fields that were left out, and why. */
  faults: string[]
}

/** The fields that name a song or an artist. */
export const IDENTITY = [
  'fpCode',
  'songId',
  'songName',
  'trackId',
  'artistId',
  'artistName',
] as const
export const DETAILS = ['release', 'genre', 'trackNumber', 'discNumber', 'url'] as const

/** Pairs of fields of which only one may be given. */
const EXCLUSIONS: readonly (readonly [keyof Item, keyof Item])[] = [
  ['songId', 'trackId'],
  ['songId', 'songName'],
  ['trackId', 'songName'],
  ['artistId', 'artistName'],
  ['songId', 'artistId'],
  ['trackId', 'artistId'],
  ['songId', 'artistName'],
  ['trackId', 'artistName'],
]

export function exclude(one: string, other: string): boolean {
  return EXCLUSIONS.some(([a, b]) => (a === one && b === other) || (a === other && b === one))
}

/** The versions of `fpCode`: those of the specification, and ours of system B. */
const VERSIONS = [3.15, 4, 4.11, 4.12]
const DEFAULT_VERSION = 3.15

/**
 * Checks one entry of an update. Wrong fields of its item are left out, with a fault for each. Only
 * a wrong action, item id or combination of names rejects the whole entry.
 */
export function parseEntry(type: CatalogType, input: unknown): Entry {
  const { fields, faults } = parseFields(entry, input, {
    of: 'an entry',
    vital: ['action', 'item'],
  })
  const { action, item, catalogKeyvalues } = fields
  const checked: Entry = { action: action ?? 'update', faults }
  if (catalogKeyvalues !== undefined) checked.catalogKeyvalues = catalogKeyvalues
  if (item == null) {
    if (catalogKeyvalues !== undefined && checked.action === 'update') return checked
    throw faults[0] === undefined
      ? missingParameter('item')
      : new ParameterError('invalid_parameter', faults[0])
  }
  // The other actions need only the item's id.
  if (checked.action !== 'update') return { ...checked, item: { itemId: item.itemId } }
  const found = parseItem(type, item)
  return { ...checked, item: found.item, faults: [...faults, ...found.faults] }
}

function parseItem(type: CatalogType, input: unknown): { item: Item; faults: string[] } {
  const schema = type === 'song' ? songItem : artistItem
  const isValue = (name: string) =>
    Object.hasOwn(schema.shape, name) && name !== 'itemId' && name !== 'itemKeyvalues'
  const read = unlisted(input as Record<string, unknown>, isValue)
  const parsed = parseFields(schema, read.values, {
    of: type === 'song' ? 'a song item' : 'an artist item',
    vital: ['itemId'],
    remedy: 'itemKeyvalues takes fields of your own',
  })
  const item: Item = parsed.fields
  const faults = [...read.faults, ...parsed.faults]
  const flaw = item.fpCode == null ? undefined : flawOf(item.fpCode)
  if (flaw !== undefined) {
    delete item.fpCode
    faults.push(invalidParameter('fpCode', `${flaw}; it was left out`).message)
  }
  for (const [one, other] of EXCLUSIONS) {
    if (item[one] != null && item[other] != null) {
      const why = `${JSON.stringify(item[other])} beside ${one}; give one of them`
      throw invalidParameter(other, why)
    }
  }
  return { item, faults }
}

export function codeOf(given: NonNullable<Item['fpCode']>): { code: string; version: number } {
  const { code, version } = typeof given === 'string' ? { code: given, version: null } : given
  return { code, version: version ?? DEFAULT_VERSION }
}

function flawOf(given: NonNullable<Item['fpCode']>): string | undefined {
  const { code, version } = codeOf(given)
  if (!VERSIONS.includes(version)) {
    return `version ${version} is not one of ${VERSIONS.map((v) => v.toFixed(v === 4 ? 1 : 2)).join(', ')}`
  }
  const decoded = decodeCode(code, version)
  return decoded.codes === undefined ? decoded.message.replace(/\.$/, '') : undefined
}

function asKeyValue(value: unknown): string | null {
  return typeof value === 'string' || value === null ? value : JSON.stringify(value)
}
