import { z } from 'zod'
import { type ForeignRef, IMPORTED_SPACE, toStoredIds } from '../artist/apply-record.ts'
import { artistFacts, foreignIdsSchema, termsSchema } from '../artist/record.ts'
import { name, oneOrMany, share, text } from '../options/parameter-types.ts'
import { derivedId, isId } from '../values/ids.ts'
import {
  eachFact,
  type Fact,
  type FactValue,
  RECORDED,
  type RecordFact,
  type Rows,
} from './facts.ts'
import type { ForeignTrack } from './id-store.ts'

const numberSchema = z.number()

type SummarySchema<K extends RecordFact> = z.ZodOptional<
  z.ZodType<FactValue<K> | undefined, FactValue<K>>
>

function schemaOf({ type, range: [low, high] = [0, 0], positive }: Fact): z.ZodType {
  if (type === 'text') return text
  const value = type === 'integer' ? z.int() : numberSchema
  if (positive) return value
  // Collections write -1 for a key or mode that is not known.
  if (type === 'integer') return value.min(-1).max(high)
  return low === 0 && high === 1 ? share : value.min(low).max(high)
}

/** 0 and less mean "not known" where no music has such a value. */
export const audioSummarySchema = z.strictObject(
  eachFact(RECORDED, (_, fact) => schemaOf(fact).optional()) as {
    [K in keyof Rows<RecordFact>]: SummarySchema<K>
  },
)

const trackSchema = z
  .strictObject({
    /** A native id, or any other, which becomes a foreign id. */
    id: text.optional(),
    /** The id space. */
    catalog: text.optional(),
    /** The id in that space, alone or as `<space>:track:<id>`. */
    foreignId: text.optional(),
    /** The id of its album in that space. */
    foreignReleaseId: text.optional(),
    /** The address of an audio excerpt. */
    previewUrl: text.optional(),
    /** The address of the album's cover. */
    releaseImage: text.optional(),
  })
  .refine(({ id, foreignId }) => id !== undefined || foreignId !== undefined, {
    error: 'has neither id nor foreignId',
  })

/** A fingerprint as text. */
export const fingerprintSchema = z.strictObject({
  /** The version of the code: 3.15, 4.11 and so on, or `landmarks-2`. */
  version: z.union([numberSchema, text]),
  /** The code string, as `fingerprint` or `recordings.export` gives it. */
  code: z.string(),
})

/** A song of a reference collection. All but `title` and `artistName` can be left out. */
export const songRecordSchema = z.strictObject({
  /** A native id, or any other, which becomes a foreign id. */
  id: text.optional(),
  /** The song's title. */
  title: name,
  /** The artist's id: native, or any other, which becomes a foreign id. */
  artistId: text.optional(),
  /** The artists as credited. */
  artistName: name,
  /** The album. */
  release: name.optional(),
  /** 0 and less mean "not known". */
  year: z.int().max(9998).optional(),
  /** Seconds; 0 and less mean "not known". */
  duration: numberSchema.optional(),
  /** 0…1. */
  songHotttnesss: share.optional(),
  /** `christmas`, `live`, `studio`, `acoustic`, `electric`. */
  songType: oneOrMany(name).optional(),
  /** One or several ISRCs of the recording. */
  isrc: oneOrMany(text).optional(),
  /** MusicBrainz id of the recording. */
  musicbrainzId: text.optional(),
  /** Facts about its sound. */
  audioSummary: audioSummarySchema.optional(),
  /** Its tracks in other id spaces. */
  tracks: z.array(trackSchema).optional(),
  /** Its ids in other id spaces. */
  foreignIds: foreignIdsSchema.optional(),
  /** Its code strings and landmarks. */
  fingerprints: z.array(fingerprintSchema).optional(),
  // Facts about the artist, for collections without artist records.
  /** 0…1, of the artist. */
  artistHotttnesss: artistFacts.hotttnesss,
  /** 0…1, of the artist. */
  artistFamiliarity: artistFacts.familiarity,
  /** The artist's location. */
  artistLocation: artistFacts.location,
  /** The artist's ids in other id spaces. */
  artistForeignIds: foreignIdsSchema.optional(),
  /** Words that describe the artist. */
  terms: termsSchema.optional(),
})

/** A song of a reference collection, as `songs.import` takes it. */
export type SongRecord = z.input<typeof songRecordSchema>
/** A {@link SongRecord} that was checked. */
export type CheckedSong = z.output<typeof songRecordSchema>

export function idsOfRecord(record: CheckedSong, nativeId: string | undefined): ForeignRef[] {
  const ids = toStoredIds(record.foreignIds, nativeId === undefined ? record.id : undefined)
  for (const isrc of record.isrc === undefined ? [] : [record.isrc].flat()) {
    ids.push({ catalog: 'isrc', foreignId: isrcKey(isrc) })
  }
  if (record.musicbrainzId !== undefined) {
    ids.push({ catalog: 'musicbrainz', foreignId: record.musicbrainzId.toLowerCase() })
  }
  return ids
}

/** `GB-AYE-69-00531` becomes `GBAYE6900531`. */
export function isrcKey(isrc: string): string {
  return isrc.replace(/[^0-9a-z]/gi, '').toUpperCase()
}

/** Once for each space where it has an id; an id of another form is a foreign one. */
export function tracksOfRecord(track: NonNullable<CheckedSong['tracks']>[number]): ForeignTrack[] {
  const { id, catalog, foreignId } = track
  const nativeId = id !== undefined && isId('track', id) ? id : null
  const refs = [
    ...(foreignId === undefined
      ? []
      : toStoredIds(
          catalog === undefined ? [] : [{ catalog, foreignId }],
          catalog === undefined ? foreignId : undefined,
        )),
    ...(id !== undefined && nativeId === null ? toStoredIds([], id) : []),
  ]
  // A track with the service's id alone is in no other space.
  if (refs.length === 0 && id !== undefined) {
    refs.push({ catalog: catalog ?? IMPORTED_SPACE, foreignId: id })
  }
  return refs.map((ref) => ({
    ...ref,
    trackId: nativeId ?? derivedId('track', { catalog: ref.catalog, id: ref.foreignId }),
    foreignReleaseId: track.foreignReleaseId ?? null,
    previewUrl: track.previewUrl ?? null,
    releaseImage: track.releaseImage ?? null,
  }))
}
