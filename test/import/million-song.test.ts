import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { artistsFromMillionSong, fromMillionSong, type Skipped } from '../../src/import-entry.ts'
import { scratch } from '../support/scratch.ts'
import { type H5Song, writeH5 } from './h5-fixture.ts'
import { bytes, gzipped, readAll, readArtists, readSongs } from './read-all.ts'

const SONG = {
  track_id: 'TRMMMYQ128F932D901',
  title: 'Silent Night',
  song_id: 'SOQMMHC12AB0180CB8',
  release: 'Monster Ballads X-Mas',
  artist_id: 'ARYZTJS1187B98C555',
  artist_mbid: '357ff05d-848a-44cf-b608-cb34b5701ae5',
  artist_name: 'Faster Pussy cat',
  duration: 252.05506,
  artist_familiarity: 0.649822100201,
  artist_hotttnesss: 0.394031892714,
  year: 2003,
  track_7digitalid: 7032331,
  shs_perf: -1,
  shs_work: 0,
}

/** `track_metadata.db` with these songs. */
function metadata(folder: string, ...songs: Partial<typeof SONG>[]): string {
  const path = join(folder, 'track_metadata.db')
  const db = new Sqlite(path)
  db.exec(`CREATE TABLE songs (track_id text PRIMARY KEY, title text, song_id text, release text,
    artist_id text, artist_mbid text, artist_name text, duration real, artist_familiarity real,
    artist_hotttnesss real, year int, track_7digitalid int, shs_perf int, shs_work int)`)
  const names = Object.keys(SONG)
  const insert = db.prepare(
    `INSERT INTO songs (${names}) VALUES (${names.map((name) => `@${name}`)})`,
  )
  for (const [i, song] of songs.entries()) {
    insert.run({ ...SONG, track_id: `TRMMMYQ128F932D90${i + 1}`, ...song })
  }
  db.close()
  return path
}

/** `artist_term.db` with terms and tags of the first artist. */
function artistTerms(folder: string): string {
  const path = join(folder, 'artist_term.db')
  const db = new Sqlite(path)
  db.exec(`CREATE TABLE artists (artist_id text PRIMARY KEY);
    CREATE TABLE terms (term text PRIMARY KEY);
    CREATE TABLE mbtags (mbtag text PRIMARY KEY);
    CREATE TABLE artist_term (artist_id text, term text);
    CREATE TABLE artist_mbtag (artist_id text, mbtag text);
    INSERT INTO artist_term VALUES ('${SONG.artist_id}', 'sleaze rock'), ('${SONG.artist_id}', 'rock');
    INSERT INTO artist_mbtag VALUES ('${SONG.artist_id}', 'rock'), ('${SONG.artist_id}', 'american')`)
  db.close()
  return path
}

