import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pick, type Random, seeded, whole as wholeNumber } from '../support/chance.ts'
import { decoded, differenceFromSine, fixture } from '../support/decoded.ts'
import { encodeFlac, type FlacTraits } from '../support/flac-encoder.ts'

const whole = readFileSync(fixture('stereo.flac'))

test('every sample, at the scale of the other readers', async () => {
  const { samples, ...report } = await decoded(fixture('stereo.flac'))
  expect(report).toEqual({
    container: 'flac',
    codec: 'flac',
    decoder: 'flac',
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

/** Integer noise, tones, extremes and silence of a bit depth. */
function integers(random: Random, bits: number, length: number): number[] {
  const full = 2 ** (bits - 1)
  const noise = () => wholeNumber(random, -full, full)
  const kinds: ((i: number) => number)[] = [
    noise,
    (i) => Math.round(Math.sin(i / 20) * (full - 1)),
    () => Math.round((noise() / full) * Math.min(3, full - 1)),
    () => (random() < 0.5 ? -full : full - 1),
    () => Math.max(-full, 8 * Math.floor(noise() / 8)),
    (i) => (i > length / 2 ? 0 : noise()),
  ]
  return Array.from({ length }, (_, i) => i).map(pick(random, kinds))
}

async function differing(file: Buffer, { channels, bits }: FlacTraits): Promise<string[]> {
  const { samples, truncated } = await decoded(file)
  const wrong = channels.flatMap((expected, c) =>
    expected.flatMap((value, i) =>
      samples[c]?.[i] === Math.fround(value / 2 ** (bits - 1)) ? [] : [`channel ${c}, sample ${i}`],
    ),
  )
  if (truncated) wrong.push('truncated')
  if (samples.length !== channels.length) wrong.push(`${samples.length} channels`)
  if (samples[0]!.length !== channels[0]!.length) wrong.push(`${samples[0]!.length} samples`)
  return wrong
}

describe('whatever an encoder may choose', () => {
  test.each(Array.from({ length: 29 }, (_, i) => i + 4))('%i bits, to the sample', async (bits) => {
    for (let seed = 0; seed < 8; seed++) {
      const random = seeded(100 * bits + seed)
      const count = pick(random, [1, 2, 2, 2, 3, 8])
      const length = wholeNumber(random, 300, 1500)
      const numbering = pick(random, ['frames', 'samples', 'samples, unmarked'] as const)
      const traits: FlacTraits = {
        channels: Array.from({ length: count }, () => integers(random, bits, length)),
        bits,
        sampleRate: pick(random, [8000, 44_100, 65_537, 192_000]),
        blockSizes:
          numbering === 'frames'
            ? [pick(random, [16, 17, 192, 256, 576, 1000])]
            : Array.from({ length: 30 }, () => wholeNumber(random, 16, 400)),
        numbering,
        known: random() < 0.7,
      }
      expect(await differing(encodeFlac(random, traits), traits), `seed ${seed}`).toEqual([])
    }
  })

  test('a sound that ends in silence is whole, and not called damaged', async () => {
    const random = seeded(7)
    for (const known of [true, false]) {
      const sound = [...integers(random, 16, 5000), ...Array<number>(9000).fill(0)]
      const traits = { channels: [sound, sound], bits: 16, sampleRate: 44_100, blockSizes: [4096] }
      const file = encodeFlac(random, { ...traits, known })
      expect(await differing(file, traits)).toEqual([])
    }
  })

  test.each([1, 15, 16, 65_535])('%i samples in blocks of as many', async (length) => {
    const random = seeded(length)
    const channels = [integers(random, 16, length)]
    const traits = { channels, bits: 16, sampleRate: 44_100, blockSizes: [length] }
    expect(await differing(encodeFlac(random, traits), traits)).toEqual([])
  })

  test('blocks of 16 samples, many thousands of them', async () => {
    const random = seeded(16)
    const channels = [
      Array.from({ length: 200_000 }, (_, i) => Math.round(9000 * Math.sin(i / 30))),
    ]
    const traits = { channels, bits: 16, sampleRate: 44_100, blockSizes: [16] }
    expect(await differing(encodeFlac(random, traits), traits)).toEqual([])
  })

  test('another bit depth from a frame on', async () => {
    const random = seeded(3)
    const traits = { channels: [integers(random, 16, 600)], sampleRate: 8000, blockSizes: [200] }
    const first = encodeFlac(random, { ...traits, bits: 16, known: false })
    // STREAMINFO takes 42 bytes; frames of 24 bits that name their depth follow those of 16.
    const loud = traits.channels.map((samples) => samples.map((value) => value * 256))
    const named = Array.from({ length: 40 }, (_, seed) =>
      encodeFlac(seeded(seed), { ...traits, channels: loud, bits: 24, blockSizes: [600] }),
    ).find((file) => ((file[42 + 3]! >> 1) & 7) === 6)!
    const { samples } = await decoded(Buffer.concat([first, named.subarray(42)]))
    expect(samples[0]!.slice(600)).toEqual(samples[0]!.slice(0, 600))
  })
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

  test('a flipped bit costs the frame it is in, and is told', async () => {
    const random = seeded(11)
    const channels = [integers(random, 20, 4000)]
    const traits = { channels, bits: 20, sampleRate: 44_100, blockSizes: [500], known: false }
    const file = encodeFlac(random, traits)
    file[Math.floor(file.length / 2)]! ^= 4
    const { frames, truncated } = await decoded(file)
    expect({ frames, truncated }).toEqual({ frames: 3500, truncated: true })
  })

  test('metadata without an end', async () => {
    await expect(decoded(whole.subarray(0, 60))).rejects.toThrow(/within its metadata/)
    await expect(decoded(whole.subarray(0, 30))).rejects.toThrow(/STREAMINFO is incomplete/)
  })
})

describe('a number of samples that contradicts the frames', () => {
  const promising = (samples: number, file: Uint8Array = whole) => {
    const copy = Buffer.from(file)
    copy[21] = (copy[21]! & 0xf0) | Math.floor(samples / 2 ** 32)
    copy.writeUInt32BE(samples % 2 ** 32, 22)
    return copy
  }

  test.each([
    ['a stream of equal frames', whole],
    ['an ID3v1 tag behind it', Buffer.concat([whole, Buffer.from('TAG'.padEnd(128, 'x'))])],
    ['the last frame cut off', whole.subarray(0, whole.length - 10)],
  ])('too many, %s: what is there is decoded', async (_, file) => {
    const { frames } = await decoded(file)
    for (const samples of [2 ** 36 - 1, 26_461 * 50_000]) {
      expect(await decoded(promising(samples, file))).toMatchObject({ frames, truncated: true })
    }
  })

  test('too few: what is there is decoded, and counts', async () => {
    expect(await decoded(promising(1))).toMatchObject({ frames: 26_460, truncated: false })
    await expect(decoded(promising(1), { limits: { seconds: 0.5 } })).rejects.toThrow(
      /is 1 s long or longer, over the limit of 0.5 s/,
    )
  })

  test.each(['samples', 'samples, unmarked'] as const)(
    'frames of two sizes, numbered by %s',
    async (numbering) => {
      const channels = [Array.from({ length: 3000 }, (_, i) => (i * 31) % 200)]
      const traits = { channels, bits: 16, sampleRate: 8000, blockSizes: [512, 300], numbering }
      const file = promising(2 ** 36 - 1, encodeFlac(seeded(1), traits))
      expect(await decoded(file)).toMatchObject({ frames: 3000, truncated: true })
      await expect(decoded(file, { limits: { seconds: 0.3 } })).rejects.toThrow(/limit of 0.3 s/)
    },
  )
})
