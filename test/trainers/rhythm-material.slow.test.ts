import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { composedScore } from '../programs/trainers/material-composed.ts'
import { fromOnset, madeKit } from '../programs/trainers/material-kits.ts'
import { performed } from '../programs/trainers/material-players.ts'
import { coded, taped } from '../programs/trainers/material-recording.ts'
import { type Score, STROKES } from '../programs/trainers/material-score.ts'
import { MATERIAL_STYLES } from '../programs/trainers/material-styles.ts'
import { beatTimesOf } from '../programs/trainers/material-tempo.ts'
import { materialPiece } from '../programs/trainers/rhythm-material.ts'
import { bytesOf } from '../support/bytes-of.ts'
import { pick, seeded } from '../support/chance.ts'

const RATE = 22_050
const SOURCES = [{ weight: 1, score: composedScore }]

/** Short strokes on beats, nothing else. */
function strokes(manner: Score['manner']): Score {
  const sounds = Array.from({ length: 100 }, (_, start) => {
    return { start, duration: 1, gain: 0.5, voice: 'rim', pitch: 60 }
  })
  return {
    family: 'strokes',
    music: 'strokes',
    source: 'test',
    style: 'strokes',
    bpm: 100,
    beatsPerBar: 4,
    accepted: [4],
    sounds,
    beats: 100,
    from: 1.5,
    manner,
    production: 'electronic',
  }
}

/** Seconds of the first sample after a time that is as loud as a stroke. */
function strokeAfter(samples: Float32Array, from: number): number {
  const peak = samples.reduce((high, x) => Math.max(high, Math.abs(x)), 0)
  let i = Math.max(0, Math.round(from * RATE))
  while (i < samples.length && Math.abs(samples[i]!) < 0.25 * peak) i++
  return i / RATE
}

describe('MATERIAL_STYLES', () => {
  it('has bars of whole steps a beat, and names that the first book has not', () => {
    expect(MATERIAL_STYLES.length).toBeGreaterThan(70)
    for (const { name, beatsPerBar, parts, tempo, players } of MATERIAL_STYLES) {
      expect(tempo[0], name).toBeLessThan(tempo[1])
      expect(players, name).toBeDefined()
      for (const bar of Object.values(parts).flatMap((list) => list.join('|').split('|'))) {
        expect(bar, name).toMatch(/^[xo.]*$/)
        const steps = [bar.length % beatsPerBar, beatsPerBar % (bar.length || 1)]
        expect(Math.min(...steps), `${name}: ${bar}`).toBe(0)
      }
    }
  })
})

describe('composedScore', () => {
  it('has a tempo within bounds, of the styles that have one', () => {
    const random = seeded(1)
    for (let i = 0; i < 40; i++) {
      const { bpm, style } = composedScore(30, random, [200, 212])
      expect(bpm, style).toBeGreaterThanOrEqual(200)
      expect(bpm, style).toBeLessThanOrEqual(212)
    }
  })

  it('says that no style has such a tempo', () => {
    expect(() => composedScore(30, seeded(1), [400, 500])).toThrow(/400 to 500 BPM/)
  })
})

describe('performed', () => {
  it.each(['machine', 'free'] as const)('strikes on its labels, by a %s', (manner) => {
    for (const seed of [1, 2, 3]) {
      const { samples, beats } = performed(strokes(manner), 20, {}, seeded(seed))
      expect(beats.length).toBeGreaterThan(10)
      // People are apart by some hundredths: their median is on the beat.
      const off = beats
        .map((beat) => strokeAfter(samples, beat - 0.05) - beat)
        .sort((a, b) => a - b)
      expect(Math.abs(off[off.length >> 1]!)).toBeLessThan(0.005)
    }
  })
})

