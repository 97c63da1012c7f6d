import { describe, expect, it } from 'vitest'
import { midiFile } from '../programs/trainers/midi-file.ts'
import { midiNotes } from '../programs/trainers/midi-notes.ts'
import { Band } from '../programs/trainers/rhythm-band.ts'
import { makePiece } from '../programs/trainers/rhythm-pieces.ts'
import { STYLES } from '../programs/trainers/rhythm-styles.ts'
import { bytesOf } from '../support/bytes-of.ts'
import { seeded } from '../support/music.ts'

describe('STYLES', () => {
  it('has patterns of strokes and rests only', () => {
    expect(STYLES.length).toBeGreaterThan(60)
    for (const { name, parts, tempo } of STYLES) {
      expect(tempo[0], name).toBeLessThan(tempo[1])
      for (const pattern of Object.values(parts).flat()) expect(pattern, name).toMatch(/^[xo.|]*$/)
    }
  })
})

describe('makePiece', () => {
  const house = STYLES.find(({ name }) => name === 'house')!
  const band = new Band()
  const make = (seed: number) => makePiece(house, band, seeded(seed))
  const piece = make(4)

  it('is the same for the same seed', () => {
    const { samples, ...labels } = make(4)
    const { samples: before, ...known } = piece
    expect(labels).toEqual(known)
    // Element by element, toEqual() takes seconds.
    expect(Buffer.compare(bytesOf(samples), bytesOf(before))).toBe(0)
    expect(make(5).beats).not.toEqual(piece.beats)
  })

  it('is louder on its beats than before them, and knows its bars', () => {
    const { samples, sampleRate, beats, downbeats, beatsPerBar, tempo } = piece
    const energy = (from: number) => {
      let sum = 0
      for (let i = 0; i < 0.03 * sampleRate; i++)
        sum += (samples[Math.round(from * sampleRate) + i] ?? 0) ** 2
      return sum
    }
    const total = (offset: number) =>
      beats.slice(1, -1).reduce((sum, beat) => sum + energy(beat + offset), 0)
    expect(total(0)).toBeGreaterThan(2 * total(-0.05))
    expect(tempo).toBeGreaterThan(100)
    expect(beats.indexOf(downbeats[1]!) - beats.indexOf(downbeats[0]!)).toBe(beatsPerBar)
  })
})

describe('midiNotes', () => {
  it('reads notes, programs and running status', () => {
    const events = [
      [0, 0xc2, 40],
      [0, 0x92, 60, 100],
      [48, 64, 90],
      [48, 60, 0],
      [0, 64, 0],
      [0, 0xff, 0x2f, 0],
    ].flat()
    const header = Buffer.from('MThd\0\0\0\x06\0\x01\0\x01\0\x60', 'latin1')
    const track = Buffer.concat([
      Buffer.from('MTrk\0\0\0'),
      Buffer.from([events.length, ...events]),
    ])
    expect(midiNotes(Buffer.concat([header, track]))).toEqual([
      { start: 0, duration: 1, channel: 2, program: 40, pitch: 60, velocity: 100 },
      { start: 0.5, duration: 0.5, channel: 2, program: 40, pitch: 64, velocity: 90 },
    ])
  })
})

describe('midiFile', () => {
  it('writes what midiNotes reads, with notes that end where the next one of their pitch begins', () => {
    const channels = [
      { channel: 0, program: 40, volume: 100 },
      { channel: 9, program: 8, volume: 80 },
    ]
    const notes = [
      { start: 0, duration: 0.5, channel: 0, pitch: 60, velocity: 100 },
      { start: 0.5, duration: 20, channel: 0, pitch: 60, velocity: 90 },
      { start: 0.75, duration: 0.25, channel: 9, pitch: 36, velocity: 127 },
    ]
    // A file that names no tempo has 120 beats a minute.
    const inBeats = notes.map(({ start, duration, channel, ...note }) => ({
      ...note,
      start: 2 * start,
      duration: 2 * duration,
      channel,
      program: channel === 9 ? 8 : 40,
    }))
    expect(midiNotes(midiFile(channels, notes)).sort((a, b) => a.start - b.start)).toEqual(inBeats)
  })
})
