import { dictionary, memo, singleSpaced } from '../values/text.ts'
import { Distance, PENALTY_WEIGHTS } from './distance.ts'
import { countSlips, spellingDistance, type WordedName } from './likeness.ts'
import { artistKey, nameKey, squashedKey } from './names.ts'
import { repairedText } from './repair-text.ts'
import { transliterationDistance } from './sound-distance.ts'
import { isForeign } from './spellings.ts'

interface CreditReading {
  main: string
  parts: readonly string[]
  words: readonly string[]
  sorted: string
  numbers: string
  inDigits: string
  isTribute: boolean
  isCut: boolean
}

/** A credit as it is compared; most comparisons end at the key, so the rest is read later. */
export class Credit implements WordedName {
  readonly key: string
  readonly squashed: string
  readonly #text: string
  #reading: CreditReading | undefined

  constructor(text: string) {
    this.#text = singleSpaced(repairedText(text))
    this.key = artistKey(this.#text)
    this.squashed = squashedKey(this.key)
  }

  /** The key without featured artists. */
  get main(): string {
    return this.#lazyReading.main
  }

  /** Keys, the main artist first and featured ones last. */
  get parts(): readonly string[] {
    return this.#lazyReading.parts
  }

  /** Without articles and "and". */
  get words(): readonly string[] {
    return this.#lazyReading.words
  }

  get sorted(): string {
    return this.#lazyReading.sorted
  }

  /** Apollo 440 is not Apollo 100. */
  get numbers(): string {
    return this.#lazyReading.numbers
  }

  /** The words with numbers as digits, without spaces. */
  get inDigits(): string {
    return this.#lazyReading.inDigits
  }

  /** Karaoke and tribute bands. */
  get isTribute(): boolean {
    return this.#lazyReading.isTribute
  }

  /** Whether an old tag (ID3v1) may have cut the text. */
  get isCut(): boolean {
    return this.#lazyReading.isCut
  }

  get #lazyReading(): CreditReading {
    this.#reading ??= readCredit(this.#text, this.key)
    return this.#reading
  }
}

/** The bytes of a text that ID3v1 keeps; fewer if the text ended in spaces. */
const CUT_BYTES = { least: 28, most: 30 } as const

export function mayBeCut(text: string): boolean {
  const isCutLength = (length: number) => length >= CUT_BYTES.least && length <= CUT_BYTES.most
  return (
    isCutLength(text.length) ||
    (text.length < CUT_BYTES.least && isCutLength(Buffer.byteLength(text)))
  )
}

const FEATURING_WORD = /(?:^| )(?:feat|ft|featuring)\b\.?(?: with\b)?(?! ?(?:&|and\b)) ?(?=\S)/giu
// A slash between few letters is a part of a name (AC/DC).
const ARTIST_SEPARATOR =
  / ?(?:[,;|&×·•]|(?<= )[+/]|\/(?= )|(?<=\p{L}{3})\/(?=\p{L}{3})|_(?= )|(?<= )(?:and|with|x|vs|versus|meets|presents|pres|duet with|et|und|con|avec|mit)\b\.?(?= )) ?| [ey] /giu
const TRIBUTE =
  /\b(?:tributes?|karaoke|cover (?:band|version|versions|guys|girls)|covers|in the style of|made (?:famous|popular) by|originally performed|lullab(?:y|ies)|sing ?along|backing tracks?|soundalikes?)\b/

/** "Benny Goodman and his orchestra" names one artist. */
const NO_ARTIST_PART = new Set(
  `orchestra,his orchestra,her orchestra,their orchestra,orquesta,su orquesta,sua orquestra,ensemble,
  his ensemble,band,his band,her band,his group,his combo,his trio,his quartet,his quintet,his
  sextet,chorus,his chorus,choir,strings,friends,his friends,her friends,company,co,family,others,
  more,guests,special guests,various artists,cast,original cast`
    .split(',')
    .map((name) => name.replace(/\s+/g, ' ').trim()),
)

const DIGITS = dictionary(
  `one:1 two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ten:10 eleven:11 twelve:12
  twenty:20 thirty:30 forty:40 fifty:50 hundred:100 thousand:1000`,
)

