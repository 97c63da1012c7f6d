import { ANALYZER_VERSION } from '../../src/analysis/document.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { transaction } from '../../src/kernel/database/transaction.ts'
import { newId } from '../../src/values/ids.ts'
import { pick, type Random, seeded, whole } from './chance.ts'

/** A track of a made library, as tags would name it. */
export interface MadeTrack {
  title: string
  artist: string
  release: string
  albumArtist?: string
  year: number
  genre: string
  trackNumber: number
  duration: number
  tempo: number
}

const ONSETS = 'b br c ch cl d dr f fl g gr h j k l m n p pl r s sh sl st t th tr v w z'.split(' ')
const VOWELS = 'a e i o u ai ea ee oo ou'.split(' ')
const CODAS = ' b ck d g l ll m n nd ng nt p r rd rn s ss st t x y'.split(' ')
const COMMON = 'the of love in you my me to a night and heart on i time day it is for blue'.split(
  ' ',
)
const GENRES = ['Rock', 'Pop', 'Hip-Hop', 'Jazz', 'Electronic', 'Folk', 'Metal', 'Soul', 'Ambient']
const ADDITIONS = [' (Remastered 2011)', ' (Live)', ' - Radio Edit', ' (Acoustic)', ' (Demo)']

/** Words by rank: those that names are full of, then made ones of one to three syllables. */
function lexicon(random: Random, count: number): string[] {
  const words = new Set(COMMON)
  while (words.size < count) {
    const syllables = 1 + whole(random, 0, 3)
    let word = ''
    for (let i = 0; i < syllables; i++) word += pick(random, ONSETS) + pick(random, VOWELS)
    words.add(word + pick(random, CODAS))
  }
  return [...words]
}

/** The first places are less frequent than by Zipf's law, as Mandelbrot found of words. */
const SHIFT = 3

/** A place in a list of so many, by the law of Zipf and Mandelbrot. */
function zipf(random: Random, count: number): number {
  return Math.floor(SHIFT * ((count + SHIFT) / SHIFT) ** random() - SHIFT)
}

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

/** Tracks in albums by artists, with the frequencies of words and artists that libraries have. */
export function madeLibrary(count: number, seed = 7): MadeTrack[] {
  const random = seeded(seed)
  const words = lexicon(random, Math.max(2000, Math.round(count / 3)))
  const name = (most: number) =>
    Array.from({ length: 1 + whole(random, 0, most) }, () =>
      capital(words[zipf(random, words.length)] as string),
    ).join(' ')
  const artists = Array.from({ length: Math.max(20, Math.round(count / 9)) }, () =>
    random() < 0.2 ? `The ${name(2)}` : name(3),
  )
  const tracks: MadeTrack[] = []
  while (tracks.length < count) {
    const artist = artists[zipf(random, artists.length)] as string
    const release = name(4)
    const [year, genre] = [whole(random, 1960, 2025), pick(random, GENRES)]
    const size = whole(random, 1, 15)
    for (let n = 1; n <= size && tracks.length < count; n++) {
      const guest = random() < 0.05 ? ` feat. ${pick(random, artists)}` : ''
      const addition = random() < 0.08 ? pick(random, ADDITIONS) : ''
      tracks.push({
        ...{ title: name(5) + guest + addition, artist, release, year, genre, trackNumber: n },
        ...(random() < 0.5 && { albumArtist: artist }),
        duration: whole(random, 90, 400),
        tempo: whole(random, 60, 180) + random(),
      })
    }
  }
  return tracks
}

/**
 * Writes tracks into a database, as if each had been uploaded and analysed.
 *
 * @param first - the number of the first track, which tells the bytes of its file from others
 */
export function storeLibrary(path: string, tracks: readonly MadeTrack[], first = 0): void {
  const db = openDatabase(path)
  const addTrack = db.prepare(
    `INSERT INTO tracks (id, md5, status, title, artist, release, tags, created_at, updated_at)
     VALUES (@id, @md5, 'complete', @title, @artist, @release, @tags, @now, @now)`,
  )
  const addAnalysis = db.prepare(
    `INSERT INTO analyses (track_id, analyzer_version, analyzed_at, duration, tempo, "key", mode,
       time_signature, loudness, energy, danceability, tempo_confidence)
     VALUES (@id, @version, @now, @duration, @tempo, @key, @mode, 4, @loudness, @energy, @energy, 1)`,
  )
  const random = seeded(5)
  transaction(db)(() => {
    for (const [i, track] of tracks.entries()) {
      const { title, artist, release, duration, tempo, genre, ...tags } = track
      const now = 1_700_000_000_000 + first + i
      const id = newId('track', now)
      addTrack.run({
        ...{ id, title, artist, release, now },
        md5: (first + i).toString(16).padStart(32, '0'),
        tags: JSON.stringify({ ...tags, genres: [genre], duration }),
      })
      addAnalysis.run({
        ...{ id, now, duration, tempo, version: ANALYZER_VERSION },
        key: whole(random, 0, 12),
        mode: whole(random, 0, 2),
        loudness: -20 * random(),
        energy: random(),
      })
    }
  })
  db.close()
}
