import { describe, expect, it } from 'vitest'
import {
  artistsFromMillionSong,
  fromCsv,
  fromEchoprintDump,
  fromITunes,
  fromListenBrainz,
  fromMillionSong,
  fromMusicBrainz,
  fromPlaylist,
  fromRhythmbox,
  fromSpotify,
  fromTasteProfile,
} from '../../src/import-entry.ts'
import { openInline } from '../support/open.ts'
import { bytes, readAll } from './read-all.ts'

/** Names whose characters have a composed and a decomposed form, of several scripts. */
const TITLE = 'Für Élise Ấp がぎ 한국 Ёй'
const ARTIST = 'Björk Ångström'
const json = (value: unknown) => `${JSON.stringify(value)}\n`
const names = { title: TITLE, artist: ARTIST }
const columns = { title: 'Título', artistName: 'Künstler' }

const READERS: [name: string, text: string, read: (input: Uint8Array) => AsyncIterable<unknown>][] =
  [
    ['fromCsv', `Título,Künstler\n${TITLE},${ARTIST}\n`, (input) => fromCsv(input, { columns })],
    ['fromEchoprintDump', json([{ code: 'eJx', metadata: names }]), fromEchoprintDump],
    [
      'fromListenBrainz',
      json({ user_name: 'José', track_metadata: { track_name: TITLE, artist_name: ARTIST } }),
      (input) => fromListenBrainz(input, { user: 'José'.normalize('NFD') }),
    ],
    [
      'fromMusicBrainz, recordings',
      json({ title: TITLE, video: false, 'artist-credit': [{ name: ARTIST }] }),
      fromMusicBrainz,
    ],
    [
      'fromMusicBrainz, artists',
      json({ name: ARTIST, 'sort-name': ARTIST, tags: [{ name: 'Électro', count: 1 }] }),
      fromMusicBrainz,
    ],
    [
      'fromMillionSong',
      `TRMMMYQ128F932D901<SEP>SOQMMHC12AB0180CB8<SEP>${ARTIST}<SEP>${TITLE}\n`,
      fromMillionSong,
    ],
    [
      'artistsFromMillionSong',
      `ARYZTJS1187B98C555<SEP>x<SEP>TRMMMYQ128F932D901<SEP>${ARTIST}\n`,
      artistsFromMillionSong,
    ],
    [
      'fromTasteProfile',
      'José\tSOAKIMP12A8C130995\t1\n',
      (input) => fromTasteProfile(input, { user: 'José'.normalize('NFD') }),
    ],
    [
      'fromSpotify',
      json({ danceability: 0.5, name: TITLE, artists: [{ name: ARTIST }] }),
      fromSpotify,
    ],
    [
      'fromITunes',
      `<plist><dict><key>Tracks</key><dict><key>1</key><dict><key>Name</key><string>${TITLE}</string><key>Artist</key><string>${ARTIST}</string></dict></dict></dict></plist>`,
      fromITunes,
    ],
    [
      'fromRhythmbox',
      `<rhythmdb><entry type="song"><title>${TITLE}</title><artist>${ARTIST}</artist></entry></rhythmdb>`,
      fromRhythmbox,
    ],
    ['fromPlaylist', `#EXTM3U\n#EXTINF:1,${ARTIST} - ${TITLE}\nhttp://h/1\n`, fromPlaylist],
  ]

describe('the forms of a name in Unicode', () => {
  it.each(READERS)('are one to %s', async (_, text, read) => {
    const composed = await readAll(read(bytes(text.normalize('NFC'))))
    const decomposed = await readAll(read(bytes(text.normalize('NFD'))))
    const leave = ({ audioFeatures: _, ...record }: Record<string, unknown>) => record
    expect(decomposed.map((one) => leave(one as never))).toEqual(
      composed.map((one) => leave(one as never)),
    )
    expect(composed).toHaveLength(1)
  })

  it.each<[string, (location: string) => string, typeof fromPlaylist]>([
    ['M3U', (location) => location, fromPlaylist],
    ['M3U, escaped', (location) => `file://${encodeURI(location)}`, fromPlaylist],
    [
      'iTunes',
      (location) =>
        `<plist><dict><key>Tracks</key><dict><key>1</key><dict><key>Location</key><string>file://${encodeURI(location)}</string></dict></dict></dict></plist>`,
      fromITunes,
    ],
    [
      'Rhythmbox',
      (location) =>
        `<rhythmdb><entry type="song"><location>file://${encodeURI(location)}</location></entry></rhythmdb>`,
      fromRhythmbox,
    ],
  ])('are one item by location, with the address as it is written: %s', async (_, write, read) => {
    const items = []
    for (const form of ['NFC', 'NFD'] as const) {
      const [entry] = await readAll(read(bytes(write('/é/b.mp3'.normalize(form)))))
      items.push(entry?.item)
    }
    expect(items[1]?.itemId).toBe(items[0]?.itemId)
    expect(items[1]?.url).not.toBe(items[0]?.url)
    expect(items[1]?.url?.normalize('NFC').length).toBeGreaterThan(0)
  })

  it('are counted as one song of listens, and are one entry of a playlist', async () => {
    const listen = (form: string) =>
      json({ track_metadata: { track_name: TITLE.normalize(form), artist_name: ARTIST } })
    const entries = await readAll(fromListenBrainz(bytes(listen('NFC') + listen('NFD'))))
    expect(entries).toMatchObject([{ item: { songName: TITLE, playCount: 2 } }])
    const list = ['NFC', 'NFD'].map((form) => `/m/${TITLE.normalize(form)}.mp3`).join('\n')
    expect(await readAll(fromPlaylist(bytes(list)))).toHaveLength(1)
  })

  it('are one song, one artist, one album and one item to the database', async () => {
    const music = await openInline()
    const release = 'Début Ünique'
    const of = (form: string) => ({
      title: TITLE.normalize(form),
      release: release.normalize(form),
      artistName: ARTIST.normalize(form),
    })
    expect(await music.songs.import([of('NFD')])).toMatchObject({ imported: 1 })
    expect(await music.songs.import([of('NFC')])).toMatchObject({ imported: 0, updated: 1 })
    for (const form of ['NFC', 'NFD']) {
      const { title, artistName: artist } = of(form)
      expect(await music.songs.resolve({ title, artist })).toMatchObject({ distance: 0 })
      expect(await music.songs.search({ title, artist })).toHaveLength(1)
    }
    const tracks = ['NFC', 'NFD'].map((form, i) => ({
      title: TITLE.normalize(form),
      artist: ARTIST.normalize(form),
      release: release.normalize(form),
      audioSummary: { tempo: 100 + i },
    }))
    await music.tracks.import(tracks, { strict: true })
    for (const { title, artist, release } of tracks) {
      for (const query of [{ text: title }, { artist }, { release }]) {
        expect((await music.tracks.search(query)).total).toBe(2)
      }
    }
    expect(await music.tracks.artists()).toMatchObject({ total: 1 })
    expect(await music.tracks.albums()).toMatchObject({ total: 1 })
    const catalog = await music.catalogs.create({ name: 'Forms', type: 'song' })
    const ticket = await catalog.update(
      ['NFC', 'NFD'].map((form) => {
        const { title: songName, artistName } = of(form)
        return { item: { itemId: form, songName, artistName } }
      }),
    )
    await ticket.done()
    const { items } = await catalog.read({})
    expect(new Set(items.map(({ songId }) => songId)).size).toBe(1)
    expect(items[0]?.songId).toBeDefined()
  })
})
