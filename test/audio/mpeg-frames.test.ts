import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { id3Length, MpegFrameCutter, readMpegFrame } from '../../src/audio/mpeg-frames.ts'
import { id3 } from '../support/audio-files.ts'
import { fixture } from '../support/decoded.ts'

test.each([
  // 128 kbit/s at 44.1 kHz: 144 · 128000 / 44100 = 417.96 bytes.
  ['fffb9064', { layer: 3, sampleRate: 44_100, channels: 2, bytes: 417, samples: 1152 }],
  ['fffb92c4', { layer: 3, sampleRate: 44_100, channels: 1, bytes: 418, samples: 1152 }],
  // MPEG-2, 64 kbit/s at 22.05 kHz: 72 · 64000 / 22050 = 208.98.
  ['fff380c4', { layer: 3, sampleRate: 22_050, channels: 1, bytes: 208, samples: 576 }],
  // MPEG-2.5, 8 kbit/s at 8 kHz.
  ['ffe318c4', { layer: 3, sampleRate: 8000, channels: 1, bytes: 72, samples: 576 }],
  ['fffd8404', { layer: 2, sampleRate: 48_000, channels: 2, bytes: 384, samples: 1152 }],
])('header %s', (hex, expected) => {
  expect(readMpegFrame(Buffer.from(hex, 'hex'), 0)).toMatchObject(expected)
})

test.each([
  ['no sync', 'fe fb 90 64'],
  ['reserved version', 'ff eb 90 64'],
  ['reserved layer', 'ff f9 90 64'],
  ['reserved rate', 'ff fb 9c 64'],
  ['bad bitrate', 'ff fb f0 64'],
  ['free format', 'ff fb 00 64'],
  ['reserved emphasis', 'ff fb 90 66'],
  ['too short', 'ff fb 90'],
])('%s is no header', (_, hex) => {
  expect(readMpegFrame(Buffer.from(hex.replaceAll(' ', ''), 'hex'), 0)).toBeUndefined()
})

test('cuts the same frames from chunks of any length', () => {
  const file = readFileSync(fixture('stereo.mp3'))
  for (const size of [1, 7, 100, 4096, file.length]) {
    const cutter = new MpegFrameCutter()
    const out: Uint8Array[] = []
    for (let at = 0; at < file.length; at += size)
      out.push(cutter.cutChunk(file.subarray(at, at + size)))
    out.push(cutter.cutLast())
    const start = file.indexOf(Uint8Array.of(0xff, 0xfb))
    expect(Buffer.concat(out).equals(file.subarray(start))).toBe(true)
  }
})

test('length of a tag', () => {
  expect(id3Length(id3(300), 0)).toBe(310)
  expect(id3Length(id3(300).subarray(0, 6), 0)).toBe(0)
  expect(id3Length(Buffer.from('ID4'), 0)).toBeUndefined()
  // A footer counts.
  const footed = id3(300)
  footed[5] = 0x10
  expect(id3Length(footed, 0)).toBe(320)
})
