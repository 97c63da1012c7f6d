/**
 * The form of a name in which spellings of one name are alike: compatibility forms and marks
 * dropped, case folded, `&` read as "and", anything but letters and digits a single space.
 * `Beyoncé` → `beyonce`, `AC/DC` → `ac dc`, `Simon & Garfunkel` → `simon and garfunkel`.
 *
 * A name of nothing but signs (`!!!`) is kept as it is, in lower case: it is a name too.
 */
export function nameKey(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  const words = plain
    .replaceAll('&', ' and ')
    // Don't and Dont, O'Brien and OBrien are one spelling.
    .replace(/(?<=\p{L})['’ʼ`´](?=\p{L})/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return words === '' ? plain.trim() : words
}

/** {@link nameKey} of an artist's name, a leading article dropped: `The Beatles` → `beatles`. */
export function artistKey(name: string): string {
  const key = nameKey(name)
  return key.replace(/^the (?=.)/, '')
}
