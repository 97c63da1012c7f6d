import type { Params } from '../host/door.ts'
import { md5 } from '../values/md5.ts'
import { isIterable } from './batches.ts'

type SongTrackRecord = Params<'track/import'>['records'][number]
type SongWithTracks = Params<'song/import'>['records'][number]

/** Records of tracks, in which each record of a song became that of a track without a file. */
export function asTrackRecords(
  records: Iterable<object> | AsyncIterable<object>,
): Iterable<SongTrackRecord> | AsyncIterable<SongTrackRecord> {
  if (!isIterable(records)) return records as Iterable<SongTrackRecord>
  const converted =
    Symbol.asyncIterator in records ? convertedLater(records) : convertedNow(records)
  const report = { get: () => (records as { report?: unknown }).report }
  return Object.defineProperty(converted, 'report', report)
}

function* convertedNow(records: Iterable<object>): Generator<SongTrackRecord, void> {
  for (const record of records) yield asTrackRecord(record)
}

async function* convertedLater(
  records: AsyncIterable<object>,
): AsyncGenerator<SongTrackRecord, void> {
  for await (const record of records) yield asTrackRecord(record)
}

function asTrackRecord(record: object): SongTrackRecord {
  const isSong = typeof record === 'object' && record !== null && 'artistName' in record
  return isSong ? trackOfSong(record as SongWithTracks) : (record as SongTrackRecord)
}

/** A track with a foreign id, by which a repeated import finds it, and which shows that it is no file. */
function trackOfSong(song: SongWithTracks): SongTrackRecord {
  const { title, artistName: artist, release, year, duration, isrc = [], musicbrainzId } = song
  const ids = (song.tracks ?? []).flatMap(({ catalog, foreignId }) =>
    catalog === undefined || foreignId === undefined ? [] : [`${catalog}:track:${foreignId}`],
  )
  const names = md5(JSON.stringify([title, artist, release].map((name) => name?.normalize('NFC'))))
  const genres = (song.terms ?? []).flatMap((term) => (typeof term === 'string' ? term : term.name))
  return {
    ...(title !== '' && { title }),
    ...(artist !== '' && { artist }),
    ...(release !== undefined && { release }),
    ...(year !== undefined && { year }),
    ...(genres.length > 0 && { genres }),
    isrc: [isrc].flat() as string[],
    foreignIds: [
      ...(ids.length > 0 ? ids : [`imported:track:${names}`]),
      ...(musicbrainzId === undefined ? [] : [`musicbrainz:song:${musicbrainzId}`]),
    ],
    ...(song.audioSummary && {
      audioSummary: { ...song.audioSummary, ...(duration !== undefined && { duration }) },
    }),
  } as SongTrackRecord
}
