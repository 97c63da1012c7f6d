import { z } from 'zod'
import type { AnalysisDocument } from '../analysis/document.ts'
import { oneOrMany, share, text } from '../parameter-types.ts'
import { audioSummary, fingerprint } from '../song/record.ts'

const seconds = z.number().min(0)

const interval = z.looseObject({ start: seconds, duration: seconds })

const vector = z.array(z.number()).length(12)

/** The parts of a document that audile itself reads; all others are kept as they are. */
const document = z.looseObject({
  meta: z.looseObject({}).default({}),
  track: z.looseObject({
    duration: z.number().positive(),
    tempo: seconds,
    loudness: z.number(),
    key: z.int().min(-1).max(11),
    mode: z.int().min(-1).max(1),
    time_signature: z.int().min(0),
  }),
  bars: z.array(interval).default([]),
  beats: z.array(interval).default([]),
  tatums: z.array(interval).default([]),
  sections: z.array(interval).default([]),
  segments: z
    .array(z.looseObject({ start: seconds, duration: seconds, pitches: vector, timbre: vector }))
    .default([]),
})

/** Spotify's audio-features of a track, as its interface answered them. */
const audioFeatures = z.looseObject({
  /** The id of the track there; it becomes the foreign id `spotify:track:<id>`. */
  id: text.optional(),
  /** Milliseconds. */
  duration_ms: z.number().positive(),
  /** Beats per minute. */
  tempo: seconds,
  /** Pitch class; -1: none. */
  key: z.int().min(-1).max(11),
  /** 0 minor, 1 major. */
  mode: z.int().min(0).max(1),
  /** Beats in a bar. */
  time_signature: z.int().min(0),
  /** dB */
  loudness: z.number(),
  /** 0…1 */
  energy: share,
  /** 0…1 */
  danceability: share,
  /** 0…1 */
  speechiness: share.optional(),
  /** 0…1 */
  acousticness: share.optional(),
  /** 0…1 */
  instrumentalness: share.optional(),
  /** 0…1 */
  liveness: share.optional(),
  /** 0…1 */
  valence: share.optional(),
})

/** A track with its analysis, for `tracks.import`. It needs an `analysis`, or `audioFeatures`. */
export const trackRecord = z
  .strictObject({
    /** `TR…`: the track keeps the id that it had elsewhere. */
    id: text.optional(),
    /** `SO…`: the id of its song, likewise. */
    songId: text.optional(),
    /** MD5 of the file's bytes. */
    md5: z
      .string()
      .regex(/^[0-9a-f]{32}$/i, 'must be 32 hexadecimal digits')
      .optional(),
    /** Paths of files that hold its bytes. They need not be there now; the next scan looks. */
    file: oneOrMany(text).optional(),
    /** The address it was downloaded from. */
    url: text.optional(),
    /** As in the file's tags. */
    title: text.optional(),
    /** As in the file's tags. */
    artist: text.optional(),
    /** As in the file's tags. */
    release: text.optional(),
    /** The artist of the release. */
    albumArtist: text.optional(),
    /** Whether the release is of several artists. */
    compilation: z.boolean().optional(),
    /** As in the file's tags. */
    genres: z.array(text).optional(),
    /** As in the file's tags. */
    moods: z.array(text).optional(),
    /** As in the file's tags. */
    year: z.int().min(1).max(9998).optional(),
    /** The number of the track on its disc. */
    trackNumber: z.int().min(0).optional(),
    /** How many tracks the disc has. */
    trackTotal: z.int().min(0).optional(),
    /** The number of the disc. */
    discNumber: z.int().min(0).optional(),
    /** How many discs the release has. */
    discTotal: z.int().min(0).optional(),
    /** ISRCs of the recording. */
    isrc: z.array(text).optional(),
    /** Ids in other id spaces: `spotify:track:…`, `musicbrainz:release:…`. */
    foreignIds: z.array(text).optional(),
    /** An analysis document: of audile's, of the old service's, or Spotify's audio-analysis. */
    analysis: z
      .custom<object>((value) => typeof value === 'object' && value !== null, 'must be an object')
      .refine((value) => !('danceability' in value && !('track' in value)), {
        error: 'is no document but audio-features; give it as audioFeatures',
        abort: true,
      })
      .pipe(document)
      .optional(),
    /** Spotify's audio-features, beside the analysis or alone. */
    audioFeatures: audioFeatures.optional(),
    /** What else is known of its sound, in the fields of `audioSummary`. */
    audioSummary: audioSummary.optional(),
    /** What a user put right in the analysis, as `track.corrections` tells it. */
    corrections: z
      .strictObject({
        /** Beats per minute. */
        tempo: z.number().optional(),
        /** A moment at which a bar begins, in seconds. */
        downbeat: z.number().optional(),
        /** Pitch class of the tonic, 0 is C. */
        key: z.number().optional(),
        /** 1 major, 0 minor. */
        mode: z.number().optional(),
        /** Beats in a bar. */
        timeSignature: z.number().optional(),
        /** Beats per minute between which the tempo is expected. */
        tempoRange: z.tuple([z.number(), z.number()]).optional(),
      })
      .optional(),
    /** Fingerprints besides those in the analysis. */
    fingerprints: z.array(fingerprint).optional(),
  })
  .refine(({ analysis, audioFeatures }) => analysis !== undefined || audioFeatures !== undefined, {
    error: 'has neither analysis nor audioFeatures',
  })

/** A track with its analysis, as `tracks.export` gives it and `tracks.import` takes it. */
export type TrackRecord = z.input<typeof trackRecord>
/** A {@link TrackRecord} that was checked. */
export type CheckedTrack = z.output<typeof trackRecord>

/** The checked document, with all fields that it came with. */
export function documentOf({ analysis }: CheckedTrack): AnalysisDocument | undefined {
  return analysis as AnalysisDocument | undefined
}
