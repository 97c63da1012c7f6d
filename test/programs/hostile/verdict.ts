import type { Outcome } from './host.ts'
import type { Mutant } from './mutant.ts'

/** No call may take longer, in seconds. */
export const MOST_SECONDS = 30
/** Memory of the host with all that it starts may not be more, in megabytes. */
export const MOST_MEGABYTES = 1024
/** What an analysis may differ from the truth, in seconds: a frame of a codec, its delay and padding. */
export const TOLERANCE = 0.1
/** So much may be lost without a word, in seconds: what an MP4's decoder keeps back is not told. */
export const UNTOLD = 0.25

/** What came of a file, in a word. */
export type Kind = 'whole' | 'truncated' | 'error' | 'died'

export interface Verdict {
  kind: Kind
  /** Which rules were broken. */
  broken: string[]
}

/** Holds what came of a hostile file against the rules. */
export function judge(mutant: Mutant, outcome: Outcome): Verdict {
  const broken = [...judgeCosts(outcome)]
  if (outcome.died !== undefined) return { kind: 'died', broken: [outcome.died, ...broken] }
  if (outcome.error) {
    const { code = 'none', message } = outcome.error
    if (code !== 'decode' && code !== 'limit_exceeded') broken.push(`error ${code}: ${message}`)
    if (mutant.demand === 'whole') broken.push(`an error for a good file: ${message}`)
    return { kind: 'error', broken }
  }
  const { duration = 0, samplerate = 0, told } = outcome
  const seconds = (frames: number) => frames / samplerate
  const { frames, stated, demand } = mutant
  if (duration > seconds(frames) + TOLERANCE) {
    broken.push(`${duration.toFixed(2)} s of ${seconds(frames).toFixed(2)} s that are there`)
  }
  if (demand === 'error') broken.push(`an error was due, not ${duration.toFixed(1)} s`)
  if (demand === 'told' && duration < seconds(stated) - UNTOLD && told === undefined) {
    broken.push(`${duration.toFixed(2)} s of ${seconds(stated).toFixed(2)} s without a word`)
  }
  const less = duration < seconds(stated) - TOLERANCE
  if (demand === 'whole' && (less || told !== undefined || samplerate !== mutant.sampleRate)) {
    broken.push(`${duration.toFixed(2)} s, "${told ?? 'OK'}", of a good file`)
  }
  return { kind: told === undefined ? 'whole' : 'truncated', broken }
}

const CODES = new Set(['decode', 'limit_exceeded', 'invalid_parameter', 'missing_parameter'])

/** Holds what came of a hostile text against the rules: a typed error, or an answer. */
export function judgeText(outcome: Outcome): Verdict {
  const broken = [...judgeCosts(outcome)]
  const { died, error, status, message, failed } = outcome
  if (died !== undefined) return { kind: 'died', broken: [died, ...broken] }
  if (error && !CODES.has(error.code ?? 'none'))
    broken.push(`error ${error.code}: ${error.message}`)
  // What nobody foresaw is answered with −1.
  if (status !== undefined && status < 0) broken.push(`answered ${status}: ${message}`)
  const refused = error !== undefined || failed !== undefined || (status ?? 0) !== 0
  return { kind: refused ? 'error' : 'whole', broken }
}

/** Holds what anything cost against the rules. */
export function judgeCosts({ ms, megabytes }: Outcome): string[] {
  const broken: string[] = []
  if (ms > MOST_SECONDS * 1000) broken.push(`took ${(ms / 1000).toFixed(1)} s`)
  if (megabytes > MOST_MEGABYTES) broken.push(`took ${Math.round(megabytes)} MB`)
  return broken
}
