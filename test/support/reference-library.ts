import type { ArtistRecord, Audile, SongRecord } from '../../src/index.ts'
import type { AudileOptions } from '../../src/options/options.ts'
import { openInline } from './open.ts'

/** An id of the service's form; the same number gives the same one. */
export function nativeId(type: 'SO' | 'AR' | 'TR', number: number): string {
  return `${type}TESTS${number.toString(16).toUpperCase().padStart(11, '0')}`
}

/** Four artists: two of whom much is known, one of whom some is, one of whom nothing is. */
export const ARTISTS = {
  nora: {
    id: nativeId('AR', 1),
    name: 'Nora Vale',
    aliases: ['Nora V.'],
    familiarity: 0.9,
    hotttnesss: 0.8,
    location: { latitude: 48.85, longitude: 2.35, location: 'Paris, France' },
    yearsActive: [{ start: 1970, end: 1980 }],
    terms: [
      { name: 'jazz', weight: 1, frequency: 0.9, kind: 'style' },
      { name: 'mellow', weight: 0.6, frequency: 0.5 },
      { name: 'cool jazz', weight: 0.3, frequency: 1, kind: 'style' },
    ],
    foreignIds: [{ catalog: 'musicbrainz', foreignId: 'mb-nora' }],
  },
  kettles: {
    id: nativeId('AR', 2),
    name: 'The Iron Kettles',
    familiarity: 0.5,
    hotttnesss: 0.4,
    location: { latitude: -33.87, longitude: 151.21, location: 'Sydney' },
    yearsActive: [{ start: 2001 }, { start: 1990, end: 1995 }],
    terms: [
      { name: 'rock', weight: 1, kind: 'style' },
      { name: 'sad', weight: 0.7, kind: 'mood' },
      { name: 'jazz', weight: 0.25, kind: 'style' },
    ],
  },
  sois: {
    id: nativeId('AR', 3),
    name: 'Os Sóis',
    familiarity: 0.2,
    location: { latitude: -23.55, longitude: -46.63 },
    yearsActive: [{ start: 2012, end: 2013 }],
    terms: [
      { name: 'samba', weight: 1, kind: 'style' },
      { name: 'mellow', weight: 0.9, kind: 'mood' },
      { name: 'late night', weight: 0.4, kind: 'description' },
    ],
  },
  nobody: { id: nativeId('AR', 4), name: 'Nameless Four' },
} as const satisfies Record<string, ArtistRecord>

/** Eight songs of theirs, in the order in which they are imported. */
export const SONGS = {
  helpMeHome: {
    id: nativeId('SO', 1),
    title: 'Help Me Home',
    artistName: 'Nora Vale',
    artistId: nativeId('AR', 1),
    duration: 200,
    songHotttnesss: 0.5,
    songType: ['studio', 'acoustic'],
    audioSummary: {
      tempo: 90,
      loudness: -20,
      danceability: 0.3,
      energy: 0.2,
      key: 0,
      mode: 1,
      timeSignature: 4,
    },
    foreignIds: [{ catalog: 'spotify', foreignId: 'sp1' }],
    tracks: [
      {
        id: nativeId('TR', 1),
        catalog: '7digital-US',
        foreignId: '111',
        foreignReleaseId: '9',
        previewUrl: 'http://example.org/111.mp3',
        releaseImage: 'http://example.org/9.jpg',
      },
    ],
  },
  noraHome: {
    id: nativeId('SO', 2),
    title: 'Home',
    artistName: 'Nora Vale',
    artistId: nativeId('AR', 1),
    duration: 240,
    songHotttnesss: 0.3,
    audioSummary: { tempo: 120, loudness: -15, danceability: 0.5, energy: 0.4, key: 9, mode: 0 },
  },
  ironHome: {
    id: nativeId('SO', 3),
    title: 'Iron Home Blues',
    artistName: 'The Iron Kettles',
    artistId: nativeId('AR', 2),
    duration: 180,
    songHotttnesss: 0.9,
    audioSummary: { tempo: 150, loudness: -8, danceability: 0.7, energy: 0.9, key: 4, mode: 1 },
    tracks: [{ foreignId: '7digital-US:track:333' }],
  },
  rust: {
    id: nativeId('SO', 4),
    title: 'Rust',
    artistName: 'The Iron Kettles',
    artistId: nativeId('AR', 2),
    duration: 300,
    audioSummary: { tempo: 120, loudness: -6, danceability: 0.7, energy: 0.8, key: 9, mode: 1 },
  },
  manha: {
    id: nativeId('SO', 5),
    title: 'Manhã',
    artistName: 'Os Sóis',
    artistId: nativeId('AR', 3),
    duration: 150,
    songHotttnesss: 0.3,
    audioSummary: { tempo: 75, loudness: -12, danceability: 0.6, energy: 0.35, key: 11, mode: 0 },
  },
  soisHome: {
    id: nativeId('SO', 6),
    title: 'Home',
    artistName: 'Os Sóis feat. Nora Vale',
    artistId: nativeId('AR', 3),
    year: 0,
    duration: 0,
    songHotttnesss: 0.7,
    audioSummary: { tempo: 0, key: -1, mode: -1, timeSignature: -1 },
  },
  untitled: {
    id: nativeId('SO', 7),
    title: 'Untitled',
    artistName: 'Nameless Four',
    artistId: nativeId('AR', 4),
  },
  mellowRust: {
    id: nativeId('SO', 8),
    title: 'Mellow Rust',
    artistName: 'Nameless Four',
    artistId: nativeId('AR', 4),
    audioSummary: { tempo: 60, loudness: -30, danceability: 0, energy: 1 },
  },
} as const satisfies Record<string, SongRecord>

/** A song of the library, by what the tests call it. */
export type SongLabel = keyof typeof SONGS

const LABELS = new Map(
  Object.entries(SONGS).map(([label, { id }]) => [id as string, label as SongLabel]),
)

/** What the tests call the songs that were answered, in their order. */
export function labelsOf(songs: readonly { id: string }[]): (SongLabel | undefined)[] {
  return songs.map(({ id }) => LABELS.get(id))
}

/** A database that holds the library, open until the running test ends. */
export async function openLibrary(options: Partial<AudileOptions> = {}): Promise<Audile> {
  const music = await openInline(options)
  const artists = await music.artists.import(Object.values(ARTISTS))
  const songs = await music.songs.import(Object.values(SONGS))
  if (artists.imported !== 4 || songs.imported !== 8) {
    throw new Error(`The library was refused: ${JSON.stringify([artists, songs])}`)
  }
  return music
}
