import { dictionary, memo, singleSpaced } from '../values/text.ts'
import { Distance, WEIGHTS } from './distance.ts'
import { slips, spellingDistance, type Worded } from './likeness.ts'
import { artistKey, nameKey, squashed } from './names.ts'
import { repaired } from './repair-text.ts'
import { transliterationDistance } from './sound-distance.ts'
import { isForeign } from './spellings.ts'

/** What {@link Credit} reads of a credit besides its key. */
interface Rest {
  main: string
  parts: readonly string[]
  words: readonly string[]
  sorted: string
  numbers: string
  inDigits: string
  tribute: boolean
  cut: boolean
}

/** A credit as it is compared. Equal keys need no more than the key, so the rest is read later. */
export class Credit implements Worded {
  readonly key: string
  readonly squashed: string
  readonly #text: string
  #held: Rest | undefined

  constructor(text: string) {
    this.#text = singleSpaced(repaired(text))
    this.key = artistKey(this.#text)
    this.squashed = squashed(this.key)
  }

  /** The key without featured artists. */
  get main(): string {
    return this.#read.main
  }

  /** The keys of the artists, the main artist first and featured ones last. */
  get parts(): readonly string[] {
    return this.#read.parts
  }

  /** The words of the key without articles and "and". */
  get words(): readonly string[] {
    return this.#read.words
  }

  get sorted(): string {
    return this.#read.sorted
  }

  /** The digits of the key: Apollo 440 is not Apollo 100. */
  get numbers(): string {
    return this.#read.numbers
  }

  /** The words with numbers as digits, without spaces. */
  get inDigits(): string {
    return this.#read.inDigits
  }

  /** Whether the artists play songs of others: karaoke, tribute bands. */
  get tribute(): boolean {
    return this.#read.tribute
  }

  /** Whether an old tag (ID3v1) may have cut the text. */
  get cut(): boolean {
    return this.#read.cut
  }

  get #read(): Rest {
    this.#held ??= restOf(this.#text, this.key)
    return this.#held
  }
}

/** The bytes of a text that old tags (ID3v1) keep; fewer if the rest ended in spaces. */
const KEPT = { least: 28, most: 30 } as const

export function mayBeCut(text: string): boolean {
  const fits = (length: number) => length >= KEPT.least && length <= KEPT.most
  return fits(text.length) || (text.length < KEPT.least && fits(Buffer.byteLength(text)))
}

const FEATURING = /(?:^| )(?:feat|ft|featuring)\b\.?(?: with\b)?(?! ?(?:&|and\b)) ?(?=\S)/giu
// Separators of artists. A slash between few letters is a part of a name (AC/DC).
const BETWEEN =
  / ?(?:[,;|&×·•]|(?<= )[+/]|\/(?= )|(?<=\p{L}{3})\/(?=\p{L}{3})|_(?= )|(?<= )(?:and|with|x|vs|versus|meets|presents|pres|duet with|et|und|con|avec|mit)\b\.?(?= )) ?| [ey] /giu
const TRIBUTE =
  /\b(?:tributes?|karaoke|cover (?:band|version|versions|guys|girls)|covers|in the style of|made (?:famous|popular) by|originally performed|lullab(?:y|ies)|sing ?along|backing tracks?|soundalikes?)\b/

