import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromWire, inWireNames, toCamel, toJson, toSnake, toWire } from '../../src/wire/names.ts'

describe('names', () => {
  it.each([
    ['artist_min_familiarity', 'artistMinFamiliarity'],
    ['audio_md5', 'audioMd5'],
    ['md5', 'md5'],
    ['start', 'start'],
    ['song_hotttnesss', 'songHotttnesss'],
    ['loudness_max_time', 'loudnessMaxTime'],
  ])('%s is %s', (snake, camel) => {
    expect(toCamel(snake)).toBe(camel)
    expect(toSnake(camel)).toBe(snake)
  })

  it('go there and back', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/)
    const part = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/)
    fc.assert(
      fc.property(word, fc.array(part, { maxLength: 4 }), (first, rest) => {
        const name = [first, ...rest].join('_')
        expect(toSnake(toCamel(name))).toBe(name)
      }),
    )
  })

  it('leave keys of one’s own as they are, both ways', () => {
    const item = { item_id: 'a', item_keyvalues: { Some_key: '1', someKey: '2' } }
    const engine = { itemId: 'a', item_keyvalues: 0 }
    const taken = fromWire(item, 8)
    expect(taken).toEqual({ itemId: 'a', itemKeyvalues: { Some_key: '1', someKey: '2' } })
    expect(Object.keys(taken as object)).not.toContain(Object.keys(engine)[1])
    expect(toWire(taken, (text) => text)).toEqual(item)
    const kvstore = { songName: { songName: 1 } }
    expect(toWire({ kvstore, tag: kvstore, songName: 'x' }, (text) => text)).toEqual({
      kvstore,
      tag: kvstore,
      song_name: 'x',
    })
  })

  it('keep __proto__ from everything', () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":1},"a_b":{"__proto__":[1],"c":2}}')
    const taken = fromWire(hostile, 8) as Record<string, unknown>
    expect(JSON.stringify(taken)).toBe('{"aB":{"c":2}}')
    expect(taken.polluted).toBeUndefined()
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it.each([
    ['songName - Missing parameter', 'song_name - Missing parameter'],
    ['id - Missing parameter: give id or trackId', 'id - Missing parameter: give id or track_id'],
    ['item.itemId - x', 'item.item_id - x'],
    [
      'title - Invalid parameter: "songName" is wrong',
      'title - Invalid parameter: "songName" is wrong',
    ],
    ['the option ffmpegPath for songName', 'the option ffmpegPath for song_name'],
    ['more than limits.uploadBytes', 'more than limits.uploadBytes'],
    [
      'The Identifier specified does not exist: fooBar',
      'The Identifier specified does not exist: fooBar',
    ],
    ['a "quoted \\"songName" songName', 'a "quoted \\"songName" song_name'],
  ])('%s → %s', (engine, wire) => {
    expect(inWireNames(engine)).toBe(wire)
  })
})

describe('numbers', () => {
  it('keep their point where they are floating by nature', () => {
    const value = { tempo: 120, key: 5, percent_complete: 99.9, version: 4, total: 3, energy: null }
    expect(toJson(value)).toBe(
      '{"tempo":120.0,"key":5,"percent_complete":99.9,"version":4.0,"total":3,"energy":null}',
    )
    expect(toJson({ duration: 1e21, loudness: -60, latitude: -0 })).toBe(
      '{"duration":1e+21,"loudness":-60.0,"latitude":0.0}',
    )
    expect(toJson({ tag: { tempo: 120 } })).toBe('{"tag":{"tempo":120}}')
  })

  it('are the JSON that JSON.parse reads back', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = toJson(value as Parameters<typeof toJson>[0])
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})
