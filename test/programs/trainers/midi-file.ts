import type { MidiNote } from './midi-notes.ts'

/** Where General MIDI has its drums. */
export const DRUM_CHANNEL = 9
const TICKS_PER_BEAT = 960
const NOTE_OFF = 0x80
const NOTE_ON = 0x90
const CONTROL = 0xb0
const PROGRAM = 0xc0
const VOLUME = 7

/** A channel of a MIDI file. */
export interface MidiChannel {
  channel: number
  program: number
  /** 0…127. */
  volume: number
}

/** A standard MIDI file of notes whose times are in seconds, and not before 0. */
export function midiFile(
  channels: readonly MidiChannel[],
  notes: readonly Omit<MidiNote, 'program'>[],
): Buffer {
  // At the tempo of a file that names none, 120 BPM, a beat is half a second.
  const ticks = (seconds: number) => Math.round(2 * TICKS_PER_BEAT * seconds)
  const events = channels.flatMap(({ channel, program, volume }) => [
    { at: 0, bytes: [PROGRAM | channel, program] },
    { at: 0, bytes: [CONTROL | channel, VOLUME, volume] },
  ])
  for (const { start, duration, channel, pitch, velocity } of notes) {
    const from = ticks(start)
    events.push({ at: from, bytes: [NOTE_ON | channel, pitch, velocity] })
    events.push({
      at: Math.max(from + 1, ticks(start + duration)),
      bytes: [NOTE_OFF | channel, pitch, 0],
    })
  }
  // A note that ends where the next one of its pitch begins must end first.
  events.sort((a, b) => a.at - b.at || kindOf(a.bytes) - kindOf(b.bytes))
  let now = 0
  const track = events.flatMap(({ at, bytes }) => {
    const delta = at - now
    now = at
    return [...variableLength(delta), ...bytes]
  })
  track.push(0, 0xff, 0x2f, 0)
  return Buffer.concat([
    Buffer.from('MThd\0\0\0\x06\0\0\0\x01', 'latin1'),
    uint(TICKS_PER_BEAT, 2),
    Buffer.from('MTrk', 'latin1'),
    uint(track.length, 4),
    Buffer.from(track),
  ])
}

function kindOf([status = 0]: readonly number[]): number {
  const kind = status & 0xf0
  return kind === NOTE_OFF ? 1 : kind === NOTE_ON ? 2 : 0
}

/** Seven bits a byte, the high bit set on all but the last. */
function variableLength(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}

function uint(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}
