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
    const wide = new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'))
    for (const input of [
      bytes(text),
      bytes(`\uFEFF${text}`),
      latin,
      wide,
      bytes(macs),
      gzipped(text),
    ]) {
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

const urlsOf = async (text: string, base = '/music/Lists') =>
  (await readItems(fromPlaylist(bytes(text), { base }))).map(({ url }) => url)

const xspf = (location: string, attributes = '', within = '') =>
  `<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"${attributes}><trackList${within}><track><location>${location}</location></track></trackList></playlist>`

/** Locations, and what they mean in a playlist in `/music/Lists`. */
const PATHS = [
  ['..\\A\\b.mp3', '/music/A/b.mp3'],
  ['C\\d.mp3', '/music/Lists/C/d.mp3'],
  ['.\\e.mp3', '/music/Lists/e.mp3'],
  ['A\\B/c.mp3', '/music/Lists/A/B/c.mp3'],
  ['\\Music\\x.mp3', '/Music/x.mp3'],
  ['/p/AC\\DC.mp3', '/p/AC\\DC.mp3'],
  ['D:\\M\\y.mp3', 'D:\\M\\y.mp3'],
  ['\\\\server\\share\\z.mp3', '\\\\server\\share\\z.mp3'],
  ['A%20B/c%231.mp3', '/music/Lists/A B/c#1.mp3'],
  ['../A%20B/%C3%A9.mp3', '/music/A B/é.mp3'],
  ['A B/100%25.mp3', '/music/Lists/A B/100%25.mp3'],
  ['A/100% x.mp3', '/music/Lists/A/100% x.mp3'],
  ['A/%E9.mp3', '/music/Lists/A/%E9.mp3'],
  ['A B/c#1.mp3', '/music/Lists/A B/c#1.mp3'],
  ['file:c%20d.mp3', '/music/Lists/c d.mp3'],
  ['file:///a/b%20c.mp3', 'file:///a/b%20c.mp3'],
  ['http://example.org/a%20b.mp3?x=1#y', 'http://example.org/a%20b.mp3?x=1#y'],
  ['Re: Stacks/01.mp3', '/music/Lists/Re: Stacks/01.mp3'],
] as const

describe('fromPlaylist, locations', () => {
  it.each(PATHS)('reads %s alike in each format', async (location, url) => {
    expect(await urlsOf(`#EXTM3U\r\n${location}\r\n`)).toEqual([url])
    expect(await urlsOf(location)).toEqual([url])
    expect(await urlsOf(`[playlist]\nFile1=${location}\n`)).toEqual([url])
    expect(await urlsOf(`File1=${location}\nTitle1=x\n`)).toEqual([url])
    expect(await urlsOf(xspf(location))).toEqual([url])
    expect(await urlsOf(`<?wpl version="1.0"?><smil><media src="${location}"/></smil>`)).toEqual([
      url,
    ])
    expect(await urlsOf(`<ASX><Entry><Ref HREF='${location}'></ENTRY></asx>`)).toEqual([url])
  })

  it.each([
    ['D:\\Lists', '..\\A\\b.mp3', 'D:\\A\\b.mp3'],
    ['D:\\Lists', '\\Music\\x.mp3', 'D:\\Music\\x.mp3'],
    ['D:\\Lists', 'a/b.mp3', 'D:\\Lists\\a\\b.mp3'],
    ['\\\\nas\\music\\lists', '..\\b.mp3', '\\\\nas\\music\\b.mp3'],
    ['http://example.org/lists', 'a%20b.mp3', 'http://example.org/lists/a%20b.mp3'],
    ['file:///music/lists/', '../c#1.mp3', 'file:///music/c%231.mp3'],
  ])('in the folder %s, reads %s', async (base, location, url) => {
    expect(await urlsOf(`#EXTM3U\n${location}`, base)).toEqual([url])
    expect(await urlsOf(xspf(location), base)).toEqual([url])
  })

  it('takes a name with percent escapes as it is where there is such a file', async () => {
    const folder = scratch()
    writeFileSync(join(folder, 'A%20B.mp3'), '')
    expect(await urlsOf('A%20B.mp3\nC%20D.mp3', folder)).toEqual([
      join(folder, 'A%20B.mp3'),
      join(folder, 'C D.mp3'),
    ])
    // In XSPF, locations are URIs.
    expect(await urlsOf(xspf('A%20B.mp3'), folder)).toEqual([join(folder, 'A B.mp3')])
  })

  it.each([
    ['http://example.org/m/', 'A%20B/c%231.mp3', 'http://example.org/m/A%20B/c%231.mp3'],
    ['http://example.org/m/x', '/A/c.mp3', 'http://example.org/A/c.mp3'],
    ['file:///m/n/', '../c%20d.mp3', 'file:///m/c%20d.mp3'],
    ['../M%20N/', 'A%20B/c%231.mp3', '/music/M N/A B/c#1.mp3'],
    ['/abs/d/', 'c.mp3', '/abs/d/c.mp3'],
    ['sub/', 'D:\\x.mp3', 'D:\\x.mp3'],
    ['sub/', 'http://example.org/x.mp3', 'http://example.org/x.mp3'],
  ])('resolves in xml:base %s: %s', async (base, location, url) => {
    expect(await urlsOf(xspf(location, ` xml:base="${base}"`))).toEqual([url])
    expect(await urlsOf(xspf(location, '', ` xml:base="${base}"`))).toEqual([url])
  })

  it('resolves an xml:base within another', async () => {
    const text = xspf('c.mp3', ' xml:base="http://example.org/m/"', ' xml:base="sub/"')
    expect(await urlsOf(text)).toEqual(['http://example.org/m/sub/c.mp3'])
  })
})

describe('fromPlaylist, ASX and WPL', () => {
  it('reads titles and artists', async () => {
    const asx = `<asx version = "3.0"><Title>List</Title>
<Entry><TITLE>T &amp; U</TITLE><Author>Q</Author><Ref href = "a/R&B.mp3" /></Entry>
<entry><ref href=http://example.org/x.mp3 /><title>A - B</title></ENTRY></asx>`
    expect(await read(asx)).toMatchObject([
      { songName: 'T & U', artistName: 'Q', url: 'a/R&B.mp3' },
      { songName: 'B', artistName: 'A', url: 'http://example.org/x.mp3' },
    ])
    const wpl = `<?wpl version="1.0"?><smil><head><title>List</title></head><body><seq>
<media src="a.mp3" trackTitle="T" trackArtist="A" albumTitle="L" tid="{0}"/><media src="X - Y.mp3"/>
</seq></body></smil>`
    expect(await read(wpl)).toMatchObject([
      { songName: 'T', artistName: 'A', release: 'L', url: 'a.mp3' },
      { songName: 'Y', artistName: 'X', url: 'X - Y.mp3' },
    ])
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
    await refused('Dear diary,\ntoday was fine').toThrow('the line "Dear diary," names no file')
    await refused('\u0000\u0001\u0002').toThrow('it looks like a binary file')
    await refused('<?xml version="1.0"?><html/>').toThrow('it looks like an HTML page')
    await refused('<!DOCTYPE html><p>').toThrow('it looks like an HTML page')
    await refused('#EXTM3U\n').toThrow('has nothing to import')
    await refused('/a/b.mp3,Title\n/a/c.mp3,Other').toThrow('is not a playlist')
    await refused('Title;C:\\a.mp3\nOther;C:\\b.mp3').toThrow('is not a playlist')
    await refused('/a/b.mp3\tTitle').toThrow('is not a playlist')
    await refused('- /a/b.mp3\n- /a/c.mp3').toThrow('is not a playlist')
    await refused('#!/bin/sh\nrm /a/b.mp3').toThrow('it looks like a script')
    await refused('[Desktop Entry]\nExec=/usr/bin/x').toThrow('"[Desktop Entry]" names no file')
  })

  it('is not a name that looks like it', async () => {
    const names = [
      'Earth, Wind & Fire/x.mp3',
      '/a/b, c.mp3',
      '[2001] A/1.mp3',
      '{A} B/2.mp3',
      'C;D/e',
    ]
    expect(await urlsOf(names.join('\n'), '/')).toEqual(
      names.map((name) => (name.startsWith('/') ? name : `/${name}`)),
    )
    const marked = '#EXTM3U\n#EXTINF:1,x\nA, B\n#EXTART:Y\n#EXTINF:1,T\nC'
    expect(await read(marked)).toMatchObject([{ url: 'A, B' }, { artistName: 'Y', songName: 'T' }])
  })

  it('counts entries that say nothing, and those that are there twice', async () => {
    const tracks =
      '<track><location>a.mp3</location></track><track/><track><location>a.mp3</location></track>'
    const entries = fromPlaylist(bytes(`<playlist><trackList>${tracks}</trackList></playlist>`))
    expect(await readAll(entries)).toHaveLength(1)
    expect(entries.report.leftOut.map(({ reason, count }) => [reason, count])).toEqual([
      ['an entry has neither a location nor a title', 1],
      ['an entry is in the playlist already', 1],
    ])
  })
})
