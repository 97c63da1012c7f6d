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

export function withoutExtension(text: string): string {
  return text.replace(EXTENSION, '')
}

// 1-04, 05., (05), 05 -, CD1 05, Disc 2 - 11 -, [Disc 1, Track 4], B2.
const DISC_WORD = '(?:cd|disc|disk|dvd|side|vol(?:ume)?\\.?|диск|часть)'
const FILE_NUMBER = new RegExp(
  `^(?:[([]?${DISC_WORD}[ _-]?[\\dA-D]{1,2}\\b[)\\]]?[-–—_., )\\]]*(?:track ?)?(?=\\d)(?:\\d{1,3}(?!\\d)[)\\].]?[-–—_., ]*)|` +
    '\\d{1,2}[-.]\\d{1,3}(?=[ _])|track ?\\d{1,3}(?= ?[-_.:])|' +
    '[([]?\\d{1,3}[)\\]]? ?(?=[-–—_.)\\]]))[ \\-–—_.)\\]:]*(?=\\S)',
  'i',
)
const SIDE_NUMBER = /^[A-D]{1,2}\d{1,2}[. _-]+(?=\S)/

export function withoutNumber(text: string): string {
  return text.replace(FILE_NUMBER, '')
}

const PATH_ROOT = /^(?:[a-z]:[\\/]|file:\/\/|[\\/~.]{1,2}[\\/]?)/i
const LAST_SUFFIX = /\.\w{3,4}$/
const PATH_SEPARATOR = /[\\/]/
const MAX_FOLDERS = 2

function splitFolders(text: string): FileName {
  const isPath = PATH_ROOT.test(text) || (PATH_SEPARATOR.test(text) && LAST_SUFFIX.test(text))
  const parts = isPath ? text.split(/[\\/]+/).filter((folder) => folder !== '') : []
  if (parts.length < 2) return { text, folders: [] }
  return { text: parts.at(-1) as string, folders: parts.slice(-MAX_FOLDERS - 1, -1) }
}

const PERCENT_ESCAPE = /%[0-9a-f]{2}/i

function decodedName(text: string): string {
  if (!PERCENT_ESCAPE.test(text)) return text
  return decodeEscaped(text.includes(' ') ? text : text.replace(/\+/g, ' ')) ?? text
}

// Names of bands (will.i.am) end in no such domain; labels have at most 63 characters (RFC 1035).
const DOMAIN =
  '(?:www\\.)?[\\p{L}\\d-]{1,63}(?:\\.[\\p{L}\\d-]{1,63}){0,4}\\.(?:com|net|org|info|biz|ru|su|ua|by|kz|fm|cc|tv|co|io|in|to|ws|pw|club|site|online|pro|top|xyz|mobi|vn|ir|pl|de|fr|es|it|br|cn|jp|рф)'
const SITE_NAME = new RegExp(`^${DOMAIN}$`, 'iu')
const SITE_ADDRESSES = new RegExp(
  `[([{【]\\s{0,8}(?:https?:\\/\\/)?${DOMAIN}(?:\\/\\S{0,253})?\\s{0,8}[)\\]}】]|(?:^|[\\s_-]{1,8})(?:www\\.[\\p{L}\\d.-]{1,253}\\.\\p{L}{2,6})(?=$|[\\s_-])|^${DOMAIN}(?=[\\s_-])|(?<=[\\s_-])${DOMAIN}$`,
  'giu',
)

/** Whether the text of an artist field is the address of a site. */
export function isSite(name: string): boolean {
  return SITE_NAME.test(name.trim())
}

// Ids of YouTube have 11 characters, and nearly all have a digit or a capital inside.
const VIDEO_ID =
  /(?: ?[([]| ?-)(?=[\w-]{11}[)\]]?$)(?=[\w-]*(?:[A-Za-z_-]\d|\d[A-Za-z_-]|[a-z][A-Z]|[A-Z]{2}[a-z]))[\w-]{11}[)\]]?$/