describe('fromMillionSong, track_metadata.db', () => {
  it('gives what is known of songs and their artists', async () => {
    expect(await readSongs(fromMillionSong(metadata(scratch(), {})))).toEqual([
      {
        id: 'SOQMMHC12AB0180CB8',
        title: 'Silent Night',
        artistId: 'ARYZTJS1187B98C555',
        artistName: 'Faster Pussy cat',
        release: 'Monster Ballads X-Mas',
        year: 2003,
        duration: 252.05506,
        tracks: [{ id: 'TRMMMYQ128F932D901', catalog: '7digital', foreignId: '7032331' }],
        artistHotttnesss: 0.394031892714,
        artistFamiliarity: 0.649822100201,
        artistForeignIds: [
          { catalog: 'musicbrainz', foreignId: '357ff05d-848a-44cf-b608-cb34b5701ae5' },
        ],
      },
    ])
  })

  it('leaves out what stands for not known: 0, -1 for NaN, empty text', async () => {
    const unknown = {
      year: 0,
      artist_familiarity: -1,
      artist_hotttnesss: -1,
      artist_mbid: '',
      release: '',
      duration: 0,
      track_7digitalid: -1,
    }
    const [song] = await readSongs(fromMillionSong(metadata(scratch(), unknown)))
    expect(song).toEqual({
      id: 'SOQMMHC12AB0180CB8',
      title: 'Silent Night',
      artistId: 'ARYZTJS1187B98C555',
      artistName: 'Faster Pussy cat',
      tracks: [{ id: 'TRMMMYQ128F932D901' }],
    })
  })

  it('takes hotttnesss a little over 1 for 1, and leaves damaged text as it is', async () => {
    const odd = { artist_hotttnesss: 1.0825, title: 'gefA$?hrlich', release: 'BjÃ¶rk' }
    const [song] = await readSongs(fromMillionSong(metadata(scratch(), odd)))
    expect(song).toMatchObject({ artistHotttnesss: 1, title: 'gefA$?hrlich', release: 'BjÃ¶rk' })
  })

  it('adds terms from artist_term.db, with or without tags of MusicBrainz', async () => {
    const folder = scratch()
    const terms = artistTerms(folder)
    const path = metadata(folder, {}, { artist_id: 'ARNOTERMS187B98C55' })
    const songs = await readSongs(fromMillionSong(path, { terms }))
    expect(songs.map((song) => song.terms)).toEqual([
      [{ name: 'sleaze rock' }, { name: 'rock' }, { name: 'american' }],
      undefined,
    ])
    const [plain] = await readSongs(fromMillionSong(path, { terms, mbtags: false }))
    expect(plain?.terms).toEqual([{ name: 'sleaze rock' }, { name: 'rock' }])
  })

  it('says what another database is', async () => {
    const folder = scratch()
    const terms = artistTerms(folder)
    const songs = metadata(folder, {})
    await expect(readAll(fromMillionSong(terms))).rejects.toThrow(
      `"${terms}" is artist_term.db, which has no songs; give track_metadata.db`,
    )
    await expect(readAll(fromMillionSong(songs, { terms: songs }))).rejects.toThrow(
      'it is not artist_term.db',
    )
    const other = join(folder, 'other.db')
    new Sqlite(other).exec('CREATE TABLE similarity (target text, similar text)').close()
    await expect(readAll(fromMillionSong(other))).rejects.toThrow('its tables: similarity')
  })
})

describe('artistsFromMillionSong', () => {
  it('gives each artist of track_metadata.db once, by the name of most songs, with terms', async () => {
    const folder = scratch()
    const path = metadata(
      folder,
      { artist_name: 'Faster Pussy cat feat. Somebody', artist_familiarity: -1 },
      {},
      {},
      { artist_id: 'ARAAAAA1187B98C555', artist_name: 'Another', artist_mbid: '' },
    )
    expect(await readArtists(artistsFromMillionSong(path, { terms: artistTerms(folder) }))).toEqual(
      [
        {
          id: 'ARAAAAA1187B98C555',
          name: 'Another',
          hotttnesss: 0.394031892714,
          familiarity: 0.649822100201,
        },
        {
          id: 'ARYZTJS1187B98C555',
          name: 'Faster Pussy cat',
          hotttnesss: 0.394031892714,
          familiarity: 0.649822100201,
          foreignIds: [
            { catalog: 'musicbrainz', foreignId: '357ff05d-848a-44cf-b608-cb34b5701ae5' },
          ],
          terms: [{ name: 'sleaze rock' }, { name: 'rock' }, { name: 'american' }],
        },
      ],
    )
  })

  it('reads unique_artists.txt', async () => {
    const text =
      'AR002UA1187B9A637D<SEP>7752a11c-9d8b-4220-ac44-e4a04cc8471d<SEP>TRMUOZE12903CDF721<SEP>The Bristols\n'
    expect(await readArtists(artistsFromMillionSong(bytes(text)))).toEqual([
      {
        id: 'AR002UA1187B9A637D',
        name: 'The Bristols',
        foreignIds: [{ catalog: 'musicbrainz', foreignId: '7752a11c-9d8b-4220-ac44-e4a04cc8471d' }],
      },
    ])
  })

  it('says where names are when it is given terms alone', async () => {
    await expect(readAll(artistsFromMillionSong(artistTerms(scratch())))).rejects.toThrow(
      'give track_metadata.db, and this file as the option terms',
    )
  })
})

