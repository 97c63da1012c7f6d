import { dictionary, memo, singleSpaced } from '../values/text.ts'
import { mayBeCut, primaryName, withFeaturing } from './credit.ts'
import type { WordedName } from './likeness.ts'
import { nameKey, squashedKey } from './names.ts'
import { repairedText } from './repair-text.ts'
import { additionOf, withoutTail } from './version-words.ts'
import { type Work, workOf } from './works.ts'

export interface TitlePart extends WordedName {
  /** Its words have one spelling for each numeral. */
  key: string
}

interface TitleReading {
  core: TitlePart
  base: TitlePart
  kinds: string
  whichVersion: string
  numbers: string
  isCut: boolean
}

/** A title as it is compared; most comparisons end at the key, so the rest is read later. */
export class Title {
  readonly whole: TitlePart
  /** It ends with an opening bracket or a dash. */
  readonly isOpen: boolean
  readonly #text: string
  #reading: TitleReading | undefined

  constructor(text: string) {
    this.#text = singleSpaced(repairedText(text))
    const key = nameKey(this.#text)
    this.whole = { key, words: key.split(' '), squashed: squashedKey(key) }
    this.isOpen = OPEN_END.test(this.#text) && mayBeCut(this.#text)
  }

  /** Without versions, guests, remasters and a leading article. */
  get core(): TitlePart {
    return this.#lazyReading.core
  }

  /** Also without additions in brackets or after a dash. */
  get base(): TitlePart {
    return this.#lazyReading.base
  }

  get kinds(): string {
    return this.#lazyReading.kinds
  }

  /** Words that distinguish versions of one kind: the remixer, the place. */
  get whichVersion(): string {
    return this.#lazyReading.whichVersion
  }

  get numbers(): string {
    return this.#lazyReading.numbers
  }

  /** Whether ID3v1 may have cut it. */
  get isCut(): boolean {
    return this.#lazyReading.isCut
  }

  /** A classical work. */
  get work(): Work | undefined {
    return workOf(this.#text)
  }

  get #lazyReading(): TitleReading {
    this.#reading ??= readTitle(withFeaturing(this.#text), this.whole.key)
    return this.#reading
  }
}

const OPENING_BRACKET = /[([{（【]/
const BRACKETED_PART = /[([{（【]([^()[\]{}（）【】]*)(?:[)\]}）】]|$)/g
const SPACED_DASH = / [-–—―‐|~]+ /
const GUEST_WORD = /feat|ft/i
const OPEN_END = /[([{-]$/

export const titleOf: (text: string) => Title = memo((text) => new Title(text))

function readTitle(text: string, key: string): TitleReading {
  const { core, base, kinds, whichVersion, counted } = titleParts(text, key)
  const corePart = titlePartOf(core)
  return {
    core: corePart,
    base: base === core ? corePart : titlePartOf(base),
    kinds: [...kinds].sort().join(' '),
    whichVersion: [...whichVersion].sort().join(' '),
    numbers: titleNumbers([base, ...counted]),
    isCut: mayBeCut(text),
  }
}

export function coreKey(text: string): string {
  const repaired = withFeaturing(singleSpaced(repairedText(text)))
  return titleParts(repaired, nameKey(repaired)).core
}

function titleParts(text: string, key: string): TitleParts {
  const isDecorated = OPENING_BRACKET.test(text) || SPACED_DASH.test(text) || GUEST_WORD.test(text)
  return isDecorated ? decoratedTitleParts(text, key) : plainTitleParts(key)
}

interface TitleParts {
  core: string
  base: string
  kinds: Iterable<string>
  whichVersion: Iterable<string>
  /** Additions that number the part. */
  counted: readonly string[]
}

function plainTitleParts(key: string): TitleParts {
  const { core, kinds } = withoutTail(key)
  return { core, base: core, kinds, whichVersion: [], counted: [] }
}

function decoratedTitleParts(text: string, key: string): TitleParts {
  const kinds = new Set<string>()
  const whichVersion = new Set<string>()
  const counted: string[] = []
  const addsMeaning = (addition: string): boolean => {
    const meaning = additionOf(addition)
    if (meaning.says === 'more' && NUMBERING_ADDITION.test(addition)) counted.push(addition)
    if (meaning.says === 'version') {
      for (const kind of meaning.kinds) kinds.add(kind)
      for (const word of meaning.which) whichVersion.add(word)
    }
    return meaning.says === 'more'
  }
  let keptText = text
  let bareText = text
  // From the inside out; additions that stay get other brackets.
  for (let depth = 0; depth < 3 && OPENING_BRACKET.test(keptText); depth++) {
    bareText = bareText.replace(BRACKETED_PART, ' ')
    keptText = keptText.replace(BRACKETED_PART, (_, inside: string) =>
      addsMeaning(nameKey(inside)) ? ` ‹${inside}› ` : ' ',
    )
  }
  const [mainText = '', ...segments] = keptText.split(SPACED_DASH)
  const [bareMainText = ''] = bareText.split(SPACED_DASH)
  const additions = segments
    .map((segment) => nameKey(primaryName(segment)))
    .filter((addition) => addition !== '' && addsMeaning(addition))
  const main = withoutTail(nameKey(primaryName(mainText)))
  for (const kind of main.kinds) kinds.add(kind)
  // "(Live)" alone stays whole.
  const core = [main.core, ...additions].filter((name) => name !== '').join(' ') || key
  const base = withoutTail(nameKey(primaryName(bareMainText))).core || core
  return { core, base, kinds, whichVersion, counted }
}

function titlePartOf(key: string): TitlePart {
  const bareKey = key.startsWith('the ') && key.length > 4 ? key.slice(4) : key
  const words = bareKey.split(' ')
  const speltWords = words.map((word, i) => numeralAt(words, i) ?? PART_WORDS[word] ?? word)
  return { key: bareKey, words: speltWords, squashed: speltWords.join('') }
}

const PART_WORDS = dictionary('pt:part pts:parts vol:volume nr:no mvt:movement')

const ROMAN_NUMERALS = 'ii:2 iii:3 iv:4 vi:6 vii:7 viii:8 ix:9 xi:11 xii:12 xiii:13 xiv:14'
const END_NUMERALS = dictionary(ROMAN_NUMERALS)
const PART_NUMERALS = dictionary(`${ROMAN_NUMERALS} i:1 v:5 x:10 one:1 two:2 three:3 four:4 five:5`)
const NUMBERED_WORDS = new Set(
  'part pt parts pts vol volume no nr op chapter act book episode mvt movement side'.split(' '),
)
const NUMBERING_ADDITION =
  /^(?:(?:part|pt|parts|pts|vol|volume|no|nr|op|chapter|act|book|episode|side)\b|\d+$|[ivx]+$)/

function numeralAt(words: readonly string[], i: number): string | undefined {
  const word = words[i] ?? ''
  if (NUMBERED_WORDS.has(words[i - 1] ?? '')) return PART_NUMERALS[word]
  return i > 0 && i === words.length - 1 ? END_NUMERALS[word] : undefined
}

/** A longer word with digits may be misspelt; a shorter one names a part, like `102c`. */
const LONG_NUMBER = 5

/** `symphony no 5 pt ii` has `5 2`. */
function titleNumbers(keys: readonly string[]): string {
  const numbers: string[] = []
  for (const key of keys) {
    const words = key.split(' ')
    for (const [i, word] of words.entries()) {
      const numeral = numeralAt(words, i)
      if (numeral !== undefined) numbers.push(numeral)
      else if (/\d/.test(word)) {
        numbers.push(
          word.length > LONG_NUMBER ? word.replace(/\D/g, '') : word.replace(/^0+(?=.)/, ''),
        )
      }
    }
  }
  return numbers.join(' ')
}
