/**
 * The form of a name in which spellings of one name are alike: compatibility forms and marks
 * dropped, case folded, `&` read as "and", anything but letters and digits a single space.
 * `Beyoncé` → `beyonce`, `AC/DC` → `ac dc`, `Simon & Garfunkel` → `simon and garfunkel`.
 *
 * A name of nothing but signs (`!!!`) is kept as it is, in lower case: it is a name too.
 */
export function nameKey(name: string): string {
  const plain = PLAIN.test(name) ? name.toLowerCase() : withoutMarks(name)
  if (SIMPLE.test(plain)) return plain
  const words = plain
    .replaceAll('&', ' and ')
    // Don't and Dont, O'Brien and OBrien are one spelling.
    .replace(/(?<=\p{L})['’ʼ`´](?=\p{L})/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return words === '' ? plain.trim() : words
}

// Words with single spaces between them are their own key.
const SIMPLE = /^[a-z0-9]+(?: [a-z0-9]+)*$/
// Most names are plain ASCII, which normalising leaves as it is.
const PLAIN = /^[\x20-\x7e]*$/

function withoutMarks(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}

/** {@link nameKey} of an artist's name, a leading article dropped: `The Beatles` → `beatles`. */
export function artistKey(name: string): string {
  const key = nameKey(name)
  return key.startsWith('the ') && key.length > 4 ? key.slice(4) : key
}

/** A key without its spaces: `A.F.I.` and `AFI`, `Run-D.M.C.` and `Run DMC` are then one. */
export function squashed(key: string): string {
  return key.replaceAll(' ', '')
}

/**
 * The words of a key ({@link nameKey}), as they are indexed and looked up. Scripts that write no
 * spaces are taken sign by sign.
 */
export function wordsOf(key: string): string[] {
  if (PLAIN.test(key)) return key.split(' ').filter((word) => /[a-z0-9]/.test(word))
  return (
    key.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}])+/gu,
    ) ?? []
  )
}

// "Little Feat & Friends" features nobody.
const FEATURING = /(?:\s+|\s*[([]\s*)(?:feat|ft|featuring)\b\.?(?!\s*(?:&|and\b))\s*\S.*$/iu

/** An artist's name without those who are featured: `Jay-Z feat. Rihanna` → `Jay-Z`. */
export function primaryName(name: string): string {
  const primary = name.replace(FEATURING, '').trim()
  return primary === '' ? name : primary
}
