import { termKey } from '../artist/terms.ts'
import { invalidParameter } from '../errors.ts'

/** A term of a query: `jazz`, `jazz^2`, `-jazz`, `+jazz` or `^jazz`. */
export interface QueryTerm {
  name: string
  /** A wish affects the order; a required term must match, a prohibited one must not. */
  role: 'wish' | 'required' | 'prohibited'
  /** The factor of its weight. Default: 1. */
  boost: number
}

/**
 * Reads a term of a query. `+` or `^` before it makes it required, `-` prohibited; `^<number>`
 * after it is its boost.
 *
 * @param field - the parameter, for messages
 * @throws {ParameterError} when the term is empty, or the boost is not a number above 0
 */
export function parseTerm(field: string, given: string): QueryTerm {
  const text = given.trim()
  const sign = /^[-+^]/.exec(text)?.[0]
  const rest = sign === undefined ? text : text.slice(1)
  const at = rest.lastIndexOf('^')
  const name = termKey(at < 0 ? rest : rest.slice(0, at))
  const boost = at < 0 ? 1 : Number(rest.slice(at + 1))
  if (name === '') throw invalidParameter(field, `${JSON.stringify(given)} names no term`)
  if (!(boost > 0) || !Number.isFinite(boost)) {
    const why = 'has a boost that is no number above 0, as in "jazz^2"'
    throw invalidParameter(field, `${JSON.stringify(given)} ${why}`)
  }
  const role = sign === undefined ? 'wish' : sign === '-' ? 'prohibited' : 'required'
  return { name, role, boost }
}
