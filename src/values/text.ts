/**
 * The most characters (UTF-16 units) of a name that callers give: a title, an artist, a release, a
 * catalog, a term. The longest real titles have about 300; long names are slow to compare.
 */
export const LONGEST_NAME = 512

/**
 * Trims a text, and replaces each run of white space by one space. The patterns that read names
 * rely on it: a pattern that accepts many spaces takes quadratic time on them.
 */
export function singleSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Escapes a text for HTML or XML, also within double quotes. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** A part of an address without percent escapes; `undefined` when one of them is invalid. */
export function unescaped(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** The name of an encoding that TextDecoder knows, by any of its labels. */
export function encodingOfLabel(label: string | undefined): string | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

/** The text of bytes in an encoding that TextDecoder knows. */
export function decodedText(bytes: Uint8Array, encoding: string): string {
  const decoder = new TextDecoder(encoding)
  // Some versions of Node read Windows-1252 as Latin-1, but not in a stream.
  return decoder.decode(bytes, { stream: true }) + decoder.decode()
}

/** Milliseconds since 1970 as `YYYY-MM-DDThh:mm:ss` in UTC. */
export function timestamp(time: number): string {
  return new Date(time).toISOString().slice(0, 19)
}

/** The maximum number of characters of a value in a message. */
const LONGEST_SHOWN = 80

/** A text for a message; a long one is cut. */
export function shortened(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

export function quoted(text: string): string {
  return `"${shortened(text)}"`
}

/** The maximum number of results in each of the two generations of a memo. */
const HELD = 4096

/**
 * Caches the latest results of a pure function, because names repeat, and analysing one costs more
 * than a lookup.
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

/** The words of a text. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** A dictionary from text: `one:1 two:2`. */
export function dictionary(entries: string): Readonly<Record<string, string>> {
  const pairs = entries.split(/\s+/).map((entry) => entry.split(':'))
  // Without a prototype, so that "constructor" is not a key.
  return Object.freeze(Object.assign(Object.create(null), Object.fromEntries(pairs)))
}
