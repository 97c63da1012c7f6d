import { invalidParameter } from '../values/errors.ts'
import { quoted } from '../values/text.ts'
import {
  type Exported,
  type ExportTracks,
  eachOf,
  encodePart,
  fileUrl,
  isAbsolute,
  type ListOptions,
  nameOfList,
  oneLine,
  pathParts,
} from './export-track.ts'
import { escapeXmlText, XML_DECLARATION, xmlElement } from './xml.ts'

/** How a playlist in M3U is written. */
export interface M3uOptions {
  /** The absolute folder of the playlist, from which paths are then relative. */
  base?: string | undefined
}

/**
 * A playlist in extended M3U, for a file `.m3u8` in UTF-8. Paths stay as they are given, or are relative
 * to `base`, so that a folder can be moved with its playlists. No analysis is asked for.
 *
 * @param tracks - handles of a library or plain data, with files
 * @throws {ParameterError} on a track without a file, or whose path has a line break
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { toM3u } from 'audile/export'
 *
 * await writeFile('calm.m3u8', await toM3u(music.tracks.all({ tempo: '60-90' })))
 * ```
 */
export async function toM3u(tracks: ExportTracks, { base }: M3uOptions = {}): Promise<string> {
  const entries = await eachOf(tracks, (track) => {
    const { artist, title, duration } = track
    const path = relativePath(base, requireFile(track))
    if (/[\r\n]/.test(path))
      throw invalidParameter('tracks', `${quoted(path)} has a line break, which M3U cannot hold.`)
    const seconds = duration === undefined ? -1 : Math.round(duration)
    const name = oneLine(artist ? `${artist} - ${title}` : title)
    // A line that begins with # is a comment.
    return `#EXTINF:${seconds},${name}\n${path.startsWith('#') ? './' : ''}${path}\n`
  })
  return `#EXTM3U\n${entries.join('')}`
}

/**
 * A playlist in XSPF 1. Absolute paths are written as `file:` URLs, relative ones as relative URLs.
 * No analysis is asked for.
 *
 * @param tracks - handles of a library or plain data, with files
 * @throws {ParameterError} on a track without a file
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { toXspf } from 'audile/export'
 *
 * await writeFile('set.xspf', await toXspf([{ file: '/music/song.mp3', title: 'Song' }], { name: 'Set' }))
 * ```
 */
export async function toXspf(tracks: ExportTracks, options?: ListOptions): Promise<string> {
  const name = nameOfList(options)
  const entries = await eachOf(tracks, (track) => {
    const path = requireFile(track)
    const location = isAbsolute(path) ? fileUrl(path) : pathParts(path).map(encodePart).join('/')
    const { title, artist, release, comment, trackNumber, duration } = track
    const fieldElement = (field: string, value: string | number | undefined) =>
      value === undefined ? '' : xmlElement(field, {}, escapeXmlText(String(value)))
    const fields = [
      ...[
        fieldElement('location', location),
        fieldElement('title', title),
        fieldElement('creator', artist),
        fieldElement('annotation', comment),
        fieldElement('album', release),
      ],
      fieldElement('trackNum', trackNumber || undefined),
      fieldElement('duration', duration === undefined ? undefined : Math.round(1000 * duration)),
    ]
    return `${xmlElement('track', {}, ...fields)}\n`
  })
  const title = name === undefined ? '' : xmlElement('title', {}, escapeXmlText(name))
  const list = xmlElement('trackList', {}, '\n', ...entries)
  const attributes = { version: 1, xmlns: 'http://xspf.org/ns/0/' }
  return `${XML_DECLARATION}${xmlElement('playlist', attributes, title, list)}\n`
}

/** A path with another root stays. */
function relativePath(base: string | undefined, path: string): string {
  if (base === undefined || !isAbsolute(path)) return path
  if (!isAbsolute(base))
    throw invalidParameter('base', `${quoted(base)} is relative; give the absolute folder.`)
  const rootOf = (path: string) => /^([A-Za-z]:|[\\/]{2}[^\\/]+)?/.exec(path)![0].toLowerCase()
  if (rootOf(base) !== rootOf(path)) return path
  const [baseParts, parts] = [pathParts(base), pathParts(path)]
  const isDrive = /^[A-Za-z]:/.test(path)
  const isSame = (i: number) =>
    isDrive ? baseParts[i]?.toLowerCase() === parts[i]?.toLowerCase() : baseParts[i] === parts[i]
  let common = 0
  while (common < baseParts.length && common < parts.length - 1 && isSame(common)) common++
  return [...baseParts.slice(common).map(() => '..'), ...parts.slice(common)].join('/')
}

function requireFile({ path, title }: Exported): string {
  if (path === undefined) throw invalidParameter('tracks', `${quoted(title)} has no file.`)
  return path
}
