import { missingParameter } from '../errors.ts'
import { type CatalogEntry, entryOf } from './catalog-entry.ts'
import { ordinal } from './cleaning.ts'
import { type ImportInput, invalid, nameOf } from './input.ts'
import { linesOf } from './lines.ts'
import { type SkippingOptions, Skips } from './skipped.ts'

/** How triplets are read. */
export interface TasteProfileOptions extends SkippingOptions {
  /** Whose. Needed where the file holds several users. */
  user?: string | undefined
}

/** The taste of one user. */
export interface TasteProfile {
  /** As the file names them. */
  user: string
  /** One for each song they played. */
  entries: CatalogEntry[]
}

/**
 * Reads one user's taste from the triplets of the Taste Profile subset (`user TAB song TAB plays` a
 * line, plain or gzipped), as entries for `catalog.update`. The songs' ids are known, there is
 * nothing to resolve: load the songs first, by `fromMillionSong`.
 *
 * The whole file is read, for nothing says that a user's lines stand together; of several users read
 * from one file, {@link tasteProfiles} needs only one pass.
 *
 * @param input - the path of a file, or bytes
 * @throws {ParameterError} when the file holds several users and none is named, or not the one who is;
 * when it is of another form (logs of `user, song, date` look alike)
 * @example
 * ```ts
 * import { fromTasteProfile } from 'audile/import'
 *
 * const catalog = await music.catalogs.create({ name: 'Somebody', type: 'song' })
 * await catalog.update(fromTasteProfile('train_triplets.txt', { user: 'b80344d063b5ccb3…' }))
 * ```
 */
export async function* fromTasteProfile(
  input: ImportInput,
  options: TasteProfileOptions = {},
): AsyncGenerator<CatalogEntry, void> {
  const { user } = options
  let only = user
  let found = false
  for await (const triplet of tripletsOf(input, options)) {
    only ??= triplet.user
    if (triplet.user === only) {
      found = true
      yield entryOf({ itemId: triplet.song, songId: triplet.song, playCount: triplet.plays })
    } else if (user === undefined) {
      throw missingParameter(
        'user',
        `${nameOf(input)} holds several users: name one, or read all of them by tasteProfiles()`,
      )
    }
  }
  if (user !== undefined && !found) throw invalid(input, `has no triplets of the user "${user}"`)
}

/**
 * Reads the tastes of all users of a file of triplets, one after the other. In memory is one user at
 * a time: in the real file the lines of a user stand together. Where they do not, a user comes
 * several times, with entries for the same catalog.
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
export async function* tasteProfiles(
  input: ImportInput,
  options: SkippingOptions = {},
): AsyncGenerator<TasteProfile, void> {
  let profile: TasteProfile | undefined
  for await (const { user, song, plays } of tripletsOf(input, options)) {
    if (profile !== undefined && profile.user !== user) {
      yield profile
      profile = undefined
    }
    profile ??= { user, entries: [] }
    profile.entries.push(entryOf({ itemId: song, songId: song, playCount: plays }))
  }
  if (profile !== undefined) yield profile
}

interface Triplet {
  user: string
  song: string
  plays: number
}

async function* tripletsOf(
  input: ImportInput,
  options: SkippingOptions,
): AsyncGenerator<Triplet, void> {
  const skips = new Skips(options)
  for await (const { text, number } of linesOf(input)) {
    if (text.trim() === '') continue
    const [user = '', song = '', plays, ...more] = text.split('\t')
    const count = ordinal(plays)
    const fault =
      more.length > 0 || count === undefined || user === '' || !/^SO[0-9A-Z]{16}$/.test(song)
        ? faultOf(text)
        : count >= FIRST_DATE
          ? `has ${count} for plays, which is a date: this is a log of listens, not triplets`
          : undefined
    if (fault === undefined) {
      skips.took()
      yield { user, song, plays: count as number }
    } else {
      skips.skip(input, fault, number)
    }
  }
}

/** Seconds of 1973: nobody plays a song so often (9,667 times is the most), so it is a date. */
const FIRST_DATE = 100_000_000

function faultOf(text: string): string {
  return text.includes('<SEP>') && /<SEP>\d{9,10}\s*$/.test(text)
    ? 'is user<SEP>song<SEP>date: this is a log of listens, not triplets of user TAB song TAB plays'
    : 'is not of the form user TAB song id (SO…) TAB plays'
}
