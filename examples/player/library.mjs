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
  const { duration, tempo, mode, keyConfidence, energy, danceability, loudness } = audioSummary
  const key = keyConfidence === 0 ? -1 : audioSummary.key // where none was heard
  const sound = { duration, tempo, key, mode, energy, danceability, loudness }
  return { id, title: title || parse(path).name, artist, path, ...sound }
}

/** The ids of the tracks that are as asked for: those that fit best first. */
export async function found(music, asked) {
  const tempo = [Number(asked.get('min') ?? 0), Number(asked.get('max') ?? 500)]
  const ids = await music.call('track/ids', { text: asked.get('words') ?? '', tempo })
  const [style, mood] = [asked.getAll('style'), asked.getAll('mood')]
  if (style.length + mood.length === 0) return ids
  const styled = await inStyle(music, { ...(style[0] && { style }), ...(mood[0] && { mood }) })
  return ids.filter((id) => styled.has(id))
}

/** The ids of the tracks whose songs have the terms. */
async function inStyle(music, terms) {
  const ids = new Set()
  for (let start = 0; ; start += PAGE) {
    const page = { start, results: PAGE, bucket: 'own_tracks' }
    const songs = await music.songs.search({ ...terms, ...page })
    for (const { id } of songs.flatMap(({ ownTracks }) => ownTracks)) ids.add(id)
    if (songs.length < PAGE) return ids
  }
}
