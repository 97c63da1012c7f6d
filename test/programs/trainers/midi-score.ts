import { META, midiEvents } from './midi-events.ts'
import { DRUM_CHANNEL } from './midi-file.ts'

/** A standard MIDI file that can be played faster and higher, and when its beats are. */
export interface MidiScore {
  /** Beats that are written, of which `down` begin bars, in seconds at the speed that is written. */
  beats: { at: number; down: boolean; beatsPerBar: number }[]
  /** When notes begin, seconds. */
  onsets: number[]
  /** The share of notes that begin on a twelfth of a quarter note, 0…1. */
  even: number
  /** A speed that the file can be played at, near this one. */
  speedNear(speed: number): number
  /** The same file, so many times as fast and so many semitones higher, but for the drums. */
  played(speed: number, semitones: number): Buffer
}

const TEMPO = META | 0x51
const METRE = META | 0x58
/** A note is on the grid within so much of a quarter note. */
const NEAR = 0.02
/** Microseconds of a quarter note where a file says nothing. */
const USUAL = 500_000

/** Reads a standard MIDI file of format 0 or 1; undefined where its time is not counted in quarter notes. */
export function midiScore(file: Buffer): MidiScore | undefined {
  const division = file.readUInt16BE(12)
  if (file.toString('latin1', 0, 4) !== 'MThd' || division >= 0x8000) return
  const events = [...midiEvents(file)].sort((a, b) => a.tick - b.tick)
  const notes = events.filter(({ kind, at }) => kind >> 4 === 9 && file[at + 1]! > 0)
  const last = notes.at(-1)?.tick ?? 0
  const secondsOf = clockOf(
    events
      .filter(({ kind }) => kind === TEMPO)
      .map(({ tick, at }) => ({ tick, quarter: file.readUIntBE(at, 3) })),
    division,
  )
  const onGrid = notes.filter(({ tick }) => {
    const twelfths = (12 * tick) / division
    return Math.abs(twelfths - Math.round(twelfths)) < 12 * NEAR
  })
  const metres = events
    .filter(({ kind }) => kind === METRE)
    .map(({ tick, at }) => ({ tick, count: file[at]!, unit: 4 / 2 ** file[at + 1]! }))
  return {
    beats: [...beatsOf(metres, { division, last })].map((beat) => ({
      ...beat,
      at: secondsOf(beat.tick),
    })),
    onsets: notes.map(({ tick }) => secondsOf(tick)),
    even: onGrid.length / Math.max(1, notes.length),
    speedNear: (speed) => Math.round(division * speed) / division,
    played(speed, semitones) {
      const copy = Buffer.from(file)
      copy.writeUInt16BE(Math.round(division * speed), 12)
      for (const { kind, at } of events) {
        const isNote = kind < META && kind >> 4 >= 8 && kind >> 4 <= 10
        if (isNote && (kind & 15) !== DRUM_CHANNEL)
          copy[at] = Math.max(0, Math.min(127, file[at]! + semitones))
      }
      return copy
    },
  }
}

/** The seconds of each tick. */
function clockOf(
  tempi: readonly { tick: number; quarter: number }[],
  division: number,
): (tick: number) => number {
  const marks = [{ tick: 0, quarter: USUAL, seconds: 0 }]
  for (const { tick, quarter } of tempi) {
    const before = marks.at(-1)!
    const seconds = before.seconds + ((tick - before.tick) * before.quarter) / division / 1e6
    marks.push({ tick, quarter, seconds })
  }
  return (tick) => {
    const mark = marks.findLast((one) => one.tick <= tick)!
    return mark.seconds + ((tick - mark.tick) * mark.quarter) / division / 1e6
  }
}

/**
 * Beats from one time signature to the next: of three eighths where eighths are counted in threes.
 * Where a sixteenth or a single eighth is the bar, which only fills a file's beginning, there are none.
 */
function* beatsOf(
  metres: readonly { tick: number; count: number; unit: number }[],
  { division, last }: { division: number; last: number },
): Generator<{ tick: number; down: boolean; beatsPerBar: number }> {
  const all = metres[0]?.tick === 0 ? metres : [{ tick: 0, count: 4, unit: 1 }, ...metres]
  for (const [i, { tick, count, unit }] of all.entries()) {
    const compound = unit === 0.5 && count > 3 && count % 3 === 0
    if (unit < 1 && !compound) continue
    const step = division * (compound ? 1.5 : unit)
    const beatsPerBar = compound ? count / 3 : count
    const end = Math.min(all[i + 1]?.tick ?? Infinity, last + 1)
    for (let beat = 0; tick + beat * step < end; beat++)
      yield { tick: tick + beat * step, down: beat % beatsPerBar === 0, beatsPerBar }
  }
}
