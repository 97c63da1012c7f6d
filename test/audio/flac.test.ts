import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decoded, differenceFromSine, fixture } from '../support/decoded.ts'

const whole = readFileSync(fixture('stereo.flac'))

test('every sample, at the scale of the other readers', async () => {
  const { samples, ...report } = await decoded(fixture('stereo.flac'))
  expect(report).toEqual({
    container: 'flac',
    codec: 'flac',
    decoder: 'libflac',
    sampleRate: 44_100,
    channels: 2,
    frames: 26_460,
    truncated: false,
  })
  expect(differenceFromSine(samples[0]!, { edge: 0 })).toBeLessThan(1 / 32_768)
  expect(samples[0]!.every((value) => Number.isInteger(value * 32_768))).toBe(true)
})

test('pictures and other metadata are passed over', async () => {
  const picture = Buffer.concat([Uint8Array.of(6, 1, 0, 0), Buffer.alloc(65_536, 0xff)])
  // STREAMINFO stays first and is not the last block; the picture follows.
  const file = Buffer.concat([whole.subarray(0, 42), picture, whole.subarray(42)])
  expect(await decoded(file)).toEqual(await decoded(whole))
})

describe('damage', () => {
  test('a file cut off is truncated', async () => {
    const { frames, truncated } = await decoded(whole.subarray(0, whole.length - 3000))
    expect(truncated).toBe(true)
    expect(frames).toBeGreaterThan(13_000)
    expect(frames).toBeLessThan(26_460)
  })

  test('noise in the middle costs what it hits', async () => {
    const file = Buffer.from(whole)
    file.fill(0x5a, 12_000, 12_050)
    const { frames } = await decoded(file)
    expect(frames).toBeGreaterThanOrEqual(26_460 - 2 * 4608)
  })

  test('an ID3v1 tag at the end does no harm', async () => {
    const file = Buffer.concat([whole, Buffer.from('TAG'.padEnd(128, ' '))])
    expect(await decoded(file)).toEqual(await decoded(whole))
  })

  test('metadata without an end', async () => {
    await expect(decoded(whole.subarray(0, 60))).rejects.toThrow(/within its metadata/)
    await expect(decoded(whole.subarray(0, 30))).rejects.toThrow(/STREAMINFO is incomplete/)
  })
})
