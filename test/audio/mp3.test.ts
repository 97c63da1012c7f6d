import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { id3, wav } from '../support/audio-files.ts'
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

describe('a Xing header that contradicts the data', () => {
  const at = stereo.indexOf('Info') < 0 ? stereo.indexOf('Xing') : stereo.indexOf('Info')
  const held = stereo.readUInt32BE(at + 8)
  const promising = (frames: number, file: Uint8Array = stereo) => {
    const copy = Buffer.from(file)
    copy.writeUInt32BE(frames, at + 8)
    return copy
  }

  test.each([0x7fffffff, 0xffffffff, 900_000, 2 * held, held + 2])(
    '%i frames: what is there is decoded whole, and the rest is missed',
    async (frames) => {
      const { samples, truncated } = await decoded(promising(frames))
      expect(truncated).toBe(true)
      expect(samples[0]!.length).toBeGreaterThanOrEqual(26_460)
      expectTones(
        samples.map((channel) => channel.subarray(0, 26_460)),
        0.1,
      )
    },
  )

  test.each([held - 1, held + 1])('%i frames, one off: nothing is different', async (frames) => {
    expect(await decoded(promising(frames))).toEqual(await decoded(stereo))
  })

  test.each([0, 1, Math.floor(held / 2), held - 2])(
    '%i frames, too few: no sound is left out',
    async (frames) => {
      const { samples, truncated } = await decoded(promising(frames))
      expect(truncated).toBe(false)
      expectTones(
        samples.map((channel) => channel.subarray(0, 26_460)),
        0.1,
      )
    },
  )

  test('the limit counts what is there, also in WAV and after a tag', async () => {
    const limits = { seconds: 0.7 }
    const tagged = Buffer.concat([id3(3000), promising(900_000)])
    expect((await decoded(tagged, { limits })).frames).toBeGreaterThanOrEqual(26_460)
    const inWave = wav(promising(900_000), { tag: 0x55, bits: 16, channels: 2 })
    expect((await decoded(inWave, { limits })).frames).toBeGreaterThanOrEqual(26_460)
    await expect(decoded(promising(1), { limits: { seconds: 0.5 } })).rejects.toThrow(
      /over the limit of 0.5 s/,
    )
  })

  test('VBRI, which states the same', async () => {
    const vbri = promising(held)
    vbri.fill(0, at, at + 160)
    vbri.write('VBRI', 36, 'latin1')
    vbri.writeUInt16BE(1, 40)
    vbri.writeUInt32BE(0x7fffffff, 46)
    vbri.writeUInt32BE(0x7fffffff, 50)
    expect((await decoded(vbri)).frames).toBeGreaterThanOrEqual(26_460)
  })
})
