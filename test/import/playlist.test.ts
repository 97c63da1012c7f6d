import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fromPlaylist } from '../../src/import-entry.ts'
import { scratch } from '../support/scratch.ts'
import { bytes, gzipped, readAll, readItems } from './read-all.ts'

const read = (text: string) => readItems(fromPlaylist(bytes(text)))
const names = async (text: string) =>
  (await read(text)).map(({ artistName, songName }) => [artistName, songName])

describe('fromPlaylist, M3U', () => {
  it('reads titles and locations', async () => {
    const text = `#EXTM3U
#EXTINF:123,Somebody - A Song - Live
/music/a.mp3
#EXTINF:-1 tvg-id="x" logo="a, b",Only a title
https://example.org/b.mp3?x=1

# a comment
#EXTALB:An Album
#EXTINF:4.5,
C:\\Music\\Somebody - Named by File.flac
`
    expect(await read(text)).toEqual([
      {
        itemId: expect.stringMatching(/^[0-9a-f]{32}$/),
        artistName: 'Somebody',
        songName: 'A Song - Live',
        url: '/music/a.mp3',
      },
      {
        itemId: expect.any(String),
        songName: 'Only a title',
        url: 'https://example.org/b.mp3?x=1',
      },
      {
        itemId: expect.any(String),
        artistName: 'Somebody',
        songName: 'Named by File',
        release: 'An Album',
        url: 'C:\\Music\\Somebody - Named by File.flac',
      },
    ])
  })

  it.each([
    ['a/01 - Somebody - Song.mp3', 'Somebody', 'Song'],
    ['a/01. Song.mp3', undefined, 'Song'],
    ['a/01 Song.mp3', undefined, 'Song'],
    ['a/99 Luftballons.mp3', undefined, '99 Luftballons'],
    ['a/7 Seconds.mp3', undefined, '7 Seconds'],
    ['a/1979.mp3', undefined, '1979'],
    ['a/50 Cent - In da Club.mp3', '50 Cent', 'In da Club'],
    ['a/AC-DC.mp3', undefined, 'AC-DC'],
    ['a/Mr. X vol. 2', undefined, 'Mr. X vol. 2'],
    ['file:///a/S%C3%B8ren%20-%20%C3%98.ogg', 'Søren', 'Ø'],
    ['file:///a/100%25%.ogg', undefined, '100%25%'],
    ['http://radio.example:8000/stream', undefined, undefined],
    ['http://example.org/a/Somebody%20-%20Song.mp3?key=a/b', 'Somebody', 'Song'],
  ])('names a song by its file: %s', async (location, artist, song) => {
    expect(await names(`#EXTM3U\n${location}`)).toEqual([[artist, song]])
  })

  it('reads UTF-8 and Windows-1252, with a BOM, any line end, gzipped', async () => {
    const text = '#EXTM3U\r\n#EXTINF:1,Bj\u00f6rk - J\u00f3ga\r\n/a.mp3\r\n'
    const expected = [
      { itemId: expect.any(String), artistName: 'Björk', songName: 'Jóga', url: '/a.mp3' },
    ]
    const latin = new Uint8Array(Buffer.from(text, 'latin1'))
    const macs = text.replaceAll('\r\n', '\r')
    for (const input of [bytes(text), bytes(`\uFEFF${text}`), latin, bytes(macs), gzipped(text)]) {
      expect(await readItems(fromPlaylist(input))).toEqual(expected)
    }
    const mixed = Buffer.concat([bytes(text), Buffer.from('/\u00fcber.mp3', 'latin1')])
    expect((await readItems(fromPlaylist(new Uint8Array(mixed)))).map(({ url }) => url)).toEqual([
      '/a.mp3',
      '/über.mp3',
    ])
  })

  it('keeps one item of what stands there twice, with the same id at every import', async () => {
    const [first] = await read('/a.mp3')
    const items = await read('/b.mp3\n/a.mp3\n/b.mp3\n/a.mp3\n')
    expect(items.map(({ url }) => url)).toEqual(['/b.mp3', '/a.mp3'])
    expect(items[1]).toEqual(first)
  })

  it('makes paths absolute, by the folder of the playlist or the one given', async () => {
    const folder = scratch()
    const path = join(folder, 'list.m3u')
    writeFileSync(path, 'sub/a.mp3\n../b.mp3\n/c.mp3\n')
    const urls = async (options?: Parameters<typeof fromPlaylist>[1]) =>
      (await readItems(fromPlaylist(path, options))).map(({ url }) => url)
    expect(await urls()).toEqual([join(folder, 'sub/a.mp3'), join(folder, '..', 'b.mp3'), '/c.mp3'])
    expect(await urls({ base: '/music' })).toEqual(['/music/sub/a.mp3', '/b.mp3', '/c.mp3'])
    expect((await read('sub/a.mp3'))[0]?.url).toBe('sub/a.mp3')
    // The item is the same wherever the folder was moved.
    const [moved] = await readItems(fromPlaylist(path, { base: '/elsewhere' }))
    expect(moved?.itemId).toBe((await read('sub/a.mp3'))[0]?.itemId)
  })
})

describe('fromPlaylist, PLS', () => {
  it('reads titles and locations by their numbers', async () => {
    const text = `[playlist]
NumberOfEntries=3
File2=http://example.org/b.ogg
file1=/a.mp3
Title1=Somebody - A Song
Length1=123
Title3=No file
Version=2`
    expect(await read(text)).toEqual([
      { itemId: expect.any(String), artistName: 'Somebody', songName: 'A Song', url: '/a.mp3' },
      { itemId: expect.any(String), songName: 'b', url: 'http://example.org/b.ogg' },
      { itemId: expect.any(String), songName: 'No file' },
    ])
  })
})

describe('fromPlaylist, XSPF', () => {
  it('reads what is said of tracks', async () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>
<playlist version="1" xmlns="http://xspf.org/ns/0/"><title>Evenings</title><trackList>
<track><location>file:///a.mp3</location><location>http://b</location><title>A &amp; B - C</title>
<creator>Somebody</creator><album>An Album</album><trackNum>3</trackNum><duration>1000</duration></track>
<track><location>file:///Somebody%20-%20Else.mp3</location></track>
<track><title>Someone - Without a file</title></track>
<track/>
</trackList></playlist>`
    expect(await read(text)).toEqual([
      {
        itemId: expect.any(String),
        songName: 'A & B - C',
        artistName: 'Somebody',
        release: 'An Album',
        trackNumber: 3,
        url: 'file:///a.mp3',
      },
      {
        itemId: expect.any(String),
        songName: 'Else',
        artistName: 'Somebody',
        url: 'file:///Somebody%20-%20Else.mp3',
      },
      { itemId: expect.any(String), songName: 'Without a file', artistName: 'Someone' },
    ])
  })
})

describe('fromPlaylist, something else', () => {
  it('is refused', async () => {
    const refused = (text: string) => expect(readAll(fromPlaylist(bytes(text)))).rejects
    await refused('Dear diary,\ntoday was fine').toThrow('none of its lines names a file')
    await refused('\u0000\u0001\u0002').toThrow('is not a text')
    await refused('<?xml version="1.0"?><html/>').toThrow('XML without <playlist>')
    await refused('<!DOCTYPE html><p>').toThrow('cannot be read as an XSPF playlist')
    expect(await read('#EXTM3U\n')).toEqual([])
  })
})
