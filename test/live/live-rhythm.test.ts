import { describe, expect, it } from 'vitest'
import { Resampler } from '../../src/audio/resample.ts'
import type { LiveBeat } from '../../src/live/beat-tracker.ts'
import { LiveRhythm, type LiveTempo } from '../../src/live/live-rhythm.ts'
import { beatTimes, play, RATE, ROCK } from '../analysis/drum-patterns.ts'
import { seeded } from '../support/music.ts'

const SECONDS = 10
/** One more than sounds, as it is announced. */
const trueBeats = beatTimes(120, SECONDS + 1)
const rock = play(ROCK, trueBeats, SECONDS)

/** All beats that are announced when the samples come in blocks of that length. */
function beatsOf(samples: Float32Array, sampleRate = RATE, block = 1_024): LiveBeat[] {
  const beats: LiveBeat[] = []
  const live = new LiveRhythm({ sampleRate, onBeat: (beat) => beats.push(beat) })
  pushAll(live, samples, block)
  return beats
}

function pushAll(live: LiveRhythm, samples: Float32Array, block = 1_024): void {
  for (let at = 0; at < samples.length; at += block) live.push([samples.subarray(at, at + block)])
}

function resampled(samples: Float32Array, from: number, to: number): Float32Array {
  return new Resampler(from, to).push(samples).slice()
}

/** How far a time is from the nearest beat that there is. */
const errorOf = (time: number, beats: readonly number[] = trueBeats) =>
  Math.min(...beats.map((beat) => Math.abs(beat - time)))

const own = beatsOf(rock)

