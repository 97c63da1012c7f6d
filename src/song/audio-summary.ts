/** What an analysis says in short. */
export interface AudioSummary {
  /** `audile:analysis/<track id>`: where the full document is. */
  analysisUrl: string
  /** Seconds. */
  duration: number
  /** Beats per minute; 0 when there is no beat. */
  tempo: number
  /** Pitch class, 0 = C … 11 = B. */
  key: number
  /** 0 minor, 1 major. */
  mode: number
  /** Beats per bar. */
  timeSignature: number
  /** Integrated loudness, LUFS (ITU-R BS.1770). */
  loudness: number
  /** 0…1: loud, dense and bright, or null where it is not known. */
  energy: number | null
  /** 0…1: a strong, regular beat at a moderate tempo, or null where it is not known. */
  danceability: number | null
  /** 0…1: how much is spoken; of imported songs only. */
  speechiness?: number
  /** MD5 of the mono samples at 22,050 Hz, 16 bit; of a song as it was imported, if it was. */
  audioMd5?: string
}

/** The columns of a stored analysis from which its summary is made. */
export interface SummaryRow {
  duration: number | null
  tempo: number | null
  key: number | null
  mode: number | null
  timeSignature: number | null
  loudness: number | null
  energy: number | null
  danceability: number | null
  speechiness: number | null
  audioMd5: string | null
}

/** The summary of a track's stored analysis. */
export function summaryOf(trackId: string, row: SummaryRow): AudioSummary {
  const summary: AudioSummary = {
    analysisUrl: `audile:analysis/${trackId}`,
    duration: row.duration ?? 0,
    tempo: row.tempo ?? 0,
    key: row.key ?? 0,
    mode: row.mode ?? 0,
    timeSignature: row.timeSignature ?? 0,
    loudness: row.loudness ?? 0,
    energy: row.energy,
    danceability: row.danceability,
  }
  if (row.speechiness !== null) summary.speechiness = row.speechiness
  if (row.audioMd5 !== null) summary.audioMd5 = row.audioMd5
  return summary
}

/** What is known of a song's sound: all of it from audile's own analysis, else what was imported. */
export type SongAudioSummary = Partial<AudioSummary> &
  Pick<AudioSummary, 'energy' | 'danceability'> & {
    /** 0…1, as it was imported. */
    acousticness?: number
    /** 0…1, as it was imported. */
    instrumentalness?: number
    /** 0…1, as it was imported. */
    liveness?: number
    /** 0…1, as it was imported. */
    valence?: number
  }

/** What a song's summary is made of. */
export interface SongSummaryRow extends SummaryRow {
  /** The analysed track; `null` when the rest was imported, or is not known. */
  trackId: string | null
  summarized: 0 | 1
  acousticness: number | null
  instrumentalness: number | null
  liveness: number | null
  valence: number | null
}

/** The summary of a song; `undefined` when nothing is known of its sound. */
export function songSummaryOf(row: SongSummaryRow): SongAudioSummary | undefined {
  if (row.trackId === null && row.summarized === 0 && row.duration === null) return undefined
  const summary: SongAudioSummary =
    row.trackId === null
      ? { energy: row.energy, danceability: row.danceability }
      : summaryOf(row.trackId, row)
  const known: (keyof SongSummaryRow & keyof SongAudioSummary)[] =
    row.trackId === null
      ? ['duration', 'tempo', 'key', 'mode', 'timeSignature', 'loudness', 'speechiness', 'audioMd5']
      : []
  known.push('acousticness', 'instrumentalness', 'liveness', 'valence')
  for (const name of known) {
    const value = row[name]
    if (value !== null) Object.assign(summary, { [name]: value })
  }
  return summary
}
