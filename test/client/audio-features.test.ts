import { expect, it } from 'vitest'
import { openInline } from '../support/open.ts'

const ID = '1dFghVXANMlKmJXsNCbNlA'
const FEATURES = {
  ...{ danceability: 0.5, energy: 0.6, key: 9, loudness: -7.5, mode: 0, speechiness: 0.03 },
  ...{ acousticness: 0.1, instrumentalness: 0.7, liveness: 0.2, valence: 0.4, tempo: 120.5 },
  ...{ duration_ms: 201_234, time_signature: 4 },
}

it('answers what Spotify answered of a saved track', async () => {
  const music = await openInline()
  await music.tracks.import([{ audioFeatures: { id: ID, ...FEATURES } }])
  const track = await music.tracks.get(`spotify:track:${ID}`)
  expect(await track.audioFeatures()).toEqual({
    ...FEATURES,
    ...{ type: 'audio_features', id: ID, uri: `spotify:track:${ID}` },
    ...{ track_href: null, analysis_url: null },
  })
})

it('has null for what is not known, and every field', async () => {
  const music = await openInline()
  await music.tracks.import([{ title: 'A', audioSummary: { tempo: 95, duration: 10 } }])
  const { tracks } = await music.tracks.list()
  const features = await tracks[0]?.audioFeatures()
  expect(features).toMatchObject({ tempo: 95, duration_ms: 10_000, liveness: null, uri: null })
  expect(features?.id).toBe(tracks[0]?.id)
  expect(Object.keys(features ?? {})).toHaveLength(18)
})

it('refuses a track without an analysis', async () => {
  const music = await openInline()
  const samples = [new Float32Array(100)]
  const track = await music.tracks.upload({ samples, sampleRate: 8000 })
  await expect(track.audioFeatures()).rejects.toMatchObject({ code: 'not_ready' })
})
