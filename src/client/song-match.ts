import { atCaller } from '../host/caller.ts'
import type { Door, Params, Result } from '../host/door.ts'
import { joinSignals } from '../kernel/abort.ts'
import { invalidParameter } from '../values/errors.ts'
import { divideIntoBatches, isIterable } from './batches.ts'
import { Track, type Waiting } from './track.ts'

/** An id of a song in the id space of another service. */
export interface ForeignSongId {
  /** The id space, for example `spotify`. */
  catalog: string
  /** The id in that space. */
  foreignId: string
}

/**
 * A song that is looked for: a record of `songs.import`, an entry of `catalog.update`, an item of
 * `catalog.items()`, or any object with some of these fields.
 */
export interface SongDescription {
  /** The title. */
  title?: string | undefined
  /** The title, as catalogs call it. */
  songName?: string | null | undefined
  /** The artists as credited. */
  artistName?: string | null | undefined
  /** The artists as credited, as tracks call them. */
  artist?: string | undefined
  /** The album. */
  release?: string | null | undefined
  /** Seconds. */
  duration?: number | undefined
  /** One or several ISRCs of the recording. */
  isrc?: string | readonly string[] | undefined
  /** MusicBrainz id of the recording. */
  musicbrainzId?: string | undefined
  /** `SO…` or `TR…`, or a foreign id. */
  id?: string | undefined
  /** `SO…`, or a foreign id. */
  songId?: string | null | undefined
  /** `TR…`, or a foreign id. */
  trackId?: string | null | undefined
  /** The path or address of the file, or an address such as `spotify:track:…`. */
  url?: string | null | undefined
  /** Ids of its tracks in other id spaces. */
  tracks?:
    | readonly {
        /** `TR…` */
        id?: string | undefined
        /** The id space. */
        catalog?: string | undefined
        /** The id in that space. */
        foreignId?: string | undefined
      }[]
    | undefined
  /** Ids of the song in other id spaces. */
  foreignIds?: readonly (string | ForeignSongId)[] | undefined
  /** An entry of an update: its item says all this. */
  item?: SongDescription | null | undefined
  /** An item of a catalog: what it was named as. */
  request?: object | undefined
}

/** A song that was looked for, and the track that it is. */
export interface MatchedTrack<Given> extends Omit<Result<'track/match'>[number], 'track'> {
  /** The song, as it was given. */
  given: Given
  /** The track; `null` if none of your own files is this song. */
  track: Track | null
}

type SongSought = Params<'track/match'>['records'][number]

/** Records in one call. */
const IN_ONE_CALL = 250

/** Finds the track of each record, in the order of the records. */
export async function* matchedTracks<Given extends object>(
  door: Door,
  records: Iterable<Given> | AsyncIterable<Given>,
  { signal }: Waiting,
): AsyncGenerator<MatchedTrack<Given>, void> {
  if (!isIterable(records)) {
    throw atCaller(
      invalidParameter(
        'records',
        'give a list, an iterable or a stream of songs; put one in a list',
      ),
    )
  }
  const until = joinSignals(door.ended, signal)
  const batches = divideIntoBatches(records, until.signal)
  try {
    for (let next = await batches.next(); ; next = await batches.next()) {
      for (let from = 0; from < next.value.length; from += IN_ONE_CALL) {
        const descriptions = next.value.slice(from, from + IN_ONE_CALL)
        const sought = descriptions.map((record) => describeSoughtSong(record))
        const matches = await door.call(
          'track/match',
          { records: sought },
          { signal: until.signal },
        )
        for (const [i, { track, ...match }] of matches.entries()) {
          yield {
            given: descriptions[i] as Given,
            track: track && new Track(door, track),
            ...match,
          }
        }
      }
      if (next.done) return
    }
  } finally {
    until.release()
    void batches.return([])
  }
}

function describeSoughtSong(description: SongDescription): SongSought {
  const { item, request, ...ownFields } = description
  const record: SongDescription = { ...request, ...ownFields, ...item }
  const address = record.url ?? undefined
  const isOfService = address !== undefined && /^[a-z][a-z0-9-]+:track:./i.test(address)
  const isId = (id: string | null | undefined): id is string => typeof id === 'string' && id !== ''
  const ids = [record.id, record.songId].filter(isId)
  const isTrack = (id: string) => /^TR[A-Z]{5}|^[^:]+:track:/.test(id)
  const foreign = (record.foreignIds ?? []).map((foreignId) =>
    typeof foreignId === 'string' ? foreignId : `${foreignId.catalog}:song:${foreignId.foreignId}`,
  )
  const tracks = (record.tracks ?? []).flatMap(({ id, catalog, foreignId }) => [
    ...(isId(id) ? [id] : []),
    ...(catalog !== undefined && foreignId !== undefined ? [`${catalog}:track:${foreignId}`] : []),
  ])
  const trackIds = [record.trackId, ...ids.filter(isTrack), ...foreign.filter(isTrack), ...tracks]
  const nonBlankText = (value: unknown) =>
    typeof value === 'string' && value.trim() !== '' ? value : undefined
  return {
    files: address === undefined || isOfService ? [] : [address],
    trackIds: [...trackIds.filter(isId), ...(isOfService ? [address] : [])],
    songIds: [...ids, ...foreign].filter((id) => !isTrack(id)),
    title: nonBlankText(record.title) ?? nonBlankText(record.songName),
    artist: nonBlankText(record.artistName) ?? nonBlankText(record.artist),
    release: nonBlankText(record.release),
    ...(record.duration !== undefined && record.duration > 0 && { duration: record.duration }),
    isrc: [record.isrc ?? []].flat() as string[],
    musicbrainzId: nonBlankText(record.musicbrainzId),
  }
}
