import { singleSpaced } from '../values/text.ts'
import { cleanAddress, cleanTextValue } from './cleaning.ts'
import { type ListedTrack, namesInField, namesOfListed } from './playlist-names.ts'

/** `#EXTINF:123 logo="x",Artist - Title`: the title. */
const EXTINF_LINE = /^#EXTINF: ?-?[\d.]*(?: [\w-]+=(?:"[^"]*"|[^\s,"][^\s,]*)?)* ?,(.*)$/i

/** The marks of M3U may be absent. */
export function* tracksOfM3u(lines: readonly string[]): Generator<ListedTrack, void> {
  let title: string | undefined
  let artist: string | undefined
  let album: string | undefined
  for (const line of lines) {
    if (line.startsWith('#')) {
      title = cleanTextValue(EXTINF_LINE.exec(singleSpaced(line))?.[1]) ?? title
      artist = cleanTextValue(/^#EXTART:(.*)$/i.exec(line)?.[1]) ?? artist
      album = cleanTextValue(/^#EXTALB:(.*)$/i.exec(line)?.[1]) ?? album
    } else {
      yield { location: line, release: album, ...namesOfExtended(title, artist) }
      title = undefined
      artist = undefined
      album = undefined
    }
  }
}

/** `#EXTINF` often repeats the artist of `#EXTART`. */
function namesOfExtended(title: string | undefined, artist: string | undefined) {
  const names = namesInField(title)
  return names.artistName === undefined ? namesOfListed(title, artist) : names
}

/** `File1=…`, `Title1=…`. */
const PLS_LINE = /^(File|Title)(\d+)\s*=(.*)$/i

export function isPls(lines: readonly string[]): boolean {
  return lines.some((line) => /^\[playlist\]$/i.test(line) || /^File\d+\s*=/i.test(line))
}

/** By their numbers. */
export function* tracksOfPls(lines: readonly string[]): Generator<ListedTrack, void> {
  const tracks = new Map<number, { file?: string; title?: string }>()
  for (const line of lines) {
    const [, key, number, value] = PLS_LINE.exec(line) ?? []
    if (key === undefined || value === undefined) continue
    const track = tracks.get(Number(number)) ?? {}
    track[key.toLowerCase() === 'file' ? 'file' : 'title'] = value
    tracks.set(Number(number), track)
  }
  for (const [, { file, title }] of [...tracks].sort(([a], [b]) => a - b)) {
    yield { location: cleanAddress(file), ...namesInField(cleanTextValue(title)) }
  }
}

const SOUND_ENDINGS = 'mp[234a]|m4[abp]|aac|flac|ogg|oga|opus|wav|wma|aiff?|ape|wv|mpc|mid'
/** An ending, a root or a dot, or an address. */
const CERTAIN_FILE = /^(?:[a-z][a-z0-9+.-]*:\S|[\\/]|\.{1,2}[\\/])|\.[a-z0-9]{2,5}$/i
const POSSIBLE_FILE = /[\\/]/
/** A tab or a quote, a mark of a list, a column beside a path. */
const LIST_COLUMNS = [
  /\t|^"/,
  /^(?:[-*]|\d+[.)])\s+(?:[\\/]|\.{1,2}[\\/]|[a-z]:[\\/]|https?:)/i,
  new RegExp(`\\.(?:${SOUND_ENDINGS})"?\\s*[,;|](?!.*\\.[a-z0-9]{2,5}$)`, 'i'),
  /[,;|]\s*"?(?:\/|\\\\|[a-z]:[\\/]|file:|https?:)/i,
]

/** `undefined` if all lines can be files; an extended M3U may hold any names. */
export function lineOfNoFile(lines: readonly string[]): string | undefined {
  if (lines.some((line) => /^#EXT(?:M3U|INF)/i.test(line))) return undefined
  const files = lines.filter((line) => !line.startsWith('#'))
  const isFile = (line: string) =>
    (CERTAIN_FILE.test(line) || POSSIBLE_FILE.test(line)) &&
    !LIST_COLUMNS.some((column) => column.test(line))
  const otherLine = files.find((line) => !isFile(line))
  return otherLine ?? (files.some((line) => CERTAIN_FILE.test(line)) ? undefined : files[0])
}
