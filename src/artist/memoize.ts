/** The most results that each half of a memo holds. */
const HELD = 4096

/**
 * Keeps the latest results of a pure function: names repeat, and to analyse one costs more than to
 * look it up.
 */
export function memo<T>(make: (text: string) => T): (text: string) => T {
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  return (text) => {
    let value = young.get(text)
    if (value !== undefined) return value
    value = old.get(text) ?? make(text)
    if (young.size >= HELD) {
      old = young
      young = new Map()
    }
    young.set(text, value)
    return value
  }
}
