import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { timeOfListen } from '../../src/import/listen-time.ts'
import { fromLastFm } from '../../src/import-entry.ts'
import { scratch } from '../support/scratch.ts'
import { bytes, readAll, readItems } from './read-all.ts'

const FIRST = Date.parse('2015-07-20T12:34:00Z') / 1000
const [EXACT, LATER] = [FIRST + 7, FIRST + 86_400]

const CSVS: [what: string, text: string][] = [
  [
    'with ids and times',
    `\uFEFF"uts","utc_time","artist","artist_mbid","album","album_mbid","track","track_mbid"\r\n"${EXACT}","20 Jul 2015, 12:34","Ada","","Home","","A, B",""\r\n"${LATER}","21 Jul 2015, 12:34","Ada","","Home","","A, B",""\r\n`,
  ],
  [
    'without names of columns',
    '"Ada","Home","A, B","20 Jul 2015 12:34"\n"ada","Home","A, B","21 Jul 2015 12:34"\n',
  ],
  [
    'with milliseconds and a user',
    `Artist;Album;AlbumId;Track;Date#somebody\nAda;Home;;A, B;${EXACT}000\nAda;Home;;A, B;${LATER}000\n`,
  ],
  [
    'separated by tabs',
    `timestamp\ttrack name\tartist name\talbum\n2015-07-20T12:34:07Z\tA, B\tAda\tHome\n2015-07-21 12:34:00\tA, B\tAda\tHome\n`,
  ],
  [
    'in German',
    `Zeit;Künstler;Titel;Album;Date\n;Ada;A, B;Home;20 Jul 2015, 12:34\n;Ada;A, B;Home;21 Jul 2015, 12:34\n`,
  ],
]

const api = (name: string, uts: number | undefined, more: object = {}) => ({
  artist: { mbid: '', '#text': 'Ada' },
  album: { mbid: '', '#text': 'Home' },
  mbid: '',
  name,
  url: 'https://www.last.fm/x',
  ...(uts !== undefined && { date: { uts: String(uts), '#text': '20 Jul 2015, 12:34' } }),
  ...more,
})
const PAGE = { track: [api('A, B', EXACT), api('A, B', LATER)], '@attr': { page: '1' } }

const JSONS: [what: string, value: unknown][] = [
  ['an answer', { recenttracks: PAGE }],
  ['a list of answers', [{ recenttracks: PAGE }, { recenttracks: { track: [] } }]],
  ['a list of pages', [PAGE]],
  ['a list of lists', [PAGE.track]],
  ['a list of scrobbles', PAGE.track],
  [
    'an export with milliseconds',
    {
      username: 'somebody',
      scrobbles: [
        { track: 'A, B', artist: 'Ada', album: 'Home', albumId: '', date: EXACT * 1000 },
        { track: 'A, B', artist: 'Ada', album: 'Home', albumId: '', date: LATER * 1000 },
      ],
    },
  ],
]

const expected = (first: number) => [
  {
    itemId: expect.stringMatching(/^[0-9a-f]{32}$/),
    songName: 'A, B',
    artistName: 'Ada',
    release: 'Home',
    playCount: 2,
    plays: [first, LATER],
  },
]

describe('fromLastFm', () => {
  it.each(CSVS)('reads a CSV %s', async (what, text) => {
    const isOfMinute = /without|German/.test(what)
    expect(await readItems(fromLastFm(bytes(text)))).toEqual(expected(isOfMinute ? FIRST : EXACT))
  })

  it.each(JSONS)('reads JSON: %s', async (_, value) => {
    expect(await readItems(fromLastFm(bytes(JSON.stringify(value))))).toEqual(expected(EXACT))
  })

  it('counts loved tracks, doubles, and what is playing', async () => {
    const records = fromLastFm(
      bytes(
        JSON.stringify([
          { recenttracks: { track: [api('Now', undefined, { '@attr': { nowplaying: 'true' } })] } },
          {
            lovedtracks: { track: [{ artist: { name: 'Ada' }, name: 'A, B', date: { uts: '5' } }] },
          },
          { recenttracks: PAGE },
          { recenttracks: PAGE },
          { recenttracks: { track: api('C', undefined) } },
          api('', 5),
          { error: 6, message: 'User not found' },
        ]),
      ),
    )
    const items = await readItems(records)
    expect(
      items.map(({ songName, playCount, favorite }) => [songName, playCount, favorite]),
    ).toEqual([
      ['A, B', 2, true],
      ['C', 1, undefined],
    ])
    expect(records.report.leftOut.map(({ reason, count }) => [reason, count])).toEqual([
      ['a track was playing during the export', 1],
      ['the time of a scrobble cannot be read; it counts without', 1],
      ['a scrobble names no track', 1],
      ['an element holds no scrobble', 1],
      ['a scrobble stands twice', 2],
    ])
  })

  it('reads the files of a folder as one history', async () => {
    const folder = scratch()
    writeFileSync(join(folder, 'a.csv'), CSVS[0]?.[1] ?? '')
    writeFileSync(join(folder, 'b.json'), JSON.stringify(PAGE))
    expect(await readItems(fromLastFm(folder))).toEqual(expected(EXACT))
  })

  it.each([
    [
      'a CSV without a track',
      'user,when\nx,5\n',
      'has no columns that are known to be track and artist',
    ],
    ['an empty file', '', 'is empty'],
    ['only names of columns', 'artist,track,date\n', 'has nothing to import'],
    ['a cut list', JSON.stringify([PAGE, PAGE]).slice(0, -9), 'ends in the middle'],
    ['a playlist', '#EXTM3U\n', 'fromPlaylist()'],
  ])('refuses %s in words', async (_, text, message) => {
    await expect(readAll(fromLastFm(bytes(text)))).rejects.toThrow(message)
  })
})

describe('timeOfListen', () => {
  it.each([
    ['1437395640', FIRST],
    [FIRST * 1000, FIRST],
    ['20 Jul 2015 12:34', FIRST],
    ['20 July 2015, 12:34:07 UTC', EXACT],
    ['2015-07-20T14:34:00+02:00', FIRST],
    ['2015-07-20 12:34', FIRST],
    ['', undefined],
    ['0', undefined],
    ['20 Abc 2015 12:34', undefined],
    ['31/12/2015', undefined],
    [undefined, undefined],
  ])('of %j', (written, seconds) => {
    expect(timeOfListen(written)).toBe(seconds)
  })
})