/** Parts of credits that name no artist: "Benny Goodman and his orchestra". */
const NOBODY = new Set(
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

/** A text whose guests are announced by the usual word. */
export function withFeaturing(text: string): string {
  return text.replace(SHORT_FEATURING, 'feat. ')
}

export const creditOf: (text: string) => Credit = memo((text) => new Credit(text))

function restOf(text: string, key: string): Rest {
  const [main = '', ...featured] = singleSpaced(withFeaturing(text).replace(/[([)\]]/g, ' ')).split(
    FEATURING,
  )
  const parts: string[] = []
  for (const name of [main, ...featured].flatMap((names) => names.split(BETWEEN))) {
    const part = artistKey(name)
    if (part === '' || parts.includes(part) || (parts.length > 0 && NOBODY.has(part))) continue
    parts.push(part)
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
    tribute: TRIBUTE.test(key),
    cut: mayBeCut(text),
  }
}

/** A cut name with fewer letters is not recognised. */
const CUT_LETTERS = 16
/** Shorter names are never recognised by likeness. */
const SHORT = 3
/** In names up to this length, another letter usually makes another name. */
const FEW = 4

/**
 * The distance of a wanted credit from a known one: 0 for equal keys, small if they share the main
 * artist, larger for misspelt letters. A tribute band is not the artist that it plays.
 */
export function creditDistance(asked: Credit, known: Credit): Distance {
  const whole = artistDistance(asked, known)
  if (whole.sum <= WEIGHTS['artist.guests'] || asked.tribute !== known.tribute) return whole
  return whole.or(byParts(asked, known))
}

/** How far two credits are from naming the same artist, or the same artists. */
export function artistDistance(asked: Credit, known: Credit): Distance {
  if (asked.key === known.key) return Distance.none
  // The article of `TheBeatles` is not a separate word, so the key still has it.
  if (asked.squashed === known.squashed || asked.squashed === `the${known.squashed}`) {
    return Distance.of('artist.spaces')
  }
  if (asked.tribute !== known.tribute) return Distance.of('artist.tribute')
  const transliterated = inOtherScript(asked, known)
  if (transliterated) return transliterated
  if (sameParts(asked, known)) return Distance.of('artist.order')
  if (asked.main === known.main) return Distance.of('artist.guests')
  if (asked.words.length > 1 && asked.sorted === known.sorted) return Distance.of('artist.order')
  if (asked.cut && asked.key.length >= CUT_LETTERS && known.key.startsWith(asked.key)) {
    return Distance.of('artist.cut')
  }
  if (asked.inDigits === known.inDigits) return Distance.of('artist.numerals')
  if (asked.numbers !== known.numbers) return Distance.of('artist.numbers')
  const spelling = spellingDistance('artist', asked, known, SHORT)
  const another = asked.squashed.length <= FEW && asked.squashed.length === known.squashed.length
  return another ? spelling.add('artist.short') : spelling
}

/** The most words of a name that may be in any order. */
const TURNED = 4

/** The distance of names in two scripts; family names come first in some of them. */
function inOtherScript(asked: Credit, known: Credit): Distance | undefined {
  if (isForeign(asked.key) === isForeign(known.key)) return undefined
  const [foreign, latin] = isForeign(asked.key) ? [asked, known] : [known, asked]
  const words = latin.key.split(' ')
  for (let i = 0; i < Math.min(words.length, TURNED); i++) {
    const turned = [...words.slice(i), ...words.slice(0, i)].join(' ')
    const distance = transliterationDistance('artist', foreign.key, turned)
    if (distance) return i === 0 ? distance : distance.add('artist.order')
  }
  return undefined
}

/** The distance of two credits of one classical work, which may name different persons of it. */
export function performerDistance(asked: Credit, known: Credit): Distance | undefined {
  const isOne = asked.parts.some((part) => known.parts.some((other) => isPerson(part, other)))
  return isOne ? Distance.of('artist.performer') : undefined
}

/** The least letters of a family name that may be spelt in two ways. */
const LONG_FAMILY = 9

/** Whether one name is the other, or its family name, with or without initials. */
function isPerson(a: string, b: string): boolean {
  if (a === b) return true
  const [few, many] =
    a.length < b.length ? [a.split(' '), b.split(' ')] : [b.split(' '), a.split(' ')]
  const [family = '', other = ''] = [few.at(-1), many.at(-1)]
  // Rachmaninov is Rachmaninoff.
  const maxSlips = Math.min(family.length, other.length) < LONG_FAMILY ? 0 : 2
  if (slips(family, other, maxSlips) > maxSlips || few.length > many.length) return false
  return few.slice(0, -1).every((word, i) => many[i]?.startsWith(word))
}

function sameParts({ parts: a }: Credit, { parts: b }: Credit): boolean {
  return a.length > 1 && a.length === b.length && a.every((part) => b.includes(part))
}

/**
 * Credits with the same main artist often differ in the others. A different main artist usually
 * means another recording: Drake with Meek Mill is not Meek Mill with Drake.
 */
function byParts(asked: Credit, known: Credit): Distance {
  const [first = ''] = asked.parts
  const [other = ''] = known.parts
  if (first === other || squashed(first) === squashed(other)) return Distance.of('artist.others')
  if (asked.parts.length === 1 && known.parts.length === 1) return Distance.of('artist.other')
  if (asked.numbers !== known.numbers) return Distance.of('artist.numbers')
  const mains =
    transliterationDistance('artist', first, other) ??
    spellingDistance('artist', wordedPart(first), wordedPart(other), SHORT)
  return mains.add('artist.others')
}

function wordedPart(key: string): Worded {
  return { words: key.split(' '), squashed: squashed(key) }
}

// "Little Feat & Friends" features nobody.
const GUESTS = /(?: | ?[([] ?)(?:feat|ft|featuring)\b\.?(?! ?(?:&|and\b)) ?\S/iu

/** An artist's name without the featured artists: `Jay-Z feat. Rihanna` → `Jay-Z`. */
export function primaryName(name: string): string {
  const text = singleSpaced(name)
  const at = text.search(GUESTS)
  return at > 0 ? text.slice(0, at) : name
}

/** Reads a name in sorting order: `Domino, Fats` → `Fats Domino`. */
export function unsorted(name: string): string | undefined {
  const [, last, first] = /^([^,;&/]+),([^,;&/]+)$/.exec(repaired(name)) ?? []
  return last === undefined || first === undefined ? undefined : `${first.trim()} ${last.trim()}`
}

/** Whether the text of an artist field names no artist: `Unknown`, `Various Artists`. */
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
