import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SNIFFED_BYTES, sniffFormat } from '../../src/audio/formats.ts'
import { aiff, au, id3, wav } from '../support/audio-files.ts'
import { fixture } from '../support/decoded.ts'

const head = (name: string) => readFileSync(fixture(name)).subarray(0, SNIFFED_BYTES)

test.each([
  ['stereo.mp3', 'mp3'],
  ['no-header.mp3', 'mp3'],
  ['mono-22050.mp3', 'mp3'],
  ['stereo.ogg', 'ogg'],
  ['mono.opus', 'ogg'],
  ['stereo.flac', 'flac'],
  ['stereo.m4a', 'mp4'],
  ['adts.aac', 'aac'],
  ['ima.wav', 'wav'],
])('%s is %s', (name, container) => {
  expect(sniffFormat(head(name))).toBe(container)
})

test('what the writers write', () => {
  expect(sniffFormat(wav(new Uint8Array(2), { bits: 16 }))).toBe('wav')
  expect(sniffFormat(au(new Uint8Array(2), { encoding: 3 }))).toBe('au')
  expect(sniffFormat(aiff(new Uint8Array(2), { bits: 16 }))).toBe('aiff')
  expect(sniffFormat(id3(100))).toBe('mp3')
})

test('mp3 behind zeros, and behind the rest of a cut-off frame', () => {
  const mp3 = head('no-header.mp3')
  expect(sniffFormat(Buffer.concat([new Uint8Array(500), mp3]))).toBe('mp3')
  expect(sniffFormat(mp3.subarray(100))).toBe('mp3')
})

test('what is no audio', () => {
  const none = [
    Buffer.from('A text about RIFF and WAVE files.'.repeat(100)),
    new Uint8Array(SNIFFED_BYTES),
    new Uint8Array(SNIFFED_BYTES).fill(255),
    new Uint8Array(0),
    Uint8Array.of(0xff),
    // The start of a JPEG: its 0xff bytes are no frame headers.
    Buffer.from('ffd8ffe000104a46494600010101004800480000fffb9064ffdb0043', 'hex'),
    // One MPEG frame header alone, with noise where the second should be.
    Buffer.concat([Uint8Array.of(0xff, 0xfb, 0x90, 0x64), new Uint8Array(2000).fill(0x55)]),
    // Three frames, as a packet of a video has them.
    Buffer.concat([Buffer.from('000001ba', 'hex'), head('no-header.mp3').subarray(0, 620)]),
    // "free" begins an atom, but not one of this size.
    Buffer.from('The free encyclopedia that anyone can read.'),
    // RIFF, but not WAVE.
    Buffer.from('RIFF\0\0\0\0AVI LIST'),
  ]
  expect(none.map((bytes) => sniffFormat(bytes))).toEqual(none.map(() => undefined))
})

test('random bytes are hardly ever taken for audio', () => {
  let state = 1
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return state >>> 24
  }
  const found = Array.from({ length: 300 }, () =>
    sniffFormat(Uint8Array.from({ length: 4096 }, next)),
  )
  expect(found.filter((container) => container !== undefined)).toEqual([])
})
