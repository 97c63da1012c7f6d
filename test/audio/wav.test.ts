import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DecodeError } from '../../src/values/errors.ts'
import { chunk, encode, float, int, rf64, wav } from '../support/audio-files.ts'
import { decoded, fixture } from '../support/decoded.ts'

const list = (samples: Float32Array | undefined) => Array.from(samples ?? [])

describe('integers', () => {
  test.each([
    [8, [0, 128, 192, 255], [-1, 0, 0.5, 127 / 128]],
    [16, [-32_768, 0, 16_384, 32_767], [-1, 0, 0.5, 32_767 / 32_768]],
    [24, [-8_388_608, -1, 4_194_304], [-1, -1 / 8_388_608, 0.5]],
    [32, [-2_147_483_648, 0, 1_073_741_824], [-1, 0, 0.5]],
  ])('%i bits', async (bits, stored, expected) => {
    const file = wav(encode(stored, int(bits / 8)), { bits })
    const { samples, ...report } = await decoded(file)
    expect(list(samples[0])).toEqual(expected)
    expect(report).toMatchObject({ container: 'wav', decoder: 'pcm', truncated: false })
    expect(report).toMatchObject({ sampleRate: 44_100, channels: 1, frames: stored.length })
  })

  test('20 bits lie left-justified in 3 bytes, 24 bits in 4 where the block says so', async () => {
    const three = wav(encode([4_194_304], int(3)), { bits: 20 })
    expect(list((await decoded(three)).samples[0])).toEqual([0.5])
    const four = wav(encode([1_073_741_824, -1_073_741_824], int(4)), { bits: 24, blockAlign: 4 })
    expect(list((await decoded(four)).samples[0])).toEqual([0.5, -0.5])
  })

  test('channels come apart', async () => {
    const file = wav(encode([1, 2, 3, 4, 5, 6], int(2)), { bits: 16, channels: 3 })
    const { samples } = await decoded(file)
    expect(samples.map((s) => list(s).map((v) => v * 32_768))).toEqual([
      [1, 4],
      [2, 5],
      [3, 6],
    ])
  })

  test('many blocks join without a seam', async () => {
    const stored = Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 65_536)
    const file = wav(encode(stored, int(2)), { bits: 16, channels: 2 })
    const { samples, frames } = await decoded(file)
    expect(frames).toBe(100_000)
    const signed = (value: number) => (value >= 32_768 ? value - 65_536 : value) / 32_768
    expect(samples[1]!.every((v, i) => v === signed(stored[2 * i + 1]!))).toBe(true)
  })
})

test('floats and doubles', async () => {
  for (const bytes of [4, 8] as const) {
    const file = wav(encode([0.25, -1.5], float(bytes)), { tag: 3, bits: bytes * 8 })
    expect(list((await decoded(file)).samples[0])).toEqual([0.25, -1.5])
  }
})

test('samples that are no finite numbers are silence', async () => {
  const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.5]
  const file = wav(encode(values, float(4)), { tag: 3, bits: 32 })
  expect(list((await decoded(file)).samples[0])).toEqual([0, 0, 0, 0.5])
})

test('extensible: the subformat counts', async () => {
  const file = wav(encode([0.25, 0.5], float(4)), {
    tag: 3,
    bits: 32,
    channels: 2,
    extensible: true,
  })
  const { samples, codec } = await decoded(file)
  expect(samples.map(list)).toEqual([[0.25], [0.5]])
  expect(codec).toBe('f32')
})

describe('sizes', () => {
  const data = encode([100, 200, 300], int(2))

  test('RF64 takes the size from ds64', async () => {
    expect(await decoded(rf64(data, 16))).toMatchObject({ frames: 3, truncated: false })
  })

  test.each([0, 0xffffffff])('a data size of %i means to the end', async (dataSize) => {
    expect(await decoded(wav(data, { bits: 16, dataSize }))).toMatchObject({
      frames: 3,
      truncated: false,
    })
  })

  test('a data size beyond the end is a truncated file', async () => {
    expect(await decoded(wav(data, { bits: 16, dataSize: 100 }))).toMatchObject({
      frames: 3,
      truncated: true,
    })
  })

  test('chunks of odd length are padded, and what follows the data is no sound', async () => {
    const file = wav(data, {
      bits: 16,
      before: chunk('junk', [1, 2, 3]),
      after: chunk('LIST', [1, 2, 3, 4]),
    })
    expect(await decoded(file)).toMatchObject({ frames: 3, truncated: false })
  })
})

test('MP3 in WAV goes to the mp3 decoder', async () => {
  const mp3 = readFileSync(fixture('no-header.mp3'))
  const file = wav(mp3, { tag: 0x55, bits: 0, channels: 2, blockAlign: 1 })
  expect(await decoded(file)).toMatchObject({
    container: 'wav',
    codec: 'mp3',
    decoder: 'mpg123',
    frames: 27_648,
  })
})

test('a chunk of odd size whose writer forgot the padding byte', async () => {
  const before = chunk('junk', [1, 2, 3]).slice(0, -1)
  const { samples } = await decoded(wav(encode([16_384], int(2)), { bits: 16, before }))
  expect(list(samples[0])).toEqual([0.5])
})

describe('refused', () => {
  const data = encode([1, 2], int(2))
  test.each([
    ['no samples', wav(new Uint8Array(0), { bits: 16 }), /0 samples/],
    ['rate 0', wav(data, { bits: 16, sampleRate: 0 }), /sample rate is 0 Hz/],
    ['no channels', wav(data, { bits: 16, channels: 0, blockAlign: 2 }), /0 channels/],
    ['65,535 channels', wav(data, { bits: 16, channels: 65_535, blockAlign: 2 }), /65535 channels/],
    ['0 bits', wav(data, { bits: 0 }), /0 bits/],
    ['data before format', wav(data, { bits: 16 }).fill(0x64, 12, 13), /no format chunk|before/],
    ['no data', wav(data, { bits: 16 }).slice(0, 36), /no data chunk/],
  ])('%s', async (_, file, message) => {
    const failure = decoded(file)
    await expect(failure).rejects.toThrow(message)
    await expect(failure).rejects.toBeInstanceOf(DecodeError)
  })

  test('ADPCM without ffmpeg names the codec and the option', async () => {
    await expect(decoded(fixture('ima.wav'))).rejects.toThrow(/IMA ADPCM in WAV.*ffmpegPath/)
  })
})
