import type { ArtistRecord } from '../client/artists.ts'
import type { SongRecord } from '../client/songs.ts'
import * as clean from './cleaning.ts'
import { songsOfCsv } from './csv.ts'
import { type Imported, type ImportRun, importing, type SkippingOptions } from './import-run.ts'
import { type ImportInput, peek } from './input.ts'
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
  return importing<R>(MUSICBRAINZ, input, options, async function* (given, run) {
    for await (const record of recordsOf(given, options, run)) yield record as R
  })
}

const MUSICBRAINZ = {
  name: 'fromMusicBrainz',
  reads: 'a dump of MusicBrainz',
  forms: ['json', 'text'],
} as const

async function* recordsOf(
  given: ImportInput,
  options: MusicBrainzOptions,
  run: ImportRun,
): AsyncGenerator<SongRecord | ArtistRecord, void> {
  const { start, input } = await peek(given, 200)
  if (/^[^{\n]*\brecording_mbid\b/.test(start)) {
    return yield* songsOfCsv(input, { preset: 'musicbrainz-canonical' }, run)
  }
  const documents = readJsonLines(input, run, (document) => recordsOfDocument(document, options))
  for await (const records of documents) {
    if (records.length === 0) run.leaveOut(given, 'a release has no tracks')
    yield* records
  }
}

function recordsOfDocument(
  document: Json,
  { tags = true }: MusicBrainzOptions,
): (SongRecord | ArtistRecord)[] | string {
  if ('media' in document || 'barcode' in document) return songsOfRelease(document)
  if ('title' in document) {
    const recording = 'artist-credit' in document || 'length' in document || 'video' in document
    return recording && !('primary-type' in document) ? [songOfRecording(document)] : OTHER
  }
  // Labels and areas have sort names too.
  if ('sort-name' in document && !('label-code' in document) && isArtistType(document.type)) {
    return [artistOfDocument(document, tags)]
  }
  return OTHER
}

const OTHER = 'is not an artist, recording or release; give the dump of one of these'

function isArtistType(type: unknown): boolean {
  const types = ['Person', 'Group', 'Orchestra', 'Choir', 'Character', 'Other']
  return type === undefined || type === null || types.includes(String(type))
}

function songOfRecording(recording: Json): SongRecord {
  return clean.recordOf<SongRecord>({
    title: clean.text(recording.title) ?? '',
    ...creditOf(recording),
    year: clean.year(firstYear(recording['first-release-date'])),
    duration: secondsOf(recording.length),
    songType: clean.some(songTypesOf(recording)),
    isrc: clean.some(isrcsOf(recording)),
    musicbrainzId: clean.text(recording.id),
  })
}

/** The records of the recordings on a release, each with its release and track. */
function songsOfRelease(release: Json): SongRecord[] {
  const releaseId = clean.text(release.id)
  const tracks = objectsOf(release.media).flatMap((medium) => [
    ...objectsOf([medium.pregap]),
    ...objectsOf(medium.tracks),
    ...objectsOf(medium['data-tracks']),
  ])
  return tracks.map((track) => {
    const recording = objectOf(track.recording) ?? {}
    const credited = [recording, track, release].find(
      (one) => objectsOf(one['artist-credit']).length > 0,
    )
    const trackId = clean.text(track.id)
    const song = songOfRecording({
      ...recording,
      title: recording.title ?? track.title,
      length: recording.length ?? track.length,
      'first-release-date': recording['first-release-date'] || release.date,
      'artist-credit': credited?.['artist-credit'],
    })
    return clean.recordOf<SongRecord>({
      ...song,
      release: clean.text(release.title),
      tracks:
        trackId === undefined
          ? undefined
          : [
              clean.recordOf({
                catalog: 'musicbrainz',
                foreignId: trackId,
                foreignReleaseId:
                  releaseId === undefined ? undefined : `musicbrainz:release:${releaseId}`,
              }),
            ],
    })
  })
}

/** The artists as credited, as one text, and the id of the first. */
function creditOf(document: Json): Pick<SongRecord, 'artistName' | 'artistForeignIds'> {
  const credits = objectsOf(document['artist-credit'])
  const name = (credit: Json) => String(credit.name ?? objectOf(credit.artist)?.name ?? '')
  const artistName = credits
    .map((credit) => name(credit) + String(credit.joinphrase ?? ''))
    .join('')
  return {
    artistName: clean.text(artistName) ?? '',
    artistForeignIds: clean.some(
      clean.foreignIds({ musicbrainz: objectOf(credits[0]?.artist)?.id }),
    ),
  }
}

function isrcsOf(recording: Json): string[] {
  const given = Array.isArray(recording.isrcs) ? recording.isrcs : []
  return given.flatMap((isrc: unknown) => clean.text(isrc) ?? [])
}

/** Milliseconds as seconds. Some recordings last for days, so only 0 means "not known". */
function secondsOf(milliseconds: unknown): number | undefined {
  const length = clean.positive(milliseconds)
  return length === undefined ? undefined : length / 1000
}

const SONG_TYPES = ['christmas', 'live', 'acoustic', 'electric']

/** The song types in tags or at the start of the disambiguation (`live, 1969-01-30: London`). */
function songTypesOf(recording: Json): string[] {
  const tags = objectsOf(recording.tags).filter(({ count }) => clean.ordinal(count) !== undefined)
  const words = new Set(tags.map(({ name }) => String(name).toLowerCase()))
  const [first] = String(recording.disambiguation ?? '')
    .toLowerCase()
    .split(/[,:;]/)
  if (first !== undefined) words.add(first.trim())
  return SONG_TYPES.filter((type) => words.has(type))
}
