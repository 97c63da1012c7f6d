/** What each memo holds at most. */
const HELD = 4096

/**
 * `make`, with the latest answers held: names come again and again, and taking one apart costs more
 * than finding it. For functions of nothing but the text.
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