describe('materialPiece', () => {
  const ids = ['a', 'b']
  const pieces = ids.map((id) => materialPiece(id, SOURCES, {})!)

  it('is the same for the same seed', () => {
    const { samples, ...rest } = materialPiece(ids[0]!, SOURCES, {})!
    const { samples: before, ...known } = pieces[0]!
    expect(rest).toEqual(known)
    // Element by element, toEqual() takes seconds.
    expect(Buffer.compare(bytesOf(samples), bytesOf(before))).toBe(0)
    expect(pieces[0]!.labels.beats).not.toEqual(pieces[1]!.labels.beats)
  })

  it('has beats in order, within the piece, and downbeats among them', () => {
    for (const { samples, labels } of pieces) {
      const { beats, downbeats, beatsPerBar, accepted, tempo } = labels
      expect(samples.length / RATE).toBeGreaterThan(28)
      expect(samples.length / RATE).toBeLessThan(62)
      expect(beats.length).toBeGreaterThan(15)
      for (const [b, beat] of beats.entries()) expect(beat).toBeGreaterThan(beats[b - 1] ?? -1e-9)
      expect(beats.at(-1)).toBeLessThan(samples.length / RATE)
      expect(downbeats.every((time) => beats.includes(time))).toBe(true)
      expect(beats.indexOf(downbeats[1]!) - beats.indexOf(downbeats[0]!)).toBe(beatsPerBar)
      expect(accepted).toContain(beatsPerBar)
      expect(tempo).toBeGreaterThan(35)
      expect(tempo).toBeLessThan(290)
      expect(samples.some((x) => Math.abs(x) > 3000)).toBe(true)
    }
  })
})

describe('beatTimesOf', () => {
  it('goes on, and stays near its tempo', () => {
    for (const manner of ['machine', 'band', 'free'] as const)
      for (let seed = 0; seed < 30; seed++) {
        const times = beatTimesOf({ bpm: 120, beats: 128, beatsPerBar: 4, manner }, seeded(seed))
        expect(times).toHaveLength(129)
        for (let b = 0; b < 128; b++) expect(times[b + 1]! - times[b]!).toBeGreaterThan(0.35)
        expect(times[128]! / 64).toBeGreaterThan(0.7)
        expect(times[128]! / 64).toBeLessThan(1.45)
      }
  })
})

describe('kits', () => {
  it('have every stroke, which begins at once', () => {
    for (const seed of [1, 2, 3]) {
      const kit = madeKit(seeded(seed))
      for (const stroke of STROKES)
        expect(
          kit[stroke].subarray(0, 60).some((x) => Math.abs(x) > 0.09),
          stroke,
        ).toBe(true)
    }
  })

  it('cut what is before an onset', () => {
    const sound = new Float32Array(5000)
    sound.set([0.02, 0.01, 0.5, -0.3], 3000)
    expect([...fromOnset(sound).subarray(0, 2)]).toEqual([1, Math.fround(-0.6)])
  })
})

describe('taped', () => {
  it('says where each time of the original is', () => {
    let moved = 0
    for (let seed = 0; seed < 20; seed++) {
      const clicks = new Float32Array(20 * RATE)
      const times = [1, 5.5, 12, 18]
      for (const time of times) clicks.fill(1, time * RATE, time * RATE + 40)
      const { samples, at } = taped(clicks, seeded(seed))
      for (const time of times) {
        expect(Math.abs(strokeAfter(samples, at(time) - 0.1) - at(time))).toBeLessThan(0.001)
        if (Math.abs(at(time) - time) > 0.002) moved++
      }
    }
    expect(moved).toBeGreaterThan(10)
  })
})

describe.skipIf(spawnSync('ffmpeg', ['-version']).status !== 0)('coded', () => {
  it.each([
    ['mp3', 'libmp3lame', '32k'],
    ['ogg', 'libvorbis', '32k'],
    ['opus', 'libopus', '24k'],
  ])('keeps the times of %s within 5 ms', (extension, codec, rate) => {
    const random = seeded(4)
    const times = Array.from({ length: 12 }, (_, i) => 0.4 + 0.5 * i + 0.1 * random())
    const kit = madeKit(random)
    const sound = new Float32Array(7 * RATE)
    for (const time of times)
      pick(random, [kit.kick, kit.snare]).forEach((x, i) => {
        const at = Math.round(time * RATE) + i
        if (at < sound.length) sound[at] = sound[at]! + 0.4 * x
      })
    const samples = Int16Array.from(sound, (x) => 32767 * Math.max(-1, Math.min(1, x)))
    const stored = coded(samples, extension, ['-c:a', codec, '-b:a', rate])
    expect(stored).toHaveLength(samples.length)
    expect(Math.abs(lagOf(stored, samples))).toBeLessThanOrEqual(0.005 * RATE)
  })
})

/** By how many samples one recording comes later than another: where they are most alike. */
function lagOf(late: Int16Array, early: Int16Array): number {
  let best = { lag: 0, likeness: Number.NEGATIVE_INFINITY }
  for (let lag = -1500; lag <= 1500; lag += 3) {
    let likeness = 0
    for (let i = 1500; i < early.length - 1500; i += 2) likeness += early[i]! * late[i + lag]!
    if (likeness > best.likeness) best = { lag, likeness }
  }
  return best.lag
}
