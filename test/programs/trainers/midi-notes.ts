import { META, midiEvents } from './midi-events.ts'

/** A note of a MIDI file; times in beats (quarter notes). */
export interface MidiNote {
  start: number
  duration: number
  channel: number
  program: number
  pitch: number
  /** 1…127. */
  velocity: number
}

/** The notes of a standard MIDI file, of all its tracks. */
export function midiNotes(file: Buffer): MidiNote[] {
  const division = file.readUInt16BE(12)
  const notes: MidiNote[] = []
  /** By track, channel and pitch. */
  const sounding = new Map<number, MidiNote>()
  /** By track and channel. */
  const programs = new Map<number, number>()
  for (const { track, tick, kind, at } of midiEvents(file)) {
    const channel = kind & 15
    const player = track * 16 + channel
    if (kind < META && kind >> 4 === 0xc) programs.set(player, file[at]!)
    if (kind >> 4 !== 8 && kind >> 4 !== 9) continue
    const [pitch, velocity] = [file[at]!, file[at + 1]!]
    const key = player * 128 + pitch
    const start = tick / division
    const held = sounding.get(key)
    if (held) held.duration = start - held.start
    sounding.delete(key)
    if (kind >> 4 === 9 && velocity > 0) {
      const program = programs.get(player) ?? 0
      const note = { start, duration: 1, channel, program, pitch, velocity }
      sounding.set(key, note)
      notes.push(note)
    }
  }
  return notes
}
