import type { Family } from './systems/version.ts'

/** The evidence for an answer: which codes agree, and how well. */
export interface Evidence {
  /** The system of fingerprints whose codes agree. */
  system: Family
  /** The worth of the codes that agree: about the number of distinct ones that are rare in both. */
  score: number
  /** Distinct codes of the query that agree on the offset, whatever they are worth. */
  agreeing: number
  /** The score that an offset would have by chance, if the codes of the query lay anywhere in the song. */
  chance: number
  /** The score as a share of the codes that were looked up, 0…1. */
  codes: number
  /** The share of the query that agrees: 1 if all its fifths agree equally, 0.2 if one does. */
  aligned: number
  /** Where in the recording the query begins, seconds; negative if the query begins earlier. */
  offset: number
  /** The query's speed relative to the recording's: 1.02 is 2 % faster. */
  speed: number
  /** The query's pitch relative to the recording's at that speed, semitones. */
  pitch: number
  /** The lead over the next other recording, as a share of the score: 1 when there is none. */
  lead: number
  /** Seconds, where they are known. */
  lengths: Lengths
  /** Whether names agree, where both sides have them. */
  names: Names
}

export const FILE_SYSTEMS = ['triplets', 'chroma', 'echoprint'] as const
export type FileSystem = (typeof FILE_SYSTEMS)[number]

/** The evidence that two files are the same recording. */
export interface FileEvidence {
  /** Whether their decoded sound is the same to the bit; then nothing else was compared. */
  identical: boolean
  /** The system of fingerprints whose codes agree; absent for identical files. */
  system?: FileSystem
  /** Seconds of this file at which the other one begins; negative when the other begins earlier. */
  offset: number
  /** The time that both files share, as a share of the longer file: 0…1. */
  overlap: number
  /** The playing time of this file relative to the other: 1.01 is 1 % slower. */
  speed: number
  /** How many codes agree at that offset. */
  agreeing: number
  /** The share of the codes of both that agree, where both sound: 0…1. */
  codes: number
  /** The same in the window of 10 s where the fewest agree; the lowest 15 % are left out. */
  weakest: number
  /** How much the pitches differ, 0…: 0 is not at all, 1 as much as those of different moments. */
  pitches: number
  /** Seconds. */
  lengths: {
    /** The length of this file. */
    file: number
    /** The length of the other file. */
    other: number
  }
}

/** The lengths of two recordings, seconds, where they are known. */
export interface Lengths {
  /** The length of the query. */
  query?: number
  /** The length of the song's recording. */
  recording?: number
}

/** Whether names agree; absent where one side has none. */
export interface Names {
  /** Whether the titles agree. */
  title?: boolean
  /** Whether the artists agree. */
  artist?: boolean
}

export function lengthsOf(
  query: number | null | undefined,
  recording: number | null | undefined,
): Lengths {
  return { ...(query != null && { query }), ...(recording != null && { recording }) }
}

/** The difference of two lengths, seconds; `undefined` where one is unknown. */
export function lengthsApart({ query, recording }: Lengths): number | undefined {
  return query === undefined || recording === undefined ? undefined : Math.abs(query - recording)
}

/** The shorter length as a share of the longer one; 1 where one is unknown. */
export function shorterShare({ query, recording }: Lengths): number {
  if (query === undefined || recording === undefined) return 1
  const longer = Math.max(query, recording)
  return longer === 0 ? 1 : Math.min(query, recording) / longer
}
