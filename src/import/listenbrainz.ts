import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type CatalogEntry, entryOf, itemIdOf } from './catalog-entry.ts'
import { text } from './cleaning.ts'
import { type ImportInput, invalid, unreadable } from './input.ts'
import { type Json, jsonLinesOf, objectsOf } from './json-lines.ts'
import { type SkippingOptions, Skips } from './skipped.ts'

/** How listens are read. */
export interface ListenBrainzOptions extends SkippingOptions {
  /** Whose, by name or number: for the dump of all users. Default: all that are there. */
  user?: string | undefined
}

/** One song, and how often it was heard. */
interface Heard {
  songName: string
  artistName: string | undefined
  release: string | undefined
  recording: string | undefined
  /** What ListenBrainz calls recordings that are in MusicBrainz or not. */
  messybrainz: Set<string>
  listens: number
}

/**
 * Reads listens of ListenBrainz as entries for `catalog.update`, one a song, its play count the
 * number of its listens. The input is a user's export (the unzipped folder, or one of its
 * `listens/YYYY/M.jsonl`) or the dump of all (`listens/YYYY/M.listens`), plain or gzipped. What an
 * export says of loved and hated recordings (`feedback.jsonl`) becomes `favorite` and `banned`.
 *
 * Entries name songs by title and artist, not by `musicbrainz:song:<id>`: an entry may not have both,
 * and names resolve against any reference data, ids only where it came from MusicBrainz. The item id
 * is the recording's id, or made of the names where no listen has one.
 *
 * In memory are the songs that were heard, not the listens; entries come at the end.
 *
 * @param input - the path of a folder or file, or bytes
 * @throws {ParameterError} when the input holds no listens, or is cut off
 * @example
 * ```ts
 * import { fromListenBrainz } from 'audile/import'
 *
 * const catalog = await music.catalogs.create({ name: 'Listens', type: 'song' })
 * await catalog.update(fromListenBrainz('listenbrainz_somebody_1700000000/'))
 * ```
 */
export async function* fromListenBrainz(
  input: ImportInput,
  options: ListenBrainzOptions = {},
): AsyncGenerator<CatalogEntry, void> {
  const history = new History()
  const skips = new Skips(options)
  for await (const file of filesOf(input)) {
    for await (const { document, line } of jsonLinesOf(file, skips)) {
      if (take(history, document, options)) skips.took()
      else skips.skip(file, 'is no listen: it has no track_metadata with a track_name', line)
    }
  }
  if (history.empty && options.user !== undefined) {
    throw invalid(input, `has no listens of the user "${options.user}"`)
  }
  yield* history.entries()
}

/** Takes in a line; whether it is one of an export. */
function take(history: History, document: Json, { user }: ListenBrainzOptions): boolean {
  const [metadata] = objectsOf([document.track_metadata ?? document])
  const songName = text(metadata?.track_name)
  if (songName === undefined) {
    if ('score' in document) history.judge(document)
    return 'score' in document || 'pinned_until' in document
  }
  const theirs = [document.user_name, document.user_id].map(String)
  if (user === undefined || theirs.includes(user))
    history.hear(document, metadata as Json, songName)
  return true
}

/** What was heard, by recording and by names. */
class History {
  readonly #byRecording = new Map<string, Heard>()
  readonly #byNames = new Map<string, Heard>()
  readonly #scores = new Map<string, number>()

  get empty(): boolean {
    return this.#byNames.size === 0
  }

  hear(listen: Json, metadata: Json, songName: string): void {
    const artistName = text(metadata.artist_name)
    const [submitted] = objectsOf([metadata.additional_info])
    const [mapped] = objectsOf([metadata.mbid_mapping])
    const recording = mbidOf(submitted) ?? mbidOf(mapped) ?? mbidOf(metadata)
    const names = namesKey(songName, artistName)
    const namesake = this.#byNames.get(names)
    const known = recording === undefined ? undefined : this.#byRecording.get(recording)
    const heard = known ?? namesake ?? newlyHeard(songName, artistName, text(metadata.release_name))
    // Heard under other names before, and under these without an id: it is one song after all.
    if (namesake !== undefined && namesake !== heard && namesake.recording === undefined) {
      heard.listens += namesake.listens
      for (const id of namesake.messybrainz) heard.messybrainz.add(id)
      this.#byNames.set(names, heard)
    }
    if (namesake === undefined) this.#byNames.set(names, heard)
    if (recording !== undefined && known === undefined) this.#byRecording.set(recording, heard)
    heard.listens++
    heard.recording ??= recording
    const messybrainz = text(listen.recording_msid) ?? text(metadata.recording_msid)
    if (messybrainz !== undefined) heard.messybrainz.add(messybrainz)
  }

  /** Feedback: 1 loved, -1 hated, 0 taken back. The last counts. */
  judge({ score, recording_mbid, recording_msid }: Json): void {
    for (const id of [text(recording_mbid), text(recording_msid)]) {
      if (id !== undefined) this.#scores.set(id, Number(score))
    }
  }

  *entries(): Generator<CatalogEntry, void> {
    for (const heard of new Set([...this.#byRecording.values(), ...this.#byNames.values()])) {
      const { songName, artistName, release, recording, messybrainz, listens } = heard
      const ids = recording === undefined ? [...messybrainz] : [recording, ...messybrainz]
      const score = ids.map((id) => this.#scores.get(id)).find((found) => found !== undefined)
      yield entryOf({
        itemId: recording ?? itemIdOf(...namesOf(songName, artistName)),
        songName,
        artistName,
        release,
        playCount: listens,
        favorite: score === 1 ? true : undefined,
        banned: score === -1 ? true : undefined,
      })
    }
  }
}

/** The recording's id, where it is one: players submit what they like. */
function mbidOf(document: Json | undefined): string | undefined {
  const id = text(document?.recording_mbid)?.toLowerCase()
  return id !== undefined && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
    ? id
    : undefined
}

function newlyHeard(songName: string, artistName?: string, release?: string): Heard {
  return { songName, artistName, release, recording: undefined, messybrainz: new Set(), listens: 0 }
}

/** Names as they are compared: players differ in capitals. */
function namesOf(songName: string, artistName: string | undefined): string[] {
  return [songName.toLowerCase(), (artistName ?? '').toLowerCase()]
}

function namesKey(songName: string, artistName: string | undefined): string {
  return namesOf(songName, artistName).join('\0')
}

/** Files of an export or a dump, of all that may lie in a folder. */
const LISTENS = /\.(?:listens|jsonl)(?:\.gz)?$/

async function* filesOf(input: ImportInput): AsyncGenerator<ImportInput, void> {
  if (typeof input !== 'string' || !(await isFolder(input))) {
    yield input
    return
  }
  const names = await readdir(input, { recursive: true })
  const files = names.filter((name) => LISTENS.test(name)).sort()
  if (files.length === 0) {
    throw invalid(input, 'has no .jsonl or .listens files in it or below; give an unzipped export')
  }
  for (const name of files) yield join(input, name)
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  return found.isDirectory()
}
