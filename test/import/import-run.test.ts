import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  artistsFromMillionSong,
  fromCsv,
  fromEchoprintDump,
  fromITunes,
  fromLastFm,
  fromListenBrainz,
  fromMillionSong,
  fromMusicBrainz,
  fromPlaylist,
  fromRhythmbox,
  fromSpotify,
  fromSpotifyData,
  fromTasteProfile,
  type Imported,
  tasteProfiles,
} from '../../src/import-entry.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import { bytes, readAll } from './read-all.ts'

type Importer = (input: Uint8Array | string) => Imported<unknown>

const IMPORTERS: Record<string, Importer> = {
  fromCsv: (input) => fromCsv(input, { columns: { title: 'title', artistName: 'artist' } }),
  fromEchoprintDump,
  fromITunes,
  fromLastFm,
  fromListenBrainz,
  fromMillionSong,
  artistsFromMillionSong,
  fromMusicBrainz,
  fromPlaylist,
  fromRhythmbox,
  fromSpotify,
  fromSpotifyData,
  fromTasteProfile,
  tasteProfiles,
}

const HISTORY = JSON.stringify([
  { endTime: '2020-01-01 10:00', artistName: 'A', trackName: 'B', msPlayed: 1000 },
])
const LIBRARY = JSON.stringify({
  tracks: [{ artist: 'A', album: 'B', track: null, uri: 'spotify:track:11dFghVXANMlKmJXsNCbNl' }],
})
const MP3 = Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(400)])

