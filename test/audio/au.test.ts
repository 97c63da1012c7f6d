import { describe, expect, test } from 'vitest'
import { au, encode, float, int } from '../support/audio-files.ts'
import { decoded } from '../support/decoded.ts'

const list = (samples: Float32Array | undefined) => Array.from(samples ?? [])

describe('encodings', () => {
  test.each([
    ['8 bits', 2, encode([64, 0x80], int(1))],
    ['16 bits', 3, encode([16_384, -32_768], int(2, 'be'))],
    ['24 bits', 4, encode([4_194_304, -8_388_608], int(3, 'be'))],
    ['32 bits', 5, encode([1_073_741_824, -2_147_483_648], int(4, 'be'))],
    ['float', 6, encode([0.5, -1], float(4, 'be'))],
    ['double', 7, encode([0.5, -1], float(8, 'be'))],
  ])('%s', async (_, encoding, data) => {
    const { samples, ...report } = await decoded(au(data, { encoding }))
    expect(list(samples[0])).toEqual([0.5, -1])
    expect(report).toMatchObject({ container: 'au', sampleRate: 8000, truncated: false })
  })

  // Values of G.711's tables, scaled to 16 bits.
  test('μ-law', async () => {
    const { samples } = await decoded(au(Uint8Array.of(0xff, 0x80, 0x00), { encoding: 1 }))
    expect(list(samples[0]).map((v) => v * 32_768)).toEqual([0, 32_124, -32_124])
  })

  test('A-law', async () => {
    const { samples } = await decoded(au(Uint8Array.of(0xd5, 0xaa, 0x2a), { encoding: 27 }))
    expect(list(samples[0]).map((v) => v * 32_768)).toEqual([8, 32_256, -32_256])
  })
})

test('an unknown size means to the end; a text may stand before the samples', async () => {
  const data = encode([16_384, 0, -16_384], int(2, 'be'))
  const file = au(data, { encoding: 3, size: 0xffffffff, note: 'a little text' })
  const { samples, truncated } = await decoded(file)
  expect(list(samples[0])).toEqual([0.5, 0, -0.5])
  expect(truncated).toBe(false)
})

test('a size beyond the end is a truncated file', async () => {
  const data = encode([1, 2], int(2, 'be'))
  expect(await decoded(au(data, { encoding: 3, size: 400 }))).toMatchObject({
    frames: 2,
    truncated: true,
  })
})

test('refuses what is no PCM, and headers that cannot be', async () => {
  const data = new Uint8Array(8)
  await expect(decoded(au(data, { encoding: 23 }))).rejects.toThrow(/encoding 23 in AU/)
  await expect(decoded(au(data, { encoding: 3, channels: 0 }))).rejects.toThrow(/0 channels/)
  const early = au(data, { encoding: 3 }).fill(0, 4, 8)
  await expect(decoded(early)).rejects.toThrow(/start at byte 0/)
  await expect(decoded(au(data, { encoding: 3 }).slice(0, 20))).rejects.toThrow(/20 of 24 bytes/)
})
