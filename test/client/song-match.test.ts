import { describe, expect, it } from 'vitest'
import { fromCsv, fromPlaylist, fromSpotifyData } from '../../src/import-entry.ts'
import type { Audile, SongDescription } from '../../src/index.ts'
import { bytes } from '../import/read-all.ts'
import { newCatalog, update } from '../support/catalogs.ts'
import { openInline } from '../support/open.ts'

const audioSummary = { tempo: 120, key: 0, mode: 1, duration: 200 }
const ID = '1dFghVXANMlKmJXsNCbNlA'
const own = (title: string, artist: string, more: object = {}) => ({
  ...{ title, artist, file: `/music/${artist} - ${title}.mp3`, audioSummary },
  ...more,
})

async function library(): Promise<Audile> {
  const music = await openInline()
  await music.tracks.import([
    own('Help!', 'The Beatles', { isrc: ['GBAYE0601477'] }),
    own('Yesterday', 'The Beatles', { foreignIds: [`spotify:track:${ID}`] }),
    own('Tomorrow', 'Ada'),
    own('Tomorrow (Live)', 'Ada'),
    own('Même', 'Bo'),
  ])
  return music
}

async function matched(music: Audile, records: Parameters<Audile['tracks']['match']>[0]) {
  const found: [title: string | undefined, by: string | undefined][] = []
  for await (const { track, evidence } of music.tracks.match(records)) {
    found.push([track?.answer.title, evidence.by ?? evidence.refused])
  }
  return found
}

describe('tracks.match', () => {
  it.each<[string, SongDescription, string | undefined, string]>([
    [
      'a record with other letters',
      { title: 'Hlep!', artistName: 'Beatles, The' },
      'Help!',
      'names',
    ],
    [
      'a remaster',
      { title: 'Yesterday - Remastered 2009', artistName: 'The Beatles' },
      'Yesterday',
      'names',
    ],
    ['an entry', { item: { songName: 'Meme', artistName: 'BO' } }, 'Même', 'names'],
    [
      'an item of a catalog',
      { request: { songName: 'Tomorrow', artistName: 'Ada' } },
      'Tomorrow',
      'names',
    ],
    [
      'a live version',
      { title: 'Tomorrow (Live at Home)', artistName: 'Ada' },
      'Tomorrow (Live)',
      'names',
    ],
    [
      'an ISRC, whatever the names',
      { title: 'Hilfe', artistName: 'X', isrc: 'GB-AYE-06-01477' },
      'Help!',
      'song',
    ],
    [
      'the id of a service',
      { tracks: [{ catalog: 'spotify', foreignId: ID }] },
      'Yesterday',
      'track',
    ],
    [
      'the address of a service',
      { songName: 'x', url: `spotify:track:${ID}` },
      'Yesterday',
      'track',
    ],
    ['a file', { url: '/music/Ada - Tomorrow.mp3' }, 'Tomorrow', 'file'],
    ['the address of a file', { url: 'file:///music/Ada%20-%20Tomorrow.mp3' }, 'Tomorrow', 'file'],
    [
      'another version',
      { title: 'Help! (Karaoke Version)', artistName: 'The Beatles' },
      undefined,
      'far',
    ],
    ['another artist', { title: 'Même', artistName: 'Somebody Else' }, undefined, 'far'],
    ['nothing alike', { title: 'Zzyzx Road', artistName: 'Qwerty' }, undefined, 'unknown'],
    ['nothing at all', {}, undefined, 'unknown'],
  ])('finds by %s', async (_, record, title, by) => {
    expect(await matched(await library(), [record])).toEqual([[title, by]])
  })

  it('gives each record back in order, with its gaps, from an importer and a catalog', async () => {
    const music = await library()
    const csv = 'Track URI,Track Name,Artist Name(s)\nx,Gone,Ada\nx,HELP,Beatles\nx,Gone,Ada\n'
    const found: [string, string | undefined][] = []
    for await (const { given, track, evidence } of music.tracks.match(fromCsv(bytes(csv)))) {
      found.push([given.title, track?.files[0]?.path])
      if (!track) expect(evidence).toMatchObject({ refused: expect.any(String) })
    }
    expect(found).toEqual([
      ['Gone', undefined],
      ['HELP', '/music/The Beatles - Help!.mp3'],
      ['Gone', undefined],
    ])
    const catalog = await newCatalog(music)
    const saved = {
      tracks: [{ artist: 'Bo', album: 'x', track: 'Même', uri: 'spotify:track:x' }],
    }
    await update(catalog, fromSpotifyData(bytes(JSON.stringify(saved))))
    expect(await matched(music, catalog.items())).toEqual([['Même', 'track']])
    const list = fromPlaylist(bytes('#EXTM3U\n#EXTINF:200,Ada - Tomorrow\n/x/a.mp3\n'))
    expect(await matched(music, list)).toEqual([['Tomorrow', 'names']])
  })

  it('takes songs that were imported, and tracks of a service, for no files', async () => {
    const music = await library()
    const csv = `Track URI,Track Name,Artist Name(s),Tempo,Key,Mode,Duration (ms)\nspotify:track:${ID.replace('1', '2')},Elsewhere,Ada,99,1,0,200000\n`
    await music.songs.import(fromCsv(bytes(csv)))
    const record = { title: 'Elsewhere', artistName: 'Ada' }
    expect(await matched(music, [record])).toEqual([[undefined, 'unknown']])
    expect(await music.tracks.import(fromCsv(bytes(csv)))).toMatchObject({
      imported: 1,
      rejected: [],
    })
    expect(await matched(music, [record])).toEqual([[undefined, 'unknown']])
    // Its features can be searched, and it is not there twice.
    expect(await music.tracks.import(fromCsv(bytes(csv)))).toMatchObject({
      imported: 0,
      updated: 1,
    })
    const { tracks } = await music.tracks.search({ tempo: [98, 100], key: '12A' })
    expect(tracks.map(({ answer }) => answer.title)).toEqual(['Elsewhere'])
    await music.tracks.import([own('Elsewhere', 'Ada')])
    expect(await matched(music, [record])).toEqual([['Elsewhere', 'names']])
  })

  it('refuses what is no list', async () => {
    const music = await library()
    await expect(matched(music, {} as Iterable<object>)).rejects.toThrow('records - Invalid')
  })
})
