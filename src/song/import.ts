import { createHash } from 'node:crypto'
import {
  type ForeignRef,
  findOrAddArtist,
  IMPORTED_SPACE,
  storedTerms,
} from '../artist/apply-record.ts'
import { type BatchResult, batchParameters, importBatch } from '../artist/import-batch.ts'
import type { ArtistRow } from '../artist/store.ts'
import { method } from '../kernel/method.ts'
import { nameKey } from '../naming/names.ts'
import { parse } from '../options/validate.ts'
import { lengthsOf } from '../recognition/evidence.ts'
import { enqueuePacking } from '../recognition/index/pack-job.ts'
import { type Fingerprints, indexRecording } from '../recognition/recording-store.ts'
import { decodeCode } from '../recognition/systems/decode-code.ts'
import { decodeLandmarks, isLandmarkVersion } from '../recognition/systems/landmark-string.ts'
import { isSameRecord } from '../recognition/verdict.ts'
import { invalidParameter } from '../values/errors.ts'
import { isId, newId } from '../values/ids.ts'
import { md5 } from '../values/md5.ts'
import type { ImportedSummary } from './audio-summary.ts'
import { eachFact, SUMMARIZED } from './facts.ts'
import { importedBits } from './origins.ts'
import {
  type CheckedSong,
  idsOfRecord,
  type SongRecord,
  songRecord,
  tracksOfRecord,
} from './record.ts'
import type { SongRoom } from './room.ts'
import type { IndexedSong, SongFacts } from './store.ts'

/**
 * `song/import` (ours): imports a batch of reference songs in one transaction. A song with a known
 * id, or with known names and duration if the record has no native id, is updated. A bad record is
 * rejected.
 */
export const importSongs = method({
  name: 'song/import',
  parameters: batchParameters<SongRecord>(),
  run(context: SongRoom, { records }): BatchResult {
    return context.store.atomically.step(() => {
      const importing = new Importing(context)
      const result = importBatch(records, songRecord, (one) => importing.take(one).isNew)
      importing.end()
      enqueuePacking(context)
      return result
    })
  },
})

/** Imports records in one transaction, and indexes their names at its end. */
export class Importing {
  readonly #context: SongRoom
  readonly #songs = new Set<number>()
  /** The new songs among them that the batch names only once. */
  readonly #added = new Map<number, IndexedSong>()
  readonly #artists = new Set<number>()
  /** Names of the artists among them that are new, of whom nothing else is known. */
  readonly #addedArtists = new Map<number, string>()
  /** Artists by the credit that alone named them, while nothing about artists changes. */
  readonly #credited = new Map<string, ArtistRow>()

  constructor(context: SongRoom) {
    this.#context = context
  }

  /** Checks and imports a record. */
  add(record: SongRecord): { songId: string } {
    return this.take(parse(songRecord, record, 'record'))
  }

  take(given: CheckedSong): { songId: string; isNew: boolean } {
    const context = this.#context
    // All checks that can reject the record come before the first write.
    const prints = printsOfRecord(given)
    const { store } = context
    const artist = this.#takeArtist(given)
    const native = given.id !== undefined && isId('song', given.id) ? given.id : undefined
    const ids = idsOfRecord(given, native)
    const isNamed =
      given.artistName === artist.name || nameKey(given.artistName) === nameKey(artist.name)
    const titleKey = nameKey(given.title)
    const duration = positive(given.duration ?? given.audioSummary?.duration)
    const facts: SongFacts = {
      title: given.title,
      artist: artist.num,
      credit: isNamed ? null : given.artistName,
      release: given.release ?? null,
      duration,
      year: positive(given.year),
      hotttnesss: given.songHotttnesss ?? null,
      songType: given.songType === undefined ? null : [given.songType].flat().join(' '),
    }
    const summary = given.audioSummary && storedSummary(given.audioSummary)
    const known =
      native === undefined
        ? (byForeignIds(context, ids) ?? byNames(context, facts, titleKey, ids))
        : (store.numOf(native) ??
          byForeignIds(context, [{ catalog: IMPORTED_SPACE, foreignId: native }, ...ids]))
    const now = context.now()
    const imported = importedBits(facts)
    const songId = known === undefined ? (native ?? newId('song', now)) : store.idOf(known)
    const num = known ?? store.add(songId, facts, imported, now, titleKey)
    if (known === undefined) {
      this.#added.set(num, indexedOf(facts, { titleKey, artistName: artist.name }, summary))
    } else {
      store.update(num, facts, imported)
      this.#added.delete(num)
    }
    this.#songs.add(num)
    // The song keeps its own native id, and is also found by this one.
    if (native !== undefined && songId !== native) store.ids.add(IMPORTED_SPACE, native, num)
    for (const { catalog, foreignId } of ids) store.ids.add(catalog, foreignId, num)
    for (const track of given.tracks ?? []) {
      for (const one of tracksOfRecord(track)) store.ids.addTrack({ song: num, ...one })
    }
    if (summary !== undefined) store.summarize({ song: num, ...summary })
    if (prints.length > 0) addPrints(context, songId, prints, duration)
    return { songId, isNew: known === undefined }
  }

