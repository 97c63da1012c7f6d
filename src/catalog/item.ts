import { z } from 'zod'
import { invalidParameter, missingParameter, ParameterError } from '../errors.ts'
import { decodeCode } from '../fingerprint/decode-code.ts'
import { name } from '../parameter-types.ts'
import { parseFields } from '../validate.ts'

/** What a catalog holds. */
export type CatalogType = 'artist' | 'song'

/** What an item is called. A table makes a number of a title like 1999. */
const called = asSubmitted(tidied(asText, name))
/** An id, or an address. */
const reference = asSubmitted(tidied(asText, z.string().trim().min(1)))
/** Old clients write numbers as text. */
const whole = (least: number, most: number) =>
  tidied<number, number | string>(asNumber, z.int().min(least).max(most))
const count = whole(0, Number.MAX_SAFE_INTEGER)
/** A place among several; tags write `3/12`. */
const place = asSubmitted<number | string>(
  tidied<number, number | string>(asPlace, z.int().min(0).max(1_000_000)),
)
const flag = tidied<boolean, boolean | 'true' | 'false'>(asFlag, z.boolean())

/** Keys that an item, or a catalog, has at most. */
export const MOST_KEYS = 100
/** Characters of an item's id at most. */
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
  /** One's own name for it, unique in the catalog: letters, digits, `.`, `_` and `-`, at most 1,024. */
  itemId,
  /** Whether it is loved. */
  favorite: flag,
  /** Whether it is hated. */
  banned: flag,
  /** How often it was played. */
  playCount: count,
  /** How often it was skipped. */
  skipCount: count,
  /** 0…10. */
  rating: whole(0, 10),
  /** Keys and values of one's own, at most 100: a value that is no text is kept as JSON, `null` removes a key. */
  itemKeyvalues: keyValues,
}

/** What generators write beside a code has no use here. */
const fpCode = z.union([
  z.string(),
  z.object({
    /** Which system made it: 3.15, 4.0, 4.11 or 4.12. */
    version: tidied<number, number | string>(asVersion, z.number()),
    /** As `songs.fingerprint` gives it. */
    code: z.string(),
  }),
])

const artistItem = z.strictObject({ ...own, artistId: reference, artistName: called })

const songItem = z.strictObject({
  ...own,
  /** A fingerprint; 3.15 unless a version is named. */
  fpCode: tidied<z.output<typeof fpCode>, z.input<typeof fpCode>>((value) => value, fpCode),
  /** `TR…`, or a foreign id. */
  trackId: reference,
  /** `SO…`, or a foreign id. */
  songId: reference,
  /** The title, to be resolved with `artistName`. */
  songName: called,
  /** `AR…`, or a foreign id. */
  artistId: reference,
  /** The artist as credited. */
  artistName: called,
  /** The album. */
  release: called,
  /** As one calls it. */
  genre: called,
  /** The place on its disc. */
  trackNumber: place,
  /** Which disc of several. */
  discNumber: place,
  /** Where the file is; `update` with `analyze` listens to it. */
  url: reference,
})

/** An item as an update takes it. */
export type ItemInput = z.input<typeof songItem>
/** An item that was checked. */
export type Item = z.output<typeof songItem>
/** Keys and values that are set, or removed where they are `null`. */
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

/** What an entry is to do, as it is written or by default. */
export function actionOf(action: unknown): unknown {
  return action == null || isBlank(action) ? 'update' : action
}

/** An entry of an update. */
export interface EntryInput {
  /** Default `update`. */
  action?: Action
  /** Which item, and what is said of it. Needed but for `catalogKeyvalues` alone. */
  item?: ItemInput
  /** Keys and values of the catalog itself, as those of an item. */
  catalogKeyvalues?: Record<string, unknown>
}

