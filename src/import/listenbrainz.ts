import { joinedTimes } from '../catalog/play-times.ts'
import { unixSeconds } from '../values/unix-time.ts'
import { type CatalogEntry, catalogEntryOf, itemIdOf } from './catalog-entry.ts'
import { cleanNumber, cleanTextValue } from './cleaning.ts'
import { type Imported, type ImportRun, importRecords, type SkippingOptions } from './import-run.ts'
import { filesBelow, type ImportInput, invalidInput, isFolderPath } from './input.ts'
import { comparableNames } from './play-history.ts'
import { type Json, objectOf, readJsonLines } from './rows.ts'

/** Options of `fromListenBrainz`. */
export interface ListenBrainzOptions extends SkippingOptions {
  /** The user, by name or number, in the dump of all users. Default: all users. */
  user?: string | undefined
}

interface HeardSong {
  songName: string
  artistName: string | undefined
  release: string | undefined
  recording: string | undefined
  /** Ids of recordings that MusicBrainz may lack. */
  messybrainz: Set<string>
  listens: number
  times: number[]
}

/**
 * Reads listens of ListenBrainz as entries for `catalog.update`, one per song, with the number and
 * the times of its listens. The input is a user's export (the unzipped folder, or a
 * `listens/YYYY/M.jsonl`) or the dump of all users (`M.listens`). Loved and hated recordings
 * (`feedback.jsonl`) become `favorite` and `banned`.
 *
 * Entries name songs by title and artist, which resolve with any reference data. The item id is the
 * recording id, or a hash of the names if no listen has an id. Entries come after the last listen;
 * songs and times are kept in memory.
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
  return importRecords(LISTENBRAINZ_TRAITS, input, options, (givenInput, run) =>
    entriesOfListenBrainz(givenInput, options, run),
  )
}

const LISTENBRAINZ_TRAITS = {
  name: 'fromListenBrainz',
  reads: 'an export or dump of ListenBrainz',
  forms: ['json'],
} as const

async function* entriesOfListenBrainz(
  input: ImportInput,
  { user }: ListenBrainzOptions,
  run: ImportRun,
): AsyncGenerator<CatalogEntry, void> {
  const wantedUser = user?.normalize('NFC')
  const isOfUser = ({ user_name, user_id }: Json) =>
    wantedUser === undefined ||
    [cleanTextValue(user_name), cleanTextValue(user_id)].includes(wantedUser)
  const history = new ListenHistory()
  for await (const file of filesOfExport(input)) {
    for await (const document of readJsonLines(file, run, checkDocument)) {
      if (isFeedback(document)) history.addFeedback(document)
      else if (songNameOf(document) === undefined)
        run.leaveOut(file, 'a line is a pin, not a listen')
      else if (isOfUser(document)) history.addListen(document)
      else run.leaveOut(file, 'a listen is of another user')
    }
  }
  if (history.isEmpty && user !== undefined) {
    throw invalidInput(input, `has no listens of the user "${user}"`)
  }
  yield* history.makeEntries()
}

/** A listen, feedback, or a pin. */
function checkDocument(document: Json): Json | string {
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
  return cleanTextValue(metadataOf(listen).track_name)
}

/** By recording and by names. */
class ListenHistory {
  readonly #byRecording = new Map<string, HeardSong>()
  readonly #byNames = new Map<string, HeardSong>()
  readonly #scores = new Map<string, number>()

  get isEmpty(): boolean {
    return this.#byNames.size === 0
  }

  addListen(listen: Json): void {
    const metadata = metadataOf(listen)
    const songName = cleanTextValue(metadata.track_name)
    if (songName === undefined) return
    const artistName = cleanTextValue(metadata.artist_name)
    const recording =
      mbidOf(metadata.additional_info) ?? mbidOf(metadata.mbid_mapping) ?? mbidOf(metadata)
    const names = comparableNames(songName, artistName).join('\0')
    const namesake = this.#byNames.get(names)
    const knownSong = recording === undefined ? undefined : this.#byRecording.get(recording)
    const song: HeardSong = knownSong ??
      namesake ?? {
        songName,
        artistName,
        release: cleanTextValue(metadata.release_name),
        recording,
        messybrainz: new Set(),
        listens: 0,
        times: [],
      }
    // The recording is known by other names, and these have no id: one song.
    if (namesake !== undefined && namesake !== song && namesake.recording === undefined) {
      song.listens += namesake.listens
      song.times = song.times.concat(namesake.times)
      for (const id of namesake.messybrainz) song.messybrainz.add(id)
      this.#byNames.set(names, song)
    }
    if (namesake === undefined) this.#byNames.set(names, song)
    if (recording !== undefined && knownSong === undefined) this.#byRecording.set(recording, song)
    song.listens++
    const time = unixSeconds(cleanNumber(listen.listened_at))
    if (time !== undefined) song.times.push(time)
    song.recording ??= recording
    const messybrainz =
      cleanTextValue(listen.recording_msid) ?? cleanTextValue(metadata.recording_msid)
    if (messybrainz !== undefined) song.messybrainz.add(messybrainz)
  }

  /** 1 is loved, -1 hated, 0 revoked; the last one counts. */
  addFeedback({ score, recording_mbid, recording_msid }: Json): void {
    for (const id of [cleanTextValue(recording_mbid), cleanTextValue(recording_msid)]) {
      if (id !== undefined) this.#scores.set(id, Number(score))
    }
  }

  *makeEntries(): Generator<CatalogEntry, void> {
    for (const song of new Set([...this.#byRecording.values(), ...this.#byNames.values()])) {
      const { songName, artistName, release, recording, messybrainz, listens, times } = song
      const ids = recording === undefined ? [...messybrainz] : [recording, ...messybrainz]
      const score = ids.map((id) => this.#scores.get(id)).find((score) => score !== undefined)
      yield catalogEntryOf({
        itemId: recording ?? itemIdOf(...comparableNames(songName, artistName)),
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

/** Players submit arbitrary text. */
function mbidOf(document: unknown): string | undefined {
  const id = cleanTextValue(objectOf(document)?.recording_mbid)?.toLowerCase()
  return id !== undefined && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
    ? id
    : undefined
}

/** The folder of an export may contain others. */
const LISTEN_FILES = /\.(?:listens|jsonl)(?:\.gz)?$/

async function* filesOfExport(input: ImportInput): AsyncGenerator<ImportInput, void> {
  if (typeof input !== 'string' || !(await isFolderPath(input))) return yield input
  let hasFile = false
  for await (const file of filesBelow(input, LISTEN_FILES)) {
    hasFile = true
    yield file
  }
  if (!hasFile) {
    throw invalidInput(
      input,
      'has no .jsonl or .listens files in or below it; give an unzipped export',
    )
  }
}