  #takeArtist(given: CheckedSong): ArtistRow {
    const { artists } = this.#context
    const artist = this.#artistOf(given)
    const { artistHotttnesss: hotttnesss, artistFamiliarity: familiarity, artistLocation } = given
    const { terms } = given
    const facts = { hotttnesss, familiarity, ...artistLocation }
    const known = [hotttnesss, familiarity, artistLocation, terms].some((one) => one !== undefined)
    if (!known) return artist
    const digest = createHash('md5')
      .update(JSON.stringify([facts, terms]))
      .digest('base64')
    if (artist.said === digest && artist.imported !== 0) return artist
    this.#credited.clear()
    this.#addedArtists.delete(artist.num)
    artists.update(artist.num, facts)
    if (terms !== undefined) artists.terms.addToArtist(artist.num, storedTerms(terms))
    artists.setSaid(digest, artist.num)
    this.#artists.add(artist.num)
    return artist
  }

  #artistOf({ artistId: id, artistName: name, artistForeignIds: foreignIds }: CheckedSong) {
    const isCredit = id === undefined && foreignIds === undefined
    const held = isCredit ? this.#credited.get(name) : undefined
    if (held) return held
    const { artists: store, now } = this.#context
    const { artist, made } = findOrAddArtist({ store, now }, { id, name, foreignIds }, true)
    if (made) {
      this.#artists.add(artist.num)
      this.#addedArtists.set(artist.num, artist.name)
    }
    if (isCredit) this.#credited.set(name, artist)
    else this.#credited.clear()
    return artist
  }

  /** Indexes what was imported. */
  end(): void {
    const { artists, store, domain } = this.#context
    artists.index([...this.#artists], this.#addedArtists)
    store.index(this.#songs, this.#added)
    domain.publishEvent('songs.changed', {})
    if (this.#artists.size > 0) domain.publishEvent('artists.changed', {})
  }
}

/** The search index values of a new song, made without reading it back. */
function indexedOf(
  { artist, credit, duration, hotttnesss }: SongFacts,
  { titleKey, artistName }: { titleKey: string; artistName: string },
  summary: ImportedSummary | undefined,
): IndexedSong {
  return {
    titleKey,
    artistName: credit ?? artistName,
    artist,
    hotttnesss,
    duration,
    // Last: an object that begins with a spread is slow to make.
    ...summary,
  }
}

function byForeignIds({ store }: SongRoom, ids: readonly ForeignRef[]): number | undefined {
  for (const { catalog, foreignId } of ids) {
    const num = store.ids.song(catalog, foreignId)
    if (num !== undefined) return num
  }
  return undefined
}

/**
 * The song with the names and length of a record. It lets records without ids be imported again, and
 * collections with different ids share songs. A song with another id in one of the record's id spaces
 * does not count.
 */
function byNames(
  { store }: SongRoom,
  facts: SongFacts,
  titleKey: string,
  ids: readonly ForeignRef[],
): number | undefined {
  const alike = store.namesakes(facts.artist as number, titleKey).find(
    (song) =>
      isSameRecord({
        names: { artist: nameKey(song.credit ?? '') === nameKey(facts.credit ?? '') },
        lengths: lengthsOf(facts.duration, song.duration),
      }) && ids.every(({ catalog }) => store.ids.ofSong(song.num, catalog).length === 0),
  )
  return alike?.num
}

/** A summary as it is stored: 0 and -1 become `null` where they mean "not known". */
export function storedSummary(given: NonNullable<CheckedSong['audioSummary']>): ImportedSummary {
  return eachFact(SUMMARIZED, (name, fact) => {
    const value = given[name] ?? null
    if (typeof value !== 'number') return value
    if (fact.positive) return positive(value)
    return fact.type === 'integer' && value < 0 ? null : value
  }) as ImportedSummary
}

/** 0 and less mean "not known". */
function positive(value: number | undefined): number | null {
  return value !== undefined && value > 0 ? value : null
}

interface Print {
  version: string
  /** MD5 of the code string. Equal code strings are one recording. */
  md5: string
  fingerprints: Fingerprints
}

/** @throws {ParameterError} `invalid_parameter` on a code string that cannot be decoded */
export function printsOfRecord({ fingerprints = [] }: Pick<CheckedSong, 'fingerprints'>): Print[] {
  return fingerprints.map(({ version, code }) => {
    const decoded = isLandmarkVersion(version)
      ? decodeLandmarks(code, version)
      : decodeCode(code, version)
    if (decoded.codes === undefined) throw invalidParameter('fingerprints', decoded.message)
    const { family, codes } = decoded
    return { version: String(version), md5: md5(code), fingerprints: { [family]: codes } }
  })
}

function addPrints(
  { recordings }: SongRoom,
  songId: string,
  prints: readonly Print[],
  duration: number | null,
): void {
  for (const { version, md5, fingerprints } of prints) {
    if (recordings.holds(songId, md5)) continue
    const made = { fingerprintVersion: version, codeMd5: md5 }
    indexRecording(recordings, { songId, trackId: null, duration, ...made }, fingerprints)
  }
}
