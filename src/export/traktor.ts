import type { OwnCue } from '../analysis/cues/own-cues.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { keyName } from '../values/music-key.ts'
import { barMarkers, fromFirstBar, gridOf, hotCues, metreOf, padsOf } from './bar-grid.ts'
import { type CollectionOptions, collectionOf } from './collection.ts'
import {
  type Exported,
  type ExportTracks,
  partsOf,
  requirePath,
  rgbOf,
  starsOf,
} from './export-track.ts'
import { DECLARATION, element } from './xml.ts'

/** Types of CUE_V2. */
const CUE = { cue: 0, fadeIn: 1, fadeOut: 2, grid: 4, loop: 5 } as const

/** Its seven colours of tracks: red, orange, yellow, green, blue, violet, magenta. */
const COLOURS: readonly (readonly [number, number, number])[] = [
  [255, 0, 0],
  [255, 128, 0],
  [255, 255, 0],
  [0, 255, 0],
  [0, 0, 255],
  [128, 0, 255],
  [255, 0, 255],
]

/**
 * A collection for Traktor (NML 19), with the tracks as playlists: names, key, beat grid and hot
 * cues; mix-in and mix-out are fade-in and fade-out. Music of one tempo has one grid marker; where it
 * drifts, each has its own tempo and keeps its beats within 10 ms. Traktor before version 4 has one tempo a track. Files of Linux have no
 * volume, as Mixxx reads it there.
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
export async function toTraktor(
  tracks: ExportTracks,
  options: CollectionOptions = {},
): Promise<string> {
  const written = await collectionOf(tracks, options, async (track) => {
    const { volume, folder, file } = locationOf(requirePath(track))
    return {
      key: `${volume}${folder}${file}`,
      entry: entryOf(track, gridOf(await track.document()), await track.ownCues()),
    }
  })
  const lists = written.playlists.map(({ name, places }) => {
    const entries = places.map((place) =>
      element(
        'ENTRY',
        {},
        element('PRIMARYKEY', { TYPE: 'TRACK', KEY: written.tracks[place]!.key }),
      ),
    )
    const list = element('PLAYLIST', { ENTRIES: entries.length, TYPE: 'LIST' }, ...entries)
    return element('NODE', { TYPE: 'PLAYLIST', NAME: name }, list)
  })
  const nodes = element('SUBNODES', { COUNT: lists.length }, ...lists)
  const entries = written.tracks.map(({ entry }) => entry)
  const content = [
    element('HEAD', { COMPANY: 'audile', PROGRAM: 'Traktor' }),
    element('COLLECTION', { ENTRIES: entries.length }, '\n', ...entries),
    element('PLAYLISTS', {}, element('NODE', { TYPE: 'FOLDER', NAME: '$ROOT' }, nodes)),
  ]
  return `${DECLARATION}${element('NML', { VERSION: 19 }, ...content)}\n`
}

/** Traktor has eight pads. */
const PADS = 8

function entryOf(track: Exported, document: AnalysisDocument, own: readonly OwnCue[]): string {
  const { volume, folder, file } = locationOf(requirePath(track))
  const { tempo, duration, key, mode, key_confidence } = document.track
  const isKeyed = key >= 0 && key_confidence > 0
  const markers = fromFirstBar(barMarkers(document), metreOf(document))
  const grid = markers.map(({ time, bpm }) =>
    cueOf(
      { label: 'AutoGrid', type: CUE.grid, time },
      -1,
      element('GRID', { BPM: bpm.toFixed(6) }),
    ),
  )
  const [stars, colour] = [starsOf(track), rgbOf(track)]
  const ownMarks = own.map(({ number, time, end, name }) =>
    cueOf(
      { label: name ?? 'n.n.', type: end === undefined ? CUE.cue : CUE.loop, time, end },
      padIn(number - 1),
    ),
  )
  const computed = hotCues(document, own)
  const pads = padsOf(own, computed.length)
  const marks = computed.map(({ label, name, time }, i) =>
    cueOf(
      {
        label,
        type: name === 'mixIn' ? CUE.fadeIn : name === 'mixOut' ? CUE.fadeOut : CUE.cue,
        time,
      },
      padIn(pads[i]!),
    ),
  )
  const content = [
    element('LOCATION', { DIR: folder, FILE: file, VOLUME: volume, VOLUMEID: volume }),
    element('ALBUM', { TITLE: track.release, TRACK: track.trackNumber }),
    element('INFO', {
      COMMENT: track.comment,
      GENRE: track.genres?.[0],
      RANKING: stars === undefined ? undefined : 51 * stars,
      COLOR: colour && nearestColour(colour),
      PLAYTIME: Math.round(duration),
      BITRATE: track.bitrate === undefined ? undefined : Math.round(track.bitrate * 1000),
      KEY: isKeyed ? keyName(key, mode, 'short') : undefined,
      PLAYTIME_FLOAT: duration.toFixed(6),
      RELEASE_DATE: track.year === undefined ? undefined : `${track.year}/1/1`,
    }),
    element('TEMPO', {
      BPM: (markers.length === 1 ? markers[0]!.bpm : tempo).toFixed(6),
      BPM_QUALITY: '100.000000',
    }),
    isKeyed ? element('MUSICAL_KEY', { VALUE: key + (mode === 1 ? 0 : 12) }) : '',
    ...grid,
    ...ownMarks,
    ...marks,
  ]
  return `${element('ENTRY', { TITLE: track.title, ARTIST: track.artist }, ...content)}\n`
}

function padIn(pad: number): number {
  return pad < PADS ? pad : -1
}

function cueOf(
  {
    label,
    type,
    time,
    end = time,
  }: { label: string; type: number; time: number; end?: number | undefined },
  hotcue: number,
  ...content: readonly string[]
): string {
  const at = {
    TYPE: type,
    START: (1000 * time).toFixed(6),
    LEN: (1000 * (end - time)).toFixed(6),
  }
  const attributes = { NAME: label, DISPL_ORDER: 0, ...at, REPEATS: -1, HOTCUE: hotcue }
  return element('CUE_V2', attributes, ...content)
}

/** The number of the colour of Traktor, from 1, that is nearest. */
function nearestColour(colour: readonly number[]): number {
  const distances = COLOURS.map((rgb) =>
    rgb.reduce((sum, part, i) => sum + (part - colour[i]!) ** 2, 0),
  )
  return 1 + distances.indexOf(Math.min(...distances))
}

/** Folders in the root of macOS; paths of other systems have no volume. */
const OF_MACOS = new Set(['Users', 'Applications', 'Library', 'System', 'private'])

/** A path in Traktor's form: the parts begin with `/:`. */
function locationOf(path: string): { volume: string; folder: string; file: string } {
  const parts = partsOf(path)
  const file = parts.pop() ?? ''
  const folder = () => `/:${parts.map((part) => `${part}/:`).join('')}`
  const [first = ''] = parts
  if (/^[A-Za-z]:$/.test(first)) return { volume: parts.shift()!, folder: folder(), file }
  if (first === 'Volumes' && parts.length > 1) {
    const [, volume] = parts.splice(0, 2)
    return { volume: volume!, folder: folder(), file }
  }
  const isMac = OF_MACOS.has(first) || globalThis.process?.platform === 'darwin'
  return { volume: isMac ? 'Macintosh HD' : '', folder: folder(), file }
}
