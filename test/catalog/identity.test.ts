import { describe, expect, it } from 'vitest'
import { merged } from '../../src/catalog/identity.ts'

const BEFORE = {
  identity: { songName: 'Help!', artistName: 'The Beatles' },
  details: { release: 'Help!', genre: 'Pop', trackNumber: 1 },
}

describe('merged', () => {
  it('an entry that names nothing keeps what names the item', () => {
    expect(merged(BEFORE, { itemId: 'a', rating: 3 })).toEqual({ ...BEFORE, changed: false })
  })

  it('equal values are no change, all or some of them', () => {
    expect(
      merged(BEFORE, { itemId: 'a', artistName: 'The Beatles', songName: 'Help!' }).changed,
    ).toBe(false)
    expect(merged(BEFORE, { itemId: 'a', songName: 'Help!' })).toEqual({
      ...BEFORE,
      changed: false,
    })
    const code = { identity: { fpCode: { code: 'abc', version: 4.12 } }, details: {} }
    expect(merged(code, { itemId: 'a', fpCode: { version: 4.12, code: 'abc' } }).changed).toBe(
      false,
    )
  })

  it('what is said besides is added, or cleared with null, and is no change', () => {
    expect(merged(BEFORE, { itemId: 'a', genre: null, trackNumber: 2, discNumber: 1 })).toEqual({
      identity: BEFORE.identity,
      details: { release: 'Help!', trackNumber: 2, discNumber: 1 },
      changed: false,
    })
  })

  it('another value replaces all that named the item, and what was said of it', () => {
    expect(merged(BEFORE, { itemId: 'a', songName: 'Yesterday' })).toEqual({
      identity: { songName: 'Yesterday' },
      details: {},
      changed: true,
    })
    expect(merged(BEFORE, { itemId: 'a', songId: 'SO1', release: 'Love' })).toEqual({
      identity: { songId: 'SO1' },
      details: { release: 'Love' },
      changed: true,
    })
    // The other capital is another text.
    expect(merged(BEFORE, { itemId: 'a', songName: 'help!' }).changed).toBe(true)
  })

  it('one more field is a change too', () => {
    const { identity, changed } = merged(BEFORE, {
      itemId: 'a',
      songName: 'Help!',
      artistName: 'The Beatles',
      fpCode: 'abc',
    })
    expect(changed).toBe(true)
    expect(identity).toEqual({ songName: 'Help!', artistName: 'The Beatles', fpCode: 'abc' })
  })

  it('null takes away what it names and leaves the rest', () => {
    expect(merged(BEFORE, { itemId: 'a', songName: null })).toMatchObject({
      identity: { artistName: 'The Beatles' },
      changed: true,
    })
    const all = merged(BEFORE, { itemId: 'a', songName: null, artistName: null })
    expect(all).toMatchObject({ identity: {}, changed: true })
    // What is not there is cleared already.
    expect(merged(BEFORE, { itemId: 'a', songId: null, fpCode: null })).toEqual({
      ...BEFORE,
      changed: false,
    })
  })
})
