import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fromSpotify } from '../../src/import/spotify.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import { readAll } from './read-all.ts'

const [ONE, TWO, THREE] = [
  '1dFghVXANMlKmJXsNCbNlA',
  '2dFghVXANMlKmJXsNCbNlB',
  '3dFghVXANMlKmJXsNCbNlC',
]

const features = (id: string | undefined, tempo: number) => ({
  ...(id !== undefined && { id, uri: `spotify:track:${id}` }),
  ...{ tempo, key: 0, mode: 1, duration_ms: 200_000, time_signature: 4, loudness: -6 },
  ...{
    energy: 0.8,
    danceability: 0.6,
    instrumentalness: 0.7,
    liveness: 0.1,
    type: 'audio_features',
  },
})
const named = (id: string, name: string) => ({
  ...{ id, name, type: 'track', artists: [{ name: 'Ada' }, { name: 'Bo' }] },
  album: { name: 'Home', album_type: 'album', artists: [{ name: 'Ada' }] },
  ...{ disc_number: 1, track_number: 7, external_ids: { isrc: 'GBAYE0601477' } },
})
const analysis = { meta: {}, track: { duration: 90, tempo: 125, key: 9, mode: 0 }, segments: [] }

describe('fromSpotify', () => {
  it('joins what saved answers in a folder tell of each track', async () => {
    const folder = scratch()
    mkdirSync(join(folder, 'more'))
    const save = (name: string, answer: unknown) =>
      writeFileSync(join(folder, name), JSON.stringify(answer))
    save('features.json', { audio_features: [features(ONE, 118), null] })
    save('more/one.json', features(TWO, 124))
    save(`${THREE}.json`, analysis)
    save('tracks.json', { tracks: [named(ONE!, 'First')] })
    save('playlist.json', {
      tracks: { items: [{ track: named(THREE!, 'Third') }, { track: null }] },
    })
    save('more/names.json', named('4dFghVXANMlKmJXsNCbNlD', 'Only a name'))
    save('none.json', null)
    const names = { artist: 'Ada, Bo', release: 'Home', isrc: ['GBAYE0601477'] }
    const numbers = { discNumber: 1, trackNumber: 7 }
    const idOf = (id: string | undefined) => ({ foreignIds: [`spotify:track:${id}`] })
    const records = await readAll(fromSpotify(folder))
    const byTitle = (title: string | undefined) => records.find((one) => one.title === title)
    expect(records).toHaveLength(3)
    expect(byTitle('First')).toEqual({
      ...{ ...idOf(ONE), title: 'First', ...names, ...numbers },
      audioFeatures: features(ONE, 118),
    })
    expect(byTitle(undefined)).toEqual({ ...idOf(TWO), audioFeatures: features(TWO, 124) })
    expect(byTitle('Third')).toEqual({
      ...idOf(THREE),
      title: 'Third',
      ...names,
      ...numbers,
      analysis,
    })

    const music = await openInline()
    expect(await music.tracks.import(fromSpotify(folder), { strict: true })).toMatchObject({
      imported: 3,
    })
    expect(await music.tracks.import(fromSpotify(folder))).toMatchObject({ updated: 3 })
    const { tracks } = await music.tracks.search({
      instrumentalness: [0.7, 0.7],
      sort: 'tempo-asc',
    })
    expect(tracks.map(({ answer }) => answer.foreignId)).toEqual([
      `spotify:track:${ONE}`,
      `spotify:track:${TWO}`,
    ])
  })

  it.each([
    ['the feature object itself', features(ONE, 118)],
    ['a list of them', [features(ONE, 118), null]],
    ['an answer for several', { audio_features: [null, features(ONE, 118)] }],
    ['one with a uri alone', { ...features(undefined, 118), uri: `spotify:track:${ONE}` }],
    ['the bytes of a file', new TextEncoder().encode(JSON.stringify(features(ONE, 118)))],
    ['packed bytes', gzipSync(JSON.stringify([features(ONE, 118)]))],
    ['an analysis with its id', { id: ONE, ...analysis }],
  ])('takes %s', async (_, input) => {
    const records = await readAll(fromSpotify(input))
    expect(records).toMatchObject([{ foreignIds: [`spotify:track:${ONE}`] }])
    const music = await openInline()
    expect(await music.tracks.import(records, { strict: true })).toMatchObject({ imported: 1 })
    await music.tracks.get(`spotify:track:${ONE}`)
  })

  it('takes rows with names and without ids', async () => {
    const rows = [
      { ...features(undefined, 118), name: 'A', artists: ['Ada', 'Bo'] },
      { ...features(undefined, 119), name: 'B', artists: [{ name: 'Ada' }] },
    ]
    expect(await readAll(fromSpotify(rows))).toEqual([
      { title: 'A', artist: 'Ada, Bo', audioFeatures: rows[0] },
      { title: 'B', artist: 'Ada', audioFeatures: rows[1] },
    ])
  })

  it('says what it cannot read', async () => {
    const folder = scratch()
    const file = join(folder, 'cut.json')
    writeFileSync(file, '{ "id": ')
    await expect(readAll(fromSpotify(file))).rejects.toThrow(/cut\.json" is not a JSON document/)
    await expect(readAll(fromSpotify(join(folder, 'none')))).rejects.toThrow(/does not exist/)
    const skipped: unknown[] = []
    const onSkipped = (one: unknown) => skipped.push(one)
    await expect(readAll(fromSpotify(folder, { onSkipped }))).rejects.toThrow(
      'has nothing to import',
    )
    expect(skipped).toEqual([{ file, reason: expect.stringContaining('JSON') }])
  })
})
