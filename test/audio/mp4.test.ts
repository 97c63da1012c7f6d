import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DecodeError } from '../../src/errors.ts'
import { decoded, differenceFromSine, fittedSine, fixture } from '../support/decoded.ts'

const bytes = (name: string) => Buffer.from(readFileSync(fixture(name)))

test('AAC: delay and padding are removed as the edit list says', async () => {
  const { samples, ...report } = await decoded(fixture('stereo.m4a'))
  expect(report).toEqual({
    container: 'mp4',
    codec: 'aac',
    decoder: '@audio/decode-mp4',
    sampleRate: 44_100,
    channels: 2,
    frames: 26_460,
    truncated: false,
  })
  const [left, right] = samples.map((channel, c) =>
    fittedSine(channel, { hertz: [441, 661.5][c]! }),
  )
  expect(Math.abs(left!.lag)).toBeLessThan(0.5)
  expect(Math.abs(right!.lag)).toBeLessThan(0.5)
  expect(left!.amplitude).toBeCloseTo(0.5, 1)
  expect(right!.amplitude).toBeCloseTo(0.4, 1)
})

test('ALAC, tables first', async () => {
  const { samples, ...report } = await decoded(fixture('alac.m4a'))
  expect(report).toMatchObject({ codec: 'alac', channels: 2, frames: 26_460, truncated: false })
  expect(differenceFromSine(samples[0]!, { edge: 0 })).toBeLessThan(1 / 32_768)
})

test('fragments', async () => {
  const { samples, ...report } = await decoded(fixture('fragmented.m4a'))
  // 26 frames of 1,024; the padding at the end is not told.
  expect(report).toMatchObject({ codec: 'aac', channels: 1, frames: 26_624 })
  expect(Math.abs(fittedSine(samples[0]!).lag)).toBeLessThan(0.5)
})

describe('tables that claim more than they hold', () => {
  /** Overwrites the four bytes `offset` behind the name of an atom. */
  function tampered(name: string, atom: string, offset: number, value: number): Buffer {
    const file = bytes(name)
    file.writeUInt32BE(value, file.indexOf(atom) + 4 + offset)
    return file
  }

  test.each([
    ['stsz', 8, /"stsz" claims 4294967040 entries/],
    ['stco', 4, /"stco" claims 4294967040 entries/],
    ['stsc', 4, /"stsc" claims 4294967040 entries/],
    ['stts', 4, /"stts" claims 4294967040 entries/],
    ['elst', 4, /"elst" claims 4294967040 entries/],
    ['stsz', 4, /"stsz" claims/],
    ['stsz', 12, /"stsz" claims a sample of 4294967040 bytes/],
    ['minf', -8, /"minf" is 4294967040 bytes long/],
  ])('%s, field at %i', async (atom, offset, message) => {
    const failure = decoded(tampered('stereo.m4a', atom, offset, 0xffffff00))
    await expect(failure).rejects.toThrow(message)
    await expect(failure).rejects.toBeInstanceOf(DecodeError)
  })

  test('trun in a fragment', async () => {
    const file = tampered('fragmented.m4a', 'trun', 4, 0xffffff00)
    await expect(decoded(file)).rejects.toThrow(/"trun" claims 4294967040 entries/)
  })
})

test('without a moov atom', async () => {
  const file = bytes('stereo.m4a')
  const end = file.indexOf('moov') - 4
  await expect(decoded(file.subarray(0, end))).rejects.toThrow(/no moov atom/)
})

test('cut off within the sound, tables first: truncated', async () => {
  const file = bytes('alac.m4a')
  const { frames, truncated } = await decoded(file.subarray(0, file.length - 10_000))
  expect(truncated).toBe(true)
  expect(frames).toBeGreaterThan(8000)
})

test('the length in the header counts before anything is decoded', async () => {
  const options = { limits: { seconds: 0.5 } }
  await expect(decoded(fixture('stereo.m4a'), options)).rejects.toThrow(/over the limit of 0.5 s/)
})
