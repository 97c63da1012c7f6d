import type { AnalysisDocument } from '../analysis/document.ts'
import { GRID_TOLERANCE } from '../analysis/grid-markers.ts'
import { barMarkers, barStarts, gridOf, hotCues, metreOf } from './bar-grid.ts'
import { ByteWriter } from './byte-writer.ts'
import { type ExportTrack, type ExportTracks, oneLine, oneOrEach } from './export-track.ts'

const MIDI = {
  /** Ticks in a beat. */
  ticks: 480,
  /** The longest beat that the format can write, microseconds. */
  slowest: 0xff_ff_ff,
  /** Microseconds in a second. */
  second: 1e6,
  /** What tempi in whole microseconds may add up to. */
  rounding: 1.5e-3,
} as const

/** Something at a tick; of one tick, those of lower order come first. */
interface MidiEvent {
  tick: number
  order: number
  /** The type of the meta event, and its content. */
  type: number
  content: Uint8Array
}

/**
 * The tempo map of a track as a standard MIDI file of format 0, for a sequencer that plays the audio
 * from 0: one tempo, or where music drifts, tempi that keep every beat within 10 ms, time signatures and the cues as markers. Beats
 * before the first one, of a similar tempo, make it begin when it does; where there is room, they make
 * whole bars.
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
export function toMidi(given: ExportTrack | ExportTracks): Promise<Uint8Array | Uint8Array[]> {
  return oneOrEach(given, async (track) => {
    const document = gridOf(await track.document())
    const name = textEvent(0, 0x03, oneLine(track.title))
    return fileOf([name, ...tempoMap(document)])
  })
}

function tempoMap(document: AnalysisDocument): MidiEvent[] {
  const metre = metreOf(document)
  const markers = barMarkers(document, { tolerance: GRID_TOLERANCE - MIDI.rounding })
  const [first] = markers
  if (!first) return [signatureEvent(0, metre)]
  const pickup = (metre + 1 - first.place) % metre
  const lead = leadOf(first.time, 60 / first.bpm, pickup, metre)
  const events = lead > 0 ? [tempoEvent(0, first.time / lead)] : []
  for (const { beat, bpm } of markers) events.push(tempoEvent(lead + beat, 60 / bpm))
  const timeOfTick = (time: number) => lead + beatAt(document, time)
  for (const { time, label } of hotCues(document))
    events.push(textEvent(Math.max(0, timeOfTick(time)), 0x06, label))
  return [...events, ...signatures(document, lead, pickup, metre)]
}

/**
 * Beats before the first one, at about its tempo: with a pickup whole bars, but where there is not
 * half a bar; none where the first is at 0.
 */
function leadOf(time: number, period: number, pickup: number, metre: number): number {
  if (time <= 0) return 0
  const whole = metre * Math.round((time / period + pickup) / metre) - pickup
  const beats = whole > 0 ? whole : Math.max(1, Math.round(time / period))
  // A beat must be short enough to be written.
  const fewest = Math.ceil((time * MIDI.second) / MIDI.slowest)
  return beats + metre * Math.ceil(Math.max(0, fewest - beats) / metre)
}

/** A moment in beats from the first, between two of them in proportion. */
function beatAt({ beats }: AnalysisDocument, time: number): number {
  const beat = Math.max(
    0,
    beats.findLastIndex(({ start }) => start <= time),
  )
  const { start, duration } = beats[beat]!
  return duration > 0 ? beat + (time - start) / duration : beat
}

/** A time signature wherever the number of beats in a bar changes. */
function signatures(
  document: AnalysisDocument,
  lead: number,
  pickup: number,
  metre: number,
): MidiEvent[] {
  const starts = barStarts(document)
  const lines = [0, ...(lead === 0 && pickup > 0 ? [pickup] : []), ...starts.map((at) => lead + at)]
  const sorted = [...new Set(lines)].sort((a, b) => a - b)
  let before = 0
  return sorted.flatMap((line, i) => {
    const beats = (sorted[i + 1] ?? line + metre) - line
    const size = beats % metre === 0 ? metre : beats
    if (size === before) return []
    before = size
    return [signatureEvent(line, size)]
  })
}

function tempoEvent(beat: number, seconds: number): MidiEvent {
  const length = Math.max(1, Math.min(MIDI.slowest, Math.round(seconds * MIDI.second)))
  const content = Uint8Array.of(length >> 16, length >> 8, length)
  return { tick: beat * MIDI.ticks, order: 1, type: 0x51, content }
}

/** Quarters, 24 clocks a beat. */
function signatureEvent(beat: number, beats: number): MidiEvent {
  const content = Uint8Array.of(Math.min(255, beats), 2, 24, 8)
  return { tick: beat * MIDI.ticks, order: 0, type: 0x58, content }
}

function textEvent(beat: number, type: number, text: string): MidiEvent {
  const content = new TextEncoder().encode(text)
  return { tick: Math.round(beat * MIDI.ticks), order: 2, type, content }
}

function fileOf(events: MidiEvent[]): Uint8Array {
  const body = new ByteWriter()
  let tick = 0
  for (const event of events.sort((a, b) => a.tick - b.tick || a.order - b.order)) {
    body.bytes(...variable(event.tick - tick), 0xff, event.type, ...variable(event.content.length))
    body.append(event.content)
    tick = event.tick
  }
  body.bytes(0, 0xff, 0x2f, 0)
  const header = new ByteWriter().text('MThd').uint32(6).bytes(0, 0, 0, 1)
  header
    .bytes(MIDI.ticks >> 8, MIDI.ticks)
    .text('MTrk')
    .uint32(body.length)
  return header.append(body.finish()).finish()
}

/** Seven bits of a number in each byte, the highest first. */
function variable(value: number): number[] {
  const bytes = [value & 127]
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 127) | 128)
  return bytes
}
