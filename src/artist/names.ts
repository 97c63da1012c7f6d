import { repaired } from './repaired-text.ts'

/**
 * The form of a name in which spellings of one name are alike: damage of encodings repaired,
 * compatibility forms, marks and letters of Latin alphabets reduced to plain ones, case folded, `&`
 * read as "and", anything but letters and digits a single space. `Beyoncé` → `beyonce`, `AC/DC` →
 * `ac dc`, `Simon & Garfunkel` → `simon and garfunkel`, `Mø` → `mo`, `A$AP` → `asap`.
 *
 * Other scripts keep their letters, and the marks that are letters there (vowels, voicing). A name
 * of nothing but signs (`!!!`) is kept as it is, in lower case: it is a name too.
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

/** With the signs that stand for letters or words written out. */
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
      .replace(LETTERS, (letter) => FOLDED[letter] as string)
      // Syllables and voiced signs are whole again: their parts are not marks to be dropped.
      .normalize('NFC')
  )
}

// Accents, points and vowel signs that writers leave out; the Arabic stretch; selectors of emoji.
// Not the vowels and voicing marks of scripts where another mark makes another word.
const MARKS = new RegExp(
  `[${[
    '\\u0300-\\u036f\\u0483-\\u0489\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f',
    '\\u0591-\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06ed',
    '\\ufe00-\\ufe0f',
  ].join('')}]+`,
  'gu',
)

// Letters that no normal form takes apart, by what is typed in their place.
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

// The article of a name as it is sorted: Beatles, The.
const LAST_ARTICLE = /^(.*\S)\s*,\s*(the|los|las|les|die)\s*$/i

/** {@link nameKey} of an artist's name, a leading article dropped: `The Beatles` → `beatles`. */
export function artistKey(name: string): string {
  const key = nameKey(name.includes(',') ? name.replace(LAST_ARTICLE, '$2 $1') : name)
  return key.startsWith('the ') && key.length > 4 ? key.slice(4) : key
}

/** A key without its spaces: `A.F.I.` and `AFI`, `Run-D.M.C.` and `Run DMC` are then one. */
export function squashed(key: string): string {
  return key.replaceAll(' ', '')
}
