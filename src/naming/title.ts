import { dictionary, memo, singleSpaced } from '../values/text.ts'
import { mayBeCut, primaryName, withFeaturing } from './credit.ts'
import type { Worded } from './likeness.ts'
import { nameKey, squashed } from './names.ts'
import { repaired } from './repair-text.ts'
import { additionOf, withoutTail } from './version-words.ts'
import { type Work, workOf } from './works.ts'

export interface Part extends Worded {
  /** Its {@link nameKey}. Its words have one spelling for each numeral. */
  key: string
}

/** What {@link Title} reads of a title besides its key. */
interface Rest {
  core: Part
  base: Part
  kinds: string
  which: string
  numbers: string
  cut: boolean
}

/** A title as it is compared. Equal keys need no more than the key, so the rest is read later. */
export class Title {
  readonly whole: Part
  /** Whether it certainly was cut: it ends with an opening bracket or a dash. */
  readonly open: boolean
  readonly #text: string
  #held: Rest | undefined

  constructor(text: string) {
    this.#text = singleSpaced(repaired(text))
    const key = nameKey(this.#text)
    this.whole = { key, words: key.split(' '), squashed: squashed(key) }
    this.open = OPEN.test(this.#text) && mayBeCut(this.#text)
  }

  /** Without versions, guests, remasters and a leading article; other additions stay. */
  get core(): Part {
    return this.#read.core
  }

  /** The core without additions in brackets or after a dash. */
  get base(): Part {
    return this.#read.base
  }

  /** The kinds of version, in alphabetical order. */
  get kinds(): string {
    return this.#read.kinds
  }

  /** The words that distinguish versions of one kind, in alphabetical order: the remixer, the place. */
  get which(): string {
    return this.#read.which
  }

  /** The numbers that distinguish parts, in order. */
  get numbers(): string {
    return this.#read.numbers
  }

  /** Whether an old tag may have cut it. */
  get cut(): boolean {
    return this.#read.cut
  }

  /** The classical work that it names. */
  get work(): Work | undefined {
    return workOf(this.#text)
  }

  get #read(): Rest {
    this.#held ??= restOf(withFeaturing(this.#text), this.whole.key)
    return this.#held
  }
}

const BRACKET = /[([{（【]/
const BRACKETED = /[([{（【]([^()[\]{}（）【】]*)(?:[)\]}）】]|$)/g
const DASH = / [-–—―‐|~]+ /
const FEATURING = /feat|ft/i
const OPEN = /[([{-]$/

export const titleOf: (text: string) => Title = memo((text) => new Title(text))

function restOf(text: string, key: string): Rest {
  const { core, base, kinds, which, counted } = partsOf(text, key)
  const corePart = partOf(core)
  return {
    core: corePart,
    base: base === core ? corePart : partOf(base),
    kinds: [...kinds].sort().join(' '),
    which: [...which].sort().join(' '),
    numbers: numbersIn([base, ...counted]),
    cut: mayBeCut(text),
  }
}

/** The key of {@link Title.core}, with its article and with its numerals as they are written. */
export function coreKey(text: string): string {
  const whole = withFeaturing(singleSpaced(repaired(text)))
  return partsOf(whole, nameKey(whole)).core
}

function partsOf(text: string, key: string): Parts {
  const more = BRACKET.test(text) || DASH.test(text) || FEATURING.test(text)
  return more ? decorated(text, key) : plain(key)
}

interface Parts {
  core: string
  base: string
  kinds: Iterable<string>
  which: Iterable<string>
  /** Additions that number the part. */
  counted: readonly string[]
}

function plain(key: string): Parts {
  const { core, kinds } = withoutTail(key)
  return { core, base: core, kinds, which: [], counted: [] }
}

function decorated(text: string, key: string): Parts {
  const kinds = new Set<string>()
  const which = new Set<string>()
  const counted: string[] = []
  const isMore = (addition: string): boolean => {
    const read = additionOf(addition)
    if (read.says === 'more' && COUNTING.test(addition)) counted.push(addition)
    if (read.says === 'version') {
      for (const kind of read.kinds) kinds.add(kind)
      for (const word of read.which) which.add(word)
    }
    return read.says === 'more'
  }
  let kept = text
  let bare = text
  // From the inside out. Additions that stay get other brackets, so that they are not found again.
  for (let depth = 0; depth < 3 && BRACKET.test(kept); depth++) {
    bare = bare.replace(BRACKETED, ' ')
    kept = kept.replace(BRACKETED, (_, inside: string) =>
      isMore(nameKey(inside)) ? ` ‹${inside}› ` : ' ',
    )
  }
  const [first = '', ...segments] = kept.split(DASH)
  const [bareFirst = ''] = bare.split(DASH)
  const added = segments
    .map((one) => nameKey(primaryName(one)))
    .filter((one) => one !== '' && isMore(one))
  const main = withoutTail(nameKey(primaryName(first)))
  for (const kind of main.kinds) kinds.add(kind)
  // A title that is only "(Live)" or "- Live" stays whole.
  const core = [main.core, ...added].filter((one) => one !== '').join(' ') || key
  const base = withoutTail(nameKey(primaryName(bareFirst))).core || core
  return { core, base, kinds, which, counted }
}

function partOf(key: string): Part {
  const bare = key.startsWith('the ') && key.length > 4 ? key.slice(4) : key
  const words = bare.split(' ')
  const spelt = words.map((word, i) => numeralAt(words, i) ?? SPELT[word] ?? word)
  return { key: bare, words: spelt, squashed: spelt.join('') }
}

/** Words that number parts, in one spelling. */
const SPELT = dictionary('pt:part pts:parts vol:volume nr:no mvt:movement')

const ROMAN = 'ii:2 iii:3 iv:4 vi:6 vii:7 viii:8 ix:9 xi:11 xii:12 xiii:13 xiv:14'
/** Numerals that are numbers at the end of a title. */
const NUMERALS = dictionary(ROMAN)
/** Numerals that are numbers after a word such as `part`. */
const COUNTS = dictionary(`${ROMAN} i:1 v:5 x:10 one:1 two:2 three:3 four:4 five:5`)
const COUNTED = new Set(
  'part pt parts pts vol volume no nr op chapter act book episode mvt movement side'.split(' '),
)
const COUNTING =
  /^(?:(?:part|pt|parts|pts|vol|volume|no|nr|op|chapter|act|book|episode|side)\b|\d+$|[ivx]+$)/

function numeralAt(words: readonly string[], i: number): string | undefined {
  const word = words[i] ?? ''
  if (COUNTED.has(words[i - 1] ?? '')) return COUNTS[word]
  return i > 0 && i === words.length - 1 ? NUMERALS[word] : undefined
}

/** A longer word with digits may be misspelt; a shorter one names a part, like `102c`. */
const LONG_NUMBER = 5

/**
 * The numbers of a title: `symphony no 5 pt ii` has `5 2`. Numerals count after a word for parts,
 * or at the end.
 */
function numbersIn(keys: readonly string[]): string {
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
