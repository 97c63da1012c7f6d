import { type ForeignRef, foreignRefs, IMPORTED } from '../artist/apply-record.ts'
import { isId } from '../ids.ts'
import type { ForeignTrack } from './id-store.ts'
import type { CheckedSong } from './record.ts'

/** All ids of a record in other spaces. */
export function idsOfRecord(given: CheckedSong, native: string | undefined): ForeignRef[] {
  const ids = foreignRefs(given.foreignIds, native === undefined ? given.id : undefined)
  for (const isrc of given.isrc === undefined ? [] : [given.isrc].flat()) {
    ids.push({ catalog: 'isrc', foreignId: isrcKey(isrc) })
  }
  if (given.musicbrainzId !== undefined) {
    ids.push({ catalog: 'musicbrainz', foreignId: given.musicbrainzId.toLowerCase() })
  }
  return ids
}

/** The form in which ISRCs are compared: `GB-AYE-69-00531` becomes `GBAYE6900531`. */
export function isrcKey(isrc: string): string {
  return isrc.replace(/[^0-9a-z]/gi, '').toUpperCase()
}

/** A track of a record, once for each space where it has an id. An id of another form is a foreign one. */
export function tracksOfRecord(track: NonNullable<CheckedSong['tracks']>[number]): ForeignTrack[] {
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
  // A track with the service's id alone is in no other space.
  if (refs.length === 0 && id !== undefined) {
    refs.push({ catalog: catalog ?? IMPORTED, foreignId: id })
  }
  return refs.map((ref) => ({
    ...ref,
    trackId: native,
    foreignReleaseId: track.foreignReleaseId ?? null,
    previewUrl: track.previewUrl ?? null,
    releaseImage: track.releaseImage ?? null,
  }))
}