/** An entry that was checked. */
export interface Entry {
  action: Action
  item?: Item
  /** `null` removes them all. */
  catalogKeyvalues?: KeyValues | null
  /** What was left out of it, and why. */
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
/** What else is said of an item, beside flags and counts. */
export const DETAILS = ['release', 'genre', 'trackNumber', 'discNumber', 'url'] as const

/** Fields of which only one may be given. */
const EXCLUSIONS: readonly (readonly [string, string])[] = [
  ['songId', 'trackId'],
  ['songId', 'songName'],
  ['trackId', 'songName'],
  ['artistId', 'artistName'],
  ['songId', 'artistId'],
  ['trackId', 'artistId'],
  ['songId', 'artistName'],
  ['trackId', 'artistName'],
]

/** Whether two fields may not stand beside each other. */
export function exclude(one: string, other: string): boolean {
  return EXCLUSIONS.some((pair) => one !== other && pair.includes(one) && pair.includes(other))
}

/** The versions of `fpCode`: the specification's, and those of system B as ours. */
const VERSIONS = [3.15, 4, 4.11, 4.12]
const DEFAULT_VERSION = 3.15

/**
 * Checks one entry of an update. Of its item whatever is right is kept: only what says which item is
 * meant, and what is to be done with it, can be so wrong that nothing is.
 *
 * @throws {ParameterError} which names what is wrong with it
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
  // Of an item that is only counted or flagged, its id is all there is to say.
  if (checked.action !== 'update') return { ...checked, item: { itemId: item.itemId } }
  const found = parseItem(type, item)
  return { ...checked, item: found.item, faults: [...faults, ...found.faults] }
}

function parseItem(type: CatalogType, input: unknown): { item: Item; faults: string[] } {
  const parsed = parseFields(type === 'song' ? songItem : artistItem, input, {
    of: type === 'song' ? 'a song item' : 'an artist item',
    vital: ['itemId'],
    remedy: 'itemKeyvalues takes fields of your own',
  })
  const item: Item = parsed.fields
  const { faults } = parsed
  const flaw = item.fpCode == null ? undefined : flawOf(item.fpCode)
  if (flaw !== undefined) {
    delete item.fpCode
    faults.push(invalidParameter('fpCode', `${flaw}; it was left out`).message)
  }
  for (const [one, other] of EXCLUSIONS as [keyof Item, keyof Item][]) {
    if (item[one] != null && item[other] != null) {
      throw invalidParameter(
        other,
        `${JSON.stringify(item[other])} beside ${one}; give one of them`,
      )
    }
  }
  return { item, faults }
}

/** A fingerprint as it is looked up. */
export function codeOf(given: NonNullable<Item['fpCode']>): { code: string; version: number } {
  const { code, version } = typeof given === 'string' ? { code: given, version: null } : given
  return { code, version: version ?? DEFAULT_VERSION }
}

/** Why nothing can be found by a fingerprint, if that is so. */
function flawOf(given: NonNullable<Item['fpCode']>): string | undefined {
  const { code, version } = codeOf(given)
  if (!VERSIONS.includes(version)) {
    return `version ${version} is not one of ${VERSIONS.map((v) => v.toFixed(v === 4 ? 1 : 2)).join(', ')}`
  }
  const decoded = decodeCode(code, version)
  return decoded.codes === undefined ? decoded.message.replace(/\.$/, '') : undefined
}

/**
 * The schema of a field that may be absent, or `null` to clear it.
 *
 * @param tidy - reads a value of another form whose meaning is plain, and returns any other as it
 *   is; of an empty text `undefined`, as it is a field not given
 */
function tidied<Out, In = Out>(tidy: (value: unknown) => unknown, schema: z.ZodType<Out>) {
  const one = z.preprocess((value) => tidy(onlyOne(value)), schema.nullish())
  // Its type says what callers should write, which is less than what is understood.
  return one.nullish() as unknown as z.ZodOptional<z.ZodNullable<z.ZodType<Out, In>>>
}

/**
 * A field whose text stays as it was submitted, for `request` echoes it so; what uses it reads it
 * anew.
 */
function asSubmitted<T>(schema: z.ZodType<T | null | undefined>) {
  const kept = z.unknown().transform((given, context) => {
    const read = schema.safeParse(given)
    for (const issue of read.error?.issues ?? []) context.issues.push(issue as z.core.$ZodRawIssue)
    const one = onlyOne(given)
    return read.data != null && typeof one === 'string' ? one : read.data
  })
  return kept.optional() as unknown as z.ZodOptional<z.ZodNullable<z.ZodType<T>>>
}

/** Readers of tags give every value in a list, most often of one. */
function onlyOne(value: unknown): unknown {
  return Array.isArray(value) && value.length < 2 ? value[0] : value
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === ''
}

function asText(value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  return isBlank(value) ? undefined : value
}

function asNumber(value: unknown): unknown {
  if (isBlank(value)) return undefined
  // A column of whole numbers in which some are missing is often written as 3.0.
  return typeof value === 'string' && /^[-+]?\d+(\.0*)?$/.test(value.trim()) ? Number(value) : value
}

function asPlace(value: unknown): unknown {
  const among = typeof value === 'string' && /^(\d+) ?(?:\/|of\b) ?\d*$/i.exec(value.trim())
  return among ? Number(among[1]) : asNumber(value)
}

function asVersion(value: unknown): unknown {
  if (isBlank(value)) return undefined
  return typeof value === 'string' && !Number.isNaN(Number(value)) ? Number(value) : value
}

const YES = ['true', 't', 'yes', 'y', 'on', '1']
const NO = ['false', 'f', 'no', 'n', 'off', '0']

function asFlag(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value
  if (isBlank(value)) return undefined
  const word = String(value).trim().toLowerCase()
  if (YES.includes(word)) return true
  return NO.includes(word) ? false : value
}

function asKeyValue(value: unknown): string | null {
  return typeof value === 'string' || value === null ? value : JSON.stringify(value)
}
