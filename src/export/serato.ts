import type { OwnCue } from '../analysis/cues/own-cues.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { GRID_TOLERANCE } from '../analysis/grid-markers.ts'
import { toBase64Url } from '../values/base64.ts'
import {
  type BarMarker,
  barMarkers,
  gridOf,
  hotCues,
  metreOf,
  padsOf,
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

/** Colours of the eight hot cues, as Serato gives them. */
const COLOURS = [
  ...[0xcc0000, 0xcc8800, 0x0000cc, 0xcccc00],
  ...[0x00cc00, 0xcc00cc, 0x00cccc, 0x8800cc],
]
/** Serato pads the markers to this many bytes, and breaks their lines after so many. */
const PADDED = 470
const LINE = /.{1,72}/g

/**
 * The tags of Serato: beat grid and hot cues. Serato reads them in the file alone, where a program
 * that writes tags puts them. Between markers the tempo follows from their times and the beats between
 * them, so every beat of music that drifts is kept within 10 ms. The layout is that of J. Holthuis, "serato-tags".
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
export function toSerato(given: ExportTrack | ExportTracks): Promise<SeratoTags | SeratoTags[]> {
  return oneOrEach(given, async (track) => {
    const document = gridOf(await track.document())
    const beatGrid = beatGridOf(document)
    const markers2 = markersOf(document, await track.ownCues(), rgbOf(track))
    const frames = [
      frameOf('Serato BeatGrid', beatGrid),
      frameOf('Serato Markers2', markers2),
    ] as const
    const size = frames[0].length + frames[1].length
    const tag = new ByteWriter().text('ID3').bytes(4, 0, 0, ...synchsafe(size))
    return { beatGrid, markers2, id3: tag.append(frames[0]).append(frames[1]).finish() }
  })
}

function beatGridOf(document: AnalysisDocument): Uint8Array {
  // A position is a number of 32 bits: within 0.03 ms in the first four minutes.
  const markers = barMarkers(document, { tolerance: GRID_TOLERANCE - 1e-4 })
  const grid = toBarLine(fromBarLine(markers, metreOf(document)), document)
  const bytes = new ByteWriter().bytes(1, 0).uint32(grid.length)
  grid.forEach(({ time, beats, bpm }, i) => {
    bytes.float32(time)
    if (i + 1 < grid.length) bytes.uint32(beats)
    else bytes.float32(bpm)
  })
  return bytes.bytes(0).finish()
}

/**
 * The markers from a bar line before the first beat on, or where there is no room for one, with one more
 * at the first bar: Serato begins a bar at each marker, and Mixxx counts no beats before the first.
 */
function fromBarLine(markers: readonly BarMarker[], metre: number): BarMarker[] {
  const [first, ...rest] = markers
  if (!first || first.place === 1) return [...markers]
  const before = first.place - 1
  const { time, beat, beats, bpm } = first
  const start = time - (before * 60) / bpm
  if (start >= 0)
    return [
      { ...first, time: start, beat: beat - before, beats: beats + before, place: 1 },
      ...rest,
    ]
  const pickup = metre + 1 - first.place
  if (pickup >= beats) return [...markers]
  const bar = { ...first, time: time + (pickup * 60) / bpm, beat: beat + pickup }
  return [{ ...first, beats: pickup }, { ...bar, beats: beats - pickup, place: 1 }, ...rest]
}

/**
 * The markers with one more at the bar line after the last beat, or at that beat where the track ends before:
 * Mixxx before 2.4 counts no beats after the last marker.
 */
function toBarLine(
  markers: readonly BarMarker[],
  document: Pick<AnalysisDocument, 'track'>,
): BarMarker[] {
  const last = markers.at(-1)
  if (!last) return []
  const metre = metreOf(document)
  const period = 60 / last.bpm
  const places = last.beats + last.place - 1
  const whole = metre * Math.ceil(places / metre) - (last.place - 1)
  const beats = last.time + whole * period <= document.track.duration ? whole : last.beats
  if (beats === 0) return [...markers]
  const end = { ...last, time: last.time + beats * period, beat: last.beat + beats, beats: 0 }
  return [...markers.slice(0, -1), { ...last, beats }, end]
}

/** Serato has eight pads of cues and eight of loops. */
const PADS = 8

function markersOf(
  document: AnalysisDocument,
  own: readonly OwnCue[],
  rgb: readonly number[] = [255, 255, 255],
): Uint8Array {
  const entries = new ByteWriter().bytes(1, 1)
  const entry = (name: string, content: Uint8Array) =>
    entries.text(name).bytes(0).uint32(content.length).append(content)
  entry('COLOR', Uint8Array.of(0, ...rgb))
  const computed = hotCues(document, own)
  const pads = padsOf(own, computed.length)
  const points = [
    ...own.filter(({ end }) => end === undefined),
    ...computed.map(({ time, label }, i) => ({ time, name: label, number: pads[i]! + 1 })),
  ].filter(({ number }) => number <= PADS)
  for (const { number, time, name = '', ...cue } of points.sort((a, b) => a.number - b.number)) {
    const bytes = new ByteWriter().bytes(0, number - 1).uint32(Math.round(1000 * time))
    bytes
      .bytes(0, ...coloursOf(cue, number), 0, 0)
      .text(oneLine(name))
      .bytes(0)
    entry('CUE', bytes.finish())
  }
  for (const { number, time, end = time, name = '', ...cue } of own) {
    if (end <= time || number > PADS) continue
    const bytes = new ByteWriter().bytes(0, number - 1).uint32(Math.round(1000 * time))
    bytes.uint32(Math.round(1000 * end)).bytes(255, 255, 255, 255, 0, ...coloursOf(cue, number))
    entry('LOOP', bytes.bytes(0, 0).text(oneLine(name)).bytes(0).finish())
  }
  entry('BPMLOCK', Uint8Array.of(0))
  entries.bytes(0)
  // Base64 without padding, as Serato writes it. Mixxx refuses bytes after the zero that ends the list.
  const text = toBase64Url(entries.finish())
    .replaceAll('=', '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  const lines = text.match(LINE) ?? []
  const bytes = new ByteWriter().bytes(1, 1).text(lines.join('\n')).bytes(0)
  while (bytes.length < PADDED) bytes.bytes(0)
  return bytes.finish()
}

function coloursOf({ colour }: { colour?: string | undefined }, number: number): number[] {
  if (colour !== undefined) return rgbOfColour(colour)
  const usual = COLOURS[(number - 1) % COLOURS.length]!
  return [usual >> 16, (usual >> 8) & 255, usual & 255]
}

/** A frame GEOB of ID3v2.4: encoding, type, an empty file name, description, content. */
function frameOf(description: string, content: Uint8Array): Uint8Array {
  const body = new ByteWriter()
    .bytes(0)
    .text(`application/octet-stream\0\0${description}\0`)
    .append(content)
    .finish()
  return new ByteWriter()
    .text('GEOB')
    .bytes(...synchsafe(body.length), 0, 0)
    .append(body)
    .finish()
}

/** Seven bits of a number in each byte. */
function synchsafe(value: number): number[] {
  return [21, 14, 7, 0].map((shift) => (value >> shift) & 127)
}
