import { Distance } from './distance.ts'
import { slips, spellingDistance } from './likeness.ts'
import { squashed } from './names.ts'
import { transliterationDistance } from './sound-distance.ts'
import { isForeign } from './spellings.ts'
import type { Part, Title } from './title.ts'
import { workDistance } from './works.ts'

/** A cut title with fewer letters is not recognised. */
const CUT_LETTERS = 14
/** Shorter titles are never recognised by likeness. */
const SHORT = 4
const FEW = 6
/** The least letters of a title in which the word for a version may be misspelt. */
const LONG = 10

/**
 * The distance of a wanted title from a known one: 0 for equal keys, small if they differ in
 * additions without meaning, larger for misspelt letters. Two versions, two parts and two songs are
 * different.
 */
export function titleDistance(asked: Title, known: Title): Distance {
  if (asked.whole.key === known.whole.key) {
    return asked.open === known.open ? Distance.none : Distance.of('title.cut')
  }
  if (asked.whole.squashed === known.whole.squashed) return Distance.of('title.spaces')
  if (asked.cut && beginsWith(known.whole.key, asked.whole.key)) {
    const cut = Distance.of('title.cut')
    return asked.kinds === known.kinds ? cut : cut.add('version.unsaid')
  }
  const work = workDistanceOf(asked, known)
  if (work) return work
  if (isBareWork(asked, known) || isBareWork(known, asked)) return Distance.of('title.shorter')
  const version = versionDistance(asked, known)
  if (version.isOther) return version.or(withUnreadVersion(asked, known))
  if (asked.core.squashed === known.core.squashed) {
    return version.add('title.additions')
  }
  const transliterated = inOtherScript(asked, known)
  if (transliterated) return version.plus(transliterated)
  if (asked.numbers !== known.numbers) return Distance.of('title.numbers')
  return version.plus(byLetters(asked, known).or(withoutMore(asked, known)))
}

/** Words for versions that are movements of works: prelude, finale, for strings. */
const MOVEMENTS = new Set(['piece', 'arranged', 'version'])

function workDistanceOf(asked: Title, known: Title): Distance | undefined {
  const [a, b] = [asked.work, known.work]
  const versions = ({ kinds }: Title) =>
    kinds
      .split(' ')
      .filter((kind) => !MOVEMENTS.has(kind))
      .join(' ')
  return a && b && versions(asked) === versions(known) ? workDistance(a, b) : undefined
}

/** Whether a title names a work without its number in a list: Für Elise. */
function isBareWork(bare: Title, { work }: Title): boolean {
  return bare.work === undefined && work?.bare === bare.whole.key
}

function beginsWith(whole: string, cut: string): boolean {
  return cut.length >= CUT_LETTERS && whole.startsWith(cut)
}

function byLetters(asked: Title, known: Title): Distance {
  // In short titles each letter matters: The Man is not Mean. A misspelt number is another number.
  if (asked.core.squashed.length < FEW && hasArticle(asked) !== hasArticle(known)) return OTHER
  if (!LETTER.test(asked.core.key)) return OTHER
  const letters = spellingDistance('title', asked.core, known.core, SHORT)
  const core = isAnotherWord(asked.core, known.core) ? letters.add('title.short') : letters
  if (asked.core.key === asked.whole.key && known.core.key === known.whole.key) return core
  return core.or(spellingDistance('title', asked.whole, known.whole, SHORT))
}

const sorted = (word: string) => [...word].sort().join('')

/** Whether titles of few letters differ in one of them: Dumb is not Numb. */
function isAnotherWord({ squashed: a }: Part, { squashed: b }: Part): boolean {
  return a.length === SHORT && b.length === SHORT && sorted(a) !== sorted(b)
}

const OTHER = Distance.of('title.other')

const LETTER = /\p{L}/u

function hasArticle({ whole, core }: Title): boolean {
  return whole.key.startsWith('the ') && !core.key.startsWith('the ')
}

/**
 * Titles with different additions are of different songs; a missing one makes little difference.
 */
function withoutMore(asked: Title, known: Title): Distance {
  const [more, other] = [asked.core !== asked.base, known.core !== known.base]
  // A cut title may lack an addition only because it was cut: `title.cut` is for that.
  if (more === other || asked.cut) return OTHER
  const bases =
    asked.base.squashed === known.base.squashed
      ? Distance.none
      : spellingDistance('title', asked.base, known.base, SHORT)
  return bases.add('title.shorter')
}

function versionDistance(asked: Title, known: Title): Distance {
  if (asked.kinds !== known.kinds) return Distance.of('version.other')
  if (asked.which === known.which) return Distance.none
  return Distance.of(asked.which && known.which ? 'version.other' : 'version.unsaid')
}

/** Compares whole titles: a version in a misspelt word, or without a bracket or dash, is unread. */
function withUnreadVersion(asked: Title, known: Title): Distance {
  if (asked.numbers !== known.numbers) return Distance.of('title.numbers')
  const spelling = spellingDistance('title', asked.whole, known.whole, LONG)
  const isScript = spelling.penalties.some(({ name }) => name === 'title.script')
  return isScript ? OTHER : spelling.add('version.unread')
}

/** The distance of titles in two scripts, of which one may have additions. */
function inOtherScript(asked: Title, known: Title): Distance | undefined {
  if (isForeign(asked.whole.key) === isForeign(known.whole.key)) return undefined
  // Digits in words are letters of Arabic: 3omri.
  if (numbersIn(asked.whole.key) !== numbersIn(known.whole.key)) {
    return undefined
  }
  const core = transliterationDistance('title', asked.core.key, known.core.key)
  if (core) return core
  if ((asked.core !== asked.base) === (known.core !== known.base)) return undefined
  if (hasBoth(asked, known) || hasBoth(known, asked)) return Distance.of('title.script')
  const base = transliterationDistance('title', asked.base.key, known.base.key)
  return base?.add('title.shorter')
}

/** Whether a title has the other one in brackets after its own script: 달라달라 (DALLA DALLA). */
function hasBoth({ core, base }: Title, other: Title): boolean {
  return core.squashed === base.squashed + other.core.squashed
}

const WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*| /gu
const NUMBER = /^\p{N}+$/u

/** A key without its spaces, and without words that are no numbers. */
function numbersIn(key: string): string {
  return key.replace(WORDS, (word) => (NUMBER.test(word) ? word : ''))
}

/** The most misspellings of a title that is compared in full. */
export const MOST_SLIPS = 3

/** The number of misspellings between a title and a key, or the beginning of the key. */
export function slipsIn({ squashed: asked }: Part, key: string): number {
  const title = squashed(key.startsWith('the ') ? key.slice(4) : key)
  const slipsInAll = slips(asked, title, MOST_SLIPS)
  if (slipsInAll <= MOST_SLIPS || title.length <= asked.length) return slipsInAll
  return slips(asked, title.slice(0, asked.length), MOST_SLIPS)
}
