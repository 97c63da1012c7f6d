import { dictionary, memo, wordSet } from '../values/text.ts'
import { Distance } from './distance.ts'
import { nameKey } from './names.ts'

/** The same in all languages. */
export interface Work {
  /** `op` → `67`. */
  lists: ReadonlyMap<string, string>
  /** `c minor`; without a mode it is major. */
  key: string | undefined
  /** `No. 5`. */
  numbers: ReadonlySet<string>
  movement: string | undefined
  /** Forms and instruments in English. */
  words: ReadonlySet<string>
  /** Those after the first colon or dash. */
  part: ReadonlySet<string>
  /** The key of the title without numbers in lists. */
  bare: string
}

const WORK_FORMS = dictionary(
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
const JOINED_INSTRUMENT =
  /\b(klavier|violin|cello|floten|klarinetten|horn|streich|orgel|oboen)(?=konzert|sonate|quartett|quintett|trio|suite)/g
const LIST_NUMBERS =
  /\b(opus|op|bwv|kv|k|hwv|rv|d|hob|woo|wwv|sz|bb|th|b|s)\.? ?(\d+[a-z]?|[ivxl]+ ?[:/] ?\d+)\b/g
const LIST_NAMES = dictionary('opus:op kv:k')
const NUMBERED_WORK = /(?:\b(?:no|nr|num|numero)\b\.?|[#№]|\bn[°º]) ?(\d+)\b/g

const GERMAN_KEY = /\b(?:in )?([a-h](?:is|es|s)?)[ -](dur|moll)\b/g
const LATIN_KEY =
  /\b(?:en |in )?(do|ut|re|mi|fa|sol|la|si)(?: (diese|diesis|bemol|bemolle))? (majeur|mineur|maggiore|minore|mayor|menor)\b/g
const ENGLISH_KEY = /\b(?:in )?([a-g])(?:[ -]?(flat|sharp|♭|♯))?[ -](major|minor)\b/g
const BARE_KEY = /\bin ([a-g])(?:[ -]?(flat|sharp|♭|♯))?(?=$|[ ,:;.)(-])/g
const LATIN_NOTES = dictionary('do:c ut:c re:d mi:e fa:f sol:g la:a si:b')
const GERMAN_NOTES = dictionary(
  'h:b b:b♭ es:e♭ as:a♭ des:d♭ ges:g♭ ces:c♭ cis:c♯ dis:d♯ fis:f♯ gis:g♯ ais:a♯ eis:e♯',
)
const KEY_SIGNS = dictionary('flat:♭ bemol:♭ bemolle:♭ ♭:♭ sharp:♯ diese:♯ diesis:♯ ♯:♯')
const MINOR_MODE = /^min|^men|^moll/

const MOVEMENT_NUMERALS = dictionary(
  'i:1 ii:2 iii:3 iv:4 v:5 vi:6 vii:7 viii:8 ix:9 x:10 xi:11 xii:12',
)
const MOVEMENT_NUMBER = /(?:[:/] *| - *|, *)([ivx]{1,4}|\d{1,2})(?:[.:)]|(?= - |$))/
const PART_SEPARATOR = /:| - |\/ /
const COMPOSER_PREFIX = /^[\p{L}. ]+(?: \/ [\p{L}. ]+)?: +/u
const LITTLE_WORK_WORDS = wordSet(
  `a an and the of for in to from by de du des da di la le les et und e y der die das fur pour per con
  with arr live remastered remaster digital version mvt movement op`,
)

/** `undefined` for other titles. */
export const workOf: (title: string) => Work | undefined = (title) => readWork(title).work

const readWork = memo((title): { work: Work | undefined } => {
  const lists = new Map<string, string>()
  const numbers = new Set<string>()
  let key: string | undefined
  const noteKey = (note: string, sign: string | undefined, mode: string) => {
    key ??= `${note}${KEY_SIGNS[sign ?? ''] ?? ''} ${MINOR_MODE.test(mode) ? 'minor' : 'major'}`
    return ' '
  }
  const text = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/_/g, ',')
    .replace(/["“”„«»][^"“”„«»]*["“”„«»]|- ?remaster.*/gs, ' ')
    .replace(JOINED_INSTRUMENT, '$1 ')
    .replace(LIST_NUMBERS, (_, list: string, number: string) => {
      const name = LIST_NAMES[list] ?? list
      if (!lists.has(name)) lists.set(name, number.replace(/ /g, ''))
      return ' '
    })
    .replace(NUMBERED_WORK, (_, number: string) => {
      numbers.add(number)
      return ' '
    })
    .replace(GERMAN_KEY, (_, note: string, mode: string) =>
      noteKey(GERMAN_NOTES[note] ?? note, undefined, mode),
    )
    .replace(LATIN_KEY, (_, note: string, sign: string | undefined, mode: string) =>
      noteKey(LATIN_NOTES[note] ?? note, sign, mode),
    )
    .replace(ENGLISH_KEY, (_, note: string, sign: string | undefined, mode: string) =>
      noteKey(note, sign, mode),
    )
    .replace(BARE_KEY, (_, note: string, sign: string | undefined) => noteKey(note, sign, ''))
  const workText = text.replace(COMPOSER_PREFIX, (prefix) => (hasForm(prefix) ? prefix : ''))
  const [, numeral] = MOVEMENT_NUMBER.exec(workText) ?? []
  const movement = numeral === undefined ? undefined : (MOVEMENT_NUMERALS[numeral] ?? numeral)
  const parts = workText.split(PART_SEPARATOR).map((part) => wordsOfWork(part))
  const words = new Set(parts.flat())
  const isWork = lists.size > 0 || (hasForm(workText) && (key !== undefined || numbers.size > 0))
  if (!isWork) return { work: undefined }
  const part = new Set(parts.slice(1).flat())
  return { work: { lists, key, numbers, movement, words, part, bare: nameKey(workText) } }
})

function wordsOfWork(text: string): string[] {
  return nameKey(text)
    .split(' ')
    .map((word) => WORK_FORMS[word] ?? INSTRUMENTS[word] ?? word)
    .filter(
      (word) =>
        word.length > 1 &&
        !LITTLE_WORK_WORDS.has(word) &&
        !(word in MOVEMENT_NUMERALS) &&
        !/^\d+$/.test(word),
    )
}

function hasForm(text: string): boolean {
  return nameKey(text)
    .split(' ')
    .some((word) => word in WORK_FORMS)
}

const MIN_SHARED_WORDS = { part: 0.5, whole: 0.6 } as const

/** `undefined` when they are not certainly one. */
export function workDistance(a: Work, b: Work): Distance | undefined {
  if (a.key !== undefined && b.key !== undefined && a.key !== b.key) return undefined
  const commonLists = [...a.lists].filter(([list]) => b.lists.has(list))
  if (commonLists.some(([list, number]) => b.lists.get(list) !== number)) return undefined
  if (![...a.words].some((word) => b.words.has(word)) && a.words.size * b.words.size > 0) {
    return undefined
  }
  if (a.numbers.size > 0 && b.numbers.size > 0 && !isSubset(a.numbers, b.numbers)) return undefined
  const hasSameNumbers = a.numbers.size > 0 && a.numbers.size === b.numbers.size
  const hasKeys = a.key !== undefined && b.key !== undefined
  if (
    commonLists.length === 0 &&
    !(hasSameNumbers && (hasKeys || sharedWordShare(a.words, b.words) === 1))
  ) {
    return undefined
  }
  return isSameMovement(a, b) ? Distance.of('title.work') : undefined
}

function isSameMovement(a: Work, b: Work): boolean {
  if (a.movement !== undefined && b.movement !== undefined) {
    if (a.movement !== b.movement) return false
    return a.part.size === 0 || b.part.size === 0 || sharedWordShare(a.part, b.part) > 0
  }
  if (a.part.size > 0 && b.part.size > 0)
    return sharedWordShare(a.part, b.part) >= MIN_SHARED_WORDS.part
  if (a.part.size > 0) return sharedWordShare(a.part, b.words) === 1
  if (b.part.size > 0) return sharedWordShare(b.part, a.words) === 1
  return a.movement === b.movement && sharedWordShare(a.words, b.words) >= MIN_SHARED_WORDS.whole
}

function isSubset(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [smaller, larger] = a.size < b.size ? [a, b] : [b, a]
  return [...smaller].every((item) => larger.has(item))
}

/** Of the shorter name. */
function sharedWordShare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const commonCount = [...a].filter((word) => b.has(word)).length
  return Math.min(a.size, b.size) === 0 ? 1 : commonCount / Math.min(a.size, b.size)
}
