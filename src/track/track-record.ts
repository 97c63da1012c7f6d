import { z } from 'zod'
import { oneOrMany, share, text } from '../options/parameter-types.ts'
import { audioSummarySchema, fingerprintSchema } from '../song/record.ts'
import { trackCorrections } from './correction-store.ts'

const secondsSchema = z.number().min(0)

const documentIntervalSchema = z.looseObject({ start: secondsSchema, duration: secondsSchema })

const vectorSchema = z.array(z.number()).length(12)

/** What audile itself reads; all else is kept unchanged. */
const documentSchema = z.looseObject({
  meta: z.looseObject({}).default({}),
  track: z.looseObject({
    duration: z.number().positive(),
    tempo: secondsSchema.default(0),
    loudness: z.number().nullable().default(-60),
    key: z.int().min(-1).max(11).default(-1),
    mode: z.int().min(-1).max(1).default(0),
    time_signature: z.int().min(0).default(4),
  }),
  bars: z.array(documentIntervalSchema).default([]),
  beats: z.array(documentIntervalSchema).default([]),
  tatums: z.array(documentIntervalSchema).default([]),
  sections: z.array(documentIntervalSchema).default([]),
  segments: z
    .array(
      z.looseObject({
        start: secondsSchema,
        duration: secondsSchema,
        pitches: vectorSchema,
        timbre: vectorSchema,
      }),
    )
    .default([]),
})

/** Spotify's audio-features of a track, as its API returned them; a few fields are enough. */
const audioFeaturesSchema = z.looseObject({
  /** The id of the track there; it becomes the foreign id `spotify:track:<id>`. */
  id: text.optional(),
  /** Milliseconds. */
  duration_ms: z.number().positive().optional(),
  /** Beats per minute. */
  tempo: secondsSchema.optional(),
  /** Pitch class; -1: none. */
  key: z.int().min(-1).max(11).optional(),
  /** 0 minor, 1 major. */
  mode: z.int().min(0).max(1).optional(),
  /** Beats in a bar. */
  time_signature: z.int().min(0).optional(),
  /** dB */
  loudness: z.number().optional(),
  /** 0…1 */
  energy: share.optional(),
  /** 0…1 */
  danceability: share.optional(),
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

/** A hot cue or loop that a user sets. */
export const ownCue = z.strictObject({
  /** The number of its pad, 1…99. */
  number: z.number(),
  /** Seconds from the beginning. */
  time: z.number(),
  /** Where a loop ends, in seconds. */
  end: z.number().optional(),
  /** What it is called. */
  name: z.string().optional(),
  /** Its colour, `#rrggbb`. */
  colour: z.string().optional(),
})

/**
 * A track with its analysis, for `tracks.import`. A track that is known needs none beside `corrections` or
 * `cues`. Another needs an `analysis`, `audioFeatures` or an
 * `audioSummary`, where a few fields are enough: `{ title: 'Help!', audioSummary: { tempo: 95 } }`.
 */
export const trackRecord = z
  .strictObject({
    /** `TR…`: the track keeps the id that it had elsewhere. */
    id: text.optional(),
    /** `SO…`: the id of its song, which is kept too. */
    songId: text.optional(),
    /** MD5 of the file's bytes. */
    md5: z
      .string()
      .regex(/^[0-9a-f]{32}$/i, 'must be 32 hexadecimal digits')
      .optional(),
    /** Paths of files that hold its bytes. They need not exist yet; the next scan checks. */
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
    /** An analysis document of audile or the old service, or Spotify's audio-analysis. */
    analysis: z
      .custom<object>((value) => typeof value === 'object' && value !== null, 'must be an object')
      .refine((value) => !('danceability' in value && !('track' in value)), {
        error: 'is no document but audio-features; give it as audioFeatures',
        abort: true,
      })
      .pipe(documentSchema)
      .optional(),
    /** Spotify's audio-features, beside the analysis or alone. */
    audioFeatures: audioFeaturesSchema.optional(),
    /** Other facts about its sound, in the fields of `audioSummary`. */
    audioSummary: audioSummarySchema.optional(),
    /** A user's corrections of the analysis, as `track.corrections` returns them. */
    corrections: trackCorrections.optional(),
    /** Hot cues and loops that a user set; each replaces the one with its number. */
    cues: z.array(ownCue).optional(),
    /** Fingerprints besides those in the analysis. */
    fingerprints: z.array(fingerprintSchema).optional(),
  })
  .refine((record) => hasSound(record) || (record.corrections ?? record.cues) !== undefined, {
    error: 'has neither analysis nor audioFeatures nor audioSummary',
  })

/** Rather than only what someone noted. */
export function hasSound(
  record: Readonly<Partial<Record<'analysis' | 'audioFeatures' | 'audioSummary', unknown>>>,
): boolean {
  return (record.analysis ?? record.audioFeatures ?? record.audioSummary) !== undefined
}

export const RECORDED_TAGS = [
  'title',
  'artist',
  'release',
  'genres',
  'moods',
  'year',
  'isrc',
  'albumArtist',
  'compilation',
  'trackNumber',
  'trackTotal',
  'discNumber',
  'discTotal',
] as const

export function selectFields<T extends object, K extends keyof T>(
  values: T,
  names: readonly K[],
): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<T, K>
}

/** A track with its analysis, as `tracks.export` gives it and `tracks.import` takes it. */
export type TrackRecord = z.input<typeof trackRecord>
export type CheckedTrack = z.output<typeof trackRecord>
