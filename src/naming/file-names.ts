import { decodeEscaped, singleSpaced } from '../values/text.ts'
import { nameKey } from './names.ts'
import { additionOf } from './version-words.ts'

/** The name of a file without what names no song, and the folders that may name the artist. */
export interface FileName {
  text: string
  folders: readonly string[]
}

const EXTENSION =
  /\.(?:mp[2-4]|flac|og[gav]|opus|m4[abpv]|aac|wave?|wma|wmv|aiff?|aif[cf]|ape|wv|mpc|tta|dsf|dff|mka|mkv|webm|avi|mov|flv|mid)(?=\s|$)/i

/** The text without the extension of a file. */
export function withoutExtension(text: string): string {
  return text.replace(EXTENSION, '')
}

// 1-04, 05., (05), 05 -, CD1 05, Disc 2 - 11 -, [Disc 1, Track 4], B2.
const SIDE = '(?:cd|disc|disk|dvd|side|vol(?:ume)?\\.?|диск|часть)'
const NUMBER = new RegExp(
  `^(?:[([]?${SIDE}[ _-]?[\\dA-D]{1,2}\\b[)\\]]?[-–—_., )\\]]*(?:track ?)?(?=\\d)(?:\\d{1,3}(?!\\d)[)\\].]?[-–—_., ]*)|` +
    '\\d{1,2}[-.]\\d{1,3}(?=[ _])|track ?\\d{1,3}(?= ?[-_.:])|' +
    '[([]?\\d{1,3}[)\\]]? ?(?=[-–—_.)\\]]))[ \\-–—_.)\\]:]*(?=\\S)',
  'i',
)
const SIDE_NUMBER = /^[A-D]{1,2}\d{1,2}[. _-]+(?=\S)/

/** The text without the number of a track, a disc or a side at its beginning. */
export function withoutNumber(text: string): string {
  return text.replace(NUMBER, '')
}

const ROOT = /^(?:[a-z]:[\\/]|file:\/\/|[\\/~.]{1,2}[\\/]?)/i
const LAST_SUFFIX = /\.\w{3,4}$/
const SEPARATOR = /[\\/]/
const FOLDERS = 2

function inFolders(text: string): FileName {
  const isPath = ROOT.test(text) || (SEPARATOR.test(text) && LAST_SUFFIX.test(text))
  const parts = isPath ? text.split(/[\\/]+/).filter((part) => part !== '') : []
  if (parts.length < 2) return { text, folders: [] }
  return { text: parts.at(-1) as string, folders: parts.slice(-FOLDERS - 1, -1) }
}

const ESCAPED = /%[0-9a-f]{2}/i

function decoded(text: string): string {
  if (!ESCAPED.test(text)) return text
  return decodeEscaped(text.includes(' ') ? text : text.replace(/\+/g, ' ')) ?? text
}

// Names of bands that look like addresses (will.i.am) end in no such domain. Labels have at most 63
// characters (RFC 1035), which bounds the time.
const DOMAIN =
  '(?:www\\.)?[\\p{L}\\d-]{1,63}(?:\\.[\\p{L}\\d-]{1,63}){0,4}\\.(?:com|net|org|info|biz|ru|su|ua|by|kz|fm|cc|tv|co|io|in|to|ws|pw|club|site|online|pro|top|xyz|mobi|vn|ir|pl|de|fr|es|it|br|cn|jp|рф)'
const SITE = new RegExp(`^${DOMAIN}$`, 'iu')
const SITES = new RegExp(
  `[([{【]\\s{0,8}(?:https?:\\/\\/)?${DOMAIN}(?:\\/\\S{0,253})?\\s{0,8}[)\\]}】]|(?:^|[\\s_-]{1,8})(?:www\\.[\\p{L}\\d.-]{1,253}\\.\\p{L}{2,6})(?=$|[\\s_-])|^${DOMAIN}(?=[\\s_-])|(?<=[\\s_-])${DOMAIN}$`,
  'giu',
)

/** Whether the text of an artist field is the address of a site. */
export function isSite(name: string): boolean {
  return SITE.test(name.trim())
}

