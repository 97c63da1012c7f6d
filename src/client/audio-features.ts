import type { Result } from '../host/door.ts'

/**
 * What Spotify's `audio-features` answered of a track, field by field. A value that is not known, or
 * that audile does not measure, is `null`.
 */
export interface AudioFeatures {
  /** 0…1 */
  danceability: number | null
  /** 0…1 */
  energy: number | null
  /** Pitch class, 0 for C; -1 if there is none. */
  key: number
  /** The loudness of the whole, dB (LUFS for files that were analysed here). */
  loudness: number | null
  /** 0 minor, 1 major. */
  mode: number
  /** 0…1 */
  speechiness: number | null
  /** 0…1 */
  acousticness: number | null
  /** 0…1; only of saved answers: audile does not measure it. */
  instrumentalness: number | null
  /** 0…1; only of saved answers: audile does not measure it. */
  liveness: number | null
  /** 0…1 */
  valence: number | null
  /** Beats per minute; 0 if there is none. */
  tempo: number
  /** What this is. */
  type: 'audio_features'
  /** The id at Spotify, if it is known; else `TR…`. */
  id: string
  /** `spotify:track:…`, if it is known. */
  uri: string | null
  /** There is no address. */
  track_href: null
  /** There is no address: `track.analysis()` answers the analysis. */
  analysis_url: null
  /** Milliseconds. */
  duration_ms: number
  /** Beats in a bar; 0 if there is none. */
  time_signature: number
}

const SPOTIFY_TRACK = /^spotify:track:([0-9A-Za-z]{22})$/

/** The features in an answer with the bucket `audio_summary`; `undefined` without an analysis. */
export function audioFeaturesOf(answer: Result<'track/profile'>): AudioFeatures | undefined {
  const { audioSummary: summary, id, foreignId = '' } = answer
  if (summary === undefined) return undefined
  const spotifyId = SPOTIFY_TRACK.exec(foreignId)?.[1]
  const { danceability, energy, loudness, speechiness, acousticness } = summary
  const { instrumentalness, liveness, valence } = summary
  return {
    danceability: danceability ?? null,
    energy: energy ?? null,
    key: summary.key ?? -1,
    loudness: loudness ?? null,
    mode: summary.mode ?? 0,
    speechiness: speechiness ?? null,
    acousticness: acousticness ?? null,
    instrumentalness: instrumentalness ?? null,
    liveness: liveness ?? null,
    valence: valence ?? null,
    tempo: summary.tempo ?? 0,
    type: 'audio_features',
    id: spotifyId ?? id,
    uri: spotifyId === undefined ? null : foreignId,
    track_href: null,
    analysis_url: null,
    duration_ms: Math.round(1000 * (summary.duration ?? answer.duration ?? 0)),
    time_signature: summary.timeSignature ?? 0,
  }
}
