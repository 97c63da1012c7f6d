import { memo, wordSet } from '../values/text.ts'
import { countSlips } from './likeness.ts'

/** `(Live at Leeds)` is another song, `- 2011 Remaster` is not. */
type Addition =
  | { says: 'nothing' }
  | { says: 'version'; kinds: readonly string[]; which: readonly string[] }
  | { says: 'more' }

/** Kinds of versions that count as other songs, with patterns of their words. */
const VERSION_KINDS: readonly (readonly [kind: string, tells: string])[] = [
  [
    'karaoke',
    'караоке|минус(?:овка)?|karaoke|backing (?:track|version)|minus one|sing ?along|off vocal|playback',
  ],
  [
    'tribute',
    'кавер|tributes?|in the style of|(?:made|as) (?:famous|popular) by|originally (?:performed|recorded|by)|as performed by|covers?|covered by|lullab(?:y|ies)|rendition|al estilo de',
  ],
  [
    'live',
    'концерт|жив(?:ои|ая)|лаив|lives?|(?:en|ao) vivo|en direct[oe]?|dal vivo|en public|concert|concierto|unplugged|bootleg recording',
  ],
  ['session', 'sessions?|sesion(?:es)?'],
  ['acoustic', 'акустик[аи]|acoustic|acoustique|acustic[oa]|akustik|akustisch|unplugged|stripped'],
  [
    'arranged',
    'orchestral?|orquestal|symphonic|philharmonic|strings?|choir|a ?cap+ell?a|piano|ukulele',
  ],
  ['instrumental', 'инструментал|instrumentals?|instr|inst|strumentale|without vocals?'],
  [
    'draft',
    'демо|demos?|outtakes?|rehearsals?|alternat(?:e|ive)|alt|takes?(?: \\w+)?|early version|work ?tape|rough mix|unreleased version',
  ],
  [
    'speed',
    'sped|slowed|slow(?:ed)? down|speed(?:ed)? up|nightcore|daycore|chopped|screwed|8d|reverb',
  ],
  [
    'mix',
    'ремикс|re ?mix(?:es|ed|ado)?|rmx|mix|mixed|rework(?:ed)?|refix|bootleg|mash ?up|dub|vip|edits?|re ?edit|flip|extended|club|12 inch|megamix|medley',
  ],
  ['again', 're ?record(?:ed|ing)|reprise|revisited|re ?imagined|redux|remake'],
  [
    'piece',
    'intro|outro|interlude|skit|prelude|overture|finale|snippet|excerpt|commentary|trailer|teaser|preview',
  ],
  ['version', 'versions?|versao|versione|vers|ver|cut'],
]
const KIND_PATTERNS = VERSION_KINDS.map(([kind, tells]) => ({
  kind,
  // `\b` knows only ASCII letters.
  one: new RegExp(`(?<![\\p{L}\\p{N}])(?:${tells})(?![\\p{L}\\p{N}])`, 'u'),
  all: new RegExp(`(?<![\\p{L}\\p{N}])(?:${tells})(?![\\p{L}\\p{N}])`, 'gu'),
}))

const MEANINGLESS_WORDS = wordSet(
  `remaster remastered remasters remastering remastert remasterizado remasterizada remasterise
  remasterisee rimasterizzato album lp single radio original explicit clean mono stereo deluxe bonus
  official officiel oficial video videoclip clip audio lyric lyrics visualizer visualiser hd hq 4k
  edition reissue soundtrack ost main digital digitally anniversary expanded amended uncensored
  censored edited dirty standard mv pv uhd mp3 flac lossless letra letras legendado legendada
  subtitulado клип официальныи видеоклип премьера standard commercial promo hidden restored enhanced newly`,
)
/** They say nothing beside the words above. */
const ACCOMPANYING_WORDS = wordSet(
  `version versions versione versao ver vers edit mix track tracks cut the a an of in for from and
  by to on at music musical studio film movie motion picture tv television series ep cd disc disk
  vinyl recording recordings re master masters full length bit hz khz us uk usa international int
  japan japanese european america american germany limited special collection collectors super years
  year th st nd rd rudy van gelder rvg inch release released file hi res dolby atmos quality only
  with new high definition long short vol volume`,
)
const COUNT_WORD = /^\d+(?:s|st|nd|rd|th|k|kbps|bit|khz|p|fps)?$/
const GUEST_ADDITION =
  /^(?:feat|ft|featuring|with|w|(?:a )?duet with|duett? mit|starring|prod|produced|con|avec|mit|x)\b/
