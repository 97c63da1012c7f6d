/** How two keys are related on the Camelot wheel; `unknown` where one of them is not known. */
export type KeyRelation = 'same' | 'relative' | 'fifth-up' | 'fifth-down' | 'clash' | 'unknown'

/** 0 = C … 11 = B, and 0 for minor, 1 for major. */
interface PossibleKey {
  key?: number | undefined
  mode?: number | undefined
}

export function keyRelation(
  fromKey: PossibleKey | undefined,
  toKey: PossibleKey | undefined,
): KeyRelation {
  if (!isKey(fromKey) || !isKey(toKey)) return 'unknown'
  const up = (toKey.key - fromKey.key + 12) % 12
  // The relative minor of a major key is three semitones below it.
  if (fromKey.mode !== toKey.mode) return up === (fromKey.mode === 1 ? 9 : 3) ? 'relative' : 'clash'
  if (up === 0) return 'same'
  return up === 7 ? 'fifth-up' : up === 5 ? 'fifth-down' : 'clash'
}

function isKey(
  possibleKey: PossibleKey | undefined,
): possibleKey is Required<PossibleKey> & { key: number; mode: 0 | 1 } {
  const { key = -1, mode } = possibleKey ?? {}
  return key >= 0 && (mode === 0 || mode === 1)
}
