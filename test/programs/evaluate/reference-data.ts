import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { Audile } from '../../../src/host/audile.ts'
import {
  fromCsv,
  fromMillionSong,
  type Skipped,
  type SongRecord,
} from '../../../src/import-entry.ts'

/** A row of the evaluation's table. */
export interface ReferenceRow {
  title: string
  measured: string
  goal: string
  reached: boolean
}

/** What is used here of a line of `msd_h5_meta.jsonl.gz`: values of an h5 file, NaN as null. */
interface Extracted {
  track_id: string
  song_id: string
  artist_id: string
  artist: string
  title: string
  release: string
  familiarity: number | null
  artist_hotttnesss: number | null
  song_hotttnesss: number | null
  latitude: number | null
  longitude: number | null
  location: string
  mbid: string
  /** Of artist, release and track. */
  d7: [number, number, number]
  year: number
  duration: number
  tempo: number
  key: number
  mode: number
  loudness: number
  time_signature: number
  audio_md5: string
  terms: { name: string; weight: number; frequency: number }[]
}

const HITS = ['60', '70', '80', '90', '00', '10'].map((decade) => `hitpred_${decade}s.csv.gz`)

/**
 * Imports real reference data through the importers into a database in memory, and compares counts
 * and single values with what stands in the files (read once by another program; the numbers here
 * are its answers). `folder` is the one that holds `data`.
 *
 * @returns rows of the evaluation's table; none when the data is not there
 */
export async function evaluateReferenceData(folder: string): Promise<ReferenceRow[]> {
  const data = join(folder, 'data')
  const files = ['msd_h5_meta.jsonl.gz', 'msd10k_music.csv.gz', 'msd_h5', ...HITS]
  if (!files.every((file) => existsSync(join(data, file)))) {
    console.log(`There is no reference data in ${data}.`)
    return []
  }
  const music = await Audile.open({ database: ':memory:', engine: 'inline', workers: 0 })
  try {
    const rows: ReferenceRow[] = []
    for (const evaluate of [extractedFiles, rawFiles, tenThousand, hits, names]) {
      rows.push(...(await evaluate(music, data)))
    }
    return rows
  } finally {
    await music.close()
  }
}

/** The 688 files that were extracted before. */
async function extractedFiles(music: Audile, data: string): Promise<ReferenceRow[]> {
  const { imported, updated, rejected } = await music.songs.import(
    extracted(join(data, 'msd_h5_meta.jsonl.gz')),
  )
  const song = await songOf(music, 'SOUCVHW12AB018E830')
  const artist = await music.artists.get('ARJJ8611187FB5321F', {
    bucket: ['terms', 'artist_location'],
  })
  return [
    equal(
      '688 h5 files: imported, updated, rejected',
      [imported, updated, rejected.length],
      [688, 0, 0],
    ),
    equal('… tempo, key, mode of one', [song?.tempo, song?.key, song?.mode], [110.129, 10, 1]),
    equal(
      '… energy and danceability 0 are unknown',
      [song?.energy, song?.danceability],
      [null, null],
    ),
    equal('… first term', artist.terms?.[0], {
      name: 'pop rock',
      weight: 1,
      frequency: 0.9991508807119213,
    }),
    equal('… latitude', artist.artistLocation?.latitude, 40.79086),
    equal('… tempo 0 is unknown', (await songOf(music, 'SOEHNNP12AC9E14836'))?.tempo, null),
  ]
}

/** Three of them raw, through h5wasm. They are known already. */
async function rawFiles(music: Audile, data: string): Promise<ReferenceRow[]> {
  const { imported, updated, rejected } = await music.songs.import(
    fromMillionSong(join(data, 'msd_h5')),
  )
  const [song] = await music.songs.profile({
    id: ['SODUZYO12A58A75BE1'],
    bucket: ['song_hotttnesss', 'artist_location', 'tracks', 'id:7digital'],
  })
  const { terms } = await music.artists.get('ARD8QWG1187B9A5797', { bucket: ['terms'] })
  return [
    equal(
      '3 raw h5 files: imported, updated, rejected',
      [imported, updated, rejected.length],
      [0, 3, 0],
    ),
    equal('… song hotttnesss', song?.songHotttnesss, 0.6100841097722857),
    equal('… place', song?.artistLocation?.location, 'New York, NY'),
    equal(
      '… track id and foreign id',
      [song?.tracks?.[0]?.id, song?.tracks?.[0]?.foreignId],
      ['TRRNNKX12903CE6BE9', '7digital:track:6629739'],
    ),
    equal('… terms', [terms?.length, terms?.[0]?.name], [21, 'indie rock']),
  ]
}

/**
 * 10,000 rows, of which one has its fields shifted and one has no title; 15 of the songs are among
 * the 688.
 */
