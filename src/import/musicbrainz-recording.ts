import type { SongRecord } from '../client/songs.ts'
import * as clean from './cleaning.ts'
import { type Json, objectOf, objectsOf } from './lines.ts'
import { firstYear } from './musicbrainz-artist.ts'

/** The record of a recording document. */
export function songOfRecording(recording: Json): SongRecord {
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

/** The records of the recordings on a release, each with the release and its track there. */
export function songsOfRelease(release: Json): SongRecord[] {
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
    artistName: artistName.trim(),
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

/** The types that are named by tags, or by the start of the disambiguation (`live, 1969-01-30: London`). */
function songTypesOf(recording: Json): string[] {
  const tags = objectsOf(recording.tags).filter(({ count }) => clean.ordinal(count) !== undefined)
  const words = new Set(tags.map(({ name }) => String(name).toLowerCase()))
  const [first] = String(recording.disambiguation ?? '')
    .toLowerCase()
    .split(/[,:;]/)
  if (first !== undefined) words.add(first.trim())
  return SONG_TYPES.filter((type) => words.has(type))
}
