/**
 * The most characters (UTF-16 units) of a name that callers give: of a title, an artist, a release, a
 * catalog, a term and the like. The longest real titles have some 300; what is longer is no name, and
 * comparing names takes time by their length.
 */
export const LONGEST_NAME = 512

/**
 * A text without white space around it, and with a single space wherever there is any within. The
 * patterns that read names rest on it: one that allows for many spaces takes quadratic time on them.
 */
export function singleSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