/** Inputs, what they look like, and who reads them. */
const INPUTS: [what: string, input: string | Buffer, reader?: string][] = [
  ['a streaming history of Spotify', HISTORY, 'fromSpotifyData'],
  [
    'an extended streaming history of Spotify',
    '[{"ts":"2020-01-01T10:00:00Z","ms_played":1}]',
    'fromSpotifyData',
  ],
  ['a library of Spotify', LIBRARY, 'fromSpotifyData'],
  ["a user's playlists from Spotify", '{"playlists":[{"name":"x","items":[]}]}', 'fromSpotifyData'],
  ['an export of last.fm', '{"recenttracks":{"track":[]}}', 'fromLastFm'],
  ['JSON of another kind', '{"items":[{"path":"a/b.mp3"}]}'],
  ['JSON of another kind', '["/a/b.mp3"]'],
  ['JSON of another kind', '{}'],
  ['an HTML page', '<!DOCTYPE html>\n<html><body>Not found: a/b.mp3</body></html>'],
  ['an HTML page', '<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html xmlns="y"/>'],
  ['an RSS feed', '<?xml version="1.0"?>\n<!-- x -->\n<rss version="2.0"><channel/></rss>'],
  ['an Atom feed', '<feed xmlns="http://www.w3.org/2005/Atom"/>'],
  ['a Rekordbox collection', '<DJ_PLAYLISTS Version="1.0.0"/>'],
  ['XML with the root <library>', '<library><song/></library>'],
  ['a sound file', Buffer.from('ID3\u0004\u0000\u0000')],
  ['a sound file', MP3],
  ['an image', Buffer.from('89504e470d0a1a0a00', 'hex')],
  ['a PDF document', '%PDF-1.7\n'],
  ['an old Excel or Word document', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
  ['a binary file', Buffer.from([1, 2, 0, 3, 0, 0])],
  ['a cue sheet', 'PERFORMER "A"\nFILE "x/y.wav" WAVE\n  TRACK 01 AUDIO\n'],
  ['the list of an HLS stream', '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:9,\na.ts\n'],
  ['a property list', '<plist version="1.0"><dict/></plist>', 'fromITunes'],
  ['a Rhythmbox library', '<rhythmdb version="2.0"></rhythmdb>', 'fromRhythmbox'],
  ['an XSPF playlist', '<playlist version="1"><trackList/></playlist>', 'fromPlaylist'],
  ['an M3U playlist', '#EXTM3U\n#EXTINF:1,A - B\n', 'fromPlaylist'],
  ['a PLS playlist', '[playlist]\nNumberOfEntries=0\n', 'fromPlaylist'],
  ['a SQLite database', 'SQLite format 3\0', 'fromMillionSong'],
  ['is empty', ''],
  ['is empty', '\uFEFF \r\n'],
]

const CASES = INPUTS.flatMap(([what, input, reader]) =>
  Object.entries(IMPORTERS).map(([name, importer]) => ({ name, importer, what, input, reader })),
)

describe('an importer that is given another file', () => {
  it.each(CASES)('$name tells $what', async ({ name, importer, what, input, reader }) => {
    const given = typeof input === 'string' ? bytes(input) : new Uint8Array(input)
    for (const one of [given, new Uint8Array(gzipSync(given))]) {
      const error: Error = await readAll(importer(one)).then(
        () => expect.fail('it read something'),
        (reason) => reason,
      )
      expect(error).toMatchObject({ code: 'invalid_parameter' })
      const ownKind = reader === name || (reader === 'fromMillionSong' && /Million/.test(name))
      if (!ownKind) expect(error.message).toContain(what)
      if (reader !== undefined && !ownKind) expect(error.message).toContain(`${reader}()`)
    }
  })
})

describe('an importer of a text', () => {
  it.each([
    ['a CSV', 'title,path\nT,/a/b.mp3\n', 'fromCsv'],
    ['a CSV', '"C:\\a.mp3";"T"\n', 'fromCsv'],
    ['a CSV of Exportify', 'Track URI,Track Name,Album Name\na,b,c\n', 'fromCsv'],
    ['triplets', `${'a'.repeat(40)}\tSOAKIMP12A8C130995\t1\n`, 'fromTasteProfile'],
    [
      'a text of the Million',
      'TRMMMYQ128F932D901<SEP>SOQMMHC12AB0180CB8<SEP>A<SEP>B\n',
      'fromMillionSong',
    ],
    ['an export of ListenBrainz', '{"listened_at":1,"track_metadata":{}}\n', 'fromListenBrainz'],
    ['a dump of MusicBrainz', '{"sort-name":"x","type":"Person"}\n', 'fromMusicBrainz'],
    ['an Echoprint dump', '[{"metadata":{},"code":"eJx"}]', 'fromEchoprintDump'],
  ])('tells %s, and names its reader', async (what, text, reader) => {
    for (const [name, importer] of Object.entries(IMPORTERS)) {
      if ([reader, 'tasteProfiles', 'fromCsv', 'artistsFromMillionSong'].includes(name)) continue
      const reading = readAll(importer(bytes(text)))
      await expect(reading, name).rejects.toMatchObject({ code: 'invalid_parameter' })
      await expect(reading, name).rejects.toThrow(`it looks like ${what}`)
      await expect(reading, name).rejects.toThrow(`read it with ${reader}()`)
    }
  })
})

describe('an importer without a record', () => {
  it.each<[string, Imported<unknown>]>([
    ['answers with names only', fromSpotify([{ id: 'a', name: 'N', artists: [] }, null])],
    ['answers of another kind', fromSpotify(JSON.parse(HISTORY))],
    ['no answer', fromSpotify(null)],
    ['no answers', fromSpotify([])],
    ['a header alone', IMPORTERS.fromCsv!(bytes('title,artist\n'))],
    [
      'a library of podcasts',
      fromRhythmbox(bytes('<rhythmdb><entry type="podcast-post"/></rhythmdb>')),
    ],
    ['feedback alone', fromListenBrainz(bytes('{"recording_mbid":"x","score":1}\n'))],
    [
      'entries without codes',
      fromEchoprintDump(bytes('[{"metadata":{}},{"error":"x","code":"y"}]')),
    ],
  ])('ends with an error: %s', async (_, records) => {
    await expect(readAll(records)).rejects.toMatchObject({ code: 'invalid_parameter' })
    await expect(readAll(records)).resolves.toEqual([])
    expect(records.report.records).toBe(0)
  })

  it('says how many parts it left out, and why', async () => {
    const records = fromSpotify([{ id: 'a', name: 'N', artists: [] }, null, null])
    await expect(readAll(records)).rejects.toThrow(
      'has nothing to import (left out: 2 × an answer is empty (null); 1 × a track has names, but',
    )
  })

  it('ends with an error although each fault was told', async () => {
    const options = { columns: { title: 'a', artistName: 'b' }, onSkipped: () => {} }
    const reading = readAll(fromCsv(bytes('a,b\n1\n2\n'), options))
    await expect(reading).rejects.toThrow('left out: 2 × has 1 fields, but there are 2 columns')
  })
})

describe('the report of an import', () => {
  it('counts records and what is left out while they come', async () => {
    const text = 'title,artist\nA,B\nC\nD,E\nF\nG,H,I\n'
    const records = IMPORTERS.fromCsv!(bytes(text))
    expect(records.report).toEqual({ records: 0, leftOut: [] })
    await records.next()
    expect(records.report.records).toBe(1)
    await readAll(records)
    expect(records.report).toEqual({
      records: 2,
      leftOut: [
        { reason: 'has 1 fields, but there are 2 columns', count: 2, first: { line: 3 } },
        { reason: 'has 3 fields, but there are 2 columns', count: 1, first: { line: 6 } },
      ],
    })
  })

  it('keeps a bounded number of reasons', async () => {
    const faults = Array.from({ length: 300 }, (_, i) => 'x,'.repeat(i + 3))
    const records = IMPORTERS.fromCsv!(bytes(['title,artist', 'A,B', ...faults].join('\n')))
    await readAll(records)
    const { leftOut } = records.report
    expect(leftOut).toHaveLength(101)
    expect(leftOut.at(-1)).toMatchObject({ reason: 'other reasons', count: 200 })
  })

  it('names the files of a folder that hold nothing', async () => {
    const folder = scratch()
    mkdirSync(join(folder, 'b'))
    const history = join(folder, 'b', 'StreamingHistory0.json')
    const features = { id: '11dFghVXANMlKmJXsNCbNl', tempo: 118.2, danceability: 0.7 }
    writeFileSync(join(folder, 'a.json'), JSON.stringify([features, null]))
    writeFileSync(history, HISTORY)
    const records = fromSpotify(folder)
    expect(await readAll(records)).toHaveLength(1)
    expect(records.report.leftOut).toMatchObject([
      { reason: 'an answer is empty (null)', count: 1, first: { file: join(folder, 'a.json') } },
      { count: 1, first: { file: history } },
      {
        reason: expect.stringMatching(/holds nothing .* streaming history/),
        first: { file: history },
      },
    ])
  })

  it('is a part of what an import into the database answers', async () => {
    const music = await openInline()
    const columns = { title: 'title', artistName: 'artist' }
    const records = fromCsv(bytes('title,artist\nA,B\nC\n'), { columns })
    expect(await music.songs.import(records)).toMatchObject({
      imported: 1,
      rejected: [],
      leftOut: [{ count: 1, first: { line: 3 } }],
    })
    expect(await music.songs.import([{ title: 'A', artistName: 'B' }])).not.toHaveProperty(
      'leftOut',
    )
  })
})
