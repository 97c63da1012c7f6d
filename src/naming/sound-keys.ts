import { memo } from '../values/text.ts'
import { isForeign, type Spellings, spellingsOf } from './spellings.ts'

/** Keys of a name that are stored, and that are looked up. */
const MAX_KEYS = { stored: 4, asked: 24 } as const
/** More letters hardly tell more names apart. */
const MAX_KEY_LETTERS = 10
const MAX_ORDERS = 6
/** Longer names have no keys. */
const MAX_SOUND_WORDS = 5

/** Signs that write several words without spaces. */
const HAN_SIGN = /\p{Script=Han}/u
const SEVERAL_ARTISTS = /[,;&/+]|\b(?:and|feat|ft|vs|with)\b/i

/**
 * The consonants of a name as every script writes them: `Kino`, `Кино` and `キノ` share `kn`. Letters
 * with several sounds give several keys; too short a key is left out.
 */
export function soundKeys(key: string): string[] {
  if (SEVERAL_ARTISTS.test(key) || key.split(' ').length > MAX_SOUND_WORDS) return []
  return keysOfUnits(soundUnitsOf(key), MAX_KEYS.stored)
}

/** Names of persons have both orders. */
export function soundKeysInAnyOrder(key: string): Set<string> {
  const words = key.split(' ').map(soundUnitsOf)
  const parts = HAN_SIGN.test(key) ? words.flat().map((unit) => [unit]) : words
  const orders = Math.min(parts.length, MAX_ORDERS)
  const keys = new Set<string>()
  for (let i = 0; i < orders; i++) {
    const units = [...parts.slice(i), ...parts.slice(0, i)].flat()
    for (const soundKey of keysOfUnits(units, MAX_KEYS.asked)) keys.add(soundKey)
  }
  return keys
}

const LATIN_UNITS = /tch|sch|[cskgptzd]h|[dt]z|ts|d?j|[cg](?=[eiy])|./g
const SOUNDS_BY_UNIT: Readonly<Record<string, readonly string[]>> = Object.freeze({
  ch: ['ch', 'k'],
  'c ': ['s', 'k'],
  'g ': ['g', 'j'],
  j: ['j', 'y'],
})

function soundUnitsOf(key: string): Spellings {
  if (isForeign(key)) return spellingsOf(key)
  const letters = key.replace(/[^a-z]/g, '')
  return [...letters.matchAll(LATIN_UNITS)].map(({ 0: unit, index }) => {
    const isSoft = /^[cg]$/.test(unit) && /[eiy]/.test(letters[index + 1] ?? '')
    return SOUNDS_BY_UNIT[isSoft ? `${unit} ` : unit] ?? [unit]
  })
}

/** In the order in which they are replaced. */
const SOUND_CLASSES: readonly [letters: RegExp, one: string][] = [
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

const soundClasses = memo((spelling) =>
  SOUND_CLASSES.reduce(
    (text, [letters, soundClass]) => text.replace(letters, soundClass),
    spelling,
  ),
)

function keysOfUnits(units: Spellings, maxKeys: number): string[] {
  let beginnings = new Set([''])
  for (const [i, spellings] of units.entries()) {
    // A vowel tells names apart only at the beginning.
    const classes = new Set(
      spellings.map((spelling) => soundClasses(spelling) || (i === 0 ? 'a' : '')),
    )
    beginnings = new Set(
      [...beginnings]
        .flatMap((start) => [...classes].map((soundClass) => joinedClasses(start, soundClass)))
        .slice(0, 4 * maxKeys),
    )
  }
  return [...beginnings].filter((key) => /[^a]/.test(key)).slice(0, maxKeys)
}

function joinedClasses(start: string, next: string): string {
  return (start + next)
    .replace(/ds/g, 's')
    .replace(/(.)\1+/g, '$1')
    .slice(0, MAX_KEY_LETTERS)
}
