import { z } from 'zod'
import { ParameterError } from '../errors.ts'
import { decodeCode } from '../fingerprint/codec.ts'
import { parse } from '../validate.ts'

/** What a catalog holds. */
export type CatalogType = 'artist' | 'song'

const text = z.string().trim().min(1).nullish()
/** Old clients write numbers as text. */
const whole = (least: number, most: number) =>
  z
    .union([
      z.number(),
      z
        .string()
        .trim()
        .regex(/^[-+]?\d+$/, 'must be a whole number')
        .transform(Number),
    ])
    .pipe(z.int().min(least).max(most))
    .nullish()
const count = whole(0, Number.MAX_SAFE_INTEGER)
const flag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')])
  .nullish()

/** Keys that an item, or a catalog, has at most. */
export const MOST_KEYS = 100
/** Characters of an item's id at most. */
export const LONGEST_ID = 1024

/** Keys and values of one's own: texts by name. */
export const keyValues = z
  .record(z.string(), z.string())
  .refine((pairs) => Object.keys(pairs).length <= MOST_KEYS, {
    error: `has more than ${MOST_KEYS} keys`,
  })

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
  /** Keys and values of one's own, at most 100. */
  itemKeyvalues: keyValues.optional(),
}

const fpCode = z.union([
  z.string().min(1),
  z.strictObject({
    /** Which system made it: 3.15, 4.0, 4.11 or 4.12. */
    version: z.union([z.number(), z.string().trim().min(1).transform(Number)]).optional(),
    /** As `songs.fingerprint` gives it. */
    code: z.string().min(1),
  }),
])

const artistItem = z.strictObject({ ...own, artistId: text, artistName: text })

const songItem = z.strictObject({
  ...own,
  /** A fingerprint; 3.15 unless a version is named. */
  fpCode: fpCode.nullish(),
  /** `TR…`, or a foreign id. */
  trackId: text,
  /** `SO…`, or a foreign id. */
  songId: text,
  /** The title, to be resolved with `artistName`. */
  songName: text,
  /** `AR…`, or a foreign id. */
  artistId: text,
  /** The artist as credited. */
  artistName: text,
  /** The album. */
  release: text,
  /** As one calls it. */
  genre: text,
  /** The place on its disc. */
  trackNumber: whole(0, 1_000_000),
  /** Which disc of several. */
  discNumber: whole(0, 1_000_000),
  /** Where the file is; `update` with `analyze` listens to it. */
  url: text,
})

/** An item as an update takes it. */
export type ItemInput = z.input<typeof songItem>
/** An item that was checked. */
export type Item = z.output<typeof songItem>

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
  action: z.enum(ACTIONS).default('update'),
  item: z.looseObject({ itemId }).optional(),
  catalogKeyvalues: keyValues.optional(),
})

/** An entry of an update. */
export interface EntryInput {
  /** Default `update`. */
  action?: Action
  /** Which item, and what is said of it. Needed but for `catalogKeyvalues` alone. */
  item?: ItemInput
  /** Keys and values of the catalog itself. */
  catalogKeyvalues?: Record<string, string>
}

/** An entry that was checked. */
export interface Entry {
  action: Action
  item?: Item
  catalogKeyvalues?: Record<string, string>
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

/** The versions of `fpCode`: the specification's, and those of system B as ours. */
const VERSIONS = [3.15, 4, 4.11, 4.12]
const DEFAULT_VERSION = 3.15

/**
 * Checks one entry of an update.
 *
 * @throws {ParameterError} which names what is wrong with it
 */
export function parseEntry(type: CatalogType, input: unknown): Entry {
  const { action, item, catalogKeyvalues } = parse(entry, input)
  const checked: Entry = { action }
  if (catalogKeyvalues !== undefined) checked.catalogKeyvalues = catalogKeyvalues
  if (item === undefined) {
    if (catalogKeyvalues !== undefined && action === 'update') return checked
    throw new ParameterError('missing_parameter', 'item - Missing parameter')
  }
  // Of an item that is only counted or flagged, its id is all there is to say.
  if (action !== 'update') return { ...checked, item: { itemId: item.itemId } }
  const found = parse(type === 'song' ? songItem : artistItem, item) as Item
  for (const [one, other] of EXCLUSIONS) {
    if (found[one] != null && found[other] != null) {
      throw new ParameterError(
        'invalid_parameter',
        `${other} - Invalid parameter: ${JSON.stringify(found[other])} beside ${one}; give one of them`,
      )
    }
  }
  if (found.fpCode != null) checkCode(found.fpCode)
  return { ...checked, item: found }
}

/** A fingerprint as it is looked up. */
export function codeOf(given: NonNullable<Item['fpCode']>): { code: string; version: number } {
  const { code, version = DEFAULT_VERSION } = typeof given === 'string' ? { code: given } : given
  return { code, version }
}

function checkCode(given: NonNullable<Item['fpCode']>): void {
  const { code, version } = codeOf(given)
  if (!VERSIONS.includes(version)) {
    throw new ParameterError(
      'invalid_parameter',
      `fpCode - Invalid parameter: version ${version} is not one of ${VERSIONS.map((v) => v.toFixed(v === 4 ? 1 : 2)).join(', ')}`,
    )
  }
  const decoded = decodeCode(code, version)
  if (decoded.codes === undefined) {
    throw new ParameterError('invalid_parameter', `fpCode - Invalid parameter: ${decoded.message}`)
  }
}
