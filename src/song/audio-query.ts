import { z } from 'zod'

/** Audio that a song method is asked about: exactly one of the three. */
export const audio = {
  /** Path of a file. */
  file: z.string().min(1).optional(),
  /** Address of a file. */
  url: z.string().min(1).optional(),
  /** A stream of bytes on the caller's side, by the number under which it was offered. */
  source: z.int().optional(),
  /** Seconds of the file to pass over. */
  start: z.number().min(0).optional(),
  /** Seconds to listen to. Default: to the end. */
  length: z.number().positive().optional(),
}

/** Audio by one of its names. */
export interface AudioReference {
  file?: string | undefined
  url?: string | undefined
  source?: number | undefined
}

/** Has audio on disk while `use` runs, and forgets it afterwards. */
export type WithAudio = <T>(
  audio: AudioReference,
  signal: AbortSignal,
  use: (path: string) => Promise<T>,
) => Promise<T>

/** What a file says of itself, as far as it helps to tell its song. */
export interface AudioTags {
  title?: string
  artist?: string
  release?: string
  genre?: string
}

/** The inputs of {@link audio} that are given. */
export function inputsOf(given: AudioReference): ('file' | 'url' | 'source')[] {
  return (['file', 'url', 'source'] as const).filter((name) => given[name] !== undefined)
}

/** Exactly one input: `missing_parameter` without, `invalid_parameter` with more. */
export function requireAudio(given: AudioReference, context: z.core.$RefinementCtx): void {
  const [first, second] = inputsOf(given)
  if (first === undefined) {
    const message = 'file - Missing parameter: give file, url, bytes or samples'
    context.addIssue({ code: 'custom', message, params: { missing: true } })
  } else if (second !== undefined) {
    context.addIssue({
      code: 'custom',
      message: `beside ${first}; give one of them`,
      path: [second],
    })
  }
}
