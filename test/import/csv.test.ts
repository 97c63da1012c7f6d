import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type CsvColumns, type CsvFormat, fromCsv, type Skipped } from '../../src/import-entry.ts'
import { openInline } from '../support/open.ts'
import { bytes, gzipped, pieces, readAll, readSongs } from './read-all.ts'

const FEATURES =
  'track,artist,uri,danceability,energy,key,loudness,mode,speechiness,acousticness,instrumentalness,liveness,valence,tempo,duration_ms,time_signature,chorus_hit,sections,target,decade'

const MSD =
  'artist.hotttnesss,artist.id,artist.name,artist_mbtags,artist_mbtags_count,duration,familiarity,key,latitude,location,longitude,loudness,mode,release.id,release.name,similar,song.hotttnesss,song.id,tempo,terms,terms_freq,time_signature,title,year'

/** A row of that file, with these fields other than usual. */
function msdRow(fields: Record<string, string> = {}): string {
  const usual: Record<string, string> = {
    'artist.hotttnesss': '0.4',
    'artist.id': 'ARD7TVE1187B99BFB1',
    'artist.name': 'Somebody',
    artist_mbtags: 'uk',
    artist_mbtags_count: '1.0',
    duration: '218.9',
    familiarity: '0.58',
    key: '1.0',
    latitude: '51.5',
    location: '"London, England"',
    longitude: '-0.12',
    loudness: '-11.2',
    mode: '0',
    'release.id': '300848',
    'release.name': 'Fear',
    similar: 'ARV4KO21187FB38008',
    'song.hotttnesss': '0.6',
    'song.id': 'SOMZWCG12A8C13C480',
    tempo: '92.2',
    terms: 'hip hop',
    terms_freq: '0.99',
    time_signature: '4.0',
    title: 'A Title',
    year: '1994',
  }
  return MSD.split(',')
    .map((name) => fields[name] ?? usual[name])
    .join(',')
}

const msd = async (...rows: Record<string, string>[]) =>
  readSongs(fromCsv(bytes([MSD, ...rows.map(msdRow)].join('\n')), { preset: 'million-song-csv' }))

describe('fromCsv, spotify-features', () => {
  const ROW =
    'Jealous Kind Of Fella,"Garland, Green",spotify:track:1dtKN6wwlolkM8XZy2y9C1,0.417,0.62,3,-7.727,1,0.0403,0.49,0,0.0779,0.845,185.655,173533,3,32.9,9,1,1960'

  it.each([
    ['plain', bytes(`${FEATURES}\n${ROW}\n`)],
    ['gzipped, with a BOM and CRLF', gzipped(`\uFEFF${FEATURES}\r\n${ROW}\r\n`)],
  ])('reads features, %s', async (_, input) => {
    expect(await readSongs(fromCsv(input, { preset: 'spotify-features' }))).toEqual([
      {
        id: 'spotify:song:1dtKN6wwlolkM8XZy2y9C1',
        title: 'Jealous Kind Of Fella',
        artistName: 'Garland, Green',
        duration: 173.533,
        audioSummary: {
          tempo: 185.655,
          key: 3,
          mode: 1,
          timeSignature: 3,
          loudness: -7.727,
          energy: 0.62,
          danceability: 0.417,
          speechiness: 0.0403,
          acousticness: 0.49,
          instrumentalness: 0,
          liveness: 0.0779,
          valence: 0.845,
        },
        tracks: [{ catalog: 'spotify', foreignId: '1dtKN6wwlolkM8XZy2y9C1' }],
      },
    ])
  })

  it('leaves out what rests on a beat where none was heard', async () => {
    const beatless =
      'Trust In Me,Etta James,spotify:track:5Zu9mG353GB3p26t7M5AmR,0,0.377,-1,-6.777,0,0,0.776,0,0.39,0,0,178467,0,26.0,7,1,1960'
    const [song] = await readSongs(
      fromCsv(bytes(`${FEATURES}\n${beatless}`), { preset: 'spotify-features' }),
    )
    expect(song?.audioSummary).toEqual({
      loudness: -6.777,
      mode: 0,
      energy: 0.377,
      acousticness: 0.776,
      instrumentalness: 0,
      liveness: 0.39,
    })
  })

  it('reads the headers of other such files', async () => {
    const text = `id,name,artists,release_date,album_name,duration_ms,tempo
1dtKN6wwlolkM8XZy2y9C1,One,"['A B', ""C's"", 'D\\'s']",1960-05-01,First,200000,120
7,Two,A;B,1999,,0,0`
    expect(await readSongs(fromCsv(bytes(text), { preset: 'spotify-features' }))).toEqual([
      {
        id: 'spotify:song:1dtKN6wwlolkM8XZy2y9C1',
        title: 'One',
        artistName: "A B, C's, D's",
        release: 'First',
        year: 1960,
        duration: 200,
        audioSummary: { tempo: 120 },
        tracks: [{ catalog: 'spotify', foreignId: '1dtKN6wwlolkM8XZy2y9C1' }],
      },
      { title: 'Two', artistName: 'A, B', year: 1999 },
    ])
  })
})

