/** What is asked of audile for one file. */
export type Demand =
  /** It decodes the file. */
  | 'read'
  /** It refuses the file with a typed error. */
  | 'refuse'
  /** It refuses the file, and the error names `ffmpegPath`. */
  | 'refuse and name ffmpegPath'
  /** It refuses the file, or decodes all of it, or says that a part is missing. */
  | 'all or refuse'
  /** README does not list the format: it decodes the file or refuses it with a typed error. */
  | 'may refuse'
  /** The reference cannot judge: it failed on the file itself, or complained about it. */
  | 'nothing'

/** What a file is, by a program or a record that is believed. */
export interface Reference {
  demand: Demand
  /** Who says so: 'ffmpeg', 'flac', 'expected.json'. */
  by: string
  /** 'flac', 'mp3 (mp3)': what the sums of the table are by. */
  format: string
  /** Why the reference cannot judge; for the table. */
  complaint?: string
  /** A part of the file is missing, or may be: audile may say so. */
  damaged?: boolean
  lossless: boolean
  channels: number
  /** Hz. */
  sampleRate: number
  /** Samples per channel; undefined where the reference decodes none. */
  frames?: number
  /** Integrated loudness, LUFS; null: silent or too short; undefined: not known. */
  loudness?: number | null
  /** By how much the rounding of `loudness` may have changed it, LU. */
  loudnessRounding?: number
  /** null: the file has none; undefined: not known. */
  title?: string | null
  artist?: string | null
  album?: string | null
}

/** What audile says of a file. */
export interface Answer {
  /** Set when it was refused. `code` is undefined when the error was none of audile's. */
  refused?: { code: string | undefined; message: string }
  /** Seconds, by the analysis document. */
  duration?: number
  /** LUFS, -60 at least. */
  loudness?: number
  /** What the document's `detailed_status` says when it is not "OK". */
  warning?: string
  title?: string
  artist?: string
  album?: string
  /** What the decoder alone gave; of lossless files. */
  decoded?: { frames: number; sampleRate: number; channels: number }
}

/** How the samples of two decoders differ. */
export interface SampleDifference {
  /** Samples, over all channels, that are not equal. */
  count: number
  /** The first frame in which one differs. */
  frame: number
  channel: number
  ours: number
  theirs: number
}
