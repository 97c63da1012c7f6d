import { z } from 'zod'
import { facts, foreignIds, name, share, terms } from '../artist/record.ts'

const number = z.number()

/** What a reference collection says of a song's sound. 0 and less mean "not known" where no music is. */
const audioSummary = z.strictObject({
  /** Beats per minute. */
  tempo: number.optional(),
  /** Pitch class, 0 = C … 11 = B; -1 = not known. */
  key: z.int().min(-1).max(11).optional(),
  /** 0 minor, 1 major; -1 = not known. */
  mode: z.int().min(-1).max(1).optional(),
  /** Beats per bar. */
  timeSignature: z.int().optional(),
  /** dB. */
  loudness: number.min(-100).max(100).optional(),
  energy: share.optional(),
  danceability: share.optional(),
  speechiness: share.optional(),
  acousticness: share.optional(),
  instrumentalness: share.optional(),
  liveness: share.optional(),
  valence: share.optional(),
  /** Seconds. */
  duration: number.optional(),
  audioMd5: name.optional(),
})

const track = z
  .strictObject({
    /** An id of the service's form, or any other, which is kept as a foreign id. */
    id: name.optional(),
    /** The id space. */
    catalog: name.optional(),
    /** The id in that space, alone or as `<space>:track:<id>`. */
    foreignId: name.optional(),
    foreignReleaseId: name.optional(),
    previewUrl: name.optional(),
    releaseImage: name.optional(),
  })
  .refine(({ id, foreignId }) => id !== undefined || foreignId !== undefined, {
    error: 'has neither id nor foreignId',
  })

/** A song of a reference collection. All but `title` and `artistName` can be left out. */
export const songRecord = z.strictObject({
  /** An id of the service's form, or any other, which is kept as a foreign id. */
  id: name.optional(),
  title: name,
  /** Likewise. */
  artistId: name.optional(),
  /** The artists as credited. */
  artistName: name,
  release: name.optional(),
  /** 0 and less: not known. */
  year: z.int().max(9998).optional(),
  /** Seconds; 0 and less: not known. */
  duration: number.optional(),
  songHotttnesss: share.optional(),
  /** `christmas`, `live`, `studio`, `acoustic`, `electric`. */
  songType: z.union([name, z.array(name)]).optional(),
  isrc: z.union([name, z.array(name)]).optional(),
  /** MusicBrainz id of the recording. */
  musicbrainzId: name.optional(),
  audioSummary: audioSummary.optional(),
  tracks: z.array(track).optional(),
  foreignIds: foreignIds.optional(),
  fingerprints: z
    .array(z.strictObject({ version: z.union([number, name]), code: z.string() }))
    .optional(),
  // Of the artist, where no artist record comes.
  artistHotttnesss: facts.hotttnesss,
  artistFamiliarity: facts.familiarity,
  artistLocation: facts.location,
  artistForeignIds: foreignIds.optional(),
  terms: terms.optional(),
})

/** A song of a reference collection, as `songs.import` takes it. */
export type SongRecord = z.input<typeof songRecord>
/** A {@link SongRecord} that was checked. */
export type CheckedSong = z.output<typeof songRecord>
