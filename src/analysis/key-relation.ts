/** How two keys are related on the Camelot wheel; `unknown` where one of them is not known. */
export type KeyRelation = 'same' | 'relative' | 'fifth-up' | 'fifth-down' | 'clash' | 'unknown'

/** A key: the pitch class of its tonic, 0 = C … 11 = B, and 0 for minor, 1 for major. */
interface Keyed {
  key?: number | undefined
  mode?: number | undefined
}

/** How a key is related to another one, from which one looks. */
export function keyRelation(from: Keyed | undefined, to: Keyed | undefined): KeyRelation {
  if (!isKey(from) || !isKey(to)) return 'unknown'
  const up = (to.key - from.key + 12) % 12
  // The relative minor of a major key is three semitones below it.
  if (from.mode !== to.mode) return up === (from.mode === 1 ? 9 : 3) ? 'relative' : 'clash'
  if (up === 0) return 'same'
  return up === 7 ? 'fifth-up' : up === 5 ? 'fifth-down' : 'clash'
}

function isKey(given: Keyed | undefined): given is Required<Keyed> & { key: number; mode: 0 | 1 } {
  const { key = -1, mode } = given ?? {}
  return key >= 0 && (mode === 0 || mode === 1)
}
