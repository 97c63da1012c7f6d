import { invalidParameter } from '../../values/errors.ts'

/** A hot cue or loop that someone sets, beside the cues that are computed. */
export interface OwnCue {
  /** The number of its pad, 1…99; one cue has each. */
  number: number
  /** Seconds from the beginning. */
  time: number
  /** Where a loop ends, in seconds; a cue without it is a point. */
  end?: number | undefined
  /** What it is called; at most 512 characters. */
  name?: string | undefined
  /** Its colour, `#rrggbb`. */
  colour?: string | undefined
}

/** The highest number of a pad. */
export const MAX_CUE_NUMBER = 99
const LONGEST_TIME = 1e6
const LONGEST_LABEL = 512

/** @throws {ParameterError} that names the value and what may be given */
export function requireOwnCue(cue: OwnCue, name = 'cue'): void {
  const refuseField = (field: string, value: unknown, give: string): never => {
    throw invalidParameter(`${name}.${field}`, `${JSON.stringify(value) ?? value}; ${give}.`)
  }
  if (typeof cue !== 'object' || cue === null)
    throw invalidParameter(name, `${JSON.stringify(cue) ?? cue}; give { time, name?, … }.`)
  const { number, time, end, name: label, colour } = cue
  if (!Number.isInteger(number) || number < 1 || number > MAX_CUE_NUMBER)
    refuseField('number', number, `give the number of a pad, 1 to ${MAX_CUE_NUMBER}`)
  if (!isTime(time)) refuseField('time', time, 'give seconds from the beginning')
  if (end !== undefined && !(isTime(end) && end > time))
    refuseField('end', end, `give seconds after the time, ${time}`)
  const isLabel =
    typeof label === 'string' && label.length <= LONGEST_LABEL && !/\0|\p{Cs}/u.test(label)
  if (label !== undefined && !isLabel)
    refuseField('name', label, `give a text of at most ${LONGEST_LABEL} characters, without NUL`)
  if (colour !== undefined && !(typeof colour === 'string' && /^#[0-9a-f]{6}$/i.test(colour)))
    refuseField('colour', colour, 'give a colour, #rrggbb')
}

/** @throws {ParameterError} when one is no cue, or two have one number */
export function requireOwnCues(cues: readonly OwnCue[], name = 'cues'): void {
  if (!Array.isArray(cues)) throw invalidParameter(name, 'must be a list of cues.')
  const numbers = new Set<number>()
  for (const [i, cue] of cues.entries()) {
    requireOwnCue(cue, `${name}[${i}]`)
    if (numbers.has(cue.number))
      throw invalidParameter(`${name}[${i}].number`, `${cue.number} is given twice.`)
    numbers.add(cue.number)
  }
}

/** The lowest number that no cue has; `undefined` when all have one. */
export function freeCueNumber(
  cues: readonly Pick<OwnCue, 'number'>[],
  from = 1,
): number | undefined {
  const numbers = new Set(cues.map(({ number }) => number))
  for (let number = from; number <= MAX_CUE_NUMBER; number++)
    if (!numbers.has(number)) return number
  return undefined
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= LONGEST_TIME
}
