import { singleSpaced } from '../values/text.ts'
import { address, text } from './cleaning.ts'
import { type ListedTrack, namesInField, namesOfListed } from './playlist-names.ts'

/** `#EXTINF:123 logo="x",Artist - Title`: the title. */
const EXTINF = /^#EXTINF: ?-?[\d.]*(?: [\w-]+=(?:"[^"]*"|[^\s,"][^\s,]*)?)* ?,(.*)$/i

/** The tracks of an M3U, or of a list of paths without its marks. */
export function* tracksOfM3u(lines: readonly string[]): Generator<ListedTrack, void> {
  let title: string | undefined
  let artist: string | undefined
  let album: string | undefined
  for (const line of lines) {
    if (line.startsWith('#')) {
      title = text(EXTINF.exec(singleSpaced(line))?.[1]) ?? title
      artist = text(/^#EXTART:(.*)$/i.exec(line)?.[1]) ?? artist
      album = text(/^#EXTALB:(.*)$/i.exec(line)?.[1]) ?? album
    } else {
      yield { location: line, release: album, ...namesOfExtended(title, artist) }
      title = undefined
      artist = undefined
      album = undefined
    }
  }
}

/** The names of `#EXTINF`, which often repeats the artist of `#EXTART`. */
function namesOfExtended(title: string | undefined, artist: string | undefined) {
  const names = namesInField(title)
  return names.artistName === undefined ? namesOfListed(title, artist) : names
}

/** A line of a PLS: `File1=…`, `Title1=…`. */
const PLS_LINE = /^(File|Title)(\d+)\s*=(.*)$/i

export function isPls(lines: readonly string[]): boolean {
  return lines.some((line) => /^\[playlist\]$/i.test(line) || /^File\d+\s*=/i.test(line))
}

/** The tracks of a PLS, by their numbers. */
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
    yield { location: address(file), ...namesInField(text(title)) }
  }
}

const SOUND = 'mp[234a]|m4[abp]|aac|flac|ogg|oga|opus|wav|wma|aiff?|ape|wv|mpc|mid'
/** A path with an ending, a path from a root or a dot, or an address. */
const CERTAIN = /^(?:[a-z][a-z0-9+.-]*:\S|[\\/]|\.{1,2}[\\/])|\.[a-z0-9]{2,5}$/i
const POSSIBLE = /[\\/]/
/** Not a path alone: a tab or a quote, a mark of a list, a column after or before a path. */
const COLUMNS = [
  /\t|^"/,
  /^(?:[-*]|\d+[.)])\s+(?:[\\/]|\.{1,2}[\\/]|[a-z]:[\\/]|https?:)/i,
  new RegExp(`\\.(?:${SOUND})"?\\s*[,;|](?!.*\\.[a-z0-9]{2,5}$)`, 'i'),
  /[,;|]\s*"?(?:\/|\\\\|[a-z]:[\\/]|file:|https?:)/i,
]

/**
 * The first line that cannot be of a list of files; `undefined` if all can. A list with the marks of
 * an extended M3U may hold any names.
 */
export function lineOfNoFile(lines: readonly string[]): string | undefined {
  if (lines.some((line) => /^#EXT(?:M3U|INF)/i.test(line))) return undefined
  const files = lines.filter((line) => !line.startsWith('#'))
  const isFile = (line: string) =>
    (CERTAIN.test(line) || POSSIBLE.test(line)) && !COLUMNS.some((one) => one.test(line))
  const other = files.find((line) => !isFile(line))
  return other ?? (files.some((line) => CERTAIN.test(line)) ? undefined : files[0])
}
