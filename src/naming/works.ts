import { dictionary, memo, wordSet } from '../values/text.ts'
import { Distance } from './distance.ts'
import { nameKey } from './names.ts'

/** What the title of a classical work says, whatever its language. */
export interface Work {
  /** Its numbers in lists of works, by the list: `op` → `67`. */
  lists: ReadonlyMap<string, string>
  /** `c minor`; a key without a mode is major. */
  key: string | undefined
  /** The numbers of works and of pieces in them: `No. 5`. */
  numbers: ReadonlySet<string>
  /** The number of the movement. */
  movement: string | undefined
  /** The words, the forms and instruments in English. */
  words: ReadonlySet<string>
  /** The words that name a part of the work: those after the first colon or dash. */
  part: ReadonlySet<string>
  /** The key of the title without numbers in lists. */
  bare: string
}

const FORMS = dictionary(
  `symphony:symphony symphonie:symphony sinfonie:symphony sinfonia:symphony sinfonía:symphony
  concerto:concerto konzert:concerto concert:concerto concierto:concerto concertos:concerto
  sonata:sonata sonate:sonata sonatas:sonata sonaten:sonata sonates:sonata
  quartet:quartet quartett:quartet quatuor:quartet cuarteto:quartet quartetto:quartet
  quintet:quintet quintett:quintet quintette:quintet trio:trio
  suite:suite suiten:suite suites:suite nocturne:nocturne nocturnes:nocturne notturno:nocturne
  prelude:prelude preludes:prelude praludium:prelude preludio:prelude etude:etude etudes:etude etuden:etude
  waltz:waltz waltzes:waltz walzer:waltz valse:waltz valses:waltz mazurka:mazurka mazurkas:mazurka
  polonaise:polonaise polonaisen:polonaise ballade:ballade ballad:ballade scherzo:scherzo
  serenade:serenade serenata:serenade fantasia:fantasia fantasie:fantasia fantaisie:fantasia fantasy:fantasia
  fugue:fugue fuge:fugue fuga:fugue toccata:toccata variations:variations variationen:variations
  dance:dance dances:dance tanz:dance tanze:dance danse:dance danses:dance
  mass:mass messe:mass missa:mass requiem:requiem overture:overture ouverture:overture
  intermezzo:intermezzo intermezzi:intermezzo impromptu:impromptu impromptus:impromptu
  gymnopedie:gymnopedie gymnopedies:gymnopedie gnossienne:gnossienne gnossiennes:gnossienne
  bagatelle:bagatelle bagatelles:bagatelle bagatellen:bagatelle rhapsody:rhapsody rhapsodie:rhapsody`,
)
const INSTRUMENTS = dictionary(
  `piano:piano klavier:piano pianoforte:piano violin:violin violine:violin violon:violin violino:violin
  cello:cello violoncello:cello violoncelle:cello flute:flute flote:flute clarinet:clarinet
  klarinette:clarinet clarinette:clarinet horn:horn oboe:oboe strings:string streich:string string:string
  orchestra:orchestra orchester:orchestra orchestre:orchestra`,
)
/** Klavierkonzert, Streichquartett. */
const JOINED =
  /\b(klavier|violin|cello|floten|klarinetten|horn|streich|orgel|oboen)(?=konzert|sonate|quartett|quintett|trio|suite)/g
const LISTS =
  /\b(opus|op|bwv|kv|k|hwv|rv|d|hob|woo|wwv|sz|bb|th|b|s)\.? ?(\d+[a-z]?|[ivxl]+ ?[:/] ?\d+)\b/g
