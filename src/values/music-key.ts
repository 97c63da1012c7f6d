import { atCaller } from '../host/caller.ts'
import { invalidParameter } from './errors.ts'

/** A musical key. Without a mode it is any key on that tonic. */
export interface MusicKey {
  /** Pitch class of the tonic: 0 = C, 1 = C sharp … 11 = B. */
  key: number
  /** 0 minor, 1 major. */
  mode?: 0 | 1
}

type Letter = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G'
type Tonic = `${Letter | Lowercase<Letter>}${'' | '#' | 'b' | '-sharp' | '-flat'}`
type WheelPlace = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12
/**
 * Spellings of a key: `C#`, `Am`, `A minor`, `8A`, `1m`. {@link parseKey} reads other spellings
 * too.
 */
export type KeyText =
  | `${Tonic}${'' | 'm' | ' minor' | ' major'}`
  | `${WheelPlace}${'A' | 'B' | 'd' | 'm'}`

/** By pitch class, as the circle of fifths writes it. */
const TONICS = {
  1: ['C', 'Db', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'],
  0: ['C', 'C#', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'G#', 'A', 'Bb', 'B'],
} as const

const PITCH_OF_LETTER: Readonly<Record<string, number>> = {
  c: 0,
  d: 2,
  e: 4,
  f: 5,
  g: 7,
  a: 9,
  b: 11,
}

/**
 * The name of a key: `A minor`, `Db major`; `Am`, `Db` in the short form, which tags of the initial
 * key use.
 *
 * @param key - pitch class of the tonic, 0…11
 * @param mode - 0 minor, 1 major
 * @throws {ParameterError} for another key or mode
 *
 * @example
 * ```ts
 * import { camelot, keyName } from 'audile'
 *
 * console.log(keyName(9, 0), camelot(9, 0)) // A minor 8A
 * ```
 */
export function keyName(key: number, mode: number, form: 'long' | 'short' = 'long'): KeyText {
  requireKey(key, mode)
  const tonic = TONICS[mode][key] as (typeof TONICS)[0 | 1][number]
  if (form === 'short') return mode === 1 ? tonic : `${tonic}m`
  return `${tonic} ${mode === 1 ? 'major' : 'minor'}`
}

/**
 * A key on the Camelot wheel of DJ programs: `8A` is A minor, `8B` C major. Keys that mix well are
 * neighbours.
 *
 * @param key - pitch class of the tonic, 0…11
 * @param mode - 0 minor, 1 major
 * @throws {ParameterError} for another key or mode
 *
 * @example
 * ```ts
 * import { camelot } from 'audile'
 *
 * console.log(camelot(9, 0)) // 8A
 * ```
 */
export function camelot(key: number, mode: number): KeyText {
  // C major is 8B.
  return `${wheelPlaceOf(fifthsOf(key, mode) + 7)}${mode === 1 ? 'B' : 'A'}`
}

/**
 * A key in the Open Key notation: `1m` is A minor, `1d` C major.
 *
 * @param key - pitch class of the tonic, 0…11
 * @param mode - 0 minor, 1 major
 * @throws {ParameterError} for another key or mode
 *
 * @example
 * ```ts
 * import { openKey } from 'audile'
 *
 * console.log(openKey(9, 0)) // 1m
 * ```
 */
export function openKey(key: number, mode: number): KeyText {
  return `${wheelPlaceOf(fifthsOf(key, mode))}${mode === 1 ? 'd' : 'm'}`
}

/**
 * The keys that mix well with a key: itself, its relative key, and the keys a fifth above and below,
 * which are its neighbours on the Camelot wheel.
 *
 * @param key - pitch class of the tonic, 0…11
 * @param mode - 0 minor, 1 major
 * @throws {ParameterError} for another key or mode
 *
 * @example
 * ```ts
 * import { camelot, compatibleKeys } from 'audile'
 *
 * for (const { key, mode } of compatibleKeys(9, 0)) console.log(camelot(key, mode)) // 8A 8B 9A 7A
 * ```
 */
export function compatibleKeys(key: number, mode: number): Required<MusicKey>[] {
  requireKey(key, mode)
  return [
    { key, mode },
    mode === 1 ? { key: (key + 9) % 12, mode: 0 } : { key: (key + 3) % 12, mode: 1 },
    { key: (key + 7) % 12, mode },
    { key: (key + 5) % 12, mode },
  ]
}

/**
 * Reads a key as people, tags and DJ programs write it: `A minor`, `Am`, `C#`, `D♭ maj`, `c-sharp`,
 * `8A` (Camelot), `1m` (Open Key). A lone tonic has no mode.
 *
 * @returns `undefined` when the text is no key
 *
 * @example
 * ```ts
 * import { parseKey } from 'audile'
 *
 * console.log(parseKey('F#m'), parseKey('8A'), parseKey('H')) // { key: 6, mode: 0 } { key: 9, mode: 0 } undefined
 * ```
 */
export function parseKey(text: string): MusicKey | undefined {
  const trimmed = text.trim()
  const wheelMatch = /^0?([1-9]|1[0-2])\s?([abdm])$/i.exec(trimmed)
  if (wheelMatch) return keyOnWheel(Number(wheelMatch[1]), (wheelMatch[2] as string).toLowerCase())
  const nameMatch =
    /^([a-g])(?:[\s_-]?(sharp|flat)|([#♯b♭]))?[\s_-]*(major|minor|maj|min|m)?\.?$/i.exec(trimmed)
  if (!nameMatch) return undefined
  const [, letter = '', word, sign, mode] = nameMatch
  const pitch = PITCH_OF_LETTER[letter.toLowerCase()] as number
  const key = (pitch + pitchShiftOf(word ?? sign) + 12) % 12
  if (mode === undefined) return { key }
  // A capital M is major, a small one minor.
  return { key, mode: mode === 'M' || /^maj/i.test(mode) ? 1 : 0 }
}

function keyOnWheel(number: number, letter: string): MusicKey {
  const isCamelot = letter === 'a' || letter === 'b'
  const major = ((number - (isCamelot ? 8 : 1) + 12) * 7) % 12
  return letter === 'b' || letter === 'd'
    ? { key: major, mode: 1 }
    : { key: (major + 9) % 12, mode: 0 }
}

function pitchShiftOf(sign: string | undefined): -1 | 0 | 1 {
  if (sign === undefined) return 0
  return /^(flat|[b♭])$/i.test(sign) ? -1 : 1
}

/** Of a key, or of its relative major key. */
function fifthsOf(key: number, mode: number): number {
  requireKey(key, mode)
  const major = mode === 1 ? key : (key + 3) % 12
  return (major * 7) % 12
}

function wheelPlaceOf(fifths: number): WheelPlace {
  return ((fifths % 12) + 1) as WheelPlace
}

function requireKey(key: number, mode: number): asserts mode is 0 | 1 {
  if (!Number.isInteger(key) || key < 0 || key > 11) {
    throw atCaller(invalidParameter('key', `${key} is no pitch class from 0 (C) to 11 (B)`))
  }
  if (mode !== 0 && mode !== 1) {
    throw atCaller(invalidParameter('mode', `${mode} is neither 0 (minor) nor 1 (major)`))
  }
}