describe('LiveRhythm', () => {
  it('announces the beats of drums before they sound, from the third second on', () => {
    expect(own[0]!.time).toBeLessThan(trueBeats[0]! + 3)
    const due = trueBeats.filter((beat) => beat >= own[0]!.time - 0.1 && beat < SECONDS - 0.2)
    expect(own.length).toBeGreaterThanOrEqual(due.length)
    for (const { time, ahead, tempo, confidence } of own) {
      expect(errorOf(time)).toBeLessThan(0.03)
      expect(ahead).toBeGreaterThan(0)
      expect(ahead).toBeLessThan(0.15)
      expect(Math.abs(tempo / 120 - 1)).toBeLessThan(0.06)
      expect(confidence).toBeGreaterThan(0.3)
      expect(confidence).toBeLessThanOrEqual(1)
    }
  })

  it('announces each beat by the samples before it alone', () => {
    for (const { time, ahead } of [own[0]!, own[5]!]) {
      const until = Math.ceil((time - ahead) * RATE) + 1
      expect(beatsOf(rock.subarray(0, until)).at(-1)?.time).toBe(time)
      expect(beatsOf(rock.subarray(0, until - 64)).at(-1)?.time).not.toBe(time)
    }
  })

  it('tells downbeats and the metre', () => {
    const last = own.slice(-8)
    const downs = last.filter(({ downbeat }) => downbeat)
    expect(downs).toHaveLength(2)
    for (const { time } of downs)
      expect(
        errorOf(
          time,
          trueBeats.filter((_, i) => i % 4 === 0),
        ),
      ).toBeLessThan(0.03)
    expect(last.at(-1)!.timeSignature).toBe(4)
  })

  it.each([1, 128, 48_000])('hears the same in blocks of %d samples', (block) => {
    expect(beatsOf(rock, RATE, block)).toEqual(own)
  })

  it.each([44_100, 48_000])('hears the same at %d Hz, within 5 ms', (sampleRate) => {
    const beats = beatsOf(resampled(rock, RATE, sampleRate), sampleRate)
    expect(beats).toHaveLength(own.length)
    beats.forEach(({ time, downbeat }, i) => {
      expect(Math.abs(time - own[i]!.time)).toBeLessThan(0.005)
      expect(downbeat).toBe(own[i]!.downbeat)
    })
  })

  it('mixes channels, and takes the first where they cancel each other out', () => {
    const inverted = rock.map((sample) => -sample)
    const beats: LiveBeat[] = []
    const live = new LiveRhythm({ sampleRate: RATE, onBeat: (beat) => beats.push(beat) })
    for (let at = 0; at < rock.length; at += 512)
      live.push([rock.subarray(at, at + 512), inverted.subarray(at, at + 512)])
    expect(beats.length).toBeGreaterThan(own.length - 4)
    for (const { time } of beats) expect(errorOf(time)).toBeLessThan(0.03)
  })

  it('hears no beats in silence and noise, and stops after music', () => {
    const random = seeded(7)
    const noise = Float32Array.from({ length: 20 * RATE }, () => 0.1 * (random() - random()))
    expect(beatsOf(new Float32Array(20 * RATE))).toEqual([])
    expect(beatsOf(noise)).toEqual([])
    const tempos: LiveTempo[] = []
    const live = new LiveRhythm({ sampleRate: RATE, onTempo: (tempo) => tempos.push(tempo) })
    pushAll(live, rock)
    expect(Math.abs(live.tempo / 120 - 1)).toBeLessThan(0.03)
    expect(live.timeSignature).toBe(4)
    expect(live.confidence).toBeGreaterThan(0.5)
    pushAll(live, new Float32Array(15 * RATE))
    expect([live.tempo, live.confidence, live.timeSignature]).toEqual([0, 0, 0])
    expect(tempos.length).toBeGreaterThan(1)
    expect(tempos.at(-1)!.tempo).toBe(0)
  })

  it('survives samples that are no numbers', () => {
    const broken = rock.slice()
    for (let at = 0; at < broken.length; at += 9_999) broken[at] = [NaN, Infinity, 1e30][at % 3]!
    for (const { time } of beatsOf(broken)) expect(Number.isFinite(time)).toBe(true)
  })

  it('forgets everything at a reset, also within a listener', () => {
    const live = new LiveRhythm({ sampleRate: RATE })
    pushAll(live, rock)
    live.reset()
    expect([live.tempo, live.confidence]).toEqual([0, 0])
    const beats: LiveBeat[] = []
    const again = new LiveRhythm({
      sampleRate: RATE,
      onBeat: (beat) => {
        beats.push(beat)
        if (beats.length === 3) again.reset()
      },
    })
    pushAll(again, rock)
    pushAll(again, new Float32Array(0))
    expect(beats.slice(0, 3)).toEqual(own.slice(0, 3))
    again.reset()
    beats.length = 3
    pushAll(again, rock)
    expect(beats.slice(3)).toEqual(own)
  })

  it('tells the rest at the next push after a listener has thrown', () => {
    const beats: LiveBeat[] = []
    const live = new LiveRhythm({
      sampleRate: RATE,
      onBeat(beat) {
        beats.push(beat)
        if (beats.length === 1) throw new Error('no')
      },
    })
    expect(() => live.push([rock])).toThrow('no')
    live.push([new Float32Array(1)])
    expect(beats).toEqual(own)
  })

  it('is an iterable of the beats of a stream', async () => {
    const blocks = Array.from({ length: 10 }, (_, i) => [rock.subarray(i * RATE, (i + 1) * RATE)])
    const streams = [
      blocks,
      ReadableStream.from(blocks),
      { getReader: () => ReadableStream.from(blocks).getReader() } as unknown as ReadableStream<
        Float32Array[]
      >,
    ]
    for (const stream of streams) {
      const beats: LiveBeat[] = []
      for await (const beat of new LiveRhythm({ sampleRate: RATE }).beats(stream)) beats.push(beat)
      expect(beats).toEqual(own)
    }
  })

  it.each([0, 7_999, 192_001, 44_100.5, Number.NaN])('refuses a rate of %d', (sampleRate) => {
    expect(() => new LiveRhythm({ sampleRate })).toThrow(/whole number of hertz, 8000 to 192000/)
  })

  it('refuses no channel, and channels of several lengths', () => {
    const live = new LiveRhythm({ sampleRate: RATE })
    expect(() => live.push([])).toThrow(/a Float32Array for each channel/)
    const [two, three] = [new Float32Array(2), new Float32Array(3)]
    expect(() => live.push([two, three])).toThrow(/channel 1 has 3 samples, the first 2/)
  })
})
