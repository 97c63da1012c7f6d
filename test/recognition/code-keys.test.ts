import { describe, expect, it } from 'vitest'
import { codeOfKey, keyOfCode, sampleCodes } from '../../src/recognition/systems/code-keys.ts'
import { forEachKey, KeyedWriter } from '../../src/recognition/systems/keyed-postings.ts'
import { PostingsReader } from '../../src/recognition/systems/postings.ts'

describe('the keys of codes', () => {
  it.each([21, 26, 30, 31])('are codes of %i bits again', (bits) => {
    for (let code = 1; code < 2 ** bits; code = 3 * code + 1) {
      const key = keyOfCode(code, bits)
      expect(key).toBeGreaterThanOrEqual(0)
      expect(key).toBeLessThan(2 ** bits)
      expect(codeOfKey(key, bits)).toBe(code)
    }
  })

  it('are spread evenly by their top bits, however regular the codes are', () => {
    for (const step of [1, 32, 4_096, 2 ** 14 + 1]) {
      const counts = new Uint32Array(64)
      for (let i = 0; i < 6_400; i++) {
        const part = keyOfCode((i * step) % 2 ** 26, 26) >>> 20
        counts[part] = counts[part]! + 1
      }
      // 100 in each, and five standard deviations.
      expect(Math.min(...counts)).toBeGreaterThan(50)
      expect(Math.max(...counts)).toBeLessThan(150)
    }
  })

  it('have a sample of a tenth', () => {
    const codes = Uint32Array.from({ length: 20_000 }, (_, i) => 40_009 * i)
    const sample = sampleCodes({ codes, times: codes.map((_, i) => i) })
    expect(sample.codes.length).toBeGreaterThan(1_800)
    expect(sample.codes.length).toBeLessThan(2_200)
    expect(sample.codes).toEqual(sample.times.map((i) => 40_009 * i))
  })
})

describe('a damaged row of keyed postings', () => {
  it('ends, whatever its bytes are', () => {
    const writer = new KeyedWriter()
    writer.beginRun()
    for (let i = 0; i < 40; i++) writer.addPosting(3 * i, 2 * i, 1_000 * i)
    const run = Uint8Array.from(writer.endRun())
    const reader = new PostingsReader()
    const unpack = (blob: Uint8Array, base: number) =>
      forEachKey(blob, (rest, from, to) => {
        if (rest === 36) reader.unpackPostings(blob, from, to, base, (to - from) >> 1)
        return rest >= 36
      })
    unpack(run, 100)
    expect([...reader.songs.subarray(0, reader.length)]).toEqual([124])
    for (let at = 0; at < run.length; at++) {
      for (const byte of [0, 0x7f, 0x80, 0xff]) {
        const damaged = Uint8Array.from(run)
        damaged[at] = byte
        for (const blob of [damaged, damaged.subarray(0, at)]) {
          reader.clear()
          unpack(blob, 0)
          expect(reader.length).toBeLessThanOrEqual(run.length)
        }
      }
    }
  })
})
