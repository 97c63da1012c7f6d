import { memo } from '../values/text.ts'
import { isForeign, type Spellings, spellingsOf } from './spellings.ts'

/** The most keys of a name that are stored, and of one order of words that are looked up. */
const MAX_KEYS = { stored: 4, asked: 24 } as const
/** More letters of a key hardly tell more names apart. */
const LONGEST = 10
/** The most orders of words that are looked up. */
const MOST_ORDERS = 6
/** Names of more words, and credits of several artists, have no keys. */
const MOST_WORDS = 5

/** Signs that write names of several words without spaces. */
const SIGNS = /\p{Script=Han}/u
const SEVERAL = /[,;&/+]|\b(?:and|feat|ft|vs|with)\b/i

/**
 * The consonants of an artist's name as every script writes them: `Kino`, `Кино` and `キノ` share `kn`.
 * A name has several keys where letters have several sounds, and none if they would say too little.
 *
 * @param key - the key of the name
 */
export function soundKeys(key: string): string[] {
  if (SEVERAL.test(key) || key.split(' ').length > MOST_WORDS) return []
  return keysOf(unitsOf(key), MAX_KEYS.stored)
}

/** The same, for each order of the words: names of persons have both orders. */
export function soundKeysInAnyOrder(key: string): Set<string> {
  const words = key.split(' ').map(unitsOf)
  const parts = SIGNS.test(key) ? words.flat().map((unit) => [unit]) : words
  const orders = Math.min(parts.length, MOST_ORDERS)
  const keys = new Set<string>()
  for (let i = 0; i < orders; i++) {
    const units = [...parts.slice(i), ...parts.slice(0, i)].flat()
    for (const one of keysOf(units, MAX_KEYS.asked)) keys.add(one)
  }
  return keys
}

/** The units of Latin letters that have one sound, or several. */
const LATIN = /tch|sch|[cskgptzd]h|[dt]z|ts|d?j|[cg](?=[eiy])|./g
const SOUNDS: Readonly<Record<string, readonly string[]>> = Object.freeze({
  ch: ['ch', 'k'],
  'c ': ['s', 'k'],
  'g ': ['g', 'j'],
  j: ['j', 'y'],
})

function unitsOf(key: string): Spellings {
  if (isForeign(key)) return spellingsOf(key)
  const letters = key.replace(/[^a-z]/g, '')
  return [...letters.matchAll(LATIN)].map(({ 0: unit, index }) => {
    const soft = /^[cg]$/.test(unit) && /[eiy]/.test(letters[index + 1] ?? '')
    return SOUNDS[soft ? `${unit} ` : unit] ?? [unit]
  })
}

/** Letters and pairs of letters that languages exchange, in the order in which they are replaced. */
const CLASSES: readonly [letters: RegExp, one: string][] = [
  [/tch|sch|shch|[cszt]h(?<!th)|[dt]z|ts|dj|j/g, 's'],
  [/[kg]h/g, 'k'],
  [/ph/g, 'b'],
  [/x/g, 'ks'],
  [/[bpfv]/g, 'b'],
  [/[td]/g, 'd'],
  [/[kgqc]/g, 'k'],
  [/[sz]/g, 's'],
  [/[lr]/g, 'l'],
  [/[mn]/g, 'n'],
  [/[^bdklns]/g, ''],
]

const classesOf = memo((spelling) =>
  CLASSES.reduce((text, [letters, one]) => text.replace(letters, one), spelling),
)

function keysOf(units: Spellings, maxKeys: number): string[] {
  let begun = new Set([''])
  for (const [i, spellings] of units.entries()) {
    // A vowel at the beginning tells names apart; a vowel in the middle does not.
    const classes = new Set(spellings.map((one) => classesOf(one) || (i === 0 ? 'a' : '')))
    begun = new Set(
      [...begun]
        .flatMap((start) => [...classes].map((one) => joinedClasses(start, one)))
        .slice(0, 4 * maxKeys),
    )
  }
  return [...begun].filter((key) => /[^a]/.test(key)).slice(0, maxKeys)
}

function joinedClasses(start: string, next: string): string {
  return (start + next)
    .replace(/ds/g, 's')
    .replace(/(.)\1+/g, '$1')
    .slice(0, LONGEST)
}
