import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hearSounds, openSoundNetwork } from '../../src/analysis-entry.ts'
import { SoundListener, SPARSE } from '../../src/sounds/hearing.ts'
import { packedMoments, timelineOf } from '../../src/sounds/timeline.ts'
import { instrumentsOf } from '../../src/sounds/whole.ts'
import { clip } from '../support/clips.ts'
import { madeNetwork, networkFile } from '../support/made-network.ts'

const FILE = networkFile(madeNetwork())
const opened = () => openSoundNetwork(FILE, createHash('sha256').update(FILE).digest('hex'))

describe('hearing samples', () => {
  it('gives stretches inside of them, and values from 0 to 1', async () => {
    const { samples, sampleRate } = clip({ seconds: 4 })
    const heard = hearSounds({ samples, sampleRate, network: await opened() })
    for (const { start, duration } of [...heard.voice, ...heard.speech, ...heard.applause])
      expect(start + duration).toBeLessThanOrEqual(4)
    for (const value of Object.values(heard.summary)) {
      expect(value).toBeGreaterThanOrEqual(0)
      expect(value).toBeLessThanOrEqual(1)
    }
  })

  it('is the same however they are cut, and each third patch is one of all', async () => {
    const network = await opened()
    const { samples, sampleRate } = clip({ seconds: 10 })
    const hear = (every: number, block: number) => {
      const listener = new SoundListener(network, sampleRate, every)
      for (let from = 0; from < samples[0]!.length; from += block)
        listener.push([samples[0]!.subarray(from, from + block)])
      return listener.finish()
    }
    const all = hear(1, 1_000_000)
    expect(hear(1, 997)).toEqual(all)
    // Ten patches, and the rest of less than half of one.
    expect(all.moments.singing).toHaveLength(10)
    const third = hear(SPARSE, 1_000)
    expect(hear(SPARSE, 50_000)).toEqual(third)
    const kept = all.moments.singing.filter((_, i) => i % SPARSE === 0)
    expect([...third.moments.singing]).toEqual([...kept])
  })

  it('hears less than a patch as one, and refuses nothing', async () => {
    const network = await opened()
    const short = clip({ seconds: 0.2 })
    expect(() => hearSounds({ ...short, network })).not.toThrow()
    const none = { samples: [new Float32Array(0)], sampleRate: 44_100, network }
    expect(() => hearSounds(none)).toThrow(/samples/)
    expect(() => hearSounds({ ...short, sampleRate: 44.1, network })).toThrow(/sampleRate/)
  })
})

describe('a timeline', () => {
  const packed = (voice: number[]) =>
    Uint8Array.from([...voice, ...voice.map(() => 0), ...voice.map(() => 0)])

  it('joins neighbours, bridges a doubtful patch, and leaves the rest', () => {
    const { voice, applause } = timelineOf(packed([0, 200, 100, 250, 0, 0, 255]), 1, 6.5)
    expect(voice).toEqual([
      { start: 0.96, duration: 2.88, confidence: 0.72 },
      { start: 5.76, duration: 0.74, confidence: 1 },
    ])
    expect(applause).toEqual([])
  })

  it('has a voice where someone sings or speaks, and none where music stops', () => {
    const moments = (singing: number, speech: number, music: number, applause = -12) =>
      Object.fromEntries(
        Object.entries({ singing, speech, music, applause }).map(([name, score]) => [
          name,
          new Float32Array(8).fill(score),
        ]),
      ) as Parameters<typeof packedMoments>[0]['moments']
    const lines = (heard: ReturnType<typeof moments>) => {
      const hearing = { every: 1, moments: heard, means: new Float64Array(521) }
      const { voice, speech, applause } = timelineOf(packedMoments(hearing), 1, 8)
      return [voice, speech, applause].map(({ length }) => length)
    }
    expect(lines(moments(-1, -4, 2))).toEqual([1, 0, 0])
    expect(lines(moments(-9, 2, -5))).toEqual([1, 1, 0])
    expect(lines(moments(-9, -4, -7, -3))).toEqual([0, 0, 1])
    expect(lines(moments(-9, -6, 3))).toEqual([0, 0, 0])
  })

  it('of every third patch has steps of three', () => {
    expect(timelineOf(packed([255, 0, 255]), 3, 100).voice).toEqual([
      { start: 0, duration: 2.88, confidence: 1 },
      { start: 5.76, duration: 2.88, confidence: 1 },
    ])
  })
})

describe('instruments', () => {
  it('are told when they are sure, with their family', () => {
    const means = new Float64Array(521).fill(0.0001)
    expect(instrumentsOf({ means })).toEqual([])
    means[186] = 0.6
    expect(instrumentsOf({ means }).map(({ name }) => name)).toEqual(['strings', 'violin'])
  })
})
