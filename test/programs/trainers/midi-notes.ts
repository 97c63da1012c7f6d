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
  let at = 8 + file.readUInt32BE(4)
  while (at + 8 <= file.length) {
    const size = file.readUInt32BE(at + 4)
    if (file.toString('latin1', at, at + 4) === 'MTrk')
      notes.push(...trackNotes(file.subarray(at + 8, at + 8 + size), division))
    at += 8 + size
  }
  return notes
}

function trackNotes(track: Buffer, division: number): MidiNote[] {
  const notes: MidiNote[] = []
  const sounding = new Map<number, MidiNote>()
  const programs = new Uint8Array(16)
  let at = 0
  let ticks = 0
  let status = 0
  const variable = (): number => {
    let value = 0
    for (;;) {
      const byte = track[at++] ?? 0
      value = value * 128 + (byte & 0x7f)
      if (byte < 0x80) return value
    }
  }
  while (at < track.length) {
    ticks += variable()
    if (track[at]! >= 0x80) status = track[at++]!
    if (status >= 0xf0) {
      if (status === 0xff) at++
      const length = variable()
      at += length
      continue
    }
    const kind = status >> 4
    const channel = status & 15
    const pitch = track[at++]!
    const value = kind === 0xc || kind === 0xd ? 0 : track[at++]!
    if (kind === 0xc) programs[channel] = pitch
    if (kind !== 8 && kind !== 9) continue
    const key = channel * 128 + pitch
    const start = ticks / division
    const held = sounding.get(key)
    if (held) held.duration = start - held.start
    sounding.delete(key)
    if (kind === 9 && value > 0) {
      const program = programs[channel]!
      const note = { start, duration: 1, channel, program, pitch, velocity: value }
      sounding.set(key, note)
      notes.push(note)
    }
  }
  return notes
}
