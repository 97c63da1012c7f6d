import anyAscii from 'any-ascii'
import { memo } from '../values/text.ts'
import { kanjiReadings } from './kanji-readings.ts'
import { letterSpellings, syllableSpellings } from './letter-spellings.ts'

/** Units of one or two letters, each with its spellings in Latin letters. */
export type Spellings = readonly (readonly string[])[]

export function isForeign(key: string): boolean {
  return NON_ASCII.test(key) && FOREIGN_LETTER.test(key)
}

const NON_ASCII = /[^\x20-\x7e]/
const FOREIGN_LETTER = /(?!\p{Script=Latin})\p{L}/u

/** Letters that are often exchanged get one spelling. */
export function plainLatin(text: string): string {
  return text
    .replace(/[^a-z0-9]/g, '')
    .replace(/x/g, 'ks')
    .replace(/ck|q/g, 'k')
    .replace(/ph/g, 'f')
    .replace(/tch/g, 'ch')
}

export const spellingsOf: (key: string) => Spellings = memo((key) => {
  const signs = [...asHiragana(key)]
  const units: (readonly string[])[] = []
  for (let i = 0; i < signs.length; i++) {
    const sign = signs[i] as string
    const next = signs[i + 1] ?? ''
    const pair = SMALL_KANA.has(next) ? joinedKana(sign, next) : letterSpellings(sign + next)
    if (pair) {
      units.push(pair)
      i++
    } else if (sign === '々') units.push(...units.slice(-1))
    else units.push(...spellingsOfSign(sign))
  }
  return units.map((spellings, i) => {
    const plain = new Set(spellings.map(plainLatin))
    if (isDoubled(units[i - 1], spellings)) plain.add('')
    return [...plain]
  })
})

/** As in Metallica. */
function isDoubled(
  previousSpellings: readonly string[] = [],
  spellings: readonly string[],
): boolean {
  return spellings.some(
    (letter) => /^[^aeiouy]$/.test(letter) && previousSpellings.includes(letter),
  )
}

function spellingsOfSign(sign: string): Spellings {
  if (sign <= '~') return sign === ' ' ? [] : [[sign]]
  const listedSpellings = letterSpellings(sign)
  if (listedSpellings) return [listedSpellings]
  const syllable = syllableSpellings(sign)
  if (syllable) return syllable
  const asciiSpelling = anyAscii(sign)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')
  return [[...new Set([...kanjiReadings(sign), asciiSpelling])]]
}

const KATAKANA_LETTERS = /[ァ-ヶ]/g
const TO_HIRAGANA = 'ァ'.charCodeAt(0) - 'ぁ'.charCodeAt(0)

function asHiragana(key: string): string {
  return key.replace(KATAKANA_LETTERS, (sign) =>
    String.fromCharCode(sign.charCodeAt(0) - TO_HIRAGANA),
  )
}

const SMALL_KANA = new Set('ぁぃぅぇぉゃゅょゎ')

/** ki + small ya is kya, shi + ya is sha, fu + small a is fa. */
function joinedKana(sign: string, small: string): string[] | undefined {
  const [vowel = ''] = letterSpellings(small) ?? []
  return letterSpellings(sign)
    ?.filter((spelling) => /[aiueo]$/.test(spelling))
    .map((spelling) => {
      const stem = spelling === 'u' ? 'w' : spelling.slice(0, -1)
      return stem + (/(?:sh|ch|j|w)$/.test(stem) ? vowel.slice(-1) : vowel)
    })
}