describe('fromMillionSong, unique_tracks.txt', () => {
  const TEXT = [
    'TRMMMYQ128F932D901<SEP>SOQMMHC12AB0180CB8<SEP>Faster Pussy cat<SEP>Silent Night',
    'TRMMMCH128F425532C<SEP>SOBNYVR12A8C13558C<SEP>Yerba Brava<SEP>Si Vos Querés<SEP>dos',
    'not a track',
    'TRMMMWA128F426B589<SEP>SOHSBXH12A8C13B0DF<SEP>Der Mystic<SEP>Tangle Of Aspens',
  ].join('\n')

  it.each([
    ['plain', bytes(TEXT)],
    ['gzipped', gzipped(TEXT)],
  ])('reads %s text, and tells what is no track', async (_, input) => {
    const skipped: Skipped[] = []
    const songs = await readSongs(fromMillionSong(input, { onSkipped: (one) => skipped.push(one) }))
    expect(songs.map(({ title }) => title)).toEqual([
      'Silent Night',
      'Si Vos Querés<SEP>dos',
      'Tangle Of Aspens',
    ])
    expect(songs[0]).toEqual({
      id: 'SOQMMHC12AB0180CB8',
      title: 'Silent Night',
      artistName: 'Faster Pussy cat',
      tracks: [{ id: 'TRMMMYQ128F932D901' }],
    })
    expect(skipped).toEqual([{ line: 3, reason: expect.stringContaining('<SEP>artist<SEP>title') }])
    // Nobody listens: what came before says that the file is right.
    expect(await readSongs(fromMillionSong(input))).toHaveLength(3)
  })

  it('refuses a text of which the first line is none', async () => {
    await expect(readAll(fromMillionSong(bytes('a,b,c\n')))).rejects.toThrow(
      /line 1: .*unique_tracks/,
    )
  })
})

