import { type Cue, type Cues, cues } from '../analysis/cues/cues.ts'
import type { OwnCue } from '../analysis/cues/own-cues.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { keyName } from '../values/music-key.ts'
import {
  barMarkers,
  documentOnGrid,
  freePads,
  fromFirstBar,
  metreOf,
  rgbOfColour,
} from './bar-grid.ts'
import { ByteWriter } from './byte-writer.ts'
import {
  type Exported,
  type ExportTrack,
  type ExportTracks,
  oneOrEach,
  rgbOf,
  starsOf,
} from './export-track.ts'

/** A row of Mixxx's table `cues`. */
export interface MixxxCue {
  /** 1 hot cue, 2 main cue, 4 loop, 6 intro, 7 outro. */
  type: 1 | 2 | 4 | 6 | 7
  /** Where it begins, in samples of two channels: twice the frames. */
  position: number
  /** How long it is, in the same unit; 0 for a point. */
  length: number
  /** The number of a hot cue from 0; -1 for others. */
  hotcue: number
  /** Its name. */
  label: string
  /** As a number, 0xRRGGBB; absent for those without one. */
  color?: number
}

/** What Mixxx's database holds of the beats of a track: fields of its tables `library` and `cues`. */
export interface MixxxTrack {
  /** The path of the file, as in `track_locations.location`. */
  location: string | undefined
  /** Hz; positions count in it. */
  samplerate: number
  /** Beats per minute. */
  bpm: number
  /** Stars, 0…5; `undefined` where none are known, likewise the following. */
  rating: number | undefined
  /** What someone noted. */
  comment: string | undefined
  /** As a number, 0xRRGGBB. */
  color: number | undefined
  /** The key, as in `Am`; empty where none is known. */
  key: string
  /** What `beats` is: one tempo, or a list of all beats. */
  beats_version: 'BeatGrid-2.0' | 'BeatMap-1.0'
  /** The beats, as Mixxx's protocol buffer. */
  beats: Uint8Array
  /** Main cue, intro, outro and two hot cues, as far as they are known. */
  cues: MixxxCue[]
}

/**
 * Beats and cues for Mixxx, as values of its database `mixxxdb.sqlite`: its import reads no file
 * with beats. `beats` is a protocol buffer (`beats.proto` of Mixxx 2): a `BeatGrid` of one tempo,
 * else a `BeatMap` of all beats. Write to the database only while Mixxx is closed.
 *
 * Or put {@link toSerato} into the tags of mp3 and aiff files: Mixxx reads grid and hot cues there
 * when it first finds them.
 *
 * @param track - a handle of a library or plain data, with an analysis; or several
 * @returns the values of the track; of several tracks, a list in their order
 * @throws {ParameterError} on a track without an analysis
 *
 * @example
 * ```ts
 * import { toMixxx } from 'audile/export'
 *
 * const { location, beats, beats_version } = await toMixxx(track)
 * console.log(location, beats_version, beats.length)
 * ```
 */
export function toMixxx(track: ExportTrack): Promise<MixxxTrack>
export function toMixxx(tracks: ExportTracks): Promise<MixxxTrack[]>
export function toMixxx(
  exportTracks: ExportTrack | ExportTracks,
): Promise<MixxxTrack | MixxxTrack[]> {
  return oneOrEach(exportTracks, async (track) => {
    const document = documentOnGrid(await track.document())
    const samplerate = sampleRateOf(track, document)
    const colour = rgbOf(track)
    const { tempo, key, mode, key_confidence } = document.track
    const markers = fromFirstBar(barMarkers(document), metreOf(document))
    const [onlyMarker] = markers
    const isSteady = onlyMarker !== undefined && markers.length === 1
    return {
      location: track.path,
      rating: starsOf(track),
      comment: track.comment,
      color: colour && (colour[0] << 16) | (colour[1] << 8) | colour[2],
      samplerate,
      bpm: isSteady ? onlyMarker.bpm : tempo,
      key: key >= 0 && key_confidence > 0 ? keyName(key, mode, 'short') : '',
      beats_version: isSteady ? 'BeatGrid-2.0' : 'BeatMap-1.0',
      beats: isSteady
        ? beatGridMessage(onlyMarker.bpm, Math.round(onlyMarker.time * samplerate))
        : beatMapMessage(document.beats.map(({ start }) => Math.round(start * samplerate))),
      cues: mixxxCueRows(cues(document), await track.ownCues(), samplerate),
    }
  })
}

