import { type Base, type Format, framesOf } from './bases.ts'

/**
 * What must come of a hostile file besides the rules for all of them (a typed error or a result, in
 * time, in bounded memory, never more sound than there is):
 * - `whole`: all of its sound, and no word of loss
 * - `told`: an error, or what is left, told as truncated where it is less than `stated`
 * - `error`: an error
 * - `any`: nothing else
 */
export type Demand = 'whole' | 'told' | 'error' | 'any'

/** A hostile file. */
export interface Mutant {
  format: Format
  mutation: string
  /** The file's extension, which may lie. */
  extension: string
  bytes: Uint8Array
  /** The most samples per channel that there are. */
  frames: number
  /** Samples per channel that the file says it has. */
  stated: number
  /** Hertz, where that did not change. */
  sampleRate: number
  demand: Demand
}

/** A file made of `base` that has all of its sound, unless `what` says otherwise. */
export function mutant(
  base: Base,
  mutation: string,
  bytes: Uint8Array,
  what: Partial<Omit<Mutant, 'bytes' | 'mutation'>> = {},
): Mutant {
  const { format, extension, sampleRate } = base
  const frames = framesOf(base)
  const usual = { format, extension, sampleRate, frames, stated: frames, demand: 'any' } as const
  return { ...usual, ...what, mutation, bytes }
}
