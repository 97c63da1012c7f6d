import { describe, expect, test } from 'vitest'
import { makeBases, oggBase, opusPackets, vorbisPackets } from '../programs/hostile/bases.ts'
import { flacOf } from '../programs/hostile/flac-writer.ts'
import { oggPages } from '../programs/hostile/ogg-writer.ts'
import { chunk, wav } from '../support/audio-files.ts'
import { decoded } from '../support/decoded.ts'

const SAMPLES = new Float32Array(20_480).map((_, i) => Math.sin(i / 10) / 2)
/** 20 frames of 1,024 samples that leave rate and width to STREAMINFO, 2,059 bytes each. */
const FLAC = flacOf(SAMPLES, { sampleRate: 12_345 })

describe('FLAC', () => {
  test('frames may leave their rate and width to STREAMINFO', async () => {
    const { samples, ...report } = await decoded(FLAC.bytes)
    expect(report).toMatchObject({ sampleRate: 12_345, frames: 20_480, truncated: false })
    expect(samples[0]?.[7]).toBeCloseTo(SAMPLES[7]!, 4)
  })

  test('a damaged frame costs itself, and is told', async () => {
    const bytes = Buffer.from(FLAC.bytes)
    bytes.fill(0x5a, FLAC.units[4]!.end + 500, FLAC.units[4]!.end + 600)
    const { samples, ...report } = await decoded(bytes)
    expect(report).toMatchObject({ frames: 19 * 1024, truncated: true })
    expect(samples[0]?.[5 * 1024 + 7]).toBeCloseTo(SAMPLES[6 * 1024 + 7]!, 4)
  })

  test('a header lost costs its frame, not the next 64 kB, and is told', async () => {
    const bytes = Buffer.from(FLAC.bytes)
    bytes.fill(0, FLAC.units[4]!.end, FLAC.units[4]!.end + 6)
    // Without a total, nothing but the damage itself tells.
    bytes.writeUInt32BE(0, 22)
    expect(await decoded(bytes)).toMatchObject({ frames: 19 * 1024, truncated: true })
  })

  test('ten thousand blocks of metadata are enough', async () => {
    const more = (count: number) => {
      const blocks = Buffer.alloc(4 * count)
      for (let i = 0; i < count; i++) blocks[4 * i] = i === count - 1 ? 0x81 : 1
      const bytes = Buffer.concat([FLAC.bytes.subarray(0, 42), blocks, FLAC.bytes.subarray(42)])
      bytes[4] = 0
      return bytes
    }
    expect(await decoded(more(9999))).toMatchObject({ frames: 20_480 })
    await expect(decoded(more(10_000))).rejects.toThrow(/more than 10000 blocks/)
  })
})

test('a page missing in the midst of Vorbis is told', async () => {
  const { bytes, units } = (await makeBases(1)).get('ogg')!
  const [from, to] = [units[6]!.end, units[7]!.end]
  const less = await decoded(Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]))
  const whole = await decoded(bytes)
  expect([whole.truncated, less.truncated]).toEqual([false, true])
  expect(less.frames).toBeLessThan(whole.frames)
})

test.each([1000, 3_000_000])('comments of %i bytes change nothing of Vorbis', async (length) => {
  const base = (await makeBases(1)).get('ogg')!
  const packets = vorbisPackets(base.bytes)
  const text = Buffer.alloc(8 + 4 + length)
  text.writeUInt32LE(1, 4)
  text.writeUInt32LE(length, 8)
  text.fill('A=', 12)
  packets[1]!.bytes = Buffer.concat([Buffer.from('\x03vorbis'), text, Uint8Array.of(1)])
  const { bytes } = oggBase('ogg', packets, 3, 44_100)
  const { samples, ...report } = await decoded(bytes)
  const { samples: plain, ...expected } = await decoded(base.bytes)
  expect(report).toEqual(expected)
  expect(samples).toEqual(plain)
})

test('of Vorbis that is cut off, all pages that are there are heard', async () => {
  const { bytes, units } = (await makeBases(1)).get('ogg')!
  const { end, frames } = units[8]!
  const cut = await decoded(bytes.subarray(0, end + 100))
  expect(cut.truncated).toBe(true)
  // The last block waits for the one that would overlap it.
  expect(Math.abs(cut.frames - frames)).toBeLessThan(2500)
})

test('a page missing in the midst of Opus is told', async () => {
  const pages = oggPages(opusPackets(), { headers: 2, perPage: 20 })
  expect(await decoded(Buffer.concat(pages))).toMatchObject({ truncated: false })
  expect(await decoded(Buffer.concat(pages.toSpliced(4, 1)))).toMatchObject({ truncated: true })
})

test('packets of AAC that give no sound are told', async () => {
  const { bytes, units, soundAt } = (await makeBases(1)).get('aac')!
  const damaged = Buffer.from(bytes)
  damaged.fill(0xff, soundAt, units[40]!.end)
  const report = await decoded(damaged).catch(() => undefined)
  expect(report?.truncated ?? true).toBe(true)
  expect(await decoded(bytes)).toMatchObject({ truncated: false })
})

test('ten thousand chunks before the sound of a WAV file are enough', async () => {
  const file = (count: number) =>
    wav(new Uint8Array(2), { bits: 16, before: Array(count).fill(chunk('junk', [])).flat() })
  expect(await decoded(file(9998))).toMatchObject({ frames: 1 })
  await expect(decoded(file(10_000))).rejects.toThrow(/more than 10000 chunks/)
})
