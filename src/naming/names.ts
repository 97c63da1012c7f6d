import { repairedText } from './repair-text.ts'

/**
 * The form that all spellings of a name share: lower case, plain Latin letters, words with single
 * spaces. `Beyoncé` → `beyonce`, `AC/DC` → `ac dc`, `Simon & Garfunkel` → `simon and garfunkel`,
 * `A$AP` → `asap`. Other scripts keep their letters; a name without letters and digits (`!!!`)
 * stays as it is.
 */
export function nameKey(name: string): string {
  const repairedName = repairedText(name)
  const plainName = PRINTABLE_NAME.test(repairedName)
    ? repairedName.toLowerCase()
    : foldedLetters(repairedName)
  if (SIMPLE_KEY.test(plainName)) return plainName
  const keyWords = withSignsWritten(plainName)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
  return keyWords === '' ? plainName.trim() : keyWords
}

function withSignsWritten(text: string): string {
  let words = text
  if (words.includes('&')) words = words.replaceAll('&', ' and ')
  if (words.includes('+')) words = words.replace(/(?<=\s)\+(?=\s)/g, 'and')
  // Don't and Dont are one spelling.
  if (words.includes("'") || words.includes('`')) {
    words = words.replace(/(?<=\p{L})['`](?=\p{L})/gu, '')
  }
  // Ke$ha and Kesha are one spelling; $100 is not s100.
  if (words.includes('$')) {
    words = words.replace(/(?<=\p{L})\$+|\$(?=\p{L})/gu, (signs) => 's'.repeat(signs.length))
  }
  if (words.includes('!')) words = words.replace(/(?<=\p{L})!(?=\p{L})/gu, 'i')
  return words
}

const SIMPLE_KEY = /^[a-z0-9]+(?: [a-z0-9]+)*$/
const PRINTABLE_NAME = /^[\x20-\x7e]*$/

function foldedLetters(name: string): string {
  return (
    name
      .replace(/[’‘ʼʻʹ´′‛＇]/g, "'")
      .replace(/\p{Cf}+/gu, '')
      .normalize('NFKD')
      .replace(REMOVED_MARKS, '')
      .toLowerCase()
      .replace(SPECIAL_LETTERS, (letter) => PLAIN_LETTERS[letter] ?? letter)
      // Syllables and voiced characters must not lose their parts.
      .normalize('NFC')
  )
}

// Marks that writers may leave out, but not those that distinguish words.
const REMOVED_MARKS = new RegExp(
  `[${[
    '\\u0300-\\u036f\\u0483-\\u0489\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f',
    '\\u0591-\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06ed',
    '\\ufe00-\\ufe0f',
  ].join('')}]+`,
  'gu',
)

const PLAIN_LETTERS: Readonly<Record<string, string>> = Object.freeze(
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
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu')

// Beatles, The
const LAST_ARTICLE = /^(.*\S)\s*,\s*(the|los|las|les|die)\s*$/i

/** `The Beatles` → `beatles`. */
export function artistKey(name: string): string {
  const key = nameKey(name.includes(',') ? name.replace(LAST_ARTICLE, '$2 $1') : name)
  return key.startsWith('the ') && key.length > 4 ? key.slice(4) : key
}

/** `A.F.I.` and `AFI` share it. */
export function squashedKey(key: string): string {
  return key.replaceAll(' ', '')
}

const ASCII_KEY = /^[\x20-\x7e]*$/

/** As the index holds them: in scripts without spaces, each sign is a word. */
export function wordsOfKey(key: string): string[] {
  if (SIMPLE_KEY.test(key)) return key.split(' ')
  if (ASCII_KEY.test(key)) return key.split(' ').filter((word) => /[a-z0-9]/.test(word))
  return key.replace(VOWEL_SIGNS, '').match(INDEX_WORDS) ?? []
}

// SQLite ends words at vowel signs that became letters in Unicode 8.
const VOWEL_SIGNS = /[\p{M}\u19b0-\u19c9\u1cf2\u1cf3]+/gu
const WORD_SIGN = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]'
const WORD_LETTER = '[\\p{L}\\p{N}]'
const INDEX_WORDS = new RegExp(
  `(?=${WORD_LETTER})${WORD_SIGN}|(?:(?!${WORD_SIGN})${WORD_LETTER})+`,
  'gu',
)
