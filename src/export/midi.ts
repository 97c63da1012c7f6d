import type { AnalysisDocument } from '../analysis/document.ts'
import { GRID_TOLERANCE } from '../analysis/grid-markers.ts'
import { barMarkers, barStarts, documentOnGrid, hotCues, metreOf } from './bar-grid.ts'
import { ByteWriter } from './byte-writer.ts'
import { type ExportTrack, type ExportTracks, oneLine, oneOrEach } from './export-track.ts'

const MIDI_UNITS = {
  /** In a beat. */
  ticks: 480,
  /** The longest beat that the format can write, microseconds. */
  slowest: 0xff_ff_ff,
  /** Microseconds. */
  second: 1e6,
  /** What rounded tempi may add up to, seconds. */
  rounding: 1.5e-3,
} as const

/** At one tick, those of lower order come first. */
interface MidiEvent {
  tick: number
  order: number
  /** Of the meta event. */
  type: number
  content: Uint8Array
}

/**
 * The tempo map of a track as a standard MIDI file of format 0, for a sequencer that plays the
 * audio from 0. It has one tempo, or where music drifts, tempi that keep every beat within 10 ms;
 * time signatures; and the cues as markers. Beats of a similar tempo fill the time before the first
 * one, in whole bars where there is room.
 *
 * @param track - a handle of a library or plain data, with an analysis; or several
 * @returns the bytes of the track; of several tracks, a list in their order
 * @throws {ParameterError} on a track without an analysis
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { toMidi } from 'audile/export'
 *
 * await writeFile('song.mid', await toMidi(track))
 * ```
 */
export function toMidi(track: ExportTrack): Promise<Uint8Array>
export function toMidi(tracks: ExportTracks): Promise<Uint8Array[]>
export function toMidi(
  exportTracks: ExportTrack | ExportTracks,
): Promise<Uint8Array | Uint8Array[]> {
  return oneOrEach(exportTracks, async (track) => {
    const document = documentOnGrid(await track.document())
    const name = textEvent(0, 0x03, oneLine(track.title))
    return midiFileOf([name, ...tempoMap(document)])
  })
}

function tempoMap(document: AnalysisDocument): MidiEvent[] {
  const metre = metreOf(document)
  const markers = barMarkers(document, { tolerance: GRID_TOLERANCE - MIDI_UNITS.rounding })
  const [firstMarker] = markers
  if (!firstMarker) return [signatureEvent(0, metre)]
  const pickup = (metre + 1 - firstMarker.place) % metre
  const leadBeats = leadBeatsOf(firstMarker.time, 60 / firstMarker.bpm, pickup, metre)
  const events = leadBeats > 0 ? [tempoEvent(0, firstMarker.time / leadBeats)] : []
  for (const { beat, bpm } of markers) events.push(tempoEvent(leadBeats + beat, 60 / bpm))
  const timeOfTick = (time: number) => leadBeats + beatAt(document, time)
  for (const { time, label } of hotCues(document))
    events.push(textEvent(Math.max(0, timeOfTick(time)), 0x06, label))
  return [...events, ...signatureEvents(document, leadBeats, pickup, metre)]
}

/** With a pickup whole bars, but not where there is less than half a bar. */
function leadBeatsOf(time: number, period: number, pickup: number, metre: number): number {
  if (time <= 0) return 0
  const wholeBars = metre * Math.round((time / period + pickup) / metre) - pickup
  const beats = wholeBars > 0 ? wholeBars : Math.max(1, Math.round(time / period))
  // A beat must be short enough to be written.
  const minBeats = Math.ceil((time * MIDI_UNITS.second) / MIDI_UNITS.slowest)
  return beats + metre * Math.ceil(Math.max(0, minBeats - beats) / metre)
}

/** From the first beat. */
function beatAt({ beats }: AnalysisDocument, time: number): number {
  const beat = Math.max(
    0,
    beats.findLastIndex(({ start }) => start <= time),
  )
  const { start, duration } = beats[beat]!
  return duration > 0 ? beat + (time - start) / duration : beat
}

/** Wherever the number of beats in a bar changes. */
function signatureEvents(
  document: AnalysisDocument,
  lead: number,
  pickup: number,
  metre: number,
): MidiEvent[] {
  const starts = barStarts(document)
  const lines = [
    0,
    ...(lead === 0 && pickup > 0 ? [pickup] : []),
    ...starts.map((barBeat) => lead + barBeat),
  ]
  const barLines = [...new Set(lines)].sort((a, b) => a - b)
  let previousSize = 0
  return barLines.flatMap((line, i) => {
    const beats = (barLines[i + 1] ?? line + metre) - line
    const size = beats % metre === 0 ? metre : beats
    if (size === previousSize) return []
    previousSize = size
    return [signatureEvent(line, size)]
  })
}

function tempoEvent(beat: number, seconds: number): MidiEvent {
  const length = Math.max(1, Math.min(MIDI_UNITS.slowest, Math.round(seconds * MIDI_UNITS.second)))
  const content = Uint8Array.of(length >> 16, length >> 8, length)
  return { tick: beat * MIDI_UNITS.ticks, order: 1, type: 0x51, content }
}

/** Quarters, 24 clocks a beat. */
function signatureEvent(beat: number, beats: number): MidiEvent {
  const content = Uint8Array.of(Math.min(255, beats), 2, 24, 8)
  return { tick: beat * MIDI_UNITS.ticks, order: 0, type: 0x58, content }
}

function textEvent(beat: number, type: number, text: string): MidiEvent {
  const content = new TextEncoder().encode(text)
  return { tick: Math.round(beat * MIDI_UNITS.ticks), order: 2, type, content }
}

function midiFileOf(events: MidiEvent[]): Uint8Array {
  const body = new ByteWriter()
  let tick = 0
  for (const event of events.sort((a, b) => a.tick - b.tick || a.order - b.order)) {
    body.writeBytes(
      ...variableLength(event.tick - tick),
      0xff,
      event.type,
      ...variableLength(event.content.length),
    )
    body.appendBytes(event.content)
    tick = event.tick
  }
  body.writeBytes(0, 0xff, 0x2f, 0)
  const header = new ByteWriter().writeText('MThd').writeUint32(6).writeBytes(0, 0, 0, 1)
  header
    .writeBytes(MIDI_UNITS.ticks >> 8, MIDI_UNITS.ticks)
    .writeText('MTrk')
    .writeUint32(body.length)
  return header.appendBytes(body.toBytes()).toBytes()
}

/** Seven bits of a number in each byte, the highest first. */
function variableLength(value: number): number[] {
  const bytes = [value & 127]
  for (let remainder = value >> 7; remainder > 0; remainder >>= 7)
    bytes.unshift((remainder & 127) | 128)
  return bytes
}
