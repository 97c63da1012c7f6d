import type { ArtistRecord } from '../client/artists.ts'
import type { SongRecord } from '../client/songs.ts'
import { fromCsv } from './csv.ts'
import { type ImportInput, peek } from './input.ts'
import { type Json, jsonLinesOf } from './json-lines.ts'
import { artistOfDocument } from './musicbrainz-artist.ts'
import { songOfRecording, songsOfRelease } from './musicbrainz-recording.ts'
import { type SkippingOptions, Skips } from './skipped.ts'

/** How a dump of MusicBrainz is read. */
export interface MusicBrainzOptions extends SkippingOptions {
  /**
   * Whether genres and tags of artists become terms. Default: true. They are CC BY-NC-SA, unlike the
   * rest, which is CC0.
   */
  tags?: boolean | undefined
}

/**
 * Reads a dump of MusicBrainz, plain or gzipped, line by line; what a line is, is told by its
 * content:
 *
 * - the JSON dump `artist` gives records for `artists.import`: aliases, place (in words, areas have
 *   no coordinates), addresses, years active (of groups: of a person, MusicBrainz has the years of
 *   life), genres and tags as terms, of which the most voted has frequency 1
 * - `recording` and `release` give records for `songs.import`: artists as credited, with the id of
 *   the first, ISRCs, year, duration. A recording's tags say its song type where they are one; they
 *   are no terms, which are the artist's
 * - `canonical_musicbrainz_data.csv` gives one record a song for `songs.import`
 *
 * The dumps are packed (`.tar.xz`, `.tar.zst`): unpack them first. The type of what is yielded is
 * that which is asked for: a dump holds one kind of thing, and `import` rejects records of the other.
 *
 * @param input - the path of a file, or bytes
 * @throws {ParameterError} when the input is none of these, or cut off
 * @example
 * ```ts
 * import { fromMusicBrainz } from 'audile/import'
 *
 * await music.artists.import(fromMusicBrainz('mbdump/artist'))
 * await music.songs.import(fromMusicBrainz('mbdump/recording'))
 * await music.songs.import(fromMusicBrainz('canonical_musicbrainz_data.csv'))
 * ```
 */
export async function* fromMusicBrainz<
  R extends SongRecord | ArtistRecord = SongRecord | ArtistRecord,
>(input: ImportInput, options: MusicBrainzOptions = {}): AsyncGenerator<R, void> {
  for await (const record of recordsOf(input, options)) yield record as R
}

async function* recordsOf(
  given: ImportInput,
  options: MusicBrainzOptions,
): AsyncGenerator<SongRecord | ArtistRecord, void> {
  const { first, input } = await peek(given, 200)
  if (/^\uFEFF?[^{\n]*\brecording_mbid\b/.test(Buffer.from(first).toString())) {
    return yield* fromCsv(input, { ...options, preset: 'musicbrainz-canonical' })
  }
  const skips = new Skips(options)
  for await (const { document, line } of jsonLinesOf(input, skips)) {
    const records = recordsOfDocument(document, options)
    if (records === undefined) {
      skips.skip(input, 'is no artist, recording or release; give the dump of one of these', line)
      continue
    }
    skips.took()
    yield* records
  }
}

function recordsOfDocument(
  document: Json,
  { tags = true }: MusicBrainzOptions,
): (SongRecord | ArtistRecord)[] | undefined {
  if ('media' in document || 'barcode' in document) return songsOfRelease(document)
  if ('title' in document) {
    const recording = 'artist-credit' in document || 'length' in document || 'video' in document
    return recording && !('primary-type' in document) ? [songOfRecording(document)] : undefined
  }
  // Labels and areas have sort names too.
  if ('sort-name' in document && !('label-code' in document) && isArtistType(document.type)) {
    return [artistOfDocument(document, tags)]
  }
  return undefined
}

function isArtistType(type: unknown): boolean {
  const types = ['Person', 'Group', 'Orchestra', 'Choir', 'Character', 'Other']
  return type === undefined || type === null || types.includes(String(type))
}
