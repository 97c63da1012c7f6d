import { describe, expect, it } from 'vitest'
import { DRUM_CHANNEL, midiFile } from '../programs/trainers/midi-file.ts'
import { midiNotes } from '../programs/trainers/midi-notes.ts'
import { type MidiScore, midiScore } from '../programs/trainers/midi-score.ts'

const DIVISION = 96
const END = [0, 0xff, 0x2f, 0]
const C4 = [0x90, 60, 90]

/** A file of one track of events, each with the ticks that it waits: less than 128. */
function fileOf(events: readonly (readonly [wait: number, ...bytes: number[]])[]): Buffer {
  const track = Buffer.from([...events.flat(), ...END])
  const head = Buffer.from('MThd\0\0\0\x06\0\0\0\x01\0\0MTrk\0\0\0\0', 'latin1')
  head.writeUInt16BE(DIVISION, 12)
  head.writeUInt32BE(track.length, 18)
  return Buffer.concat([head, track])
}

const tempo = (bpm: number): number[] => {
  const quarter = Buffer.alloc(3)
  quarter.writeUIntBE(Math.round(6e7 / bpm), 0, 3)
  return [0xff, 0x51, 3, ...quarter]
}
const metre = (count: number, power: number): number[] => [0xff, 0x58, 4, count, power, 24, 8]
const quarters = (count: number) =>
  Array.from({ length: count }, (_, i) => [i === 0 ? 0 : DIVISION, ...C4] as const)
const times = ({ beats }: MidiScore) => beats.map(({ at }) => Math.round(1e3 * at))

describe('a MIDI file', () => {
  it('has quarter notes at 120 BPM in bars of four where it says nothing', () => {
    const score = midiScore(fileOf(quarters(6)))!
    expect(times(score)).toEqual([0, 500, 1000, 1500, 2000, 2500])
    expect(score.beats.map(({ down }) => down)).toEqual([true, false, false, false, true, false])
    expect(score.onsets).toHaveLength(6)
    expect(score.even).toBe(1)
  })

  it('follows its tempi', () => {
    const [first, ...rest] = quarters(2)
    const score = midiScore(
      fileOf([[0, ...tempo(60)], first!, ...rest, [0, ...tempo(240)], [96, ...C4], [96, ...C4]]),
    )!
    expect(times(score)).toEqual([0, 1000, 1250, 1500])
  })

  it('counts eighths in threes, and begins bars anew where its metre changes', () => {
    const score = midiScore(
      fileOf([
        [0, ...metre(3, 2)],
        ...quarters(4),
        [0, ...metre(6, 3)],
        ...quarters(7).map(([, ...bytes]) => [96, ...bytes] as const),
      ]),
    )!
    expect(score.beats.slice(0, 3).map(({ beatsPerBar }) => beatsPerBar)).toEqual([3, 3, 3])
    expect(times(score).slice(3)).toEqual([1500, 2250, 3000, 3750, 4500])
    expect(score.beats.slice(3).map(({ down }) => down)).toEqual([true, false, true, false, true])
  })

  it('has no beats where a sixteenth is the bar', () => {
    const score = midiScore(fileOf([[0, ...metre(1, 4)], [48, ...metre(4, 2)], ...quarters(3)]))!
    expect(times(score)).toEqual([250, 750, 1250])
  })

  it('tells how many of its notes are on the grid', () => {
    const off = quarters(4).map(
      ([wait, ...bytes], i) => [i === 1 ? wait + 4 : wait, ...bytes] as const,
    )
    expect(midiScore(fileOf(off))!.even).toBe(0.25)
  })

  it('is played faster and higher, but for its drums', () => {
    const note = { duration: 0.2, pitch: 60, velocity: 90 }
    const file = midiFile(
      [
        { channel: 0, program: 0, volume: 100 },
        { channel: DRUM_CHANNEL, program: 0, volume: 100 },
      ],
      [
        { ...note, start: 0, channel: 0 },
        { ...note, start: 1, channel: DRUM_CHANNEL },
      ],
    )
    const score = midiScore(file)!
    const speed = score.speedNear(1.2)
    expect(speed).toBeCloseTo(1.2, 3)
    const copy = score.played(speed, 3)
    expect(midiNotes(copy).map(({ pitch }) => pitch)).toEqual([63, 60])
    expect(midiScore(copy)!.onsets[1]).toBeCloseTo(1 / speed, 9)
    expect(midiNotes(file).map(({ pitch }) => pitch)).toEqual([60, 60])
  })

  it('is none where its time is not counted in quarter notes', () => {
    const file = fileOf(quarters(2))
    file.writeUInt16BE(0xe728, 12)
    expect(midiScore(file)).toBeUndefined()
  })
})
