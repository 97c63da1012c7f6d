import type { ArtistRecord } from '../client/artists.ts'
import type { SongRecord } from '../client/songs.ts'
import {
  cleanForeignIds,
  cleanOrdinal,
  cleanPositive,
  cleanTextValue,
  cleanYear,
  nonEmptyList,
  recordOfKnown,
} from './cleaning.ts'
import { songsOfCsv } from './csv.ts'
import { type Imported, type ImportRun, importRecords, type SkippingOptions } from './import-run.ts'
import { type ImportInput, peekText } from './input.ts'
import { artistOfDocument, firstYear } from './musicbrainz-artist.ts'
import { type Json, objectOf, objectsOf, readJsonLines } from './rows.ts'

/** Options of `fromMusicBrainz`. */
export interface MusicBrainzOptions extends SkippingOptions {
  /**
   * Whether genres and tags of artists become terms. Default: true. Their licence is CC BY-NC-SA;
   * the licence of all other data is CC0.
   */
  tags?: boolean | undefined
}

/**
 * Reads a dump of MusicBrainz, plain or gzipped, line by line. The kind of each line is detected
 * from its content:
 *
 * - the JSON dump `artist` gives records for `artists.import`: aliases, place (in words, as areas
 *   have no coordinates), addresses, years active (only of groups: for persons, MusicBrainz has
 *   birth and death), genres and tags as terms (the one with the most votes has frequency 1)
 * - `recording` and `release` give records for `songs.import`: artists as credited, with the id of
 *   the first, ISRCs, year, duration. Tags of a recording that name a song type set the song type;
 *   they do not become terms, which describe artists
 * - `canonical_musicbrainz_data.csv` gives one record per song for `songs.import`
 *
 * The dumps are packed (`.tar.xz`, `.tar.zst`): unpack them first. A dump holds one kind of record, and
 * `import` rejects records of the other kind; the type parameter says which one to expect.
 *
 * @param input - the path of a file, or bytes
 * @throws {ParameterError} when the input is none of these, or is truncated
 * @example
 * ```ts
 * import { fromMusicBrainz } from 'audile/import'
 *
 * await music.artists.import(fromMusicBrainz('mbdump/artist'))
 * await music.songs.import(fromMusicBrainz('mbdump/recording'))
 * await music.songs.import(fromMusicBrainz('canonical_musicbrainz_data.csv'))
 * ```
 */
export function fromMusicBrainz<R extends SongRecord | ArtistRecord = SongRecord | ArtistRecord>(
  input: ImportInput,
  options: MusicBrainzOptions = {},
): Imported<R> {
  return importRecords<R>(MUSICBRAINZ_TRAITS, input, options, async function* (givenInput, run) {
    for await (const record of recordsOfMusicBrainz(givenInput, options, run)) yield record as R
  })
}

const MUSICBRAINZ_TRAITS = {
  name: 'fromMusicBrainz',
  reads: 'a dump of MusicBrainz',
  forms: ['json', 'text'],
} as const