const QUALITY_MARK =
  /[\s_-]{0,8}[([]?\b(?:mp3|flac|aac|m4a|ogg|web)?[ _-]?\d{2,4} ?k(?:b(?:ps|it)?(?:[/]s)?|bps)?\b[)\]]?(?=\s{0,8}(?:$|[([_-]))/i
const COPY_MARK =
  /(?:\s{0,8}\(\d{1,2}\)|\s{0,8}[-–_]? ?\b(?:copy|copie|kopie|копия|copia)(?:\s{0,8}\(?\d{1,2}\)?)?|\s{0,8}\(copy\))$|^copy of /iu
const FIRST_BRACKET = /^[([{【]([^()[\]{}【】]*)[)\]}】] ?/
const LYRICS_MARK = /\s(?:with )?lyrics$/i
const AFTER_BAR = /\s(?:[|•·]{1,8}|\/\/)\s.*/s

/** Scene releases: Artist-Title-CDS-1997-GROUP. */
const RELEASE_MARK =
  /-(?:\(?(?:19|20)\d\d\)?|cd[smrep]?|cdep|web|vinyl|vls|promo|retail|single|ep|lp|advance|flac|16bit|24bit|repack|proper|internal|ost|bootleg|dab|sat|cable|line|radio)(?=-|$)/gi
const RELEASE_GROUP = /-[A-Za-z0-9]{2,12}$/

function withoutRelease(text: string): string {
  const parts = text.split('-').filter((segment) => segment.replace(/[_\d]/g, '') !== '')
  const isNumbered = /^\d{2,3}-/.test(text)
  if (text.includes(' ') || parts.length < 2) return text
  if (parts.length < 3) return text.replace(/-(?:19|20)\d\d$/, '')
  const bare = text.replace(RELEASE_GROUP, '')
  const unmarked = bare.replace(RELEASE_MARK, '')
  return unmarked !== bare || isNumbered ? unmarked : text
}

/** Underscores, or points, become spaces in a text without spaces. */
export function spacedName(text: string): string {
  if (text.includes(' ')) return text
  const spacedText = text.replaceAll('_', ' ')
  const points = spacedText.includes(' ') ? 0 : spacedText.split(/\.(?=[^.])/).length - 1
  return singleSpaced(points < 2 ? spacedText : spacedText.replace(/\.(?=[^.])/g, ' '))
}

export function cleanedName(songName: string): FileName {
  const { text, folders } = splitFolders(decodedName(songName))
  let name = withoutExtension(text).replace(VIDEO_ID, '')
  name = withoutRelease(singleSpaced(name.replace(SITE_ADDRESSES, ' ')).replace(/^[-–—_|:. ]+/, ''))
  name = name.replace(/_/g, text.includes(' ') ? ' ' : '_').replace(COPY_MARK, '')
  name = withoutAddition(name.replace(AFTER_BAR, ''))
    .replace(QUALITY_MARK, '')
    .replace(LYRICS_MARK, '')
  name = withoutNumber(singleSpaced(name)).replace(SIDE_NUMBER, '')
  return { text: name.replace(/[-–—_|: ]{1,64}$/, ''), folders }
}

function withoutAddition(text: string): string {
  const [addition = '', inside = ''] = FIRST_BRACKET.exec(text) ?? []
  const key = nameKey(inside)
  return key !== '' && additionOf(key).says === 'nothing' ? text.slice(addition.length) : text
}

// Coldplay - Topic, LinkinParkVEVO, Queen Official.
const CHANNEL =
  /(?: ?[-–] ?topic| ?vevo| (?:official|oficial|officiel)(?: (?:channel|artist))?| tv)$/i

/** `undefined` if it is the name of no channel. */
export function withoutChannel(name: string): string | undefined {
  const bare = name
    .trim()
    .replace(CHANNEL, '')
    .replace(/^official /i, '')
  return bare === name.trim() || bare === '' ? undefined : bare
}
