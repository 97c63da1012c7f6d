import { describe, expect, it } from 'vitest'
import { fromCsv } from '../../src/import-entry.ts'
import { bytes, readAll, readSongs } from './read-all.ts'

const ID = '1dFghVXANMlKmJXsNCbNlA'
const named = {
  id: `spotify:song:${ID}`,
  title: 'A "Song", live',
  artistName: 'Ada, Bo',
  release: 'Home',
  tracks: [{ catalog: 'spotify', foreignId: ID }],
}
const EXPORTIFY =
  'Track URI,Track Name,Album Name,Artist Name(s),Release Date,Duration (ms),Popularity,Explicit,Added By,Added At,Genres,Record Label,Danceability,Energy,Key,Loudness,Mode,Speechiness,Acousticness,Instrumentalness,Liveness,Valence,Tempo,Time Signature'
const ROW = `spotify:track:${ID},"A ""Song"", live",Home,Ada;Bo,1999-05-02,200000,55,false,x,2020-01-01T00:00:00Z,"dream pop,shoegaze",X,0.5,0.6,9,-7.5,0,0.03,0.1,0.7,0.2,0.4,120.5,4`
const summary = {
  ...{ danceability: 0.5, energy: 0.6, key: 9, loudness: -7.5, mode: 0, speechiness: 0.03 },
  ...{ acousticness: 0.1, instrumentalness: 0.7, liveness: 0.2, valence: 0.4, tempo: 120.5 },
  timeSignature: 4,
}

describe('fromCsv, without options', () => {
  it('reads Exportify with features, genres and popularity', async () => {
    expect(await readSongs(fromCsv(bytes(`\uFEFF${EXPORTIFY}\r\n${ROW}\r\n`)))).toEqual([
      {
        ...named,
        ...{ year: 1999, duration: 200, songHotttnesss: 0.55 },
        audioSummary: summary,
        terms: [{ name: 'dream pop' }, { name: 'shoegaze' }],
      },
    ])
  })

  it.each([
    [
      'the older Exportify',
      'Spotify ID,Artist IDs,Track Name,Album Name,Artist Name(s),Release Date,Duration (ms),Popularity,Added By,Added At',
      `${ID},x,"A ""Song"", live",Home,"Ada,Bo",1999,200000,55,x,y`,
      { year: 1999, duration: 200, songHotttnesss: 0.55 },
    ],
    [
      'the Exportify of another author',
      'Track URI,Track Name,Artist URI(s),Artist Name(s),Album URI,Album Name,Album Artist URI(s),Album Artist Name(s),Album Release Date,Album Image URL,Disc Number,Track Number,Track Duration (ms),Track Preview URL,Explicit,Popularity,ISRC,Added By,Added At',
      `spotify:track:${ID},"A ""Song"", live",x,"Ada, Bo",x,Home,x,Various,1999-05-02,x,1,1,200000,x,false,55,GBAYE0601477,x,y`,
      { year: 1999, duration: 200, songHotttnesss: 0.55, isrc: 'GBAYE0601477' },
    ],
    [
      'TuneMyMusic',
      'Track name,Artist name,Album,Playlist name,Type,ISRC,Spotify - id',
      `"A ""Song"", live","Ada, Bo",Home,Mine,Playlist,GBAYE0601477,${ID}`,
      { isrc: 'GBAYE0601477' },
    ],
    [
      'a table with shares of a hundred',
      '#,Song,Artist,Popularity,BPM,Genres,Album,Album Date,Time,Dance,Energy,Acoustic,Instrumental,Happy,Speech,Live,Loud (Db),Camelot,Time Signature,Spotify Track Id',
      `1,"A ""Song"", live","Ada, Bo",55,120.5,"dream pop,shoegaze",Home,1999-05-02,3:20,50,60,10,70,40,3,20,-7.5,8A,4,${ID}`,
      {
        ...{ year: 1999, duration: 200, songHotttnesss: 0.55, audioSummary: summary },
        terms: [{ name: 'dream pop' }, { name: 'shoegaze' }],
      },
    ],
    [
      'German names and semicolons',
      'Track-URI;Titel;Künstlername(n);Albumname;Dauer (ms)',
      `spotify:track:${ID};"A ""Song"", live";Ada, Bo;Home;200000`,
      { duration: 200 },
    ],
    [
      'French names',
      'Titre\tArtiste\tAlbum\tDurée\tURL',
      `"A ""Song"", live"\tAda, Bo\tHome\t3:20\thttps://open.spotify.com/intl-fr/track/${ID}?si=x`,
      { duration: 200 },
    ],
    [
      'features of a data set',
      'track_id,artists,album_name,track_name,popularity,duration_ms,explicit,track_genre',
      `${ID},"['Ada', ""Bo""]",Home,"A ""Song"", live",55,200000,False,acoustic`,
      { duration: 200, songHotttnesss: 0.55, terms: [{ name: 'acoustic' }] },
    ],
  ])('reads %s', async (_, header, row, more) => {
    expect(await readSongs(fromCsv(bytes(`${header}\n${row}\n`)))).toEqual([{ ...named, ...more }])
  })

  it('knows the data sets that have presets', async () => {
    const text =
      'recording_mbid,recording_name,artist_credit_name,release_name,artist_mbids\nx,A,B,C,{}\n'
    expect(await readSongs(fromCsv(bytes(text)))).toMatchObject([{ title: 'A', artistName: 'B' }])
  })

  it('leaves out rows without a name and podcasts, and says so', async () => {
    const rows = ['x,,', 'spotify:episode:x,Talk,Ada', 'spotify:local:Ada::A:9,A,Ada', 'one']
    const records = fromCsv(bytes(['Track URI,Track Name,Artist Name(s)', ...rows].join('\n')))
    expect(await readSongs(records)).toEqual([{ title: 'A', artistName: 'Ada' }])
    expect(records.report.leftOut.map(({ reason }) => reason)).toEqual([
      'a row names no song',
      'a row is a podcast episode',
      'has 1 fields, but there are 3 columns',
    ])
  })

  it.each([
    ['no known columns', 'foo,bar\n1,2\n', 'its columns: foo, bar'],
    ['only names of columns', `${EXPORTIFY}\n`, 'has nothing to import'],
  ])('refuses %s in words', async (_, text, message) => {
    await expect(readAll(fromCsv(bytes(text)))).rejects.toThrow(message)
  })
})
