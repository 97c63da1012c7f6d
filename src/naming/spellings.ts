import anyAscii from 'any-ascii'
import { memo } from '../values/text.ts'
import { kanjiReadings } from './kanji-readings.ts'
import { letterSpellings, syllableSpellings } from './letter-spellings.ts'

/** A name as units of one or two letters, each with its spellings in Latin letters. */
export type Spellings = readonly (readonly string[])[]

/** Whether the key of a name has letters of a script other than the Latin one. */
export function isForeign(key: string): boolean {
  return NOT_ASCII.test(key) && FOREIGN.test(key)
}

const NOT_ASCII = /[^\x20-\x7e]/
const FOREIGN = /(?!\p{Script=Latin})\p{L}/u

/** Latin letters without spaces, and with one spelling of the letters that are often exchanged. */
export function plainLatin(text: string): string {
  return text
    .replace(/[^a-z0-9]/g, '')
    .replace(/x/g, 'ks')
    .replace(/ck|q/g, 'k')
    .replace(/ph/g, 'f')
    .replace(/tch/g, 'ch')
}

/** The spellings of the letters of a key in Latin letters, without its spaces. */
export const spellingsOf: (key: string) => Spellings = memo((key) => {
  const signs = [...asHiragana(key)]
  const units: (readonly string[])[] = []
  for (let i = 0; i < signs.length; i++) {
    const sign = signs[i] as string
    const next = signs[i + 1] ?? ''
    const pair = SMALL.has(next) ? joined(sign, next) : letterSpellings(sign + next)
    if (pair) {
      units.push(pair)
      i++
    } else if (sign === '々') units.push(...units.slice(-1))
    else units.push(...spelt(sign))
  }
  return units.map((spellings, i) => {
    const plain = new Set(spellings.map(plainLatin))
    if (isDoubled(units[i - 1], spellings)) plain.add('')
    return [...plain]
  })
})

/** Whether a consonant follows the same one, as in Metallica. */
function isDoubled(before: readonly string[] = [], spellings: readonly string[]): boolean {
  return spellings.some((letter) => /^[^aeiouy]$/.test(letter) && before.includes(letter))
}

function spelt(sign: string): Spellings {
  if (sign <= '~') return sign === ' ' ? [] : [[sign]]
  const listed = letterSpellings(sign)
  if (listed) return [listed]
  const syllable = syllableSpellings(sign)
  if (syllable) return syllable
  const plain = anyAscii(sign)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')
  return [[...new Set([...kanjiReadings(sign), plain])]]
}

const KATAKANA = /[ァ-ヶ]/g
const TO_HIRAGANA = 'ァ'.charCodeAt(0) - 'ぁ'.charCodeAt(0)

function asHiragana(key: string): string {
  return key.replace(KATAKANA, (sign) => String.fromCharCode(sign.charCodeAt(0) - TO_HIRAGANA))
}

const SMALL = new Set('ぁぃぅぇぉゃゅょゎ')

/** A syllable of two kana: ki + small ya is kya, shi + ya is sha, fu + small a is fa. */
function joined(sign: string, small: string): string[] | undefined {
  const [vowel = ''] = letterSpellings(small) ?? []
  return letterSpellings(sign)
    ?.filter((spelling) => /[aiueo]$/.test(spelling))
    .map((spelling) => {
      const stem = spelling === 'u' ? 'w' : spelling.slice(0, -1)
      return stem + (/(?:sh|ch|j|w)$/.test(stem) ? vowel.slice(-1) : vowel)
    })
}
