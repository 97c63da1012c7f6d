/** An event of a standard MIDI file. */
export interface MidiEvent {
  /** The chunk of events that it is in, from 0. */
  track: number
  tick: number
  /** The status byte; of meta events their type and {@link META}. */
  kind: number
  /** Where its data begin in the file. */
  at: number
}

/** What tells meta events from others in `kind`. */
export const META = 0x100

/** The events of a standard MIDI file, track by track. */
export function* midiEvents(file: Buffer): Generator<MidiEvent> {
  let at = 8 + file.readUInt32BE(4)
  for (let track = 0; at + 8 <= file.length; ) {
    const end = Math.min(file.length, at + 8 + file.readUInt32BE(at + 4))
    if (file.toString('latin1', at, at + 4) === 'MTrk')
      yield* eventsOf(file, { track: track++, from: at + 8, end })
    at = end
  }
}

function* eventsOf(
  file: Buffer,
  { track, from, end }: { track: number; from: number; end: number },
): Generator<MidiEvent> {
  let at = from
  let tick = 0
  let status = 0
  const variable = (): number => {
    let value = 0
    for (;;) {
      const byte = file[at++] ?? 0
      value = value * 128 + (byte & 0x7f)
      if (byte < 0x80) return value
    }
  }
  while (at < end) {
    tick += variable()
    if (file[at]! >= 0x80) status = file[at++]!
    if (status >= 0xf0) {
      const kind = status === 0xff ? META | file[at++]! : status
      const length = variable()
      yield { track, tick, kind, at }
      at += length
      continue
    }
    yield { track, tick, kind: status, at }
    // Programs and pressures are one byte, all others two.
    at += status >> 4 === 0xc || status >> 4 === 0xd ? 1 : 2
  }
}
