import type { OwnCue } from '../analysis/cues/own-cues.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { GRID_TOLERANCE } from '../analysis/grid-markers.ts'
import { toBase64Url } from '../values/base64.ts'
import {
  type BarMarker,
  barMarkers,
  documentOnGrid,
  freePads,
  hotCues,
  metreOf,
  rgbOfColour,
} from './bar-grid.ts'
import { ByteWriter } from './byte-writer.ts'
import { type ExportTrack, type ExportTracks, oneLine, oneOrEach, rgbOf } from './export-track.ts'

/** What Serato reads of a track in the tags of its file. */
export interface SeratoTags {
  /** The content of the GEOB object `Serato BeatGrid`. */
  beatGrid: Uint8Array
  /** The content of the GEOB object `Serato Markers2`: hot cues. */
  markers2: Uint8Array
  /** Both as a tag ID3v2.4, for an mp3 without one, or to take the frames from. */
  id3: Uint8Array
}

/** As Serato gives them. */
const HOT_CUE_COLOURS = [
  ...[0xcc0000, 0xcc8800, 0x0000cc, 0xcccc00],
  ...[0x00cc00, 0xcc00cc, 0x00cccc, 0x8800cc],
]
/** Serato pads the markers and breaks their lines. */
const PADDED_BYTES = 470
const BASE64_LINE = /.{1,72}/g

/**
 * The tags of Serato: beat grid and hot cues, in the layout of J. Holthuis, "serato-tags". Serato
 * reads them in the file alone, where a program that writes tags puts them. Every beat of music
 * that drifts is kept within 10 ms by further markers.
 *
 * @param track - a handle of a library or plain data, with an analysis; or several
 * @returns the tags of the track; of several tracks, a list in their order
 * @throws {ParameterError} on a track without an analysis
 *
 * @example
 * ```ts
 * import { toSerato } from 'audile/export'
 *
 * const { beatGrid, markers2 } = await toSerato(track)
 * ```
 */
export function toSerato(track: ExportTrack): Promise<SeratoTags>
export function toSerato(tracks: ExportTracks): Promise<SeratoTags[]>
export function toSerato(
  exportTracks: ExportTrack | ExportTracks,
): Promise<SeratoTags | SeratoTags[]> {
  return oneOrEach(exportTracks, async (track) => {
    const document = documentOnGrid(await track.document())
    const beatGrid = beatGridBytes(document)
    const markers2 = markers2Bytes(document, await track.ownCues(), rgbOf(track))
    const frames = [
      geobFrame('Serato BeatGrid', beatGrid),
      geobFrame('Serato Markers2', markers2),
    ] as const
    const size = frames[0].length + frames[1].length
    const tag = new ByteWriter().writeText('ID3').writeBytes(4, 0, 0, ...synchsafeBytes(size))
    return { beatGrid, markers2, id3: tag.appendBytes(frames[0]).appendBytes(frames[1]).toBytes() }
  })
}

function beatGridBytes(document: AnalysisDocument): Uint8Array {
  // A position of 32 bits is exact to 0.03 ms in the first four minutes.
  const markers = barMarkers(document, { tolerance: GRID_TOLERANCE - 1e-4 })
  const grid = toBarLine(fromBarLine(markers, metreOf(document)), document)
  const bytes = new ByteWriter().writeBytes(1, 0).writeUint32(grid.length)
  grid.forEach(({ time, beats, bpm }, i) => {
    bytes.writeFloat32(time)
    if (i + 1 < grid.length) bytes.writeUint32(beats)
    else bytes.writeFloat32(bpm)
  })
  return bytes.writeBytes(0).toBytes()
}

/** Serato begins a bar at each marker, and Mixxx counts no beats before the first. */
function fromBarLine(markers: readonly BarMarker[], metre: number): BarMarker[] {
  const [firstMarker, ...laterMarkers] = markers
  if (!firstMarker || firstMarker.place === 1) return [...markers]
  const missingBeats = firstMarker.place - 1
  const { time, beat, beats, bpm } = firstMarker
  const start = time - (missingBeats * 60) / bpm
  if (start >= 0)
    return [
      {
        ...firstMarker,
        time: start,
        beat: beat - missingBeats,
        beats: beats + missingBeats,
        place: 1,
      },
      ...laterMarkers,
    ]
  const pickup = metre + 1 - firstMarker.place
  if (pickup >= beats) return [...markers]
  const bar = { ...firstMarker, time: time + (pickup * 60) / bpm, beat: beat + pickup }
  return [
    { ...firstMarker, beats: pickup },
    { ...bar, beats: beats - pickup, place: 1 },
    ...laterMarkers,
  ]
}

