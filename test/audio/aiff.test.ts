import { describe, expect, test } from 'vitest'
import { aiff, encode, float, int } from '../support/audio-files.ts'
import { decoded } from '../support/decoded.ts'

const list = (samples: Float32Array | undefined) => Array.from(samples ?? [])

describe('formats', () => {
  test.each([
    ['NONE 8', 8, undefined, encode([64, 0x80], int(1))],
    ['NONE 16', 16, undefined, encode([16_384, -32_768], int(2, 'be'))],
    ['NONE 24', 24, undefined, encode([4_194_304, -8_388_608], int(3, 'be'))],
    ['twos', 16, 'twos', encode([16_384, -32_768], int(2, 'be'))],
    ['sowt 16', 16, 'sowt', encode([16_384, -32_768], int(2, 'le'))],
    ['sowt 24', 24, 'sowt', encode([4_194_304, -8_388_608], int(3, 'le'))],
    ['in32', 32, 'in32', encode([1_073_741_824, -2_147_483_648], int(4, 'be'))],
    ['fl32', 32, 'fl32', encode([0.5, -1], float(4, 'be'))],
    ['FL64', 64, 'FL64', encode([0.5, -1], float(8, 'be'))],
  ])('%s', async (_, bits, compression, data) => {
    const file = aiff(data, { bits, ...(compression && { compression }) })
    const { samples, ...report } = await decoded(file)
    expect(list(samples[0])).toEqual([0.5, -1])
    expect(report).toMatchObject({ container: 'aiff', sampleRate: 44_100, truncated: false })
  })

  test('ulaw and alaw', async () => {
    const mu = aiff(Uint8Array.of(0x80), { bits: 16, compression: 'ulaw', frames: 1 })
    expect((await decoded(mu)).samples[0]![0]! * 32_768).toBe(32_124)
    const a = aiff(Uint8Array.of(0xaa), { bits: 16, compression: 'alaw', frames: 1 })
    expect((await decoded(a)).samples[0]![0]! * 32_768).toBe(32_256)
  })
})

test('12 bits lie left-justified in 2 bytes', async () => {
  const file = aiff(encode([16_384], int(2, 'be')), { bits: 12 })
  expect(list((await decoded(file)).samples[0])).toEqual([0.5])
})

test('a rate of 96,000 Hz in 80 bits', async () => {
  // 96000 = 1.46484375 · 2^16: exponent 16383 + 16, mantissa 0xbb80 · 2^48.
  const rate = [0x40, 0x0f, 0xbb, 0x80, 0, 0, 0, 0, 0, 0]
  expect(await decoded(aiff(new Uint8Array(4), { bits: 16, rate }))).toMatchObject({
    sampleRate: 96_000,
  })
})

test('more frames claimed than there are is a truncated file', async () => {
  const file = aiff(new Uint8Array(8), { bits: 16, frames: 100, soundSize: 208 })
  expect(await decoded(file)).toMatchObject({ frames: 4, truncated: true })
})

test('fewer frames claimed than there are leave no sound out', async () => {
  const file = aiff(encode([1, 2, 3, 4], int(2, 'be')), { bits: 16, frames: 2 })
  expect(await decoded(file)).toMatchObject({ frames: 4, truncated: false })
})

test('refuses what it cannot read', async () => {
  const data = new Uint8Array(8)
  const odd = aiff(data, { bits: 16, compression: 'MAC3' })
  await expect(decoded(odd)).rejects.toThrow(/compression "MAC3" in AIFF/)
  await expect(decoded(aiff(data, { bits: 40 }))).rejects.toThrow(/40 bits/)
  const infinite = [0x7f, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0]
  await expect(decoded(aiff(data, { bits: 16, rate: infinite }))).rejects.toThrow(/is 0 Hz/)
  await expect(decoded(aiff(data, { bits: 16 }).slice(0, 38))).rejects.toThrow(/SSND/)
})
