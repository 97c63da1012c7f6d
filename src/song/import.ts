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
import { parseInput } from '../options/validate.ts'
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
  songRecordSchema,
  tracksOfRecord,
} from './record.ts'
import type { SongRoom } from './room.ts'
import type { IndexedSong, SongFacts } from './store.ts'

/**
 * `song/import` (ours): imports a batch in one transaction; known songs are updated, bad records
 * rejected.
 */
export const importSongs = method({
  name: 'song/import',
  parameters: batchParameters<SongRecord>(),
  run(context: SongRoom, { records }): BatchResult {
    return context.store.atomically.step(() => {
      const batch = new SongImport(context)
      const result = importBatch(
        records,
        songRecordSchema,
        (record) => batch.importChecked(record).isNew,
      )
      batch.finish()
      enqueuePacking(context)
      return result
    })
  },
})

/** Indexes the names of the records at the end of the transaction. */
export class SongImport {
  readonly #context: SongRoom
  readonly #songs = new Set<number>()
  /** New songs that the batch names only once. */
  readonly #newSongs = new Map<number, IndexedSong>()
  readonly #artists = new Set<number>()
  /** New artists of whom only the name is known. */
  readonly #newArtists = new Map<number, string>()
  /** By the credit that alone named them, while nothing about artists changes. */
  readonly #artistByCredit = new Map<string, ArtistRow>()

  constructor(context: SongRoom) {
    this.#context = context
  }

  importRecord(record: SongRecord): { songId: string } {
    return this.importChecked(parseInput(songRecordSchema, record, 'record'))
  }

  importChecked(record: CheckedSong): { songId: string; isNew: boolean } {
    const context = this.#context
    // All checks that can reject the record come before the first write.
    const prints = printsOfRecord(record)
    const { store } = context
    const artist = this.#importArtist(record)
    const nativeId = record.id !== undefined && isId('song', record.id) ? record.id : undefined
    const ids = idsOfRecord(record, nativeId)
    const isNamed =
      record.artistName === artist.name || nameKey(record.artistName) === nameKey(artist.name)
    const titleKey = nameKey(record.title)
    const duration = positiveOrNull(record.duration ?? record.audioSummary?.duration)
    const facts: SongFacts = {
      title: record.title,
      artist: artist.num,
      credit: isNamed ? null : record.artistName,
      release: record.release ?? null,
      duration,
      year: positiveOrNull(record.year),
      hotttnesss: record.songHotttnesss ?? null,
      songType: record.songType === undefined ? null : [record.songType].flat().join(' '),
    }
    const summary = record.audioSummary && storedSummary(record.audioSummary)
    const knownNum =
      nativeId === undefined
        ? (songByForeignIds(context, ids) ?? songByNames(context, facts, titleKey, ids))
        : (store.numOf(nativeId) ??
          songByForeignIds(context, [{ catalog: IMPORTED_SPACE, foreignId: nativeId }, ...ids]))
    const now = context.now()
    const imported = importedBits(facts)
    const songId = knownNum === undefined ? (nativeId ?? newId('song', now)) : store.idOf(knownNum)
    const num = knownNum ?? store.addSong(songId, facts, imported, now, titleKey)
    if (knownNum === undefined) {
      this.#newSongs.set(num, indexedOf(facts, { titleKey, artistName: artist.name }, summary))
    } else {
      store.overwriteFacts(num, facts, imported)
      this.#newSongs.delete(num)
    }
    this.#songs.add(num)
    // The song keeps its own native id, and is also found by this one.
    if (nativeId !== undefined && songId !== nativeId) store.ids.add(IMPORTED_SPACE, nativeId, num)
    for (const { catalog, foreignId } of ids) store.ids.add(catalog, foreignId, num)
    for (const track of record.tracks ?? []) {
      for (const trackRow of tracksOfRecord(track)) store.ids.addTrack({ song: num, ...trackRow })
    }
    if (summary !== undefined) store.summarize({ song: num, ...summary })
    if (prints.length > 0) addPrints(context, songId, prints, duration)
    return { songId, isNew: knownNum === undefined }
  }