async function* recordsOfMusicBrainz(
  givenInput: ImportInput,
  options: MusicBrainzOptions,
  run: ImportRun,
): AsyncGenerator<SongRecord | ArtistRecord, void> {
  const { start, input } = await peekText(givenInput, 200)
  if (/^[^{\n]*\brecording_mbid\b/.test(start)) {
    return yield* songsOfCsv(input, { preset: 'musicbrainz-canonical' }, run)
  }
  const documents = readJsonLines(input, run, (document) => recordsOfDocument(document, options))
  for await (const records of documents) {
    if (records.length === 0) run.leaveOut(givenInput, 'a release has no tracks')
    yield* records
  }
}

function recordsOfDocument(
  document: Json,
  { tags = true }: MusicBrainzOptions,
): (SongRecord | ArtistRecord)[] | string {
  if ('media' in document || 'barcode' in document) return songsOfRelease(document)
  if ('title' in document) {
    const isRecording = 'artist-credit' in document || 'length' in document || 'video' in document
    return isRecording && !('primary-type' in document)
      ? [songOfRecording(document)]
      : OTHER_DOCUMENT_FAULT
  }
  // Labels and areas have sort names too.
  if ('sort-name' in document && !('label-code' in document) && isArtistType(document.type)) {
    return [artistOfDocument(document, tags)]
  }
  return OTHER_DOCUMENT_FAULT
}

const OTHER_DOCUMENT_FAULT = 'is not an artist, recording or release; give the dump of one of these'

function isArtistType(type: unknown): boolean {
  const types = ['Person', 'Group', 'Orchestra', 'Choir', 'Character', 'Other']
  return type === undefined || type === null || types.includes(String(type))
}

function songOfRecording(recording: Json): SongRecord {
  return recordOfKnown<SongRecord>({
    title: cleanTextValue(recording.title) ?? '',
    ...recordingCredit(recording),
    year: cleanYear(firstYear(recording['first-release-date'])),
    duration: secondsOfRecording(recording.length),
    songType: nonEmptyList(songTypesOf(recording)),
    isrc: nonEmptyList(isrcsOf(recording)),
    musicbrainzId: cleanTextValue(recording.id),
  })
}

/** Each with its release and track. */
function songsOfRelease(release: Json): SongRecord[] {
  const releaseId = cleanTextValue(release.id)
  const tracks = objectsOf(release.media).flatMap((medium) => [
    ...objectsOf([medium.pregap]),
    ...objectsOf(medium.tracks),
    ...objectsOf(medium['data-tracks']),
  ])
  return tracks.map((track) => {
    const recording = objectOf(track.recording) ?? {}
    const creditedDocument = [recording, track, release].find(
      (document) => objectsOf(document['artist-credit']).length > 0,
    )
    const trackId = cleanTextValue(track.id)
    const song = songOfRecording({
      ...recording,
      title: recording.title ?? track.title,
      length: recording.length ?? track.length,
      'first-release-date': recording['first-release-date'] || release.date,
      'artist-credit': creditedDocument?.['artist-credit'],
    })
    return recordOfKnown<SongRecord>({
      ...song,
      release: cleanTextValue(release.title),
      tracks:
        trackId === undefined
          ? undefined
          : [
              recordOfKnown({
                catalog: 'musicbrainz',
                foreignId: trackId,
                foreignReleaseId:
                  releaseId === undefined ? undefined : `musicbrainz:release:${releaseId}`,
              }),
            ],
    })
  })
}

/** The artists as one text, and the id of the first. */
function recordingCredit(document: Json): Pick<SongRecord, 'artistName' | 'artistForeignIds'> {
  const credits = objectsOf(document['artist-credit'])
  const nameOfCredit = (credit: Json) => String(credit.name ?? objectOf(credit.artist)?.name ?? '')
  const artistName = credits
    .map((credit) => nameOfCredit(credit) + String(credit.joinphrase ?? ''))
    .join('')
  return {
    artistName: cleanTextValue(artistName) ?? '',
    artistForeignIds: nonEmptyList(
      cleanForeignIds({ musicbrainz: objectOf(credits[0]?.artist)?.id }),
    ),
  }
}

function isrcsOf(recording: Json): string[] {
  const isrcs = Array.isArray(recording.isrcs) ? recording.isrcs : []
  return isrcs.flatMap((isrc: unknown) => cleanTextValue(isrc) ?? [])
}

/** Some recordings last for days, so only 0 means "not known". */
function secondsOfRecording(milliseconds: unknown): number | undefined {
  const length = cleanPositive(milliseconds)
  return length === undefined ? undefined : length / 1000
}

const SONG_TYPES = ['christmas', 'live', 'acoustic', 'electric']

/** In tags, or first in the disambiguation (`live, 1969-01-30: London`). */
function songTypesOf(recording: Json): string[] {
  const tags = objectsOf(recording.tags).filter(({ count }) => cleanOrdinal(count) !== undefined)
  const words = new Set(tags.map(({ name }) => String(name).toLowerCase()))
  const [firstWord] = String(recording.disambiguation ?? '')
    .toLowerCase()
    .split(/[,:;]/)
  if (firstWord !== undefined) words.add(firstWord.trim())
  return SONG_TYPES.filter((type) => words.has(type))
}
