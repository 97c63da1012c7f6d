import { describe, expect, it } from 'vitest'
import { fromITunes } from '../../src/import-entry.ts'
import { bytes, gzipped, pieces, readAll, readItems } from './read-all.ts'

type Value = string | number | boolean

/** A library with these tracks. */
function library(...tracks: Record<string, Value>[]): string {
  const value = (v: Value) =>
    typeof v === 'boolean'
      ? `<${v}/>`
      : typeof v === 'number'
        ? `<integer>${v}</integer>`
        : `<string>${v}</string>`
  const dict = (entries: Record<string, Value>) =>
    Object.entries(entries)
      .map(([key, v]) => `<key>${key}</key>${value(v)}\n`)
      .join('')
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Major Version</key><integer>1</integer>
	<key>Music Folder</key><string>file:///Users/me/Music/</string>
	<key>Tracks</key>
	<dict>
		${tracks.map((track, i) => `<key>${i + 100}</key><dict><key>Track ID</key><integer>${i + 100}</integer>${dict(track)}</dict>`).join('\n')}
	</dict>
	<key>Playlists</key>
	<array><dict><key>Name</key><string>Library</string><key>Playlist Items</key>
		<array><dict><key>Track ID</key><integer>100</integer></dict></array></dict></array>
</dict>
</plist>`
}

const SONG = {
  'Persistent ID': '0CF07A178DBF78F7',
  Name: 'Song',
  Artist: 'Artist',
  'Track Type': 'File',
}
const read = async (...tracks: Record<string, Value>[]) =>
  readItems(fromITunes(bytes(library(...tracks))))

describe('fromITunes', () => {
  const full = {
    ...SONG,
    Name: 'Rock &amp; R&#246;ll &lt;3',
    Artist: 'Bj\u00f6rk',
    Album: 'Début',
    Genre: 'Pop',
    'Disc Number': 1,
    'Track Number': 2,
    'Total Time': 245_760,
    'Play Count': 77,
    'Skip Count': 3,
    Rating: 80,
    Loved: true,
    Location: 'file:///Users/me/Music/a%20b.mp3',
  }
  const item = {
    itemId: '0CF07A178DBF78F7',
    songName: 'Rock & Röll <3',
    artistName: 'Björk',
    release: 'Début',
    genre: 'Pop',
    trackNumber: 2,
    discNumber: 1,
    url: 'file:///Users/me/Music/a%20b.mp3',
    playCount: 77,
    skipCount: 3,
    rating: 8,
    favorite: true,
  }

  it.each([
    ['at once', (text: string) => bytes(text)],
    ['gzipped', (text: string) => gzipped(text)],
    ['byte by byte', (text: string) => pieces(text, 1)],
  ])('reads a track, %s', async (_, as) => {
    expect(await readItems(fromITunes(as(library(full))))).toEqual([item])
  })

  it('reads UTF-16 and the encoding that is declared', async () => {
    const utf16 = Buffer.from(`\uFEFF${library(full)}`, 'utf16le')
    expect(await readItems(fromITunes(new Uint8Array(utf16)))).toEqual([item])
    const latin = Buffer.from(library(full).replace('UTF-8', 'ISO-8859-1'), 'latin1')
    expect(await readItems(fromITunes(new Uint8Array(latin)))).toEqual([item])
  })

  it.each([
    [20, 2],
    [50, 5],
    [100, 10],
    [0, undefined],
    [1, 1],
  ])('takes a rating of %i for %s', async (given, rating) => {
    const [found] = await read({ ...SONG, Rating: given })
    expect(found?.rating).toBe(rating)
  })

  it('leaves out ratings that are computed of the album, and only those', async () => {
    const items = await read(
      { ...SONG, Rating: 60, 'Rating Computed': true, 'Album Rating': 60 },
      { ...SONG, Rating: 60, 'Album Rating': 60, 'Album Rating Computed': true },
      { ...SONG, 'Album Rating': 60, 'Album Rating Computed': true },
    )
    expect(items.map(({ rating }) => rating)).toEqual([undefined, 6, undefined])
  })

  it('knows loved, favourite and disliked tracks', async () => {
    const items = await read(
      { ...SONG, Favorited: true },
      { ...SONG, Loved: false },
      { ...SONG, Disliked: true },
    )
    expect(items.map(({ favorite, banned }) => [favorite, banned])).toEqual([
      [true, undefined],
      [undefined, undefined],
      [undefined, true],
    ])
  })

  it('leaves out what is no music, unless all is asked for', async () => {
    const text = library(
      SONG,
      { ...SONG, Podcast: true },
      { ...SONG, Movie: true },
      { ...SONG, 'TV Show': true },
      { ...SONG, 'Has Video': true },
      { ...SONG, Genre: 'Audiobook' },
      { ...SONG, 'Track Type': 'URL' },
      { ...SONG, 'Track Type': 'Remote', Podcast: false },
    )
    expect(await readItems(fromITunes(bytes(text)))).toHaveLength(2)
    expect(await readItems(fromITunes(bytes(text), { media: 'all' }))).toHaveLength(8)
  })

  it('gives the same item id where there is no Persistent ID', async () => {
    const { 'Persistent ID': _, ...song } = SONG
    const [first] = await read(song)
    const items = await read({ ...song, Name: 'Another' }, song)
    expect(items[1]?.itemId).toBe(first?.itemId)
    expect(items[0]?.itemId).not.toBe(first?.itemId)
  })

  it('reads CDATA, and passes over characters that no XML may hold', async () => {
    const [first, second] = await read(
      { ...SONG, Name: '<![CDATA[A <b> & C]]>' },
      { ...SONG, Name: 'Bell\u0007 &#7;' },
    )
    expect(first?.songName).toBe('A <b> & C')
    expect(second?.songName).toContain('Bell')
  })

  it('expands no entities that the document declares', async () => {
    const bomb = library({ ...SONG, Name: '&lol;' }).replace(
      /<!DOCTYPE[^>]*>/,
      '<!DOCTYPE plist [<!ENTITY a "aaaaaaaaaa"><!ENTITY lol "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>',
    )
    const [found] = await readItems(fromITunes(bytes(bomb)))
    expect(found?.songName).toBe('&lol;')
  })

  it('refuses what is no library', async () => {
    const refused = (text: string) => expect(readAll(fromITunes(bytes(text)))).rejects
    await refused('{}').toThrow('is not an iTunes library; it looks like JSON')
    await refused('').toThrow('is empty; fromITunes() reads an iTunes library')
    await refused('<plist><dict/></plist>').toThrow('has nothing to import; fromITunes() reads')
    await refused('bplist00\u0000').toThrow('export the library as XML')
    await refused(library(SONG).slice(0, -40)).toThrow(/unclosed tag/)
    await refused('<plist>'.repeat(300)).toThrow('nested deeper than 256')
    await refused(`<plist>${'x'.repeat(1 << 26)}`).toThrow('text without end')
  })

  it('tells a library without music, and counts what it leaves out', async () => {
    await expect(read()).rejects.toThrow('has nothing to import')
    const podcast = { ...SONG, Podcast: true }
    await expect(read(podcast)).rejects.toThrow('left out: 1 × a track is not music (Podcast)')
    const tracks = fromITunes(bytes(library(SONG, podcast, { ...SONG, Movie: true }, podcast)))
    await readAll(tracks)
    expect(tracks.report).toEqual({
      records: 1,
      leftOut: [
        { reason: 'a track is not music (Podcast)', count: 2, first: {} },
        { reason: 'a track is not music (Movie)', count: 1, first: {} },
      ],
    })
  })

  it('yields as it goes', async () => {
    let given = 0
    async function* endless() {
      const [start = '', end = ''] = library(SONG).split('</dict>\n\t</dict>')
      yield bytes(`${start}</dict>`)
      for (;;) {
        given++
        yield bytes(`<key>${given}</key><dict><key>Name</key><string>${end.length}</string></dict>`)
      }
    }
    let found = 0
    for await (const _ of fromITunes(endless())) if (++found === 100) break
    expect(given).toBeLessThan(200)
  })
})