function sampleRateOf({ samplerate }: Exported, { meta }: AnalysisDocument): number {
  return samplerate ?? (meta.sample_rate > 0 ? meta.sample_rate : 44_100)
}

/** `BeatGrid { bpm: { bpm }, first_beat: { frame_position } }` */
function beatGridMessage(bpm: number, frame: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, bpm, true)
  const tempo = new ByteWriter().writeBytes((1 << 3) | 1).appendBytes(new Uint8Array(view.buffer))
  return new ByteWriter()
    .appendBytes(messageField(1, tempo.toBytes()))
    .appendBytes(messageField(2, beatMessage(frame)))
    .toBytes()
}

/** `BeatMap { beat: [{ frame_position }] }` */
function beatMapMessage(frames: readonly number[]): Uint8Array {
  const map = new ByteWriter()
  for (const frame of frames) map.appendBytes(messageField(1, beatMessage(frame)))
  return map.toBytes()
}

function beatMessage(frame: number): Uint8Array {
  return new ByteWriter().writeBytes(1 << 3, ...varintBytes(frame)).toBytes()
}

function messageField(field: number, content: Uint8Array): Uint8Array {
  return new ByteWriter()
    .writeBytes((field << 3) | 2, ...varintBytes(content.length))
    .appendBytes(content)
    .toBytes()
}

/** Seven bits of a number in each byte, the lowest first. */
function varintBytes(value: number): number[] {
  const bytes: number[] = []
  let remainder = value
  for (; remainder > 127; remainder = Math.floor(remainder / 128))
    bytes.push((remainder % 128) | 128)
  return [...bytes, remainder]
}

function mixxxCueRows(
  documentCues: Cues,
  ownCueList: readonly OwnCue[],
  samplerate: number,
): MixxxCue[] {
  const { start, musicStart, introEnd, outroStart, loudest, highlight, mixIn, end } = documentCues
  const samplesAt = (time: number) => 2 * Math.round(time * samplerate)
  const pointCue = (type: MixxxCue['type'], time: number, hotcue: number, label: string) => ({
    type,
    position: samplesAt(time),
    length: 0,
    hotcue,
    label,
  })
  const stretchCue = (type: MixxxCue['type'], start: number, end: number) => ({
    type,
    position: samplesAt(start),
    length: samplesAt(end) - samplesAt(start),
    hotcue: -1,
    label: '',
  })
  const mainCue = mixIn ?? start
  const ownCues = ownCueList.map(({ number, time, end, name = '', colour }): MixxxCue => {
    const [red, green, blue] = colour === undefined ? [] : rgbOfColour(colour)
    return {
      ...pointCue(end === undefined ? 1 : 4, time, number - 1, name),
      length: samplesAt(end ?? time) - samplesAt(time),
      ...(red !== undefined && { color: (red << 16) | (green! << 8) | blue! }),
    }
  })
  const isOwn = ({ time }: Cue) => ownCueList.some((ownCue) => Math.abs(ownCue.time - time) < 0.01)
  const pads = freePads(ownCueList, 2)
  return [
    ...(mainCue ? [pointCue(2, mainCue.time, -1, '')] : []),
    ...(musicStart && introEnd ? [stretchCue(6, musicStart.time, introEnd.time)] : []),
    ...(outroStart && end ? [stretchCue(7, outroStart.time, end.time)] : []),
    ...[
      { cue: loudest, label: 'Loudest' },
      { cue: highlight, label: 'Highlight' },
    ]
      .filter(({ cue }, i) => cue && cue.confidence > 0 && (i === 0 || cue.time !== loudest?.time))
      .filter(({ cue }) => !isOwn(cue!))
      .map(({ cue, label }, i) => pointCue(1, cue!.time, pads[i]!, label)),
    ...ownCues,
  ]
}
