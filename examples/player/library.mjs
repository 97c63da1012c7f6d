// The library as the page shows it: the tracks with a file and an analysis.
import { parse } from 'node:path'

const PAGE = 100

/** Rows of the tracks from the given place on, and the place of the next ones, if any follow. */
export async function rows(music, start) {
  const page = { start, results: PAGE, bucket: 'audio_summary' }
  const { tracks, total } = await music.tracks.list(page)
  const next = start + PAGE < total ? { next: start + PAGE } : {}
  return { rows: tracks.flatMap(({ answer }) => rowOf(answer) ?? []), total, ...next }
}

/** The row of a track; `undefined` where there is nothing to play, or it is not analysed. */
export function rowOf({ id, title, artist = '', files, audioSummary }) {
  const path = files.find(({ present }) => present)?.path
  if (path === undefined || !audioSummary) return undefined
  const { duration, tempo, key, mode, energy, danceability, loudness } = audioSummary
  const sound = { duration, tempo, key, mode, energy, danceability, loudness }
  return { id, title: title || parse(path).name, artist, path, ...sound }
}

/** The ids of the tracks whose songs are as asked for, those that match best first. */
export async function found(music, asked) {
  const query = { bucket: 'own_tracks', results: PAGE }
  for (const name of ['combined', 'artist', 'title']) {
    if (asked.has(name)) query[name] = asked.get(name)
  }
  for (const name of ['minTempo', 'maxTempo']) {
    if (asked.has(name)) query[name] = Number(asked.get(name))
  }
  for (const name of ['style', 'mood']) if (asked.has(name)) query[name] = asked.getAll(name)
  const ids = []
  for (let start = 0; ; start += PAGE) {
    const songs = await music.songs.search({ ...query, start })
    ids.push(...songs.flatMap(({ ownTracks }) => ownTracks.map(({ id }) => id)))
    if (songs.length < PAGE) return ids
  }
}