describe('fromCsv, million-song-csv', () => {
  it('reads what is there', async () => {
    expect(await msd({})).toEqual([
      {
        id: 'SOMZWCG12A8C13C480',
        title: 'A Title',
        artistId: 'ARD7TVE1187B99BFB1',
        artistName: 'Somebody',
        release: 'Fear',
        year: 1994,
        duration: 218.9,
        songHotttnesss: 0.6,
        audioSummary: { tempo: 92.2, key: 1, mode: 0, timeSignature: 4, loudness: -11.2 },
        artistHotttnesss: 0.4,
        artistFamiliarity: 0.58,
        artistLocation: { latitude: 51.5, longitude: -0.12, location: 'London, England' },
        terms: [{ name: 'hip hop', frequency: 0.99 }],
      },
    ])
  })

  it.each<[string, Record<string, string>, string]>([
    ['year 0', { year: '0' }, 'year'],
    ['a blank hotttnesss', { 'song.hotttnesss': '' }, 'songHotttnesss'],
    ['NaN as -1', { 'artist.hotttnesss': '-1' }, 'artistHotttnesss'],
    ['NaN in words', { familiarity: 'nan' }, 'artistFamiliarity'],
    ['a duration of a day', { duration: '22050.0' }, 'duration'],
    ['a duration of nothing', { duration: '0' }, 'duration'],
    ['no term', { terms: '' }, 'terms'],
  ])('leaves out %s', async (_, fields, field) => {
    const [song] = await msd(fields)
    expect(song).toHaveProperty('title', 'A Title')
    expect(song).not.toHaveProperty(field)
  })

  it.each([
    ['tempo', { tempo: '0.0' }],
    ['tempo', { tempo: '-1' }],
    ['key', { key: '904.80281' }],
    ['key', { key: '-1' }],
    ['mode', { mode: '0.5' }],
    ['timeSignature', { time_signature: '0.0' }],
    ['loudness', { loudness: '-120' }],
  ])('leaves out a %s that cannot be: %o', async (field, fields) => {
    const [song] = await msd(fields)
    expect(song?.audioSummary).toBeDefined()
    expect(song?.audioSummary).not.toHaveProperty(field)
  })

  it('leaves out coordinates that are the mean of the file, and places that are none', async () => {
    const mean = { latitude: '37.15735675013362', longitude: '-63.933357868519515' }
    const songs = await msd(
      mean,
      { ...mean, location: 'Not available' },
      { location: 'Not available' },
    )
    expect(songs.map(({ artistLocation }) => artistLocation)).toEqual([
      { location: 'London, England' },
      undefined,
      { latitude: 51.5, longitude: -0.12 },
    ])
  })

  it('takes hotttnesss a little over 1 for 1, and leaves out what is of another scale', async () => {
    const songs = await msd({ 'artist.hotttnesss': '1.082502557' }, { 'artist.hotttnesss': '87' })
    expect(songs.map(({ artistHotttnesss }) => artistHotttnesss)).toEqual([1, undefined])
    const [term] = await msd({ terms_freq: '2239217.0' })
    expect(term?.terms).toEqual([{ name: 'hip hop' }])
  })

  it('keeps a hotttnesss of 0, and damaged text as it is', async () => {
    const [song] = await msd({ 'song.hotttnesss': '0.0', title: 'gefA$?hrlich' })
    expect(song).toMatchObject({ songHotttnesss: 0, title: 'gefA$?hrlich' })
  })

  it('passes over rows whose fields are shifted, and tells them', async () => {
    const skipped: Skipped[] = []
    const shifted = msdRow({ 'song.id': 'Polovtsian Dances' })
    const text = [MSD, msdRow(), shifted, msdRow()].join('\n')
    const preset = 'million-song-csv'
    const onSkipped = (one: Skipped) => skipped.push(one)
    expect(await readSongs(fromCsv(bytes(text), { preset, onSkipped }))).toHaveLength(2)
    expect(skipped).toEqual([{ line: 3, reason: expect.stringContaining('"Polovtsian Dances"') }])
    expect(await readSongs(fromCsv(bytes(text), { preset }))).toHaveLength(2)
  })
})

