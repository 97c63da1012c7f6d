import { describe, expect, it } from 'vitest'
import { decodeBytes } from '../../src/values/text.ts'

describe('decodedText', () => {
  it.each([
    ['windows-1252', '8093e9', '€“é'],
    ['iso-8859-1', '8093e9', '€“é'],
    ['windows-1251', '80cf', 'ЂП'],
    ['utf-8', 'c3a9e282', 'é\uFFFD'],
    ['utf-16le', 'e900', 'é'],
  ])('reads %s, each byte of it', (encoding, hex, text) => {
    expect(decodeBytes(Buffer.from(hex, 'hex'), encoding)).toBe(text)
  })
})
