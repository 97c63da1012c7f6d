import { memo, wordSet } from '../values/text.ts'
import { slips } from './likeness.ts'

/**
 * The meaning of an addition to a title, such as `(Live at Leeds)` or `- 2011 Remaster`: nothing
 * about the song; another version, which is another song; or more of the title.
 */
type Addition =
  | { says: 'nothing' }
  | { says: 'version'; kinds: readonly string[]; which: readonly string[] }
  | { says: 'more' }

/** The kinds of versions that count as other songs, and the patterns of the words for them. */
const KINDS: readonly (readonly [kind: string, tells: string])[] = [
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
const TELLING = KINDS.map(([kind, tells]) => ({
  kind,
  // Whole words, also those that are not of ASCII letters.
  one: new RegExp(`(?<![\\p{L}\\p{N}])(?:${tells})(?![\\p{L}\\p{N}])`, 'u'),
  all: new RegExp(`(?<![\\p{L}\\p{N}])(?:${tells})(?![\\p{L}\\p{N}])`, 'gu'),
}))

/** Words that alone say nothing about the song … */
const STRONG = wordSet(
  `remaster remastered remasters remastering remastert remasterizado remasterizada remasterise
  remasterisee rimasterizzato album lp single radio original explicit clean mono stereo deluxe bonus
  official officiel oficial video videoclip clip audio lyric lyrics visualizer visualiser hd hq 4k
  edition reissue soundtrack ost main digital digitally anniversary expanded amended uncensored
  censored edited dirty standard mv pv uhd mp3 flac lossless letra letras legendado legendada
  subtitulado клип официальныи видеоклип премьера standard commercial promo hidden restored enhanced newly`,
)
/** … and words that say nothing beside them. */
const WEAK = wordSet(
  `version versions versione versao ver vers edit mix track tracks cut the a an of in for from and
  by to on at music musical studio film movie motion picture tv television series ep cd disc disk
  vinyl recording recordings re master masters full length bit hz khz us uk usa international int
  japan japanese european america american germany limited special collection collectors super years
  year th st nd rd rudy van gelder rvg inch release released file hi res dolby atmos quality only
  with new high definition long short vol volume`,
)
const COUNT = /^\d+(?:s|st|nd|rd|th|k|kbps|bit|khz|p|fps)?$/
const GUESTS =
  /^(?:feat|ft|featuring|with|w|(?:a )?duet with|duett? mit|starring|prod|produced|con|avec|mit|x)\b/
/** The first part of a single in two parts is the song itself; `title.ts` reads all other parts. */
const FIRST_PART = /^(?:part|parts|pt|pts) (?:1|i|one)(?: (?:and )?(?:2|ii|two))?$/
const ORIGIN =
  /^(?:from|theme from|music from|love theme from|main title from|as heard|taken from|title track)\b/
const REMASTER = /\bre ?master/
/** Mixes that are other versions. */
const OTHER_MIX = /\b(?:remix|rmx|extended|dub|club)\b/
/** A year, or the size of a record, does not make another song. */
const YEAR = /^(?:(?:19|20)\d\d|45|7|7 inch)(?: (?:version|mix|edit|release|single|rpm))?$/
const SHORTER = /^(?:(?:short )?(?:edit|version)|single)$/

const KNOWN = [
  ...STRONG,
  ...wordSet(
    `version acoustic instrumental karaoke tribute session sessions reprise extended remix concert
    orchestral unplugged featuring motion picture interlude`,
  ),
].filter((word) => word.length >= 5)

const spelt = memo((word) => {
  if (word.length < 4 || WEAK.has(word) || KNOWN.includes(word)) return word
  return KNOWN.find((known) => slips(word, known, 1) <= 1) ?? word
})

export const additionOf: (key: string) => Addition = memo((key) => {
  if (GUESTS.test(key) || FIRST_PART.test(key)) return { says: 'nothing' }
  const each = key.split(' ').map(spelt)
  const text = each.join(' ')
  if (YEAR.test(text) || SHORTER.test(text) || saysNothing(each)) return { says: 'nothing' }
  const kinds = kindsIn(text)
  // "Version" is a kind only without another kind: a live version is live.
  const real = kinds.filter((kind) => kind !== 'version')
  if (REMASTER.test(text) && !OTHER_MIX.test(text) && real.every((kind) => kind === 'mix')) {
    return { says: 'nothing' }
  }
  if (kinds.length > 0) {
    return { says: 'version', kinds: real.length > 0 ? real : kinds, which: whichIn(text) }
  }
  return ORIGIN.test(text) ? { says: 'nothing' } : { says: 'more' }
})

function saysNothing(each: readonly string[]): boolean {
  return (
    each.some((word) => STRONG.has(word)) &&
    each.every((word) => STRONG.has(word) || WEAK.has(word) || COUNT.test(word))
  )
}

function kindsIn(text: string): string[] {
  return TELLING.filter(({ one }) => one.test(text)).map(({ kind }) => kind)
}

/** The words that do not name the kind: the remixer, the place. */
function whichIn(text: string): string[] {
  let rest = text
  for (const { all } of TELLING) rest = rest.replace(all, ' ')
  return rest.split(' ').filter((word) => word !== '' && !WEAK.has(word) && !STRONG.has(word))
}

// The same additions at the end of a title, without brackets or a dash.
const TAIL =
  /(?:remaster(?:ed|ing)?|version|edition|edit|mix|video|audio|track|\d{4}|remix|rmx|instrumental|karaoke|acoustic|live|demo| by .+|in the style of .+)$/s
const TAIL_NOTHING =
  / (?:(?:digital(?:ly)? )?(?:(?:19|20)\d\d )?(?:digital(?:ly)? )?remaster(?:ed|ing)?(?: version| edition)?(?: (?:19|20)\d\d)?|(?:explicit |original )?(?:album|lp|single|original|mono|stereo|radio) (?:version|edit|mix)|official (?:music |lyric )?(?:video|audio)|bonus track)$/s
const TAIL_VERSION =
  / (?:(?:\w+ )?remix|rmx|instrumental(?: version)?|karaoke(?: version)?|acoustic(?: version)?|live(?: version)?|demo(?: version)?|(?:extended|club|dance|dub) (?:mix|version)|in the style of .+|(?:as )?made (?:famous|popular) by .+|originally performed by .+)$/s

/** The key of a title without meaningless additions at its end, and the kinds of version there. */
export function withoutTail(key: string): { core: string; kinds: readonly string[] } {
  if (!TAIL.test(key)) return { core: key, kinds: [] }
  const core = key.replace(TAIL_NOTHING, '')
  const [tail] = TAIL_VERSION.exec(core) ?? []
  const kinds = tail === undefined ? [] : kindsIn(tail).filter((kind) => kind !== 'version')
  return { core, kinds }
}
