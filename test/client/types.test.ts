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
  // @ts-expect-error a mood that there is not
  await music.mixes.create({ seeds: { mood: 'groovy' } })
  // @ts-expect-error an arc of a fact that there is not
  await music.mixes.create({ arc: { groove: [0, 1] }, length: 5 })
  // @ts-expect-error a misspelt field of a wish
  await music.mixes.create({ lenght: 5 })
  // @ts-expect-error a sort, which a mix has not
  await music.mixes.create({ where: { sort: 'tempo-asc' } })
  // @ts-expect-error a page, which is not kept
  await catalog.save('x', { search: { start: 5 } })
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
  const evenings = await music.catalogs.get({ name: 'Evenings' })
  const mix = await music.mixes.create({
    seeds: ['TR1', evenings, { artist: 'Yelle', album: 'Safari Disco Club', weight: 2 }],
    arc: { energy: [0.2, 0.9], tempo: [90, 120] },
    avoid: { catalog: evenings, playedHours: 2 },
    length: 9,
  })
  for await (const { track, reasons } of mix) mix.less({ id: track, weight: reasons.fromLast ?? 1 })
  const bound: 'where' | 'length' | string | undefined = mix.ended?.bound
  const [kept] = await evenings.saved()
  if (kept?.mix) await music.mixes.create({ ...kept.mix, seed: 7 })
  if (kept?.search) for await (const { id } of music.tracks.all(kept.search)) console.log(id, bound)
  await music.mixes.path({ file: 'a.mp3' }, 'TR2', { length: 5, where: { tempo: '90-120' } })
  const { id } = evenings
  await (await music.catalogs.get(id)).read({ bucket: ['kvstore', 'audio_summary'] })
}

it('are held by the check of types', () => {
  expect([slips, programs].map(({ name }) => name)).toEqual(['slips', 'programs'])
})
