import { invalidParameter } from '../values/errors.ts'
import { quoted } from '../values/text.ts'
import {
  type Exported,
  type ExportTracks,
  eachOf,
  encoded,
  fileUrl,
  isAbsolute,
  type ListOptions,
  nameOfList,
  oneLine,
  partsOf,
} from './export-track.ts'
import { DECLARATION, element, escaped } from './xml.ts'

/**
 * A playlist in extended M3U, for a file `.m3u8` in UTF-8. Paths stay as they are given. No analysis
 * is asked for.
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
export async function toM3u(tracks: ExportTracks): Promise<string> {
  const entries = await eachOf(tracks, (track) => {
    const { artist, title, duration } = track
    const path = requireFile(track)
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
    const location = isAbsolute(path) ? fileUrl(path) : partsOf(path).map(encoded).join('/')
    const { title, artist, release, trackNumber, duration } = track
    const of = (field: string, value: string | number | undefined) =>
      value === undefined ? '' : element(field, {}, escaped(String(value)))
    const fields = [
      ...[
        of('location', location),
        of('title', title),
        of('creator', artist),
        of('album', release),
      ],
      of('trackNum', trackNumber || undefined),
      of('duration', duration === undefined ? undefined : Math.round(1000 * duration)),
    ]
    return `${element('track', {}, ...fields)}\n`
  })
  const title = name === undefined ? '' : element('title', {}, escaped(name))
  const list = element('trackList', {}, '\n', ...entries)
  const attributes = { version: 1, xmlns: 'http://xspf.org/ns/0/' }
  return `${DECLARATION}${element('playlist', attributes, title, list)}\n`
}

function requireFile({ path, title }: Exported): string {
  if (path === undefined) throw invalidParameter('tracks', `${quoted(title)} has no file.`)
  return path
}