async function tenThousand(music: Audile, data: string): Promise<ReferenceRow[]> {
  const skipped: Skipped[] = []
  const { imported, updated, rejected } = await music.songs.import(
    fromCsv(join(data, 'msd10k_music.csv.gz'), {
      preset: 'million-song-csv',
      onSkipped: (one) => skipped.push(one),
    }),
  )
  const [song] = await music.songs.profile({
    id: ['SOCIWDW12A8C13D406'],
    bucket: ['audio_summary', 'artist_location', 'artist_familiarity'],
  })
  const meanPlace = await music.artists.get('AR7G5I41187FB4CE6C', { bucket: ['artist_location'] })
  const hottest = await music.artists.get('ARTDQRC1187FB4EFD4', { bucket: ['hotttnesss'] })
  return [
    equal(
      '10,000 rows: imported, updated, rejected, skipped',
      [imported, updated, rejected.length, skipped.length],
      [9983, 15, 1, 1],
    ),
    equal('… tempo, key', [song?.audioSummary?.tempo, song?.audioSummary?.key], [121.274, 6]),
    equal(
      '… place',
      [song?.artistLocation?.latitude, song?.artistLocation?.location],
      [35.14968, 'Memphis, TN'],
    ),
    equal('… familiarity', song?.artistFamiliarity, 0.630630038),
    equal(
      '… the mean of coordinates is none',
      [meanPlace.artistLocation?.latitude ?? null, meanPlace.artistLocation?.location],
      [null, 'London, England'],
    ),
    equal('… hotttnesss over 1 is 1', hottest.hotttnesss, 1),
    equal('… tempo 0 is unknown', (await songOf(music, 'SOGBJSK12AB018D052'))?.tempo, null),
  ]
}

/** 41,106 rows of audio features, with 40,560 different addresses. */
async function hits(music: Audile, data: string): Promise<ReferenceRow[]> {
  let rows = 0
  let rejected = 0
  for (const file of HITS) {
    const result = await music.songs.import(
      fromCsv(join(data, file), { preset: 'spotify-features' }),
    )
    rows += result.imported + result.updated
    rejected += result.rejected.length
  }
  const song = await songOf(music, 'spotify:song:1dtKN6wwlolkM8XZy2y9C1')
  const beatless = await songOf(music, 'spotify:song:5Zu9mG353GB3p26t7M5AmR')
  return [
    equal('41,106 feature rows: taken, rejected', [rows, rejected], [41_106, 0]),
    equal('… tempo, danceability', [song?.tempo, song?.danceability], [185.655, 0.417]),
    equal('… duration', song?.duration, 173.533),
    equal(
      '… without a beat',
      [beatless?.tempo, beatless?.danceability, beatless?.energy],
      [null, null, 0.377],
    ),
  ]
}

/** The lines of `unique_tracks.txt` that are there. */
async function names(music: Audile, data: string): Promise<ReferenceRow[]> {
  const file = join(data, 'unique_tracks_part.txt')
  if (!existsSync(file)) return []
  const { imported, updated, rejected } = await music.songs.import(fromMillionSong(file))
  return [
    equal('unique_tracks.txt: taken, rejected', [imported + updated, rejected.length], [5000, 0]),
  ]
}

async function songOf(music: Audile, id: string) {
  const [song] = await music.songs.profile({ id: [id], bucket: ['audio_summary'] })
  return song?.audioSummary
}

async function* extracted(path: string): AsyncGenerator<SongRecord, void> {
  const lines = createInterface({ input: createReadStream(path).pipe(createGunzip()) })
  for await (const line of lines) yield songOfExtracted(JSON.parse(line) as Extracted)
}

function songOfExtracted(from: Extracted): SongRecord {
  const [artist, release, track] = from.d7
  const given = {
    id: from.song_id,
    title: from.title,
    artistId: from.artist_id,
    artistName: from.artist,
    release: from.release,
    year: from.year,
    duration: from.duration,
    songHotttnesss: from.song_hotttnesss,
    artistHotttnesss: from.artist_hotttnesss,
    artistFamiliarity: from.familiarity,
    terms: from.terms,
  }
  const place = {
    ...(from.latitude !== null && { latitude: from.latitude }),
    ...(from.longitude !== null && { longitude: from.longitude }),
    ...(from.location !== '' && { location: from.location }),
  }
  return {
    ...(Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== null && value !== ''),
    ) as unknown as SongRecord),
    audioSummary: {
      tempo: from.tempo,
      key: from.key,
      mode: from.mode,
      timeSignature: from.time_signature,
      loudness: from.loudness,
      audioMd5: from.audio_md5,
    },
    artistLocation: place,
    artistForeignIds: [
      { catalog: '7digital', foreignId: String(artist) },
      ...(from.mbid === '' ? [] : [{ catalog: 'musicbrainz', foreignId: from.mbid }]),
    ],
    tracks: [
      {
        id: from.track_id,
        catalog: '7digital',
        foreignId: String(track),
        foreignReleaseId: `7digital:release:${release}`,
      },
    ],
  }
}

function equal(title: string, measured: unknown, goal: unknown): ReferenceRow {
  const [is, wanted] = [show(measured), show(goal)]
  return { title, measured: is, goal: wanted, reached: is === wanted }
}

function show(value: unknown): string {
  const list = Array.isArray(value) ? value : [value]
  return list.map((one) => (typeof one === 'string' ? one : JSON.stringify(one ?? null))).join(', ')
}
