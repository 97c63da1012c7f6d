import type { AnalysisDocument } from '../analysis/document.ts'
import { keyName } from '../values/music-key.ts'
import { barMarkers, fromFirstBar, gridOf, metreOf, namedCues } from './bar-grid.ts'
import {
  type Exported,
  type ExportTracks,
  eachOf,
  type ListOptions,
  nameOfList,
  partsOf,
  requirePath,
} from './export-track.ts'
import { DECLARATION, element } from './xml.ts'

/** Types of CUE_V2. */
const CUE = { cue: 0, fadeIn: 1, fadeOut: 2, grid: 4 } as const

/**
 * A collection for Traktor (NML 19), with the tracks as a playlist: names, key, beat grid and hot
 * cues; mix-in and mix-out are fade-in and fade-out. Music of one tempo has one grid marker; where it
 * drifts, each has its own tempo and keeps its beats within 10 ms. Traktor before version 4 has one tempo a track and uses that of the first.
 *
 * @param tracks - handles of a library or plain data, with analyses and absolute paths
 * @throws {ParameterError} on a track without an analysis or a file
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { toTraktor } from 'audile/export'
 *
 * const { tracks } = await music.tracks.search({ tempo: '120-130' })
 * await writeFile('set.nml', await toTraktor(tracks, { name: 'Saturday' }))
 * ```
 */
export async function toTraktor(tracks: ExportTracks, options?: ListOptions): Promise<string> {
  const name = nameOfList(options) ?? 'audile'
  const entries = await eachOf(tracks, async (track) => {
    const { volume, folder, file } = locationOf(requirePath(track))
    return {
      key: `${volume}${folder}${file}`,
      entry: entryOf(track, gridOf(await track.document())),
    }
  })
  const keys = entries.map(({ key }) =>
    element('ENTRY', {}, element('PRIMARYKEY', { TYPE: 'TRACK', KEY: key })),
  )
  const list = element('PLAYLIST', { ENTRIES: entries.length, TYPE: 'LIST' }, ...keys)
  const nodes = element(
    'SUBNODES',
    { COUNT: 1 },
    element('NODE', { TYPE: 'PLAYLIST', NAME: name }, list),
  )
  const written = entries.map(({ entry }) => entry)
  const content = [
    element('HEAD', { COMPANY: 'audile', PROGRAM: 'Traktor' }),
    element('COLLECTION', { ENTRIES: written.length }, '\n', ...written),
    element('PLAYLISTS', {}, element('NODE', { TYPE: 'FOLDER', NAME: '$ROOT' }, nodes)),
  ]
  return `${DECLARATION}${element('NML', { VERSION: 19 }, ...content)}\n`
}

function entryOf(track: Exported, document: AnalysisDocument): string {
  const { volume, folder, file } = locationOf(requirePath(track))
  const { tempo, duration, key, mode, key_confidence } = document.track
  const isKeyed = key >= 0 && key_confidence > 0
  const markers = fromFirstBar(barMarkers(document), metreOf(document))
  const grid = markers.map(({ time, bpm }) =>
    cueOf('AutoGrid', CUE.grid, time, -1, element('GRID', { BPM: bpm.toFixed(6) })),
  )
  const marks = namedCues(document).map(({ label, name, time }, i) =>
    cueOf(
      label,
      name === 'mixIn' ? CUE.fadeIn : name === 'mixOut' ? CUE.fadeOut : CUE.cue,
      time,
      i,
    ),
  )
  const content = [
    element('LOCATION', { DIR: folder, FILE: file, VOLUME: volume, VOLUMEID: volume }),
    element('ALBUM', { TITLE: track.release, TRACK: track.trackNumber }),
    element('INFO', {
      GENRE: track.genres?.[0],
      PLAYTIME: Math.round(duration),
      BITRATE: track.bitrate === undefined ? undefined : Math.round(track.bitrate * 1000),
      KEY: isKeyed ? keyName(key, mode, 'short') : undefined,
      PLAYTIME_FLOAT: duration.toFixed(6),
      RELEASE_DATE: track.year === undefined ? undefined : `${track.year}/1/1`,
    }),
    element('TEMPO', { BPM: (markers[0]?.bpm ?? tempo).toFixed(6), BPM_QUALITY: '100.000000' }),
    isKeyed ? element('MUSICAL_KEY', { VALUE: key + (mode === 1 ? 0 : 12) }) : '',
    ...grid,
    ...marks,
  ]
  return `${element('ENTRY', { TITLE: track.title, ARTIST: track.artist }, ...content)}\n`
}

function cueOf(
  label: string,
  type: number,
  time: number,
  hotcue: number,
  ...content: readonly string[]
): string {
  const at = { TYPE: type, START: (1000 * time).toFixed(6), LEN: '0.000000' }
  const attributes = { NAME: label, DISPL_ORDER: 0, ...at, REPEATS: -1, HOTCUE: hotcue }
  return element('CUE_V2', attributes, ...content)
}

/** A path in Traktor's form: the parts begin with `/:`. */
function locationOf(path: string): { volume: string; folder: string; file: string } {
  const parts = partsOf(path)
  const file = parts.pop() ?? ''
  const isDrive = /^[A-Za-z]:$/.test(parts[0] ?? '')
  const isMounted = parts[0] === 'Volumes' && parts.length > 1
  const volume = isDrive ? parts.shift()! : isMounted ? parts.splice(0, 2)[1]! : 'Macintosh HD'
  return { volume, folder: `/:${parts.map((part) => `${part}/:`).join('')}`, file }
}
