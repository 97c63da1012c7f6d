import { describe, expect, it } from 'vitest'
import { mergeItem } from '../../src/catalog/identity.ts'

const BEFORE = {
  identity: { songName: 'Help!', artistName: 'The Beatles' },
  details: { release: 'Help!', genre: 'Pop', trackNumber: 1 },
}

describe('merged', () => {
  it('an entry that names nothing keeps what names the item', () => {
    expect(mergeItem(BEFORE, { itemId: 'a', rating: 3 })).toEqual({ ...BEFORE, isRenamed: false })
  })

  it('equal values are no change, all or some of them', () => {
    expect(
      mergeItem(BEFORE, { itemId: 'a', artistName: 'The Beatles', songName: 'Help!' }).isRenamed,
    ).toBe(false)
    expect(mergeItem(BEFORE, { itemId: 'a', songName: 'Help!' })).toEqual({
      ...BEFORE,
      isRenamed: false,
    })
    const code = { identity: { fpCode: { code: 'abc', version: 4.12 } }, details: {} }
    expect(mergeItem(code, { itemId: 'a', fpCode: { version: 4.12, code: 'abc' } }).isRenamed).toBe(
      false,
    )
  })

  it('what is said besides is added, or cleared with null, and is no change', () => {
    expect(mergeItem(BEFORE, { itemId: 'a', genre: null, trackNumber: 2, discNumber: 1 })).toEqual({
      identity: BEFORE.identity,
      details: { release: 'Help!', trackNumber: 2, discNumber: 1 },
      isRenamed: false,
    })
  })

  it('a song’s id, or more than one name, replaces all that named the item', () => {
    const before = { ...BEFORE, identity: { ...BEFORE.identity, fpCode: 'abc' } }
    expect(mergeItem(before, { itemId: 'a', songId: 'SO1', release: 'Love' })).toEqual({
      identity: { songId: 'SO1' },
      details: { ...BEFORE.details, release: 'Love' },
      isRenamed: true,
    })
    expect(mergeItem(before, { itemId: 'a', trackId: 'TR1' }).identity).toEqual({ trackId: 'TR1' })
    const names = { songName: 'Yesterday', artistName: 'Boyz II Men' }
    expect(mergeItem(before, { itemId: 'a', ...names }).identity).toEqual(names)
  })

  it('a title or an artist alone takes the place of the one there was, and no other', () => {
    const fpCode = 'abc'
    const named = { songName: 'Help!', artistName: 'The Beatles', fpCode }
    for (const [before, given, after] of [
      [named, { songName: 'Yesterday' }, { ...named, songName: 'Yesterday' }],
      [named, { artistName: 'Them' }, { ...named, artistName: 'Them' }],
      [named, { artistId: 'AR1' }, { songName: 'Help!', artistId: 'AR1', fpCode }],
      [{ songName: 'x', artistId: 'AR1' }, { artistName: 'B' }, { songName: 'x', artistName: 'B' }],
      [{ songId: 'SO1', fpCode }, { songName: 'x' }, { songName: 'x', fpCode }],
      [{ trackId: 'TR1' }, { artistName: 'B' }, { artistName: 'B' }],
      [{ artistName: 'A' }, { artistId: 'AR1' }, { artistId: 'AR1' }],
      // The other capital is another text.
      [named, { songName: 'help!' }, { ...named, songName: 'help!' }],
    ]) {
      expect(
        mergeItem(
          { identity: before as object, details: BEFORE.details },
          { itemId: 'a', ...given },
        ),
      ).toEqual({
        identity: after,
        details: BEFORE.details,
        isRenamed: true,
      })
    }
  })

  it('a fingerprint that comes alone joins what names the item', () => {
    for (const identity of [BEFORE.identity, { songId: 'SO1' }, { trackId: 'TR1' }, {}]) {
      expect(mergeItem({ ...BEFORE, identity }, { itemId: 'a', fpCode: 'abc' })).toEqual({
        identity: { ...identity, fpCode: 'abc' },
        details: BEFORE.details,
        isRenamed: true,
      })
    }
    const before = { identity: { fpCode: 'abc', songName: 'x' }, details: {} }
    expect(mergeItem(before, { itemId: 'a', fpCode: 'def' }).identity).toEqual({
      fpCode: 'def',
      songName: 'x',
    })
  })

  it('one more field is a change too', () => {
    const { identity, isRenamed } = mergeItem(BEFORE, {
      itemId: 'a',
      songName: 'Help!',
      artistName: 'The Beatles',
      fpCode: 'abc',
    })
    expect(isRenamed).toBe(true)
    expect(identity).toEqual({ songName: 'Help!', artistName: 'The Beatles', fpCode: 'abc' })
  })

  it('null takes away what it names and leaves the rest', () => {
    expect(mergeItem(BEFORE, { itemId: 'a', songName: null })).toMatchObject({
      identity: { artistName: 'The Beatles' },
      isRenamed: true,
    })
    const all = mergeItem(BEFORE, { itemId: 'a', songName: null, artistName: null })
    expect(all).toMatchObject({ identity: {}, isRenamed: true })
    // What is not there is cleared already.
    expect(mergeItem(BEFORE, { itemId: 'a', songId: null, fpCode: null })).toEqual({
      ...BEFORE,
      isRenamed: false,
    })
  })
})
