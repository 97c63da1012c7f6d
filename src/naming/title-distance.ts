import { Distance } from './distance.ts'
import { countSlips, spellingDistance } from './likeness.ts'
import { squashedKey } from './names.ts'
import { transliterationDistance } from './sound-distance.ts'
import { isForeign } from './spellings.ts'
import type { Title, TitlePart } from './title.ts'
import { workDistance } from './works.ts'

const MIN_CUT_TITLE_LETTERS = 14
const MIN_LIKE_TITLE_LETTERS = 4
const MIN_ARTICLE_FREE_LETTERS = 6
/** In shorter titles the word for a version may not be misspelt. */
const MIN_UNREAD_VERSION_LETTERS = 10

/**
 * Small for additions without meaning, larger for misspelt letters; versions and parts are
 * different.
 */
export function titleDistance(askedTitle: Title, knownTitle: Title): Distance {
  if (askedTitle.whole.key === knownTitle.whole.key) {
    return askedTitle.isOpen === knownTitle.isOpen ? Distance.none : Distance.of('title.cut')
  }
  if (askedTitle.whole.squashed === knownTitle.whole.squashed) return Distance.of('title.spaces')
  if (askedTitle.isCut && isCutBeginning(knownTitle.whole.key, askedTitle.whole.key)) {
    const cut = Distance.of('title.cut')
    return askedTitle.kinds === knownTitle.kinds ? cut : cut.add('version.unsaid')
  }
  const work = workDistanceOf(askedTitle, knownTitle)
  if (work) return work
  if (isBareWork(askedTitle, knownTitle) || isBareWork(knownTitle, askedTitle))
    return Distance.of('title.shorter')
  const version = versionDistance(askedTitle, knownTitle)
  if (version.isOther) return version.nearer(wholeTitleDistance(askedTitle, knownTitle))
  if (askedTitle.core.squashed === knownTitle.core.squashed) {
    return version.add('title.additions')
  }
  const transliterated = titleTransliteration(askedTitle, knownTitle)
  if (transliterated) return version.plus(transliterated)
  if (askedTitle.numbers !== knownTitle.numbers) return Distance.of('title.numbers')
  return version.plus(
    lettersDistance(askedTitle, knownTitle).nearer(additionDistance(askedTitle, knownTitle)),
  )
}

/** Prelude, finale, for strings. */
const MOVEMENT_KINDS = new Set(['piece', 'arranged', 'version'])

function workDistanceOf(askedTitle: Title, knownTitle: Title): Distance | undefined {
  const [a, b] = [askedTitle.work, knownTitle.work]
  const versionsOf = ({ kinds }: Title) =>
    kinds
      .split(' ')
      .filter((kind) => !MOVEMENT_KINDS.has(kind))
      .join(' ')
  return a && b && versionsOf(askedTitle) === versionsOf(knownTitle)
    ? workDistance(a, b)
    : undefined
}

/** A work without its number in a list: Für Elise. */
function isBareWork(bare: Title, { work }: Title): boolean {
  return bare.work === undefined && work?.bare === bare.whole.key
}

function isCutBeginning(wholeKey: string, cutKey: string): boolean {
  return cutKey.length >= MIN_CUT_TITLE_LETTERS && wholeKey.startsWith(cutKey)
}

function lettersDistance(askedTitle: Title, knownTitle: Title): Distance {
  // In short titles each letter matters: The Man is not Mean.
  if (
    askedTitle.core.squashed.length < MIN_ARTICLE_FREE_LETTERS &&
    hasArticle(askedTitle) !== hasArticle(knownTitle)
  )
    return OTHER_SONG_TITLE
  if (!ANY_LETTER.test(askedTitle.core.key)) return OTHER_SONG_TITLE
  const letters = spellingDistance(
    'title',
    askedTitle.core,
    knownTitle.core,
    MIN_LIKE_TITLE_LETTERS,
  )
  const core = isAnotherWord(askedTitle.core, knownTitle.core)
    ? letters.add('title.short')
    : letters
  if (askedTitle.core.key === askedTitle.whole.key && knownTitle.core.key === knownTitle.whole.key)
    return core
  return core.nearer(
    spellingDistance('title', askedTitle.whole, knownTitle.whole, MIN_LIKE_TITLE_LETTERS),
  )
}

