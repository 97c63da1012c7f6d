import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Md5 } from '../../src/analysis/md5.ts'

const expected = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

it('gives the MD5 of bytes of every length around its blocks', () => {
  for (let length = 0; length < 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => 151 * i + length)
    const md5 = new Md5()
    md5.update(bytes)
    expect(md5.hex()).toBe(expected(bytes))
  }
})

it('gives the same however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 }), (pieces) => {
      const md5 = new Md5()
      for (const piece of pieces) md5.update(piece)
      expect(md5.hex()).toBe(expected(Buffer.concat(pieces)))
    }),
  )
})
