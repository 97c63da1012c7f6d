import type { OwnCue } from '../analysis/cues/own-cues.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { keyName } from '../values/music-key.ts'
import { barMarkers, documentOnGrid, freePads, fromFirstBar, hotCues, metreOf } from './bar-grid.ts'
import { type CollectionOptions, collectionOf } from './collection.ts'
import {
  type Exported,
  type ExportTracks,
  pathParts,
  requireAbsolutePath,
  rgbOf,
  starsOf,
} from './export-track.ts'
import { XML_DECLARATION, xmlElement } from './xml.ts'

/** Of CUE_V2. */
const CUE_TYPES = { cue: 0, fadeIn: 1, fadeOut: 2, grid: 4, loop: 5 } as const

/** Red, orange, yellow, green, blue, violet, magenta. */
const TRAKTOR_COLOURS: readonly (readonly [number, number, number])[] = [
  [255, 0, 0],
  [255, 128, 0],
  [255, 255, 0],
  [0, 255, 0],
  [0, 0, 255],
  [128, 0, 255],
  [255, 0, 255],
]

/**
 * A collection for Traktor (NML 19), with playlists: names, key, beat grid and hot cues; mix-in and
 * mix-out are fade-in and fade-out. A grid has one marker, or where music drifts, markers that keep
 * beats within 10 ms; Traktor before version 4 takes one. Files of Linux have no volume, as Mixxx
 * reads it there.
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
  const collection = await collectionOf(tracks, options, async (track) => {
    const { volume, directory: folder, file } = traktorLocation(requireAbsolutePath(track))
    return {
      key: `${volume}${folder}${file}`,
      entry: entryElement(track, documentOnGrid(await track.document()), await track.ownCues()),
    }
  })
  const lists = collection.playlists.map(({ name, places }) => {
    const entries = places.map((place) =>
      xmlElement(
        'ENTRY',
        {},
        xmlElement('PRIMARYKEY', { TYPE: 'TRACK', KEY: collection.tracks[place]!.key }),
      ),
    )
    const list = xmlElement('PLAYLIST', { ENTRIES: entries.length, TYPE: 'LIST' }, ...entries)
    return xmlElement('NODE', { TYPE: 'PLAYLIST', NAME: name }, list)
  })
  const nodes = xmlElement('SUBNODES', { COUNT: lists.length }, ...lists)
  const entries = collection.tracks.map(({ entry }) => entry)
  const content = [
    xmlElement('HEAD', { COMPANY: 'audile', PROGRAM: 'Traktor' }),
    xmlElement('COLLECTION', { ENTRIES: entries.length }, '\n', ...entries),
    xmlElement('PLAYLISTS', {}, xmlElement('NODE', { TYPE: 'FOLDER', NAME: '$ROOT' }, nodes)),
  ]
  return `${XML_DECLARATION}${xmlElement('NML', { VERSION: 19 }, ...content)}\n`
}

const TRAKTOR_PADS = 8

function entryElement(
  track: Exported,
  document: AnalysisDocument,
  ownCues: readonly OwnCue[],
): string {
  const { volume, directory: folder, file } = traktorLocation(requireAbsolutePath(track))
  const { tempo, duration, key, mode, key_confidence } = document.track
  const isKeyed = key >= 0 && key_confidence > 0
  const markers = fromFirstBar(barMarkers(document), metreOf(document))
  const grid = markers.map(({ time, bpm }) =>
    cueElement(
      { label: 'AutoGrid', type: CUE_TYPES.grid, time },
      -1,
      xmlElement('GRID', { BPM: bpm.toFixed(6) }),
    ),
  )
  const [stars, colour] = [starsOf(track), rgbOf(track)]
  const ownMarks = ownCues.map(({ number, time, end, name }) =>
    cueElement(
      {
        label: name ?? 'n.n.',
        type: end === undefined ? CUE_TYPES.cue : CUE_TYPES.loop,
        time,
        end,
      },
      hotCueNumber(number - 1),
    ),
  )
  const computedCues = hotCues(document, ownCues)
  const pads = freePads(ownCues, computedCues.length)
  const marks = computedCues.map(({ label, name, time }, i) =>
    cueElement(
      {
        label,
        type:
          name === 'mixIn'
            ? CUE_TYPES.fadeIn
            : name === 'mixOut'
              ? CUE_TYPES.fadeOut
              : CUE_TYPES.cue,
        time,
      },
      hotCueNumber(pads[i]!),
    ),
  )
  const content = [
    xmlElement('LOCATION', { DIR: folder, FILE: file, VOLUME: volume, VOLUMEID: volume }),
    xmlElement('ALBUM', { TITLE: track.release, TRACK: track.trackNumber }),
    xmlElement('INFO', {
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
    xmlElement('TEMPO', {
      BPM: (markers.length === 1 ? markers[0]!.bpm : tempo).toFixed(6),
      BPM_QUALITY: '100.000000',
    }),
    isKeyed ? xmlElement('MUSICAL_KEY', { VALUE: key + (mode === 1 ? 0 : 12) }) : '',
    ...grid,
    ...ownMarks,
    ...marks,
  ]
  return `${xmlElement('ENTRY', { TITLE: track.title, ARTIST: track.artist }, ...content)}\n`
}

function hotCueNumber(pad: number): number {
  return pad < TRAKTOR_PADS ? pad : -1
}

function cueElement(
  {
    label,
    type,
    time,
    end = time,
  }: { label: string; type: number; time: number; end?: number | undefined },
  hotcue: number,
  ...content: readonly string[]
): string {
  const position = {
    TYPE: type,
    START: (1000 * time).toFixed(6),
    LEN: (1000 * (end - time)).toFixed(6),
  }
  const attributes = { NAME: label, DISPL_ORDER: 0, ...position, REPEATS: -1, HOTCUE: hotcue }
  return xmlElement('CUE_V2', attributes, ...content)
}

/** From 1. */
function nearestColour(colour: readonly number[]): number {
  const distances = TRAKTOR_COLOURS.map((rgb) =>
    rgb.reduce((sum, channel, i) => sum + (channel - colour[i]!) ** 2, 0),
  )
  return 1 + distances.indexOf(Math.min(...distances))
}

/** Paths of other systems have no volume. */
const MACOS_FOLDERS = new Set(['Users', 'Applications', 'Library', 'System', 'private'])

/** The parts begin with `/:`. */
function traktorLocation(path: string): { volume: string; directory: string; file: string } {
  const parts = pathParts(path)
  const file = parts.pop() ?? ''
  const folder = () => `/:${parts.map((folder) => `${folder}/:`).join('')}`
  const [firstFolder = ''] = parts
  if (/^[A-Za-z]:$/.test(firstFolder)) return { volume: parts.shift()!, directory: folder(), file }
  if (firstFolder === 'Volumes' && parts.length > 1) {
    const [, volume] = parts.splice(0, 2)
    return { volume: volume!, directory: folder(), file }
  }
  const isMac = MACOS_FOLDERS.has(firstFolder) || globalThis.process?.platform === 'darwin'
  return { volume: isMac ? 'Macintosh HD' : '', directory: folder(), file }
}
