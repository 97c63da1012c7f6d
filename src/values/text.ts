/** UTF-16 units of a name that callers give; the longest real titles have about 300. */
export const LONGEST_NAME = 512

/** The patterns that read names rely on it: many spaces cost them quadratic time. */
export function singleSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** For HTML or XML, also within double quotes. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** `undefined` when a percent escape is invalid. */
export function decodeEscaped(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** That TextDecoder knows, by any of its labels. */
export function encodingOfLabel(label: string | undefined): string | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

/** In an encoding that TextDecoder knows. */
export function decodeBytes(bytes: Uint8Array, encoding: string): string {
  const decoder = new TextDecoder(encoding)
  // Some versions of Node read Windows-1252 as Latin-1, but not in a stream.
  return decoder.decode(bytes, { stream: true }) + decoder.decode()
}

/** Milliseconds since 1970 as `YYYY-MM-DDThh:mm:ss` in UTC. */
export function timestamp(time: number): string {
  return new Date(time).toISOString().slice(0, 19)
}

/** Of a value in a message. */
const MAX_SHOWN_CHARACTERS = 80

/** For a message; a long one is cut. */
export function shortened(text: string): string {
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text
}

export function quoted(text: string): string {
  return `"${shortened(text)}"`
}

/** In each of the two generations of a memo. */
const MAX_MEMO_RESULTS = 4096

/** Names repeat, and analysing one costs more than a lookup. */
export function memo<T>(make: (text: string) => T): (text: string) => T {
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  return (text) => {
    let value = young.get(text)
    if (value !== undefined) return value
    value = old.get(text) ?? make(text)
    if (young.size >= MAX_MEMO_RESULTS) {
      old = young
      young = new Map()
    }
    young.set(text, value)
    return value
  }
}

/** FNV-1a of the UTF-16 units. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** `one:1 two:2`. */
export function dictionary(entries: string): Readonly<Record<string, string>> {
  const pairs = entries.split(/\s+/).map((entry) => entry.split(':'))
  // Without a prototype, so that "constructor" is not a key.
  return Object.freeze(Object.assign(Object.create(null), Object.fromEntries(pairs)))
}