/** Mixxx before 2.4 counts no beats after the last marker. */
function toBarLine(
  markers: readonly BarMarker[],
  document: Pick<AnalysisDocument, 'track'>,
): BarMarker[] {
  const lastMarker = markers.at(-1)
  if (!lastMarker) return []
  const metre = metreOf(document)
  const period = 60 / lastMarker.bpm
  const places = lastMarker.beats + lastMarker.place - 1
  const wholeBars = metre * Math.ceil(places / metre) - (lastMarker.place - 1)
  const beats =
    lastMarker.time + wholeBars * period <= document.track.duration ? wholeBars : lastMarker.beats
  if (beats === 0) return [...markers]
  const end = {
    ...lastMarker,
    time: lastMarker.time + beats * period,
    beat: lastMarker.beat + beats,
    beats: 0,
  }
  return [...markers.slice(0, -1), { ...lastMarker, beats }, end]
}

/** Eight of cues and eight of loops. */
const SERATO_PADS = 8

function markers2Bytes(
  document: AnalysisDocument,
  ownCues: readonly OwnCue[],
  rgb: readonly number[] = [255, 255, 255],
): Uint8Array {
  const entries = new ByteWriter().writeBytes(1, 1)
  const addEntry = (name: string, content: Uint8Array) =>
    entries.writeText(name).writeBytes(0).writeUint32(content.length).appendBytes(content)
  addEntry('COLOR', Uint8Array.of(0, ...rgb))
  const computedCues = hotCues(document, ownCues)
  const pads = freePads(ownCues, computedCues.length)
  const points = [
    ...ownCues.filter(({ end }) => end === undefined),
    ...computedCues.map(({ time, label }, i) => ({ time, name: label, number: pads[i]! + 1 })),
  ].filter(({ number }) => number <= SERATO_PADS)
  for (const { number, time, name = '', ...cue } of points.sort((a, b) => a.number - b.number)) {
    const bytes = new ByteWriter().writeBytes(0, number - 1).writeUint32(Math.round(1000 * time))
    bytes
      .writeBytes(0, ...colourBytes(cue, number), 0, 0)
      .writeText(oneLine(name))
      .writeBytes(0)
    addEntry('CUE', bytes.toBytes())
  }
  for (const { number, time, end = time, name = '', ...cue } of ownCues) {
    if (end <= time || number > SERATO_PADS) continue
    const bytes = new ByteWriter().writeBytes(0, number - 1).writeUint32(Math.round(1000 * time))
    bytes
      .writeUint32(Math.round(1000 * end))
      .writeBytes(255, 255, 255, 255, 0, ...colourBytes(cue, number))
    addEntry('LOOP', bytes.writeBytes(0, 0).writeText(oneLine(name)).writeBytes(0).toBytes())
  }
  addEntry('BPMLOCK', Uint8Array.of(0))
  entries.writeBytes(0)
  // Serato writes no padding, and Mixxx refuses bytes after the zero that ends the list.
  const text = toBase64Url(entries.toBytes())
    .replaceAll('=', '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  const lines = text.match(BASE64_LINE) ?? []
  const bytes = new ByteWriter().writeBytes(1, 1).writeText(lines.join('\n')).writeBytes(0)
  while (bytes.length < PADDED_BYTES) bytes.writeBytes(0)
  return bytes.toBytes()
}

function colourBytes({ colour }: { colour?: string | undefined }, number: number): number[] {
  if (colour !== undefined) return rgbOfColour(colour)
  const usualColour = HOT_CUE_COLOURS[(number - 1) % HOT_CUE_COLOURS.length]!
  return [usualColour >> 16, (usualColour >> 8) & 255, usualColour & 255]
}

/** ID3v2.4: encoding, type, an empty file name, description, content. */
function geobFrame(description: string, content: Uint8Array): Uint8Array {
  const body = new ByteWriter()
    .writeBytes(0)
    .writeText(`application/octet-stream\0\0${description}\0`)
    .appendBytes(content)
    .toBytes()
  return new ByteWriter()
    .writeText('GEOB')
    .writeBytes(...synchsafeBytes(body.length), 0, 0)
    .appendBytes(body)
    .toBytes()
}

/** Seven bits in each byte. */
function synchsafeBytes(value: number): number[] {
  return [21, 14, 7, 0].map((shift) => (value >> shift) & 127)
}
