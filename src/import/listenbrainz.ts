import { joinedTimes } from '../catalog/play-times.ts'
import { unixSeconds } from '../values/unix-time.ts'
import { type CatalogEntry, entryOf, itemIdOf } from './catalog-entry.ts'
import { number, text } from './cleaning.ts'
import { type Imported, type ImportRun, importing, type SkippingOptions } from './import-run.ts'
import { filesBelow, type ImportInput, invalidInput, isFolder } from './input.ts'
import { comparedNames } from './play-history.ts'
import { type Json, objectOf, readJsonLines } from './rows.ts'

/** Options of `fromListenBrainz`. */
export interface ListenBrainzOptions extends SkippingOptions {
  /** The user, by name or number, in the dump of all users. Default: all users. */
  user?: string | undefined
}

interface Heard {
  songName: string
  artistName: string | undefined
  release: string | undefined
  recording: string | undefined
  /** The ids that ListenBrainz itself gives recordings, whether or not MusicBrainz has them. */
  messybrainz: Set<string>
  listens: number
  times: number[]
}

/**
 * Reads listens of ListenBrainz as entries for `catalog.update`, one per song, with the number of its
 * listens as play count, and their times. The input is a user's export (the unzipped folder, or one of its
 * `listens/YYYY/M.jsonl`) or the dump of all users (`listens/YYYY/M.listens`), plain or gzipped. Loved
 * and hated recordings of an export (`feedback.jsonl`) become `favorite` and `banned`.
 *
 * Entries name songs by title and artist, not by `musicbrainz:song:<id>`: an entry cannot have
 * both, and names resolve with any reference data, ids only with MusicBrainz data. The item id is
 * the recording id, or a hash of the names if no listen has an id.
 *
 * The songs and the times of their listens are kept in memory; entries are yielded after the last listen.
 *
 * @param input - the path of a folder or file, or bytes
 * @throws {ParameterError} when the input has no listens, or is truncated
 * @example
 * ```ts
 * import { fromListenBrainz } from 'audile/import'
 *
 * const catalog = await music.catalogs.create({ name: 'Listens', type: 'song' })
 * await catalog.update(fromListenBrainz('listenbrainz_somebody_1700000000/'))
 * ```
 */
export function fromListenBrainz(
  input: ImportInput,
  options: ListenBrainzOptions = {},
): Imported<CatalogEntry> {
  return importing(LISTENBRAINZ, input, options, (given, run) => entriesOf(given, options, run))
}

const LISTENBRAINZ = {
  name: 'fromListenBrainz',
  reads: 'an export or dump of ListenBrainz',
  forms: ['json'],
} as const

async function* entriesOf(
  input: ImportInput,
  { user }: ListenBrainzOptions,
  run: ImportRun,
): AsyncGenerator<CatalogEntry, void> {
  const wanted = user?.normalize('NFC')
  const isOfUser = ({ user_name, user_id }: Json) =>
    wanted === undefined || [text(user_name), text(user_id)].includes(wanted)
  const history = new History()
  for await (const file of filesOf(input)) {
    for await (const document of readJsonLines(file, run, checked)) {
      if (isFeedback(document)) history.judge(document)
      else if (songNameOf(document) === undefined)
        run.leaveOut(file, 'a line is a pin, not a listen')
      else if (isOfUser(document)) history.hear(document)
      else run.leaveOut(file, 'a listen is of another user')
    }
  }
  if (history.empty && user !== undefined) {
    throw invalidInput(input, `has no listens of the user "${user}"`)
  }
  yield* history.entries()
}

/** A document of an export: a listen, feedback, or a pin, which is ignored. */
function checked(document: Json): Json | string {
  return songNameOf(document) !== undefined || isFeedback(document) || 'pinned_until' in document
    ? document
    : 'is not a listen: it has no track_metadata with a track_name'
}

function isFeedback(document: Json): boolean {
  return 'score' in document && songNameOf(document) === undefined
}