// Smooth f/ Rob Thomas, Numb w/ Jay-Z, Candy Shop f. Olivia.
const SHORT_FEATURING = /(?<=^|[\s([])(?:f\/|w\/(?!o\b)|f\.(?= ?\p{Lu})|(?:feat|ft):) ?(?=\S)/giu

export function withFeaturing(text: string): string {
  return text.replace(SHORT_FEATURING, 'feat. ')
}

export const creditOf: (text: string) => Credit = memo((text) => new Credit(text))

function readCredit(text: string, key: string): CreditReading {
  const [main = '', ...featured] = singleSpaced(withFeaturing(text).replace(/[([)\]]/g, ' ')).split(
    FEATURING_WORD,
  )
  const parts: string[] = []
  for (const name of [main, ...featured].flatMap((names) => names.split(ARTIST_SEPARATOR))) {
    const partKey = artistKey(name)
    if (
      partKey === '' ||
      parts.includes(partKey) ||
      (parts.length > 0 && NO_ARTIST_PART.has(partKey))
    )
      continue
    parts.push(partKey)
  }
  if (parts.length === 0) parts.push(key)
  const words = key.split(' ').filter((word) => word !== 'and' && word !== 'the')
  return {
    main: artistKey(main) || key,
    parts,
    words,
    sorted: [...words].sort().join(' '),
    numbers: /\d/.test(key) ? key.replace(/\D+/g, ' ').trim() : '',
    inDigits: words.map((word) => DIGITS[word] ?? word).join(''),
    isTribute: TRIBUTE.test(key),
    isCut: mayBeCut(text),
  }
}

const MIN_CUT_CREDIT_LETTERS = 16
const MIN_LIKE_CREDIT_LETTERS = 3
/** Another letter in so short a name usually makes another name. */
const SHORT_CREDIT_LETTERS = 4

/** A tribute band is not the artist that it plays. */
export function creditDistance(askedCredit: Credit, knownCredit: Credit): Distance {
  const distance = artistDistance(askedCredit, knownCredit)
  if (
    distance.sum <= PENALTY_WEIGHTS['artist.guests'] ||
    askedCredit.isTribute !== knownCredit.isTribute
  )
    return distance
  return distance.nearer(partsDistance(askedCredit, knownCredit))
}

export function artistDistance(askedCredit: Credit, knownCredit: Credit): Distance {
  if (askedCredit.key === knownCredit.key) return Distance.none
  // The article of `TheBeatles` is not a separate word.
  if (
    askedCredit.squashed === knownCredit.squashed ||
    askedCredit.squashed === `the${knownCredit.squashed}`
  ) {
    return Distance.of('artist.spaces')
  }
  if (askedCredit.isTribute !== knownCredit.isTribute) return Distance.of('artist.tribute')
  const transliterated = creditTransliteration(askedCredit, knownCredit)
  if (transliterated) return transliterated
  if (hasSameParts(askedCredit, knownCredit)) return Distance.of('artist.order')
  if (askedCredit.main === knownCredit.main) return Distance.of('artist.guests')
  if (askedCredit.words.length > 1 && askedCredit.sorted === knownCredit.sorted)
    return Distance.of('artist.order')
  if (
    askedCredit.isCut &&
    askedCredit.key.length >= MIN_CUT_CREDIT_LETTERS &&
    knownCredit.key.startsWith(askedCredit.key)
  ) {
    return Distance.of('artist.cut')
  }
  if (askedCredit.inDigits === knownCredit.inDigits) return Distance.of('artist.numerals')
  if (askedCredit.numbers !== knownCredit.numbers) return Distance.of('artist.numbers')
  const spelling = spellingDistance('artist', askedCredit, knownCredit, MIN_LIKE_CREDIT_LETTERS)
  const isOtherLetter =
    askedCredit.squashed.length <= SHORT_CREDIT_LETTERS &&
    askedCredit.squashed.length === knownCredit.squashed.length
  return isOtherLetter ? spelling.add('artist.short') : spelling
}

const MAX_TURNED_WORDS = 4

function creditTransliteration(askedCredit: Credit, knownCredit: Credit): Distance | undefined {
  if (isForeign(askedCredit.key) === isForeign(knownCredit.key)) return undefined
  const [foreign, latin] = isForeign(askedCredit.key)
    ? [askedCredit, knownCredit]
    : [knownCredit, askedCredit]
  const words = latin.key.split(' ')
  for (let i = 0; i < Math.min(words.length, MAX_TURNED_WORDS); i++) {
    const turnedName = [...words.slice(i), ...words.slice(0, i)].join(' ')
    const distance = transliterationDistance('artist', foreign.key, turnedName)
    if (distance) return i === 0 ? distance : distance.add('artist.order')
  }
  return undefined
}

export function performerDistance(askedCredit: Credit, knownCredit: Credit): Distance | undefined {
  const isSharedPerson = askedCredit.parts.some((askedPart) =>
    knownCredit.parts.some((knownPart) => isPerson(askedPart, knownPart)),
  )
  return isSharedPerson ? Distance.of('artist.performer') : undefined
}

/** A shorter family name is spelt in one way. */
const MIN_VARIED_FAMILY_LETTERS = 9

/** Whether one name is the other, or its family name, with or without initials. */
function isPerson(a: string, b: string): boolean {
  if (a === b) return true
  const [shorterName, longerName] =
    a.length < b.length ? [a.split(' '), b.split(' ')] : [b.split(' '), a.split(' ')]
  const [shorterFamily = '', longerFamily = ''] = [shorterName.at(-1), longerName.at(-1)]
  // Rachmaninov is Rachmaninoff.
  const maxSlips =
    Math.min(shorterFamily.length, longerFamily.length) < MIN_VARIED_FAMILY_LETTERS ? 0 : 2
  if (
    countSlips(shorterFamily, longerFamily, maxSlips) > maxSlips ||
    shorterName.length > longerName.length
  )
    return false
  return shorterName.slice(0, -1).every((word, i) => longerName[i]?.startsWith(word))
}

function hasSameParts({ parts: a }: Credit, { parts: b }: Credit): boolean {
  return a.length > 1 && a.length === b.length && a.every((partKey) => b.includes(partKey))
}

/** Drake with Meek Mill is not Meek Mill with Drake. */
function partsDistance(askedCredit: Credit, knownCredit: Credit): Distance {
  const [askedMain = ''] = askedCredit.parts
  const [knownMain = ''] = knownCredit.parts
  if (askedMain === knownMain || squashedKey(askedMain) === squashedKey(knownMain))
    return Distance.of('artist.others')
  if (askedCredit.parts.length === 1 && knownCredit.parts.length === 1)
    return Distance.of('artist.other')
  if (askedCredit.numbers !== knownCredit.numbers) return Distance.of('artist.numbers')
  const mainDistance =
    transliterationDistance('artist', askedMain, knownMain) ??
    spellingDistance(
      'artist',
      wordedPart(askedMain),
      wordedPart(knownMain),
      MIN_LIKE_CREDIT_LETTERS,
    )
  return mainDistance.add('artist.others')
}

function wordedPart(key: string): WordedName {
  return { words: key.split(' '), squashed: squashedKey(key) }
}

// "Little Feat & Friends" features nobody.
const GUEST_PART = /(?: | ?[([] ?)(?:feat|ft|featuring)\b\.?(?! ?(?:&|and\b)) ?\S/iu

/** `Jay-Z feat. Rihanna` → `Jay-Z`. */
export function primaryName(name: string): string {
  const text = singleSpaced(name)
  const guestStart = text.search(GUEST_PART)
  return guestStart > 0 ? text.slice(0, guestStart) : name
}

/** `Domino, Fats` → `Fats Domino`. */
export function unsortedName(name: string): string | undefined {
  const [, last, first] = /^([^,;&/]+),([^,;&/]+)$/.exec(repairedText(name)) ?? []
  return last === undefined || first === undefined ? undefined : `${first.trim()} ${last.trim()}`
}

/** `Unknown`, `Various Artists`. */
export function isNobody(name: string): boolean {
  return NO_ARTIST.has(nameKey(name).replace(/ \d+$/, ''))
}

const NO_ARTIST = new Set(
  `,unknown,unknown artist,unknown artists,artist,no artist,none,null,undefined,n a,na,various,
  various artists,various artist,va,v a,varios,varios artistas,verschiedene,
  verschiedene interpreten,divers,artistes divers,vari,artisti vari,soundtrack,original soundtrack,
  ost,untitled,desconocido,inconnu,unbekannt,unbekannter kunstler`
    .split(',')
    .map((name) => name.trim()),
)