  #importArtist(record: CheckedSong): ArtistRow {
    const { artists } = this.#context
    const artist = this.#artistOf(record)
    const { artistHotttnesss: hotttnesss, artistFamiliarity: familiarity, artistLocation } = record
    const { terms } = record
    const facts = { hotttnesss, familiarity, ...artistLocation }
    const hasFacts = [hotttnesss, familiarity, artistLocation, terms].some(
      (fact) => fact !== undefined,
    )
    if (!hasFacts) return artist
    const digest = createHash('md5')
      .update(JSON.stringify([facts, terms]))
      .digest('base64')
    if (artist.said === digest && artist.imported !== 0) return artist
    this.#artistByCredit.clear()
    this.#newArtists.delete(artist.num)
    artists.updateFacts(artist.num, facts)
    if (terms !== undefined) artists.terms.addToArtist(artist.num, storedTerms(terms))
    artists.setSaid(digest, artist.num)
    this.#artists.add(artist.num)
    return artist
  }

  #artistOf({ artistId: id, artistName: name, artistForeignIds: foreignIds }: CheckedSong) {
    const isCredit = id === undefined && foreignIds === undefined
    const creditedArtist = isCredit ? this.#artistByCredit.get(name) : undefined
    if (creditedArtist) return creditedArtist
    const { artists: store, now } = this.#context
    const { artist, made: isNew } = findOrAddArtist({ store, now }, { id, name, foreignIds }, true)
    if (isNew) {
      this.#artists.add(artist.num)
      this.#newArtists.set(artist.num, artist.name)
    }
    if (isCredit) this.#artistByCredit.set(name, artist)
    else this.#artistByCredit.clear()
    return artist
  }

  finish(): void {
    const { artists, store, domain } = this.#context
    artists.updateIndex([...this.#artists], this.#newArtists)
    store.updateIndex(this.#songs, this.#newSongs)
    domain.publishEvent('songs.changed', {})
    if (this.#artists.size > 0) domain.publishEvent('artists.changed', {})
  }
}

/** Made without reading the new song back. */
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

function songByForeignIds({ store }: SongRoom, ids: readonly ForeignRef[]): number | undefined {
  for (const { catalog, foreignId } of ids) {
    const num = store.ids.song(catalog, foreignId)
    if (num !== undefined) return num
  }
  return undefined
}

/** Lets records without ids be imported again, and collections with different ids share songs. */
function songByNames(
  { store }: SongRoom,
  facts: SongFacts,
  titleKey: string,
  ids: readonly ForeignRef[],
): number | undefined {
  const sameSong = store.namesakes(facts.artist as number, titleKey).find(
    (song) =>
      isSameRecord({
        names: { artist: nameKey(song.credit ?? '') === nameKey(facts.credit ?? '') },
        lengths: lengthsOf(facts.duration, song.duration),
      }) && ids.every(({ catalog }) => store.ids.ofSong(song.num, catalog).length === 0),
  )
  return sameSong?.num
}

/** 0 and -1 become `null` where they mean "not known". */
export function storedSummary(summary: NonNullable<CheckedSong['audioSummary']>): ImportedSummary {
  return eachFact(SUMMARIZED, (name, fact) => {
    const value = summary[name] ?? null
    if (typeof value !== 'number') return value
    if (fact.positive) return positiveOrNull(value)
    return fact.type === 'integer' && value < 0 ? null : value
  }) as ImportedSummary
}

/** 0 and less mean "not known". */
function positiveOrNull(value: number | undefined): number | null {
  return value !== undefined && value > 0 ? value : null
}

interface ImportedPrint {
  version: string
  /** Equal code strings are one recording. */
  md5: string
  fingerprints: Fingerprints
}

/** @throws {ParameterError} `invalid_parameter` on a code string that cannot be decoded */
export function printsOfRecord({
  fingerprints = [],
}: Pick<CheckedSong, 'fingerprints'>): ImportedPrint[] {
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
  prints: readonly ImportedPrint[],
  duration: number | null,
): void {
  for (const { version, md5, fingerprints } of prints) {
    if (recordings.holds(songId, md5)) continue
    const origin = { fingerprintVersion: version, codeMd5: md5 }
    indexRecording(recordings, { songId, trackId: null, duration, ...origin }, fingerprints)
  }
}
