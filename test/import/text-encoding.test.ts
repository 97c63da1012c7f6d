import { describe, expect, it } from 'vitest'
import { decodeWhole } from '../../src/import/text-encoding.ts'
import { pieces } from './read-all.ts'

describe('textOf', () => {
  it.each([1, 2, 3, 5, 1000])('reads text that comes in pieces of %i bytes', async (size) => {
    const text = 'a€\u{1F600}\r\nÜ\n\nend'
    const wide = Buffer.from(`\uFEFF${text}`, 'utf16le')
    const western = Buffer.concat([Buffer.from('€\n'), Buffer.from([0x80, 0xe9, 10, 0xe9])])
    const read = (bytes: Uint8Array) => decodeWhole(pieces(bytes, size))
    expect(await read(Buffer.from(`\uFEFF${text}`))).toBe(text)
    expect(await read(wide)).toBe(text)
    expect(await read(Buffer.from(wide).swap16())).toBe(text)
    expect(await read(western)).toBe('€\n€é\né')
    expect(await read(Buffer.alloc(0))).toBe('')
  })

  it('decodes a line without end in parts, between characters', async () => {
    const text = 'x'.repeat((1 << 22) - 1) + '€'.repeat(10)
    expect((await decodeWhole(pieces(Buffer.from(text), 1 << 20))) === text).toBe(true)
  })
})
