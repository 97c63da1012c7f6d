import { type CompoundDtype, File, ready } from 'h5wasm/node'

/** A song as the dataset's files hold it. */
export interface H5Song {
  song_id: string
  track_id: string
  title: string
  artist_id: string
  artist_name: string
  artist_latitude?: number
  artist_longitude?: number
  artist_hotttnesss?: number
  song_hotttnesss?: number
  duration: number
  tempo: number
  key: number
  year?: number
  terms?: readonly [name: string, weight: number, frequency: number][]
}

type Columns = Record<string, readonly (string | number)[]>

/** Writes a file of the dataset's shape: three tables of which a row is a song, and lists of terms. */
export async function writeH5(path: string, songs: readonly H5Song[]): Promise<void> {
  await ready
  const file = new File(path, 'w')
  const terms = songs.flatMap((song) => song.terms ?? [])
  let at = 0
  const begins = songs.map((song) => {
    const begin = at
    at += song.terms?.length ?? 0
    return begin
  })
  const all = <T>(read: (song: H5Song) => T): T[] => songs.map(read)
  const metadata = file.create_group('metadata')
  table(metadata, {
    artist_7digitalid: all(() => 165270),
    artist_familiarity: all(() => 0.5),
    artist_hotttnesss: all((song) => song.artist_hotttnesss ?? 0.4),
    artist_id: all((song) => song.artist_id),
    artist_latitude: all((song) => song.artist_latitude ?? Number.NaN),
    artist_location: all(() => 'Nowhere, NO'),
    artist_longitude: all((song) => song.artist_longitude ?? Number.NaN),
    artist_mbid: all(() => 'd46b0000-0000-4000-8000-000000000001'),
    artist_name: all((song) => song.artist_name),
    idx_artist_terms: begins,
    release: all(() => 'A Release'),
    release_7digitalid: all(() => 4711),
    song_hotttnesss: all((song) => song.song_hotttnesss ?? Number.NaN),
    song_id: all((song) => song.song_id),
    title: all((song) => song.title),
    track_7digitalid: all(() => 815),
  })
  if (terms.length > 0) {
    const list = (name: string, data: string[] | Float64Array, dtype: string) =>
      metadata.create_dataset({ name, data, shape: [terms.length], dtype })
    list(
      'artist_terms',
      terms.map(([name]) => name),
      'A256',
    )
    list(
      'artist_terms_weight',
      Float64Array.from(terms, ([, weight]) => weight),
      '<d',
    )
    list(
      'artist_terms_freq',
      Float64Array.from(terms, ([, , frequency]) => frequency),
      '<d',
    )
  }
  table(file.create_group('analysis'), {
    audio_md5: all(() => 'aee9820911781c734e7694c5432990ca'),
    danceability: all(() => 0),
    duration: all((song) => song.duration),
    energy: all(() => 0),
    key: all((song) => song.key),
    loudness: all(() => -11.197),
    mode: all(() => 0),
    tempo: all((song) => song.tempo),
    time_signature: all(() => 4),
    track_id: all((song) => song.track_id),
  })
  table(file.create_group('musicbrainz'), { year: all((song) => song.year ?? 0) })
  file.close()
}

// Texts are declared ASCII (A64), and hold UTF-8 all the same, as in the dataset.

/** Columns of which these numbers are whole; the others are doubles. */
const WHOLE = /7digitalid$|^idx_|^(?:key|mode|time_signature|year)$/

function table(group: ReturnType<File['create_group']>, columns: Columns): void {
  const dtype: CompoundDtype = Object.entries(columns).map(([name, [first]]) => [
    name,
    typeof first === 'string' ? 'A64' : WHOLE.test(name) ? '<i' : '<d',
  ])
  group.create_dataset({ name: 'songs', data: new Map(Object.entries(columns)), dtype })
}