const lettersInOrder = (word: string) => [...word].sort().join('')

/** Dumb is not Numb. */
function isAnotherWord({ squashed: a }: TitlePart, { squashed: b }: TitlePart): boolean {
  return (
    a.length === MIN_LIKE_TITLE_LETTERS &&
    b.length === MIN_LIKE_TITLE_LETTERS &&
    lettersInOrder(a) !== lettersInOrder(b)
  )
}

const OTHER_SONG_TITLE = Distance.of('title.other')

const ANY_LETTER = /\p{L}/u

function hasArticle({ whole, core }: Title): boolean {
  return whole.key.startsWith('the ') && !core.key.startsWith('the ')
}

function additionDistance(askedTitle: Title, knownTitle: Title): Distance {
  const [hasAskedAddition, hasKnownAddition] = [
    askedTitle.core !== askedTitle.base,
    knownTitle.core !== knownTitle.base,
  ]
  // `title.cut` is for an addition that was cut.
  if (hasAskedAddition === hasKnownAddition || askedTitle.isCut) return OTHER_SONG_TITLE
  const distance =
    askedTitle.base.squashed === knownTitle.base.squashed
      ? Distance.none
      : spellingDistance('title', askedTitle.base, knownTitle.base, MIN_LIKE_TITLE_LETTERS)
  return distance.add('title.shorter')
}

function versionDistance(askedTitle: Title, knownTitle: Title): Distance {
  if (askedTitle.kinds !== knownTitle.kinds) return Distance.of('version.other')
  if (askedTitle.whichVersion === knownTitle.whichVersion) return Distance.none
  return Distance.of(
    askedTitle.whichVersion && knownTitle.whichVersion ? 'version.other' : 'version.unsaid',
  )
}

/** A misspelt version, or one without a bracket or dash, is unread. */
function wholeTitleDistance(askedTitle: Title, knownTitle: Title): Distance {
  if (askedTitle.numbers !== knownTitle.numbers) return Distance.of('title.numbers')
  const spelling = spellingDistance(
    'title',
    askedTitle.whole,
    knownTitle.whole,
    MIN_UNREAD_VERSION_LETTERS,
  )
  const isScript = spelling.penalties.some(({ name }) => name === 'title.script')
  return isScript ? OTHER_SONG_TITLE : spelling.add('version.unread')
}

function titleTransliteration(askedTitle: Title, knownTitle: Title): Distance | undefined {
  if (isForeign(askedTitle.whole.key) === isForeign(knownTitle.whole.key)) return undefined
  // Digits in words are letters of Arabic: 3omri.
  if (numbersOfKey(askedTitle.whole.key) !== numbersOfKey(knownTitle.whole.key)) {
    return undefined
  }
  const core = transliterationDistance('title', askedTitle.core.key, knownTitle.core.key)
  if (core) return core
  if ((askedTitle.core !== askedTitle.base) === (knownTitle.core !== knownTitle.base))
    return undefined
  if (hasBothScripts(askedTitle, knownTitle) || hasBothScripts(knownTitle, askedTitle))
    return Distance.of('title.script')
  const base = transliterationDistance('title', askedTitle.base.key, knownTitle.base.key)
  return base?.add('title.shorter')
}

/** 달라달라 (DALLA DALLA). */
function hasBothScripts({ core, base }: Title, otherTitle: Title): boolean {
  return core.squashed === base.squashed + otherTitle.core.squashed
}

const KEY_WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*| /gu
const NUMBER_WORD = /^\p{N}+$/u

function numbersOfKey(key: string): string {
  return key.replace(KEY_WORDS, (word) => (NUMBER_WORD.test(word) ? word : ''))
}

export const MAX_TITLE_SLIPS = 3

/** Between a text and a key, or the beginning of the key. */
export function titleSlips({ squashed: askedText }: TitlePart, key: string): number {
  const title = squashedKey(key.startsWith('the ') ? key.slice(4) : key)
  const slipsInAll = countSlips(askedText, title, MAX_TITLE_SLIPS)
  if (slipsInAll <= MAX_TITLE_SLIPS || title.length <= askedText.length) return slipsInAll
  return countSlips(askedText, title.slice(0, askedText.length), MAX_TITLE_SLIPS)
}