const LIST_NAMES = dictionary('opus:op kv:k')
const NUMBERED = /(?:\b(?:no|nr|num|numero)\b\.?|[#№]|\bn[°º]) ?(\d+)\b/g

const GERMAN_KEY = /\b(?:in )?([a-h](?:is|es|s)?)[ -](dur|moll)\b/g
const LATIN_KEY =
  /\b(?:en |in )?(do|ut|re|mi|fa|sol|la|si)(?: (diese|diesis|bemol|bemolle))? (majeur|mineur|maggiore|minore|mayor|menor)\b/g
const KEY = /\b(?:in )?([a-g])(?:[ -]?(flat|sharp|♭|♯))?[ -](major|minor)\b/g
const BARE_KEY = /\bin ([a-g])(?:[ -]?(flat|sharp|♭|♯))?(?=$|[ ,:;.)(-])/g
const NOTES = dictionary('do:c ut:c re:d mi:e fa:f sol:g la:a si:b')
const GERMAN_NOTES = dictionary(
  'h:b b:b♭ es:e♭ as:a♭ des:d♭ ges:g♭ ces:c♭ cis:c♯ dis:d♯ fis:f♯ gis:g♯ ais:a♯ eis:e♯',
)
const SIGNS = dictionary('flat:♭ bemol:♭ bemolle:♭ ♭:♭ sharp:♯ diese:♯ diesis:♯ ♯:♯')
const MINOR = /^min|^men|^moll/

const ROMAN = dictionary('i:1 ii:2 iii:3 iv:4 v:5 vi:6 vii:7 viii:8 ix:9 x:10 xi:11 xii:12')
const MOVEMENT = /(?:[:/] *| - *|, *)([ivx]{1,4}|\d{1,2})(?:[.:)]|(?= - |$))/
const PARTS = /:| - |\/ /
const COMPOSER = /^[\p{L}. ]+(?: \/ [\p{L}. ]+)?: +/u
const LITTLE = wordSet(
  `a an and the of for in to from by de du des da di la le les et und e y der die das fur pour per con
  with arr live remastered remaster digital version mvt movement op`,
)

/** Reads the title of a classical work; `undefined` for other titles. */
export const workOf: (title: string) => Work | undefined = (title) => read(title).work

const read = memo((title): { work: Work | undefined } => {
  const lists = new Map<string, string>()
  const numbers = new Set<string>()
  let key: string | undefined
  const noteKey = (note: string, sign: string | undefined, mode: string) => {
    key ??= `${note}${SIGNS[sign ?? ''] ?? ''} ${MINOR.test(mode) ? 'minor' : 'major'}`
    return ' '
  }
  const text = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/_/g, ',')
    .replace(/["“”„«»][^"“”„«»]*["“”„«»]|- ?remaster.*/gs, ' ')
    .replace(JOINED, '$1 ')
    .replace(LISTS, (_, list: string, number: string) => {
      const name = LIST_NAMES[list] ?? list
      if (!lists.has(name)) lists.set(name, number.replace(/ /g, ''))
      return ' '
    })
    .replace(NUMBERED, (_, number: string) => {
      numbers.add(number)
      return ' '
    })
    .replace(GERMAN_KEY, (_, note: string, mode: string) =>
      noteKey(GERMAN_NOTES[note] ?? note, undefined, mode),
    )
    .replace(LATIN_KEY, (_, note: string, sign: string | undefined, mode: string) =>
      noteKey(NOTES[note] ?? note, sign, mode),
    )
    .replace(KEY, (_, note: string, sign: string | undefined, mode: string) =>
      noteKey(note, sign, mode),
    )
    .replace(BARE_KEY, (_, note: string, sign: string | undefined) => noteKey(note, sign, ''))
  const named = text.replace(COMPOSER, (prefix) => (hasForm(prefix) ? prefix : ''))
  const [, numeral] = MOVEMENT.exec(named) ?? []
  const movement = numeral === undefined ? undefined : (ROMAN[numeral] ?? numeral)
  const parts = named.split(PARTS).map((part) => wordsIn(part))
  const words = new Set(parts.flat())
  const isWork = lists.size > 0 || (hasForm(named) && (key !== undefined || numbers.size > 0))
  if (!isWork) return { work: undefined }
  const part = new Set(parts.slice(1).flat())
  return { work: { lists, key, numbers, movement, words, part, bare: nameKey(named) } }
})

function wordsIn(text: string): string[] {
  return nameKey(text)
    .split(' ')
    .map((word) => FORMS[word] ?? INSTRUMENTS[word] ?? word)
    .filter(
      (word) => word.length > 1 && !LITTLE.has(word) && !(word in ROMAN) && !/^\d+$/.test(word),
    )
}

function hasForm(text: string): boolean {
  return nameKey(text)
    .split(' ')
    .some((word) => word in FORMS)
}

/** The least share of words that two titles of one work have in common. */
const SHARED = { part: 0.5, whole: 0.6 } as const

/** The distance of two works; `undefined` when they are not certainly one. */
export function workDistance(a: Work, b: Work): Distance | undefined {
  if (a.key !== undefined && b.key !== undefined && a.key !== b.key) return undefined
  const common = [...a.lists].filter(([list]) => b.lists.has(list))
  if (common.some(([list, number]) => b.lists.get(list) !== number)) return undefined
  if (![...a.words].some((word) => b.words.has(word)) && a.words.size * b.words.size > 0) {
    return undefined
  }
  if (a.numbers.size > 0 && b.numbers.size > 0 && !within(a.numbers, b.numbers)) return undefined
  const sameNumbers = a.numbers.size > 0 && a.numbers.size === b.numbers.size
  const sameKey = a.key !== undefined && b.key !== undefined
  if (common.length === 0 && !(sameNumbers && (sameKey || share(a.words, b.words) === 1))) {
    return undefined
  }
  return sameMovement(a, b) ? Distance.of('title.work') : undefined
}

function sameMovement(a: Work, b: Work): boolean {
  if (a.movement !== undefined && b.movement !== undefined) {
    if (a.movement !== b.movement) return false
    return a.part.size === 0 || b.part.size === 0 || share(a.part, b.part) > 0
  }
  if (a.part.size > 0 && b.part.size > 0) return share(a.part, b.part) >= SHARED.part
  if (a.part.size > 0) return share(a.part, b.words) === 1
  if (b.part.size > 0) return share(b.part, a.words) === 1
  return a.movement === b.movement && share(a.words, b.words) >= SHARED.whole
}

function within(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a]
  return [...few].every((one) => many.has(one))
}

/** The share of the words of the shorter name that both have. */
function share(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length
  return Math.min(a.size, b.size) === 0 ? 1 : common / Math.min(a.size, b.size)
}
