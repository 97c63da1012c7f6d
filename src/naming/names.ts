import { repaired } from './repair-text.ts'

/**
 * The form of a name that all its spellings share: damaged text is repaired, compatibility forms,
 * marks and Latin letters become plain letters in lower case, `&` becomes "and", and anything but
 * letters and digits becomes one space. `Beyoncé` → `beyonce`, `AC/DC` → `ac dc`, `Simon &
 * Garfunkel` → `simon and garfunkel`, `Mø` → `mo`, `A$AP` → `asap`.
 *
 * Other scripts keep their letters, and the marks that act as letters (vowels, voicing). A name
 * without letters and digits (`!!!`) stays as it is, in lower case.
 */
export function nameKey(name: string): string {
  const whole = repaired(name)
  const plain = PLAIN.test(whole) ? whole.toLowerCase() : folded(whole)
  if (SIMPLE.test(plain)) return plain
  const words = spelt(plain)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
  return words === '' ? plain.trim() : words
}

/** Writes out signs that stand for letters or words. */
function spelt(text: string): string {
  let words = text
  if (words.includes('&')) words = words.replaceAll('&', ' and ')
  if (words.includes('+')) words = words.replace(/(?<=\s)\+(?=\s)/g, 'and')
  // Don't and Dont, O'Brien and OBrien are one spelling.
  if (words.includes("'") || words.includes('`')) {
    words = words.replace(/(?<=\p{L})['`](?=\p{L})/gu, '')
  }
  // Ke$ha and Kesha, P!nk and Pink are one spelling; $100 is not s100.
  if (words.includes('$')) {
    words = words.replace(/(?<=\p{L})\$+|\$(?=\p{L})/gu, (signs) => 's'.repeat(signs.length))
  }
  if (words.includes('!')) words = words.replace(/(?<=\p{L})!(?=\p{L})/gu, 'i')
  return words
}

// Words with single spaces between them are their own key.
const SIMPLE = /^[a-z0-9]+(?: [a-z0-9]+)*$/
// Most names are plain ASCII, which normalising leaves as it is.
const PLAIN = /^[\x20-\x7e]*$/

function folded(name: string): string {
  return (
    name
      .replace(/[’‘ʼʻʹ´′‛＇]/g, "'")
      .replace(/\p{Cf}+/gu, '')
      .normalize('NFKD')
      .replace(MARKS, '')
      .toLowerCase()
      .replace(LETTERS, (letter) => FOLDED[letter] ?? letter)
      // Puts syllables and voiced characters together again: their parts are not marks to remove.
      .normalize('NFC')
  )
}

// Accents, points and vowel signs that writers may leave out; the Arabic tatweel; emoji selectors.
// Not vowels and voicing marks of scripts in which they distinguish words.
const MARKS = new RegExp(
  `[${[
    '\\u0300-\\u036f\\u0483-\\u0489\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f',
    '\\u0591-\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06ed',
    '\\ufe00-\\ufe0f',
  ].join('')}]+`,
  'gu',
)

// Letters without a decomposition, and what people type instead.
const FOLDED: Readonly<Record<string, string>> = Object.freeze(
  Object.fromEntries(
    [
      'ßss æae œoe þth øo łl đd ðd ħh ıi ŋn ŧt ſs ĸk ƀb ɓb ƃb ƈc ɔo ɖd ɗd əe ǝe ɛe ɘe ƒf ɠg ɡg ǥg',
      'ɣg ɨi ɪi ƙk ʟl ɫl ɱm ɲn ƞn ɴn ɵo ɶoe ƥp ʀr ɍr ɽr ʂs ʃs ƭt ʈt ʉu ʋv ʏy ƴy ɏy ƶz ʐz ʒz ᴀa ʙb ᴄc',
      'ᴅd ᴇe ꜰf ɢg ʜh ᴊj ᴋk ᴍm ᴏo ᴘp ꜱs ᴛt ᴜu ᴠv ᴡw ᴢz ⱥa ȼc ɇe ɉj ȿs ɀz ςσ یي ىي کك',
    ]
      .join(' ')
      .split(' ')
      .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
  ),
)
const LETTERS = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'gu')

// The article of a name in sorting order: Beatles, The.
const LAST_ARTICLE = /^(.*\S)\s*,\s*(the|los|las|les|die)\s*$/i

/** The {@link nameKey} of an artist's name without a leading article: `The Beatles` → `beatles`. */
export function artistKey(name: string): string {
  const key = nameKey(name.includes(',') ? name.replace(LAST_ARTICLE, '$2 $1') : name)
  return key.startsWith('the ') && key.length > 4 ? key.slice(4) : key
}

/** A key without spaces, which `A.F.I.` and `AFI`, `Run-D.M.C.` and `Run DMC` share. */
export function squashed(key: string): string {
  return key.replaceAll(' ', '')
}

const ASCII = /^[\x20-\x7e]*$/

/**
 * The words of a `nameKey`, as the index holds them. In scripts without spaces, each sign is a
 * word.
 */
export function wordsOf(key: string): string[] {
  if (SIMPLE.test(key)) return key.split(' ')
  if (ASCII.test(key)) return key.split(' ').filter((word) => /[a-z0-9]/.test(word))
  return key.replace(NO_LETTERS, '').match(WORDS) ?? []
}

// SQLite treats vowel signs that became letters in Unicode 8 as marks, and ends words there.
const NO_LETTERS = /[\p{M}\u19b0-\u19c9\u1cf2\u1cf3]+/gu
const SIGN = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]'
const LETTER = '[\\p{L}\\p{N}]'
const WORDS = new RegExp(`(?=${LETTER})${SIGN}|(?:(?!${SIGN})${LETTER})+`, 'gu')
