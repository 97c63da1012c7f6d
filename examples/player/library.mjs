// The library as the page shows it: tracks with a file and an analysis, their albums and artists.
import { parse } from 'node:path'

/** Tracks that can be played. */
const PLAYABLE = { status: ['complete', 'unavailable'], missing: false }
const PAGE = 100
/** Rows that are in sight at first. */
const FIRST = 40

/** The bounds of a tempo where only one of them is asked for. */
const ANY = [0, 500]

/** A mood as a part of the plane of valence and energy. */
const MOODS = {
  happy: { valence: [0.55, 1], energy: [0.4, 1] },
  energetic: { energy: [0.7, 1] },
  calm: { valence: [0.4, 1], energy: [0, 0.45] },
  sad: { valence: [0, 0.45], energy: [0, 0.5] },
  tense: { valence: [0, 0.45], energy: [0.55, 1] },
}

/** The query of `tracks.search` for what the form of the page asks; empty fields ask nothing. */
export function queryOf({ words, genre, mood, min, max, sort, album, artist }) {
  const tempo = [Number(min || ANY[0]), Number(max || ANY[1])]
  return {
    ...(words && { text: words }),
    ...(genre && { genre }),
    ...MOODS[mood],
    ...((min || max) && { tempo }),
    ...(album && { album: Number(album) }),
    ...(artist && { artist }),
    ...(sort && { sort }),
  }
}

/** What the form of the page asks for a query: the other way round. */
export function askedOf({ text, genre, tempo, valence, energy, sort }) {
  const bounds = tempo ?? []
  const [min, max] = bounds.map((bound) => (ANY.includes(bound) ? undefined : bound))
  const same = (mood) => JSON.stringify(mood) === JSON.stringify({ valence, energy })
  const mood = Object.keys(MOODS).find((name) => same(MOODS[name]))
  const given = { words: text, genre, mood, min, max, sort }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** The ids of all tracks that are asked for, in order, with the first rows, and how many tracks there are. */
export async function found(music, asked) {
  const query = queryOf(asked)
  const usual = query.text ? {} : { sort: 'album-asc' }
  const [ids, total] = await Promise.all([
    music.call('track/ids', { ...usual, ...query, ...PLAYABLE }),
    countOf(music),
  ])
  return { ids, total, rows: await rowsOf(music, ids.slice(0, FIRST)) }
}

/** The first rows of the library: of a large one, all ids take longer than one waits for. */
export async function first(music) {
  const query = { sort: 'album-asc', ...PLAYABLE, results: FIRST }
  const { total, tracks } = await music.tracks.search(query)
  const ids = tracks.map(({ id }) => id)
  return { ids, total, many: total, rows: await rowsOf(music, ids) }
}

/** How many tracks can be played. */
export async function countOf(music) {
  return (await music.tracks.search({ ...PLAYABLE, results: 0 })).total
}

/** What the page shows of tracks; those that cannot be played are left out. */
export async function rowsOf(music, ids) {
  const tracks = await music.call('track/profiles', { ids, bucket: 'audio_summary' })
  return tracks.flatMap((track) => rowOf(track) ?? [])
}

/** The row of a track; `undefined` where there is nothing to play, or it is not analysed. */
function rowOf({ id, title, artist = '', release, trackNumber, files, audioSummary }) {
  const path = files.find(({ present }) => present)?.path
  if (path === undefined || !audioSummary) return undefined
  const { duration, tempo, mode, keyConfidence, energy, loudness } = audioSummary
  const key = keyConfidence === 0 ? -1 : audioSummary.key // where none was heard
  const names = { title: title || parse(path).name, artist, release, trackNumber }
  return { id, ...names, path, duration, tempo, key, mode, energy, loudness }
}

/** A page of albums, as cards. */
export async function albumsOf(music, { words, artist, start = 0 }) {
  const query = { ...(words && { title: words }), ...(artist && { artist }) }
  const { total, albums } = await music.tracks.albums({
    ...query,
    start: Number(start),
    results: PAGE,
  })
  const cards = albums.map(({ id, title, artist, year, tracks, duration, trackId }) => ({
    ...{ id, title: title === 'unknown' ? 'No album' : title, year, tracks, duration, trackId },
    artist: artist ?? (title === 'unknown' ? '' : 'Several artists'),
  }))
  return { total, cards }
}

/** A page of artists, as cards. */
export async function artistsOf(music, { words, start = 0 }) {
  const query = { ...(words && { name: words }), start: Number(start), results: PAGE }
  const { total, artists } = await music.tracks.artists(query)
  return { total, cards: artists.map(({ name, ...rest }) => ({ title: name, ...rest })) }
}

/** Groups of tracks that hold the same recording. */
export async function duplicatesOf(music) {
  const groups = await music.tracks.duplicates()
  return Promise.all(groups.map(({ tracks }) => rowsOf(music, idsIn(tracks))))
}

/** Tracks whose files are all gone. */
export async function missingOf(music) {
  const { total, tracks } = await music.tracks.list({ missing: true, results: PAGE })
  const rows = tracks
    .filter(({ files }) => files.length > 0)
    .map(({ id, answer, files: [{ path }] }) => ({
      ...{ id, title: answer.title || parse(path).name, artist: answer.artist ?? '', path },
    }))
  return { total, rows }
}

const idsIn = (tracks) => tracks.map(({ id }) => id)
