/**
 * The most characters (UTF-16 units) of a name that callers give: a title, an artist, a release, a
 * catalog, a term. The longest real titles have about 300; comparing names takes time by their length.
 */
export const LONGEST_NAME = 512

/**
 * A text without white space around it, and with one space for all white space within it. The patterns
 * that read names rely on it: a pattern that accepts many spaces takes quadratic time on them.
 */
export function singleSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** A text as HTML or XML that shows it, also within double quotes. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Milliseconds since 1970 as `YYYY-MM-DDThh:mm:ss` in UTC. */
export function timestamp(time: number): string {
  return new Date(time).toISOString().slice(0, 19)
}

/** The most characters of a value that a message repeats. */
const LONGEST_SHOWN = 80

/** A text for a message; a long one is cut. */
export function shortened(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

/** A {@link shortened} text in quotes. */
export function quoted(text: string): string {
  return `"${shortened(text)}"`
}

/** The most results in each of the two generations of a memo. */
const HELD = 4096

/**
 * Keeps the latest results of a pure function: names repeat, and analysing one costs more than looking
 * it up.
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

/** A 32-bit hash of a text (FNV-1a, of its UTF-16 units). */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** A dictionary from text: `one:1 two:2`. */
export function dictionary(entries: string): Readonly<Record<string, string>> {
  const pairs = entries.split(/\s+/).map((entry) => entry.split(':'))
  // Without a prototype: "constructor" is in no dictionary.
  return Object.freeze(Object.assign(Object.create(null), Object.fromEntries(pairs)))
}