describe('fromMillionSong, h5', () => {
  const song = (n: number, more: Partial<H5Song> = {}): H5Song => ({
    song_id: `SOQMMHC12AB0180CB${n}`,
    track_id: `TRMMMYQ128F932D90${n}`,
    title: `Söng ${n}`,
    artist_id: 'ARYZTJS1187B98C555',
    artist_name: 'Artist',
    duration: 200.5,
    tempo: 120.1,
    key: 7,
    ...more,
  })

  it('gives all terms, place, hotttnesss, ids and the audio summary', async () => {
    const path = join(scratch(), 'TRMMMYQ128F932D901.h5')
    await writeH5(path, [
      song(1, {
        artist_latitude: 40.71,
        artist_longitude: -74.0,
        song_hotttnesss: 0.6,
        year: 1999,
        terms: [
          ['bebop', 1, 0.883],
          ['jazz', 0.914, 1],
        ],
      }),
    ])
    expect(await readSongs(fromMillionSong(path))).toEqual([
      {
        id: 'SOQMMHC12AB0180CB1',
        title: 'Söng 1',
        artistId: 'ARYZTJS1187B98C555',
        artistName: 'Artist',
        release: 'A Release',
        year: 1999,
        duration: 200.5,
        songHotttnesss: 0.6,
        audioSummary: {
          tempo: 120.1,
          key: 7,
          mode: 0,
          timeSignature: 4,
          loudness: -11.197,
          audioMd5: 'aee9820911781c734e7694c5432990ca',
        },
        tracks: [
          {
            id: 'TRMMMYQ128F932D901',
            catalog: '7digital',
            foreignId: '815',
            foreignReleaseId: '7digital:release:4711',
          },
        ],
        artistHotttnesss: 0.4,
        artistFamiliarity: 0.5,
        artistLocation: { latitude: 40.71, longitude: -74, location: 'Nowhere, NO' },
        artistForeignIds: [
          { catalog: 'musicbrainz', foreignId: 'd46b0000-0000-4000-8000-000000000001' },
          { catalog: '7digital', foreignId: '165270' },
        ],
        terms: [
          { name: 'bebop', weight: 1, frequency: 0.883 },
          { name: 'jazz', weight: 0.914, frequency: 1 },
        ],
      },
    ])
  })

  it('leaves out NaN, tempo 0, and energy and danceability, which are 0 throughout', async () => {
    const path = join(scratch(), 'a.h5')
    await writeH5(path, [song(1, { tempo: 0, song_hotttnesss: Number.NaN })])
    const [read] = await readSongs(fromMillionSong(path))
    expect(read?.audioSummary).toEqual({
      key: 7,
      mode: 0,
      timeSignature: 4,
      loudness: -11.197,
      audioMd5: 'aee9820911781c734e7694c5432990ca',
    })
    expect(read).not.toHaveProperty('songHotttnesss')
    expect(read).not.toHaveProperty('year')
    expect(read).not.toHaveProperty('terms')
    expect(read?.artistLocation).toEqual({ location: 'Nowhere, NO' })
  })

  it('reads aggregate files, each song with the terms of its own', async () => {
    const path = join(scratch(), 'aggregate.h5')
    await writeH5(path, [
      song(1, { terms: [['rock', 1, 1]] }),
      song(2),
      song(3, {
        terms: [
          ['pop', 1, 0.5],
          ['disco', 0.5, 1],
        ],
      }),
    ])
    const songs = await readSongs(fromMillionSong(path))
    expect(songs.map(({ terms }) => terms?.map(({ name }) => name))).toEqual([
      ['rock'],
      undefined,
      ['pop', 'disco'],
    ])
  })

  it('reads a folder in the order of names, and tells files that are none', async () => {
    const folder = scratch()
    mkdirSync(join(folder, 'A', 'B'), { recursive: true })
    await writeH5(join(folder, 'A', 'B', 'TRA.h5'), [song(1)])
    await writeH5(join(folder, 'TRB.h5'), [song(2)])
    writeFileSync(join(folder, 'A', 'TRX.h5'), 'not HDF5')
    writeFileSync(join(folder, 'LICENSE'), 'text')
    const skipped: Skipped[] = []
    const songs = await readSongs(
      fromMillionSong(folder, { onSkipped: (one) => skipped.push(one) }),
    )
    expect(songs.map(({ title }) => title)).toEqual(['Söng 1', 'Söng 2'])
    expect(skipped).toEqual([
      {
        file: join(folder, 'A', 'TRX.h5'),
        reason: expect.stringContaining('cannot be read as HDF5'),
      },
    ])
  })

  it('says what is wrong with a folder or file', async () => {
    const folder = scratch()
    await expect(readAll(fromMillionSong(folder))).rejects.toThrow('has no .h5 files')
    const path = join(folder, 'cut.h5')
    await writeH5(join(folder, 'whole.h5'), [song(1)])
    writeFileSync(path, Buffer.from('\x89HDF\r\n\x1a\ncut off', 'latin1'))
    await expect(readAll(fromMillionSong(path))).rejects.toThrow(`"${path}" cannot be read as HDF5`)
    await expect(readAll(fromMillionSong(join(folder, 'none')))).rejects.toThrow('does not exist')
  })

  it('names the package to install where h5wasm is missing', async () => {
    const path = join(scratch(), 'a.h5')
    await writeH5(path, [song(1)])
    const hook = `export const resolve = (name, context, next) => {
      if (name.startsWith('h5wasm')) throw new Error('Cannot find package h5wasm')
      return next(name, context)
    }`
    const script = `import { register } from 'node:module'
      register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(hook))})
      const { fromMillionSong } = await import(${JSON.stringify(new URL('../../src/import/million-song.ts', import.meta.url).href)})
      await fromMillionSong(${JSON.stringify(path)}).next().catch((error) => console.log(error.message))`
    const { stdout } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', script],
      { cwd: fileURLToPath(new URL('../..', import.meta.url)), encoding: 'utf8' },
    )
    expect(stdout).toContain(`"${path}" is HDF5, which needs the optional package h5wasm`)
    expect(stdout).toContain('npm install h5wasm')
  })
})
