import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pageStarts, repairPage } from '../programs/hostile/ogg-writer.ts'
import { decoded, differenceFromSine, fixture } from '../support/decoded.ts'

const bytes = (name: string) => readFileSync(fixture(name))

test('Vorbis', async () => {
  const { samples, ...report } = await decoded(fixture('stereo.ogg'))
  expect(report).toEqual({
    container: 'ogg',
    codec: 'vorbis',
    decoder: 'libvorbis',
    sampleRate: 44_100,
    channels: 2,
    // The last page's position: what was encoded.
    frames: 26_460,
    truncated: false,
  })
  expect(differenceFromSine(samples[0]!)).toBeLessThan(0.01)
  expect(differenceFromSine(samples[1]!, { hertz: 661.5, amplitude: 0.4 })).toBeLessThan(0.01)
})

test('Opus: pre-skip and end are trimmed', async () => {
  const { samples, ...report } = await decoded(fixture('mono.opus'))
  expect(report).toMatchObject({ codec: 'opus', sampleRate: 48_000, channels: 1, frames: 28_800 })
  expect(differenceFromSine(samples[0]!, { sampleRate: 48_000 })).toBeLessThan(0.02)
})

test('FLAC', async () => {
  const { samples, ...report } = await decoded(fixture('mono-flac.ogg'))
  expect(report).toMatchObject({ codec: 'flac', channels: 1, frames: 26_460, truncated: false })
  expect(differenceFromSine(samples[0]!)).toBeLessThan(1 / 32_768)
})

describe('chained', () => {
  test.each([
    ['stereo.ogg', 26_460],
    ['mono.opus', 28_800],
    ['mono-flac.ogg', 26_460],
  ])('%s after itself', async (name, frames) => {
    const once = await decoded(fixture(name))
    const twice = await decoded(Buffer.concat([bytes(name), bytes(name)]))
    expect(twice.frames).toBe(2 * frames)
    expect(twice.samples[0]!.subarray(frames)).toEqual(once.samples[0])
  })

  test('another rate is refused, with both', async () => {
    const file = Buffer.concat([bytes('mono-flac.ogg'), bytes('mono.opus')])
    await expect(decoded(file)).rejects.toThrow(/44100 Hz to 1 at 48000 Hz after 0.6 s/)
  })
})

describe('damage', () => {
  test.each(['stereo.ogg', 'mono.opus', 'mono-flac.ogg'])('%s cut off', async (name) => {
    const whole = bytes(name)
    const { truncated } = await decoded(whole.subarray(0, whole.length - 200)).catch(
      (error: Error) => ({ truncated: /0 samples/.test(error.message) }),
    )
    expect(truncated).toBe(true)
  })

  test('bytes between pages are passed over', async () => {
    const whole = bytes('mono-flac.ogg')
    const second = whole.indexOf('OggS', 4)
    const file = Buffer.concat([
      whole.subarray(0, second),
      Buffer.from('OggS, but no page'),
      whole.subarray(second),
    ])
    expect(await decoded(file)).toEqual(await decoded(whole))
  })

  test('a page with a wrong checksum does not count', async () => {
    const whole = bytes('mono-flac.ogg')
    const spoilt = Buffer.from(whole)
    spoilt[spoilt.length - 10]! ^= 1
    // Its only page of sound.
    await expect(decoded(spoilt)).rejects.toThrow(/0 samples/)
    expect(await decoded(Buffer.concat([whole, spoilt]))).toMatchObject({
      frames: 26_460,
      truncated: true,
    })
  })

  test('Vorbis headers that libvorbis does not accept', async () => {
    const file = Buffer.from(bytes('stereo.ogg'))
    const setup = file.indexOf('\x05vorbis')
    const starts = pageStarts(file)
    file.fill(
      0xff,
      setup + 7,
      starts.find((start) => start > setup),
    )
    repairPage(file, starts.findLast((start) => start < setup) ?? 0)
    await expect(decoded(file)).rejects.toThrow(/libvorbis does not accept its headers/)
  })

  test('no intact beginning', async () => {
    const whole = Buffer.from(bytes('stereo.ogg'))
    whole[40]! ^= 1
    await expect(decoded(whole)).rejects.toThrow(/no intact page/)
  })
})
