import { createHash } from 'node:crypto'
import { z } from 'zod'
import {
  artistOf,
  type ForeignRef,
  foreignRefs,
  IMPORTED,
  storedTerms,
} from '../artist/apply-record.ts'
import { nameKey } from '../artist/names.ts'
import { invalidParameter } from '../errors.ts'
import { decodeCode } from '../fingerprint/decode-code.ts'
import { isId, newId } from '../ids.ts'
import { method } from '../kernel/method.ts'
import { md5 } from '../md5.ts'
import { type Fingerprints, ingest } from '../recording/ingest.ts'
import { packSoon } from '../recording/pack-job.ts'
import { parse } from '../validate.ts'
import { type CheckedSong, type SongRecord, songRecord } from './record.ts'
import type { SongRoom } from './room.ts'
import {
  FIELD,
  type ForeignTrack,
  type ImportedSummary,
  type IndexedSong,
  type SongFacts,
} from './store.ts'

const parameters = z.strictObject({
  // Each is checked by itself: one that is bad must not cost the others.
  records: z.array(z.custom<SongRecord>(() => true)).max(1000),
})

/** What became of a batch of records. */
export interface ImportResult {
  imported: number
  updated: number
  /** Records that were not taken, by their place in the batch, and why. */
  rejected: { index: number; info: string }[]
}

/** What a batch has changed: to be indexed at its end. */
interface Touched {
  songs: Set<number>
  /** Those among them that are new and came once. */
  added: Map<number, IndexedSong>
  artists: Set<number>
}

/**
 * `song/import` (ours): takes in a batch of reference songs, in one transaction. A song that is
 * known by an id, or by its names and duration where the record has no id of its own, is updated; a
 * record that is bad is told and passed over.
 */
export const importSongs = method({
  name: 'song/import',
  parameters,
  run(context: SongRoom, given): ImportResult {
    const result: ImportResult = { imported: 0, updated: 0, rejected: [] }
    const touched: Touched = { songs: new Set(), added: new Map(), artists: new Set() }
    context.store.atomically.step(() => {
      for (const [index, input] of given.records.entries()) {
        try {
          const updated = importOne(context, parse(songRecord, input, 'record'), touched)
          if (updated) result.updated++
          else result.imported++
        } catch (error) {
          if (!(error instanceof Error) || error.name === 'SqliteError') throw error
          result.rejected.push({ index, info: error.message })
        }
      }
      context.artists.index([...touched.artists])
      context.store.index(touched.songs, touched.added)
      context.domain.publish('songs.changed', {})
      packSoon(context)
    })
    return result
  },
})

/** Takes in one record; whether its song was known. */
function importOne(context: SongRoom, given: CheckedSong, touched: Touched): boolean {
  // All that can be refused comes before the first write.
  const prints = (given.fingerprints ?? []).map(printOf)
  const { store } = context
  const artist = takeArtist(context, given, touched)
  const native = given.id !== undefined && isId('song', given.id) ? given.id : undefined
  const ids = idsOf(given, native)
  const credit = nameKey(given.artistName) === nameKey(artist.name) ? null : given.artistName
  const duration = positive(given.duration ?? given.audioSummary?.duration)
  const facts: SongFacts = {
    title: given.title,
    artist: artist.num,
    credit,
    release: given.release ?? null,
    duration,
    year: positive(given.year),
    hotttnesss: given.songHotttnesss ?? null,
    songType: given.songType === undefined ? null : [given.songType].flat().join(' '),
  }
  const summary = given.audioSummary === undefined ? undefined : summaryOf(given.audioSummary)
  const known =
    (native === undefined ? undefined : store.numOf(native)) ??
    byForeignIds(
      context,
      native === undefined ? ids : [{ catalog: IMPORTED, foreignId: native }, ...ids],
    ) ??
    (native === undefined ? byNames(context, facts, ids) : undefined)
  let num: number
  if (known === undefined) {
    num = store.add(native ?? newId('song', context.now()), facts, bitsOf(facts), context.now())
    touched.added.set(num, indexedOf(facts, artist.name, summary))
  } else {
    num = known
    store.update(num, facts, bitsOf(facts))
    touched.added.delete(num)
  }
  touched.songs.add(num)
  // Known by another id already: it goes by this one too.
  if (native !== undefined && known !== undefined && store.idOf(num) !== native) {
    store.addForeignId(num, IMPORTED, native)
  }
  for (const { catalog, foreignId } of ids) store.addForeignId(num, catalog, foreignId)
  for (const track of given.tracks ?? []) {
    for (const one of foreignTracksOf(track)) store.addTrack(num, one)
  }
  if (summary !== undefined) store.summarize(num, summary)
  if (prints.length > 0) addPrints(context, store.idOf(num) as string, prints, duration)
  return known !== undefined
}