/** The first part of a single in two parts is the song itself. */
const FIRST_PART = /^(?:part|parts|pt|pts) (?:1|i|one)(?: (?:and )?(?:2|ii|two))?$/
const ORIGIN_ADDITION =
  /^(?:from|theme from|music from|love theme from|main title from|as heard|taken from|title track)\b/
const REMASTER_WORD = /\bre ?master/
const OTHER_MIX = /\b(?:remix|rmx|extended|dub|club)\b/
/** A year, or the size of a record, makes no other song. */
const YEAR_ADDITION = /^(?:(?:19|20)\d\d|45|7|7 inch)(?: (?:version|mix|edit|release|single|rpm))?$/
const SHORTER_VERSION = /^(?:(?:short )?(?:edit|version)|single)$/

const RESPELT_WORDS = [
  ...MEANINGLESS_WORDS,
  ...wordSet(
    `version acoustic instrumental karaoke tribute session sessions reprise extended remix concert
    orchestral unplugged featuring motion picture interlude`,
  ),
].filter((word) => word.length >= 5)

const respeltWord = memo((word) => {
  if (word.length < 4 || ACCOMPANYING_WORDS.has(word) || RESPELT_WORDS.includes(word)) return word
  return RESPELT_WORDS.find((respelt) => countSlips(word, respelt, 1) <= 1) ?? word
})

export const additionOf: (key: string) => Addition = memo((key) => {
  if (GUEST_ADDITION.test(key) || FIRST_PART.test(key)) return { says: 'nothing' }
  const words = key.split(' ').map(respeltWord)
  const text = words.join(' ')
  if (YEAR_ADDITION.test(text) || SHORTER_VERSION.test(text) || saysNothing(words))
    return { says: 'nothing' }
  const kinds = versionKinds(text)
  // A live version is live.
  const otherKinds = kinds.filter((kind) => kind !== 'version')
  if (
    REMASTER_WORD.test(text) &&
    !OTHER_MIX.test(text) &&
    otherKinds.every((kind) => kind === 'mix')
  ) {
    return { says: 'nothing' }
  }
  if (kinds.length > 0) {
    return {
      says: 'version',
      kinds: otherKinds.length > 0 ? otherKinds : kinds,
      which: versionWords(text),
    }
  }
  return ORIGIN_ADDITION.test(text) ? { says: 'nothing' } : { says: 'more' }
})

function saysNothing(words: readonly string[]): boolean {
  return (
    words.some((word) => MEANINGLESS_WORDS.has(word)) &&
    words.every(
      (word) =>
        MEANINGLESS_WORDS.has(word) || ACCOMPANYING_WORDS.has(word) || COUNT_WORD.test(word),
    )
  )
}

function versionKinds(text: string): string[] {
  return KIND_PATTERNS.filter(({ one: firstPattern }) => firstPattern.test(text)).map(
    ({ kind }) => kind,
  )
}

function versionWords(text: string): string[] {
  let words = text
  for (const { all: allPattern } of KIND_PATTERNS) words = words.replace(allPattern, ' ')
  return words
    .split(' ')
    .filter((word) => word !== '' && !ACCOMPANYING_WORDS.has(word) && !MEANINGLESS_WORDS.has(word))
}

// The same additions without brackets or a dash.
const ADDITION_TAIL =
  /(?:remaster(?:ed|ing)?|version|edition|edit|mix|video|audio|track|\d{4}|remix|rmx|instrumental|karaoke|acoustic|live|demo| by .+|in the style of .+)$/s
const MEANINGLESS_TAIL =
  / (?:(?:digital(?:ly)? )?(?:(?:19|20)\d\d )?(?:digital(?:ly)? )?remaster(?:ed|ing)?(?: version| edition)?(?: (?:19|20)\d\d)?|(?:explicit |original )?(?:album|lp|single|original|mono|stereo|radio) (?:version|edit|mix)|official (?:music |lyric )?(?:video|audio)|bonus track)$/s
const VERSION_TAIL =
  / (?:(?:\w+ )?remix|rmx|instrumental(?: version)?|karaoke(?: version)?|acoustic(?: version)?|live(?: version)?|demo(?: version)?|(?:extended|club|dance|dub) (?:mix|version)|in the style of .+|(?:as )?made (?:famous|popular) by .+|originally performed by .+)$/s

/** Also the kinds of version at the end. */
export function withoutTail(key: string): { core: string; kinds: readonly string[] } {
  if (!ADDITION_TAIL.test(key)) return { core: key, kinds: [] }
  const core = key.replace(MEANINGLESS_TAIL, '')
  const [tail] = VERSION_TAIL.exec(core) ?? []
  const kinds = tail === undefined ? [] : versionKinds(tail).filter((kind) => kind !== 'version')
  return { core, kinds }
}
