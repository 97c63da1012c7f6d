import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { id3 } from '../support/audio-files.ts'
import { decoded, expectTones, fittedSine, fixture } from '../support/decoded.ts'

const stereo = readFileSync(fixture('stereo.mp3'))

test('encoder delay and padding are removed, once', async () => {
  const { samples, ...report } = await decoded(fixture('stereo.mp3'))
  // 0.6 s at 44,100 Hz, as was encoded and as ffmpeg decodes.
  expect(report).toEqual({
    container: 'mp3',
    codec: 'mp3',
    decoder: 'mpg123',
    sampleRate: 44_100,
    channels: 2,
    frames: 26_460,
    truncated: false,
  })
  expectTones(samples, 0.1)
})

test('a mono file has one channel', async () => {
  const { samples, ...report } = await decoded(fixture('mono-22050.mp3'))
  expect(report).toMatchObject({ channels: 1, sampleRate: 22_050, frames: 13_230 })
  expect(Math.abs(fittedSine(samples[0]!, { sampleRate: 22_050 }).lag)).toBeLessThan(0.1)
})

test('without a header nothing is cut off', async () => {
  // ffmpeg gives as many: 24 frames.
  expect(await decoded(fixture('no-header.mp3'))).toMatchObject({ frames: 24 * 1152 })
})

describe('tags', () => {
  test.each([
    ['a large ID3v2 tag', [id3(300_000), stereo]],
    ['two ID3v2 tags', [id3(50), id3(2000), stereo]],
    ['zeros behind the tag', [id3(50), new Uint8Array(4000), stereo]],
    ['an ID3v1 tag', [stereo, Buffer.from('TAG'.padEnd(128, 'x'))]],
    ['an APE tag', [stereo, Buffer.from(`APETAGEX${'value'.repeat(500)}`)]],
  ])('%s changes nothing', async (_, parts) => {
    const plain = await decoded(stereo)
    const tagged = await decoded(Buffer.concat(parts))
    expect(tagged).toEqual(plain)
  })

  test('a file of a tag alone has no sound', async () => {
    await expect(decoded(id3(500))).rejects.toThrow(/ID3 tag of 510 bytes and no sound/)
  })
})

describe('damage', () => {
  test('a file cut off is truncated and gives what there is', async () => {
    const { frames, truncated } = await decoded(stereo.subarray(0, stereo.length / 2))
    expect(truncated).toBe(true)
    expect(frames).toBeGreaterThan(10_000)
    expect(frames).toBeLessThan(14_000)
  })

  test('noise in the middle costs a few frames and prints nothing', async () => {
    const error = vi.spyOn(console, 'error')
    const middle = Math.floor(stereo.length / 2)
    const noise = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919 + 31) % 251)
    const file = Buffer.concat([stereo.subarray(0, middle), noise, stereo.subarray(middle)])
    const { frames } = await decoded(file)
    expect(frames).toBeGreaterThan(26_460 - 4 * 1152)
    expect(error).not.toHaveBeenCalled()
    error.mockRestore()
  })

  test('frames of noise behind good headers neither hang nor print', async () => {
    const error = vi.spyOn(console, 'error')
    const file = Buffer.from(readFileSync(fixture('no-header.mp3')))
    for (let i = 0; i < file.length; i++) {
      // 208 or 209 bytes to a frame; the headers stay.
      const inFrame = i % 209
      if (inFrame > 40) file[i] = (i * 31) % 256
    }
    const outcome = await decoded(file).catch((reason: Error) => reason.name)
    expect(typeof outcome === 'string' ? outcome : 'sound').toMatch(/DecodeError|sound/)
    expect(error).not.toHaveBeenCalled()
    error.mockRestore()
  })

  test('a tag with noise behind it has no frames', async () => {
    const noise = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919 + 31) % 251)
    await expect(decoded(Buffer.concat([id3(10), noise]))).rejects.toThrow(/No MPEG audio frames/)
  })
})