function metadataOf(listen: Json): Json {
  return objectOf(listen.track_metadata ?? listen) ?? {}
}

function songNameOf(listen: Json): string | undefined {
  return text(metadataOf(listen).track_name)
}

/** The songs that were heard, by recording and by names. */
class History {
  readonly #byRecording = new Map<string, Heard>()
  readonly #byNames = new Map<string, Heard>()
  readonly #scores = new Map<string, number>()

  get empty(): boolean {
    return this.#byNames.size === 0
  }

  hear(listen: Json): void {
    const metadata = metadataOf(listen)
    const songName = text(metadata.track_name)
    if (songName === undefined) return
    const artistName = text(metadata.artist_name)
    const recording =
      mbidOf(metadata.additional_info) ?? mbidOf(metadata.mbid_mapping) ?? mbidOf(metadata)
    const names = comparedNames(songName, artistName).join('\0')
    const namesake = this.#byNames.get(names)
    const known = recording === undefined ? undefined : this.#byRecording.get(recording)
    const heard: Heard = known ??
      namesake ?? {
        songName,
        artistName,
        release: text(metadata.release_name),
        recording,
        messybrainz: new Set(),
        listens: 0,
        times: [],
      }
    // The recording is known by other names, and these names have no id: merge the two songs.
    if (namesake !== undefined && namesake !== heard && namesake.recording === undefined) {
      heard.listens += namesake.listens
      heard.times = heard.times.concat(namesake.times)
      for (const id of namesake.messybrainz) heard.messybrainz.add(id)
      this.#byNames.set(names, heard)
    }
    if (namesake === undefined) this.#byNames.set(names, heard)
    if (recording !== undefined && known === undefined) this.#byRecording.set(recording, heard)
    heard.listens++
    const time = unixSeconds(number(listen.listened_at))
    if (time !== undefined) heard.times.push(time)
    heard.recording ??= recording
    const messybrainz = text(listen.recording_msid) ?? text(metadata.recording_msid)
    if (messybrainz !== undefined) heard.messybrainz.add(messybrainz)
  }

  /** Feedback: 1 is loved, -1 hated, 0 revoked. The last one counts. */
  judge({ score, recording_mbid, recording_msid }: Json): void {
    for (const id of [text(recording_mbid), text(recording_msid)]) {
      if (id !== undefined) this.#scores.set(id, Number(score))
    }
  }

  *entries(): Generator<CatalogEntry, void> {
    for (const heard of new Set([...this.#byRecording.values(), ...this.#byNames.values()])) {
      const { songName, artistName, release, recording, messybrainz, listens, times } = heard
      const ids = recording === undefined ? [...messybrainz] : [recording, ...messybrainz]
      const score = ids.map((id) => this.#scores.get(id)).find((found) => found !== undefined)
      yield entryOf({
        itemId: recording ?? itemIdOf(...comparedNames(songName, artistName)),
        songName,
        artistName,
        release,
        playCount: listens,
        ...(times.length > 0 && { plays: joinedTimes(times, []) }),
        favorite: score === 1 ? true : undefined,
        banned: score === -1 ? true : undefined,
      })
    }
  }
}

/** The recording id, if it is a valid MBID: players submit arbitrary text. */
function mbidOf(document: unknown): string | undefined {
  const id = text(objectOf(document)?.recording_mbid)?.toLowerCase()
  return id !== undefined && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
    ? id
    : undefined
}

/** The names of files to read; the folder of an export may contain others. */
const LISTENS = /\.(?:listens|jsonl)(?:\.gz)?$/

async function* filesOf(input: ImportInput): AsyncGenerator<ImportInput, void> {
  if (typeof input !== 'string' || !(await isFolder(input))) return yield input
  let found = false
  for await (const file of filesBelow(input, LISTENS)) {
    found = true
    yield file
  }
  if (!found) {
    throw invalidInput(
      input,
      'has no .jsonl or .listens files in or below it; give an unzipped export',
    )
  }
}