/** What is indexed of a new song, without reading it back. */
function indexedOf(
  { title, artist, credit, duration, hotttnesss }: SongFacts,
  artistName: string,
  summary: ImportedSummary | undefined,
): IndexedSong {
  return {
    titleKey: nameKey(title),
    artistName: credit ?? artistName,
    artist,
    tempo: summary?.tempo ?? null,
    duration,
    loudness: summary?.loudness ?? null,
    danceability: summary?.danceability ?? null,
    energy: summary?.energy ?? null,
    hotttnesss,
    key: summary?.key ?? null,
    mode: summary?.mode ?? null,
  }
}

function takeArtist(context: SongRoom, given: CheckedSong, { artists: touched }: Touched) {
  const { artists } = context
  const { artist, made } = artistOf(
    { store: artists, now: context.now },
    { id: given.artistId, name: given.artistName, foreignIds: given.artistForeignIds },
    true,
  )
  if (made) touched.add(artist.num)
  const { artistHotttnesss: hotttnesss, artistFamiliarity: familiarity, artistLocation } = given
  const { terms } = given
  const facts = { hotttnesss, familiarity, ...artistLocation }
  const known = [hotttnesss, familiarity, artistLocation, terms].some((one) => one !== undefined)
  if (!known) return artist
  const digest = createHash('md5')
    .update(JSON.stringify([facts, terms]))
    .digest('base64')
  if (artist.said === digest && artist.imported !== 0) return artist
  artists.update(artist.num, facts)
  if (terms !== undefined) artists.addTerms(artist.num, storedTerms(terms))
  artists.setSaid(artist.num, digest)
  touched.add(artist.num)
  return artist
}

/** All ids of a record in other spaces. */
function idsOf(given: CheckedSong, native: string | undefined): ForeignRef[] {
  const ids = foreignRefs(given.foreignIds, native === undefined ? given.id : undefined)
  for (const isrc of given.isrc === undefined ? [] : [given.isrc].flat()) {
    ids.push({ catalog: 'isrc', foreignId: isrcKey(isrc) })
  }
  if (given.musicbrainzId !== undefined) {
    ids.push({ catalog: 'musicbrainz', foreignId: given.musicbrainzId.toLowerCase() })
  }
  return ids
}

/** An ISRC as it is compared: `GB-AYE-69-00531` is `GBAYE6900531`. */
export function isrcKey(isrc: string): string {
  return isrc.replace(/[^0-9a-z]/gi, '').toUpperCase()
}

function byForeignIds({ store }: SongRoom, ids: readonly ForeignRef[]): number | undefined {
  for (const { catalog, foreignId } of ids) {
    const id = store.byForeignId(catalog, foreignId)
    if (id !== undefined) return store.numOf(id)
  }
  return undefined
}

/** Recordings of one song differ by so much at most, in seconds. */
const SAME_LENGTH = 3

/**
 * The song that is called as a record says, and as long: so records without ids can be imported
 * again, and collections that know each other's songs by other ids are one. Not a song that has
 * another id in a space where the record has one.
 */