describe('fromCsv, columns', () => {
  it('maps columns and functions of the row, with any delimiter, header and encoding', async () => {
    const columns: CsvColumns = {
      id: (row) => `mine:song:${row.nr}`,
      title: 'song',
      artistName: 'band',
      duration: (row) => Number(row.ms) / 1000,
      year: ['jahr', 'year'],
      songType: (row) => (row.song?.includes('live') ? 'live' : undefined),
      isrc: 'isrc',
      audioSummary: { tempo: 'bpm', duration: (row) => Number(row.ms) / 1000 },
      fingerprints: (row) => [{ version: 4.12, code: String(row.code) }],
      foreignIds: (row) => [{ catalog: 'shop', foreignId: String(row.nr) }],
    }
    const header = ['nr', 'song', 'band', 'ms', 'year', 'isrc', 'bpm', 'code']
    const row = Buffer.from(
      '7\tÉté live\tA "quoted" band\t61500\t1999-01-02\tGBAYE6900531\t0\teJx\n',
      'latin1',
    )
    const options = { delimiter: '\t', header, encoding: 'windows-1252', columns }
    expect(await readSongs(fromCsv(new Uint8Array(row), options))).toEqual([
      {
        id: 'mine:song:7',
        title: 'Été live',
        artistName: 'A "quoted" band',
        year: 1999,
        duration: 61.5,
        songType: 'live',
        isrc: 'GBAYE6900531',
        audioSummary: { duration: 61.5 },
        fingerprints: [{ version: 4.12, code: 'eJx' }],
        foreignIds: [{ catalog: 'shop', foreignId: '7' }],
      },
    ])
  })

  it('numbers columns that have no names', async () => {
    const options = { header: false, columns: { title: '1', artistName: '0' } }
    expect(await readSongs(fromCsv(bytes('Band,Song\nBand,Zwei'), options))).toEqual([
      { title: 'Song', artistName: 'Band' },
      { title: 'Zwei', artistName: 'Band' },
    ])
  })

  it('takes a preset of which columns are others', async () => {
    const text = 'Titel,artist,tempo\nEins,Band,100'
    const options = { preset: 'spotify-features', columns: { title: 'Titel' } } as const
    expect(await readSongs(fromCsv(bytes(text), options))).toEqual([
      { title: 'Eins', artistName: 'Band', audioSummary: { tempo: 100 } },
    ])
  })

  it('keeps quoted delimiters, quotes and line ends, and tells rows of another length', async () => {
    const skipped: Skipped[] = []
    const text = 'song,band\n"One, ""two""\nthree",Band\nonly one\n12" Mix,Band\na,b,c\n'
    const columns = { title: 'song', artistName: 'band' }
    const songs = await readSongs(
      fromCsv(bytes(text), { columns, onSkipped: (one) => skipped.push(one) }),
    )
    expect(songs.map(({ title }) => title)).toEqual(['One, "two"\nthree', '12" Mix'])
    expect(skipped).toEqual([
      { line: 4, reason: 'has 1 fields, but there are 2 columns' },
      { line: 6, reason: 'has 3 fields, but there are 2 columns' },
    ])
  })

  it('names what is wrong with the options, and the likely meaning', async () => {
    const text = bytes('Title,Artist\na,b\n')
    const read = (options: Parameters<typeof fromCsv>[1]) => readAll(fromCsv(text, options))
    await expect(read({ columns: { title: 'Titel', artistName: 'Artist' } })).rejects.toThrow(
      'columns.title - Invalid parameter: "Titel" is not a column of what was given; did you mean "Title"? (its columns: Title, Artist)',
    )
    const misspelt = { title: 'Title', artistName: 'Artist', durations: 'x' } as CsvColumns
    await expect(read({ columns: misspelt })).rejects.toThrow('did you mean "duration"?')
    const summary = { audioSummary: { bpm: 'x' } } as unknown as CsvColumns
    await expect(
      read({ columns: { ...summary, title: 'Title', artistName: 'Artist' } }),
    ).rejects.toThrow('columns.audioSummary - Invalid parameter: "bpm"')
    await expect(read({ preset: 'spotify-feature' as 'spotify-features' })).rejects.toThrow(
      'did you mean "spotify-features"?',
    )
    await expect(readAll(fromCsv(bytes('x,y\nx,y\n')))).rejects.toThrow('columns - Missing')
    await expect(read({ preset: 'million-song-csv' })).rejects.toThrow('columns.')
    const encoding = 'utf-9'
    await expect(
      read({ encoding, columns: { title: 'Title', artistName: 'Artist' } }),
    ).rejects.toThrow('encoding - Invalid parameter: "utf-9"')
  })

  it('refuses a file that is no CSV of that kind', async () => {
    const columns = { title: 'song', artistName: 'band' }
    const open = `song,band\n"${'x'.repeat(17_000_000)}`
    await expect(readAll(fromCsv(bytes(open), { columns }))).rejects.toThrow(
      'cannot be read as CSV',
    )
  })
})

