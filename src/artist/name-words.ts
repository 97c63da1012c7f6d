const ASCII = /^[\x20-\x7e]*$/

/**
 * The words of a `nameKey`, as the index holds them. In scripts without spaces, each sign is a
 * word.
 */
export function wordsOf(key: string): string[] {
  if (ASCII.test(key)) return key.split(' ').filter((word) => /[a-z0-9]/.test(word))
  return key.replace(NO_LETTERS, '').match(WORDS) ?? []
}

// SQLite takes vowel signs that became letters in Unicode 8 for marks, and ends words there.
const NO_LETTERS = /[\p{M}\u19b0-\u19c9\u1cf2\u1cf3]+/gu
const SIGN = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]'
const LETTER = '[\\p{L}\\p{N}]'
const WORDS = new RegExp(`(?=${LETTER})${SIGN}|(?:(?!${SIGN})${LETTER})+`, 'gu')