function byNames(
  { store }: SongRoom,
  facts: SongFacts,
  ids: readonly ForeignRef[],
): number | undefined {
  const credit = nameKey(facts.credit ?? '')
  const alike = store
    .namesakes(facts.artist as number, nameKey(facts.title))
    .find(
      (song) =>
        nameKey(song.credit ?? '') === credit &&
        sameLength(song.duration, facts.duration) &&
        ids.every(({ catalog }) => store.foreignIds(song.num, catalog).length === 0),
    )
  return alike?.num
}

function sameLength(a: number | null, b: number | null): boolean {
  return a === null || b === null ? a === b : Math.abs(a - b) <= SAME_LENGTH
}

function bitsOf({ release, duration, year }: SongFacts): number {
  return (
    FIELD.names |
    (release === null ? 0 : FIELD.release) |
    (duration === null ? 0 : FIELD.duration) |
    (year === null ? 0 : FIELD.year)
  )
}

/** A track in each of the spaces where it has an id; one that is not the service's is a foreign one. */
function foreignTracksOf(track: NonNullable<CheckedSong['tracks']>[number]): ForeignTrack[] {
  const { id, catalog, foreignId } = track
  const native = id !== undefined && isId('track', id) ? id : null
  const refs = [
    ...(foreignId === undefined
      ? []
      : foreignRefs(
          catalog === undefined ? [] : [{ catalog, foreignId }],
          catalog === undefined ? foreignId : undefined,
        )),
    ...(id !== undefined && native === null ? foreignRefs([], id) : []),
  ]
  // Of a track that is known by the service's id alone there is no other space.
  if (refs.length === 0) refs.push({ catalog: catalog ?? IMPORTED, foreignId: id as string })
  return refs.map((ref) => ({
    ...ref,
    trackId: native,
    foreignReleaseId: track.foreignReleaseId ?? null,
    previewUrl: track.previewUrl ?? null,
    releaseImage: track.releaseImage ?? null,
  }))
}

function summaryOf(given: NonNullable<CheckedSong['audioSummary']>): ImportedSummary {
  const atLeastZero = (value: number | undefined) =>
    value === undefined || value < 0 ? null : value
  return {
    tempo: positive(given.tempo),
    key: atLeastZero(given.key),
    mode: atLeastZero(given.mode),
    timeSignature: positive(given.timeSignature),
    loudness: given.loudness ?? null,
    energy: given.energy ?? null,
    danceability: given.danceability ?? null,
    speechiness: given.speechiness ?? null,
    acousticness: given.acousticness ?? null,
    instrumentalness: given.instrumentalness ?? null,
    liveness: given.liveness ?? null,
    valence: given.valence ?? null,
    audioMd5: given.audioMd5 ?? null,
  }
}

/** 0 and the like mean that it is not known. */
function positive(value: number | undefined): number | null {
  return value !== undefined && value > 0 ? value : null
}

interface Print {
  version: string
  /** Of the code string: the same one twice is one recording. */
  md5: string
  fingerprints: Fingerprints
}

function printOf({ version, code }: { version: string | number; code: string }): Print {
  const decoded = decodeCode(code, version)
  if (decoded.codes === undefined) {
    throw invalidParameter('fingerprints', decoded.message)
  }
  const { family, codes } = decoded
  return { version: String(version), md5: md5(code), fingerprints: { [family]: codes } }
}

function addPrints(
  { recordings }: SongRoom,
  songId: string,
  prints: readonly Print[],
  duration: number | null,
): void {
  for (const { version, md5, fingerprints } of prints) {
    if (recordings.holds(songId, md5)) continue
    const recording = {
      songId,
      trackId: null,
      duration,
      fingerprintVersion: version,
      codeMd5: md5,
    }
    ingest(recordings, recording, fingerprints)
  }
}