// The ids of YouTube have 11 characters, and nearly all have a digit or a capital inside.
const VIDEO =
  /(?: ?[([]| ?-)(?=[\w-]{11}[)\]]?$)(?=[\w-]*(?:[A-Za-z_-]\d|\d[A-Za-z_-]|[a-z][A-Z]|[A-Z]{2}[a-z]))[\w-]{11}[)\]]?$/
const QUALITY =
  /[\s_-]{0,8}[([]?\b(?:mp3|flac|aac|m4a|ogg|web)?[ _-]?\d{2,4} ?k(?:b(?:ps|it)?(?:[/]s)?|bps)?\b[)\]]?(?=\s{0,8}(?:$|[([_-]))/i
const COPY =
  /(?:\s{0,8}\(\d{1,2}\)|\s{0,8}[-–_]? ?\b(?:copy|copie|kopie|копия|copia)(?:\s{0,8}\(?\d{1,2}\)?)?|\s{0,8}\(copy\))$|^copy of /iu
const BRACKETED = /^[([{【]([^()[\]{}【】]*)[)\]}】] ?/
const LYRICS = /\s(?:with )?lyrics$/i
const AFTER_BAR = /\s(?:[|•·]{1,8}|\/\/)\s.*/s

/** Marks of scene releases: Artist-Title-CDS-1997-GROUP. */
const RELEASED =
  /-(?:\(?(?:19|20)\d\d\)?|cd[smrep]?|cdep|web|vinyl|vls|promo|retail|single|ep|lp|advance|flac|16bit|24bit|repack|proper|internal|ost|bootleg|dab|sat|cable|line|radio)(?=-|$)/gi
const GROUP = /-[A-Za-z0-9]{2,12}$/

function withoutRelease(text: string): string {
  const parts = text.split('-').filter((part) => part.replace(/[_\d]/g, '') !== '')
  const numbered = /^\d{2,3}-/.test(text)
  if (text.includes(' ') || parts.length < 2) return text
  if (parts.length < 3) return text.replace(/-(?:19|20)\d\d$/, '')
  const bare = text.replace(GROUP, '')
  const unmarked = bare.replace(RELEASED, '')
  return unmarked !== bare || numbered ? unmarked : text
}

/** Spaces in place of underscores, or of points, in a text without spaces. */
export function spaced(text: string): string {
  if (text.includes(' ')) return text
  const plain = text.replaceAll('_', ' ')
  const points = plain.includes(' ') ? 0 : plain.split(/\.(?=[^.])/).length - 1
  return singleSpaced(points < 2 ? plain : plain.replace(/\.(?=[^.])/g, ' '))
}

/**
 * The name of a file, or of a video, without what names no song: folders, the extension, numbers,
 * addresses of sites, ids, qualities, marks of copies and of releases, and `(Official Video)`.
 */
export function cleanedName(songName: string): FileName {
  const { text, folders } = inFolders(decoded(songName))
  let name = withoutExtension(text).replace(VIDEO, '')
  name = withoutRelease(singleSpaced(name.replace(SITES, ' ')).replace(/^[-–—_|:. ]+/, ''))
  name = name.replace(/_/g, text.includes(' ') ? ' ' : '_').replace(COPY, '')
  name = withoutAddition(name.replace(AFTER_BAR, '')).replace(QUALITY, '').replace(LYRICS, '')
  name = withoutNumber(singleSpaced(name)).replace(SIDE_NUMBER, '')
  return { text: name.replace(/[-–—_|: ]{1,64}$/, ''), folders }
}

// Titles drop such additions after a name themselves.
function withoutAddition(text: string): string {
  const [whole = '', inside = ''] = BRACKETED.exec(text) ?? []
  const key = nameKey(inside)
  return key !== '' && additionOf(key).says === 'nothing' ? text.slice(whole.length) : text
}

// The channels of artists: Coldplay - Topic, LinkinParkVEVO, Queen Official.
const CHANNEL =
  /(?: ?[-–] ?topic| ?vevo| (?:official|oficial|officiel)(?: (?:channel|artist))?| tv)$/i

/** The name of an artist without what makes it the name of a channel; `undefined` if it is none. */
export function withoutChannel(name: string): string | undefined {
  const bare = name
    .trim()
    .replace(CHANNEL, '')
    .replace(/^official /i, '')
  return bare === name.trim() || bare === '' ? undefined : bare
}
