/** How bytes that are no UTF-8 are read. */
export type LegacyEncoding = 'shift_jis' | 'windows-1251' | 'windows-1252'

/** Programs wrote all texts of a tag in one encoding. */
export function legacyEncodingOf(texts: readonly Uint8Array[]): LegacyEncoding {
  if (isShiftJis(texts)) return 'shift_jis'
  return isCyrillic(texts) ? 'windows-1251' : 'windows-1252'
}

/** Shift-JIS writes hiragana after byte 82, katakana after 83; both are rare in other encodings. */
function isShiftJis(texts: readonly Uint8Array[]): boolean {
  let kana = 0
  for (const bytes of texts) {
    let at = 0
    for (; at < bytes.length; at++) {
      const lead = bytes[at]!
      // A single byte of half-width katakana.
      if (lead < 0x80 || (lead >= 0xa1 && lead <= 0xdf && kana > 0)) continue
      if (!((lead >= 0x81 && lead <= 0x9f) || (lead >= 0xe0 && lead <= 0xfc))) return false
      // A field of fixed length may cut its last character off.
      if (at + 1 === bytes.length) break
      if (lead === 0x82 || lead === 0x83) kana++
      at++
    }
    try {
      new TextDecoder('shift_jis', { fatal: true }).decode(bytes.subarray(0, at))
    } catch {
      return false
    }
  }
  return kana >= 2
}

/** Letters of Russian, Ukrainian and Belarusian. */
const CYRILLIC = /[а-яёєіїґў]/i
const VOWEL = /[аеёиоуыэюяєії]/i
/** Runs of letters of both scripts, and of signs that stand in no Cyrillic text. */
const SCRIPT_WORDS = /[a-zа-яёєіїґў\u0400-\u045f\u0490\u0491¤¦¬±µ¶Ј°]+/gi

/** Hardly a Russian word has no letters but these, the bytes of Æ, Ø, Å, Ä, Ö, Ü. */
const UMLAUTS = /^[жшедць]+$/i
/** Cyrillic is more frequent than Greek, so a little doubt does not count. */
const NO_PREFERENCE = -0.5

/** How often the letters а to я stand in Russian, in thousandths. */
const RUSSIAN = [
  ...[80, 16, 45, 17, 30, 85, 9, 17, 74, 12, 35, 44, 32, 67, 110, 28],
  ...[47, 55, 63, 26, 3, 10, 5, 15, 7, 4, 1, 19, 17, 3, 6, 20],
]
const GREEK = [
  ...[1, 100, 8, 18, 17, 75, 4, 45, 12, 80, 42, 30, 34, 65, 4, 85],
  ...[40, 42, 40, 50, 80, 30, 10, 11, 2, 15, 1, 1, 15, 10, 8, 1],
]

/** Cyrillic words are all high bytes; western ones mix them with ASCII letters. */
function isCyrillic(texts: readonly Uint8Array[]): boolean {
  let fittingLetters = 0
  let strangeLetters = 0
  let likelihood = 0
  let isMoreThanUmlauts = false
  for (const bytes of texts) {
    const text = new TextDecoder('windows-1251').decode(bytes)
    for (const [word] of text.matchAll(SCRIPT_WORDS)) {
      const letters = word.match(/[^a-z]/gi)?.length ?? 0
      if (letters === 0) continue
      if (letters < word.length || !isSayable(word)) strangeLetters += letters
      // A letter alone is a word in western languages too.
      else if (letters > 1 && VOWEL.test(word)) {
        fittingLetters += letters
        isMoreThanUmlauts ||= !UMLAUTS.test(word)
        likelihood += russianOverGreek(word)
      }
    }
  }
  return fittingLetters > 2 * strangeLetters && likelihood > NO_PREFERENCE && isMoreThanUmlauts
}

function isSayable(word: string): boolean {
  if (![...word].every((letter) => CYRILLIC.test(letter))) return false
  // Capitals stand in front, or everywhere.
  if (/\p{Ll}\p{Lu}/u.test(word)) return false
  if (!VOWEL.test(word)) return word.length === 1 || word === word.toUpperCase()
  // The last is the thorn of Icelandic.
  return !/[^аеёиоуыэюяєії]{6}|[аеёиоуыэюяєії]{5}|^[ъь]|ъ$|^ю[^г]$/i.test(word)
}

/** Greek words have one accent, unless they are in capitals. */
const ACCENTED = /[ЬЭЮЯьэю]/g
/** The likelihood of a word whose accents or bytes Greek does not have. */
const NOT_GREEK = 3

function russianOverGreek(word: string): number {
  const accents = word.match(ACCENTED)?.length ?? 0
  const isSilent = word.length < 4 || word === word.toUpperCase()
  if (/[яТЁёІіЇїЄєҐґЎў]/.test(word)) return NOT_GREEK
  if (accents > 1 || (accents === 0 && !isSilent)) return NOT_GREEK
  let likelihood = 0
  for (const letter of word.toLowerCase()) {
    const place = letter.charCodeAt(0) - 0x430
    likelihood += Math.log(RUSSIAN[place]! / GREEK[place]!)
  }
  return likelihood
}
