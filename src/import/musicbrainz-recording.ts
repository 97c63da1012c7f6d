import type { SongRecord } from '../client/songs.ts'
import * as clean from './cleaning.ts'
import { type Json, objectsOf } from './json-lines.ts'
import { firstYear } from './musicbrainz-artist.ts'

/** A recording document as a record. */
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

/** The recordings of a release document, each with the release and its track there. */
export function songsOfRelease(release: Json): SongRecord[] {
  const releaseId = clean.text(release.id)
  const tracks = objectsOf(release.media).flatMap((medium) => [
    ...objectsOf([medium.pregap]),
    ...objectsOf(medium.tracks),
    ...objectsOf(medium['data-tracks']),
  ])
  return tracks.map((track) => {
    const recording = objectsOf([track.recording])[0] ?? {}
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

/** The artists as credited, in one text, and the id of the first. */
function creditOf(document: Json): Pick<SongRecord, 'artistName' | 'artistForeignIds'> {
  const credits = objectsOf(document['artist-credit'])
  const name = (credit: Json) => String(credit.name ?? objectsOf([credit.artist])[0]?.name ?? '')
  const artistName = credits
    .map((credit) => name(credit) + String(credit.joinphrase ?? ''))
    .join('')
  const id = clean.text(objectsOf([credits[0]?.artist])[0]?.id)
  return {
    artistName: artistName.trim(),
    artistForeignIds: id === undefined ? undefined : [{ catalog: 'musicbrainz', foreignId: id }],
  }
}

function isrcsOf(recording: Json): string[] {
  const given = Array.isArray(recording.isrcs) ? recording.isrcs : []
  return given.flatMap((isrc: unknown) => clean.text(isrc) ?? [])
}

/** Milliseconds as seconds. There are recordings of days; only 0 is not known. */
function secondsOf(milliseconds: unknown): number | undefined {
  const length = clean.positive(milliseconds)
  return length === undefined ? undefined : length / 1000
}

const SONG_TYPES = ['christmas', 'live', 'acoustic', 'electric']

/** What tags of a recording say of its type; also `live, 1969-01-30: London` of its disambiguation. */
function songTypesOf(recording: Json): string[] {
  const tags = objectsOf(recording.tags).filter(({ count }) => clean.ordinal(count) !== undefined)
  const words = new Set(tags.map(({ name }) => String(name).toLowerCase()))
  const [first] = String(recording.disambiguation ?? '')
    .toLowerCase()
    .split(/[,:;]/)
  if (first !== undefined) words.add(first.trim())
  return SONG_TYPES.filter((type) => words.has(type))
}
