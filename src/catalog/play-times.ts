const MINUTE = 60

/**
 * Times as bytes: ascending Unix seconds, the first and then the differences, each in groups of
 * seven bits, the lowest first (LEB128).
 */
export function packedTimes(times: readonly number[]): Uint8Array {
  const bytes: number[] = []
  let before = 0
  for (const time of times) {
    let rest = time - before
    before = time
    while (rest >= 0x80) {
      bytes.push((rest % 0x80) | 0x80)
      rest = Math.floor(rest / 0x80)
    }
    bytes.push(rest)
  }
  return Uint8Array.from(bytes)
}

/** Calls `visit` with each of {@link packedTimes}, in order. */
export function eachTime(bytes: Uint8Array, visit: (time: number) => void): void {
  let time = 0
  let difference = 0
  let weight = 1
  for (const byte of bytes) {
    difference += (byte & 0x7f) * weight
    weight *= 0x80
    if (byte >= 0x80) continue
    time += difference
    visit(time)
    difference = 0
    weight = 1
  }
}

/** The times in {@link packedTimes}. */
export function unpackedTimes(bytes: Uint8Array): number[] {
  const times: number[] = []
  eachTime(bytes, (time) => times.push(time))
  return times
}

/**
 * The times of two lists together, ascending, each once. Where one list says the minute and the
 * other the second of the same play, the second stays.
 */
export function joinedTimes(known: readonly number[], added: readonly number[]): number[] {
  const times = [...new Set([...known, ...added])].sort((a, b) => a - b)
  if (known.length === 0 || added.length === 0) return times
  const [inKnown, inAdded] = [new Set(known), new Set(added)]
  const isOnlyIn = (time: number, one: Set<number>, other: Set<number>) =>
    one.has(time) && !other.has(time)
  return times.filter((time, i) => {
    const next = times[i + 1]
    if (time % MINUTE !== 0 || next === undefined || next - time >= MINUTE) return true
    return !(
      (isOnlyIn(time, inKnown, inAdded) && isOnlyIn(next, inAdded, inKnown)) ||
      (isOnlyIn(time, inAdded, inKnown) && isOnlyIn(next, inKnown, inAdded))
    )
  })
}
