import { expect, it } from 'vitest'
import type { Audile, Catalog } from '../../src/index.ts'

/** Is compiled, never called: a line that compiles though it is marked ends the check of types. */
async function slips(music: Audile, catalog: Catalog): Promise<void> {
  // @ts-expect-error a misspelt bucket
  await music.songs.search({ bucket: 'audio_sumary' })
  // @ts-expect-error a misspelt bucket in a list
  await music.songs.search({ bucket: ['audio_summary', 'track'] })
  // @ts-expect-error a misspelt bucket of artists
  await music.artists.search('Yelle', { bucket: 'biography' })
  // @ts-expect-error a misspelt bucket of tracks
  await music.tracks.list({ bucket: 'summary' })
  // @ts-expect-error a misspelt bucket of a catalog
  await catalog.read({ bucket: 'kvstor' })
  // @ts-expect-error a sort that there is not
  await music.songs.search({ sort: 'tempo' })
  // @ts-expect-error a sort of tracks that there is not
  await music.tracks.list({ sort: 'bpm-asc' })
  // @ts-expect-error a mode that there is not
  await music.songs.search({ mode: 'dorian' })
  // @ts-expect-error no key
  await music.songs.search({ key: 'h' })
  // @ts-expect-error text for a number
  await music.songs.search({ minTempo: '90' })
  // @ts-expect-error text for a flag
  await music.songs.search({ bucket: 'id:spotify', limit: 'true' })
  // @ts-expect-error neither id nor name
  await music.catalogs.get({})
  // @ts-expect-error id and name
  await music.catalogs.get({ id: 'CA', name: 'Evenings' })
  // @ts-expect-error a misspelt event
  music.on('trcak', () => {})
  // @ts-expect-error a misspelt method
  await music.call('track/serach', {})
  // @ts-expect-error a misspelt field
  await music.tracks.upload({ flie: 'song.mp3' })
}

/** What must compile: as programs write it. */
async function programs(music: Audile): Promise<void> {
  const bucket = ['audio_summary', 'id:spotify'] as const
  const [song] = await music.songs.search({ bucket, key: 'F#m', mode: 'minor', sort: 'tempo-asc' })
  const { key, mode } = song?.audioSummary ?? {}
  if (key !== undefined && mode !== undefined) await music.songs.search({ key, mode })
  for (const spelled of ['Db', 'c-sharp', 'A minor', '8A', '1m'] as const) {
    await music.songs.search({ key: spelled, artistEndYearAfter: 'present' })
  }
  for await (const change of music.tracks.scan('music')) {
    const told: string = change.kind === 'failed' ? change.error.message : change.track.id
    const { kind, error, track, from } = change
    console.log(kind === 'added' ? track.id : error?.message, from, told)
  }
  await music.tracks.upload({ file: 'song.mp3', filetype: 'mp3' })
  await music.tracks.upload({ url: 'https://example.org/song', filetype: 'flac' })
  await music.songs.identify({ file: 'song.mp3', filetype: 'mp3' })
  const { id } = await music.catalogs.get({ name: 'Evenings' })
  await (await music.catalogs.get(id)).read({ bucket: ['kvstore', 'audio_summary'] })
}

it('are held by the check of types', () => {
  expect([slips, programs].map(({ name }) => name)).toEqual(['slips', 'programs'])
})