describe('fromCsv, as spreadsheets write it', () => {
  const columns = {
    title: 'Title',
    artistName: 'Artist',
    duration: ['Length'],
    audioSummary: { tempo: ['BPM'], energy: ['Energy'], key: ['Key'], mode: ['Mode'] },
  } satisfies CsvColumns
  const read = (input: Uint8Array, format: CsvFormat = {}) =>
    readSongs(fromCsv(input, { columns, ...format }))
  const CAFE = [{ title: 'Café €', artistName: 'Beyoncé' }]

  it('finds the encoding', async () => {
    const text = 'Title;Artist\r\nCafé €;Beyoncé\r\n'
    const western = Buffer.from(text, 'latin1')
    western[western.indexOf(0xac)] = 0x80
    const wide = Buffer.from(`\uFEFF${text}`, 'utf16le')
    const swapped = Buffer.from(wide).swap16()
    for (const input of [
      bytes(text),
      western,
      wide,
      swapped,
      wide.subarray(2),
      gzipSync(western),
    ]) {
      expect(await read(new Uint8Array(input))).toEqual(CAFE)
    }
    // An encoding that is given counts.
    const [one] = await read(new Uint8Array(Buffer.from(text, 'utf8')), { encoding: 'latin1' })
    expect(one?.artistName).toBe('BeyoncÃ©')
  })

  it('finds the encoding of each line, in pieces of any size', async () => {
    const input = Buffer.concat([
      bytes('\uFEFFTitle,Artist\nöä,Ü\n'),
      Buffer.from('öä,Ü\r\n', 'latin1'),
      bytes('öä,Ü'),
    ])
    for (const size of [1, 2, 3, 7, 100]) {
      const songs = await readSongs(fromCsv(pieces(input, size), { columns }))
      expect(songs).toEqual(Array(3).fill({ title: 'öä', artistName: 'Ü' }))
    }
  })

  it.each([
    ['Title,Artist\n"A, B","C"\n'],
    ['Title, Artist\n"A, B", "C"\n'],
    ['Title ,Artist\n"A, B" ,"C" \n'],
    ['Title;Artist\nA, B;C\n'],
    ['Title\tArtist\nA, B\tC\n'],
    ['Title|Artist\nA, B|C\n'],
    ['Title;Artist;in a, b, c or d\nA, B;C;d\n'],
    ['sep=;\r\nTitle;Artist\r\nA, B;C\r\n'],
    ['\uFEFFsep=,\nTitle,Artist\n"A, B",C\n'],
    ['"sep=\t"\nTitle\tArtist\nA, B\tC\n'],
    ['SEP=|\nTitle|Artist\nA, B|C\n'],
    ['sep=;;\rTitle;Artist\rA, B;C\r'],
  ])('finds the delimiter and the fields: %j', async (text) => {
    expect(await read(bytes(text))).toEqual([{ title: 'A, B', artistName: 'C' }])
  })

  it('takes quotes within a field as text', async () => {
    const text = 'Title, Artist\n12" Mix, The "X" Y\n"He said ""hi""", "Z"" Q" \n'
    expect(await read(bytes(text))).toEqual([
      { title: '12" Mix', artistName: 'The "X" Y' },
      { title: 'He said "hi"', artistName: 'Z" Q' },
    ])
  })

  it('tells lines by their number in the file, after a line sep= too', async () => {
    const skipped: Skipped[] = []
    const onSkipped = (one: Skipped) => skipped.push(one)
    const text = 'sep=;\nTitle;Artist\nA;B\nC\n'
    await readSongs(fromCsv(bytes(text), { columns, onSkipped }))
    expect(skipped).toMatchObject([{ line: 4 }])
  })

  it.each([
    ['0,62', 0.62],
    [',5', 0.5],
    ['0.62', 0.62],
    ['6,2e-1', 0.62],
    ['1,234', undefined],
    ['0,6,2', undefined],
  ])('reads a share of %s as %s', async (written, energy) => {
    const [song] = await read(bytes(`Title;Artist;Energy\nA;B;${written}\n`))
    expect(song?.audioSummary?.energy).toBe(energy)
  })

  it.each([
    ['240,5', 240.5],
    ['1.240,5', 1240.5],
    ['1,240.5', 1240.5],
    ['1 240,5', 1240.5],
    ["1'240.5", 1240.5],
    ['240,123', 240.123],
  ])('reads a length of %s as %s', async (written, duration) => {
    const [song] = await read(bytes(`Title;Artist;Length\nA;B;${written}\n`))
    expect(song?.duration).toBe(duration)
  })

  it.each([
    ['Am', '', 9, 0],
    ['C# minor', '', 1, 0],
    ['D♭ maj', '', 1, 1],
    ['8A', '', 9, 0],
    ['12B', '', 4, 1],
    ['1m', '', 9, 0],
    ['F#/Gb Minor', '', 6, 0],
    ['C#', 'Major', 1, 1],
    ['C#', '0', 1, 0],
    ['9', 'minor', 9, 0],
    ['9.0', '1.0', 9, 1],
    ['8A', '1', 9, 1],
    ['?', '', undefined, undefined],
    ['12', '2', undefined, undefined],
  ])('reads the key %s and mode %s', async (written, writtenMode, key, mode) => {
    const [song] = await read(bytes(`Title,Artist,Key,Mode\nA,B,${written},${writtenMode}\n`))
    expect([song?.audioSummary?.key, song?.audioSummary?.mode]).toEqual([key, mode])
  })

  it('reads all of it at once, by a preset too', async () => {
    const text = `sep=;\r\nname; artists; key; tempo; duration_ms; energy\r
"Café"; "Ñu"; "8A"; "120,5"; "200.500"; "0,5"\r\n`
    const input = new Uint8Array(Buffer.from(text, 'latin1'))
    expect(await readSongs(fromCsv(input, { preset: 'spotify-features' }))).toEqual([
      {
        title: 'Café',
        artistName: 'Ñu',
        duration: 0.2005,
        audioSummary: { tempo: 120.5, key: 9, mode: 0, energy: 0.5 },
      },
    ])
  })
})

describe('fromCsv, into a database', () => {
  it('gives records that are taken, again without doubles', async () => {
    const music = await openInline()
    const text = [MSD, msdRow(), msdRow({ 'song.id': 'SOCIWDW12A8C13D406', title: 'Soul Deep' })]
    const read = () => fromCsv(bytes(text.join('\n')), { preset: 'million-song-csv' })
    expect(await music.songs.import(read())).toMatchObject({ imported: 2, rejected: [] })
    expect(await music.songs.import(read())).toMatchObject({
      imported: 0,
      updated: 2,
      rejected: [],
    })
  })
})
