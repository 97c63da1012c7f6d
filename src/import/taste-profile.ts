import { missingParameter } from '../values/errors.ts'
import { type CatalogEntry, catalogEntryOf } from './catalog-entry.ts'
import { cleanOrdinal } from './cleaning.ts'
import { type Imported, type ImportRun, importRecords, type SkippingOptions } from './import-run.ts'
import { type ImportInput, inputName, invalidInput } from './input.ts'
import { linesOf, readRows } from './rows.ts'

/** Options of `fromTasteProfile`. */
export interface TasteProfileOptions extends SkippingOptions {
  /** The user. Required when the file holds several. */
  user?: string | undefined
}

/** The taste of one user. */
export interface TasteProfile {
  /** The user's name in the file. */
  user: string
  /** One for each song that the user played. */
  entries: CatalogEntry[]
}

/**
 * Reads one user's taste from the triplets of the Taste Profile subset (lines of `user TAB song TAB
 * plays`), as entries for `catalog.update`. The entries name songs by their ids: import the songs
 * first, with `fromMillionSong`.
 *
 * The whole file is read, because the lines of a user are not always adjacent; {@link
 * tasteProfiles} reads several users in one pass.
 *
 * @param input - the path of a file, or bytes
 * @throws {ParameterError} when the file has several users and `user` is not given, when it does not
 * have that user, or when it has another format (logs of `user, song, date` look similar)
 * @example
 * ```ts
 * import { fromTasteProfile } from 'audile/import'
 *
 * const catalog = await music.catalogs.create({ name: 'Somebody', type: 'song' })
 * await catalog.update(fromTasteProfile('train_triplets.txt', { user: 'b80344d063b5ccb3…' }))
 * ```
 */
export function fromTasteProfile(
  input: ImportInput,
  options: TasteProfileOptions = {},
): Imported<CatalogEntry> {
  const traits = { ...TRIPLETS_TRAITS, name: 'fromTasteProfile' }
  return importRecords(traits, input, options, (givenInput, run) =>
    entriesOfTriplets(givenInput, options, run),
  )
}

const TRIPLETS_TRAITS = { reads: 'a file of Taste Profile triplets', forms: ['text'] } as const

async function* entriesOfTriplets(
  input: ImportInput,
  { user }: TasteProfileOptions,
  run: ImportRun,
): AsyncGenerator<CatalogEntry, void> {
  let onlyUser = user?.normalize('NFC')
  for await (const triplet of tripletsOf(input, run)) {
    onlyUser ??= triplet.user
    if (triplet.user === onlyUser) yield entryOfTriplet(triplet)
    else if (user !== undefined) run.leaveOut(input, 'a triplet is of another user')
    else {
      throw missingParameter(
        'user',
        `${inputName(input)} holds several users: name one, or read all of them by tasteProfiles()`,
      )
    }
  }
  if (user !== undefined && run.records === 0) {
    throw invalidInput(input, `has no triplets of the user "${user}"`)
  }
}

/**
 * Reads the tastes of all users in a file of triplets, with one user in memory at a time. In the
 * published file the lines of a user are adjacent. In other files, a user is yielded several times;
 * add the entries to the same catalog.
 *
 * @param input - the path of a file, or bytes
 * @throws {ParameterError} as {@link fromTasteProfile}
 * @example
 * ```ts
 * import { tasteProfiles } from 'audile/import'
 *
 * for await (const { user, entries } of tasteProfiles('train_triplets.txt')) {
 *   const catalog = await music.catalogs.create({ name: user, type: 'song' })
 *   await catalog.update(entries)
 * }
 * ```
 */
export function tasteProfiles(
  input: ImportInput,
  options: SkippingOptions = {},
): Imported<TasteProfile> {
  // Both functions read this kind.
  const traits = { ...TRIPLETS_TRAITS, name: 'fromTasteProfile' }
  return importRecords(traits, input, options, profilesOf)
}

async function* profilesOf(input: ImportInput, run: ImportRun): AsyncGenerator<TasteProfile, void> {
  let profile: TasteProfile | undefined
  for await (const triplet of tripletsOf(input, run)) {
    const { user } = triplet
    if (profile !== undefined && profile.user !== user) {
      yield profile
      profile = undefined
    }
    profile ??= { user, entries: [] }
    profile.entries.push(entryOfTriplet(triplet))
  }
  if (profile !== undefined) yield profile
}

interface Triplet {
  user: string
  song: string
  plays: number
}

function entryOfTriplet({ song, plays }: Triplet): CatalogEntry {
  return catalogEntryOf({ itemId: song, songId: song, playCount: plays })
}

function tripletsOf(input: ImportInput, run: ImportRun): AsyncGenerator<Triplet, void> {
  return readRows(input, linesOf(input), run, ({ text }) => {
    const [user = '', song = '', writtenPlays, ...moreFields] = text.normalize('NFC').split('\t')
    const plays = cleanOrdinal(writtenPlays)
    if (
      moreFields.length > 0 ||
      plays === undefined ||
      user === '' ||
      !/^SO[0-9A-Z]{16}$/.test(song)
    ) {
      return tripletFault(text)
    }
    return plays < FIRST_DATE
      ? { user, song, plays }
      : `has ${plays} for plays, which is a date: this is a log of listens, not triplets`
  })
}

/** A larger number is a Unix time: no song has so many plays. */
const FIRST_DATE = 100_000_000

function tripletFault(text: string): string {
  return text.includes('<SEP>') && /<SEP>\d{9,10}\s*$/.test(text)
    ? 'is user<SEP>song<SEP>date: this is a log of listens, not triplets of user TAB song TAB plays'
    : 'is not of the form user TAB song id (SO…) TAB plays'
}
