// A player's tests, on tracks that are seeded from documents, without audio: node --test examples/seeded.test.mjs
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { Audile } from 'audile'

const inMemory = { database: ':memory:', engine: 'inline', workers: 0 }
let music

beforeEach(async () => {
  music = await Audile.open(inMemory)
  const seeds = [
    { title: 'Slow', artist: 'A', file: '/music/slow.mp3', analysis: documentOf(80, 9, 0, 20) },
    { title: 'Calm', artist: 'B', file: '/music/calm.mp3', analysis: documentOf(84, 9, 0, 21) },
    { title: 'Fast', artist: 'C', file: '/music/fast.mp3', analysis: documentOf(160, 0, 1, -60) },
    // Where only searches are tested, a few fields suffice.
    { title: 'Next', file: '/music/next.mp3', audioSummary: { tempo: 82, key: 4, mode: 0 } },
  ]
  await music.tracks.import(seeds, { strict: true })
})
afterEach(() => music.close())

test('a file leads to its track and its beats', async () => {
  const track = await music.tracks.get({ file: '/music/slow.mp3' })
  const { beats } = await track.analysis()
  assert.equal(track.answer.title, 'Slow')
  assert.deepEqual(beats[1], { start: 0.75, duration: 0.75, confidence: 1 })
})

test('what sounds most alike comes first', async () => {
  const alike = await music.tracks.similar({ file: '/music/slow.mp3' })
  const titles = alike.map(({ answer }) => answer.title)
  assert.deepEqual(titles, ['Calm', 'Fast'])
})

test('tracks are found by what is typed, by tempo and by key', async () => {
  const search = async (query) => (await music.tracks.search(query)).tracks.map(({ id }) => id)
  const { id } = await music.tracks.get({ file: '/music/slow.mp3' })
  assert.deepEqual(await search({ text: 'slwo' }), [id])
  assert.deepEqual(await search({ tempo: '60-82', key: ['8A', '8B'] }), [id])
})

test('what can be mixed with a track is near in tempo and key', async () => {
  const slow = await music.tracks.get({ file: '/music/slow.mp3' })
  const { tracks } = await music.tracks.search({ mixesWith: slow, sort: 'tempo-asc' })
  assert.deepEqual(
    tracks.map(({ answer }) => answer.title),
    ['Next', 'Calm', 'Fast'],
  )
})

test('a library moves to another database', async () => {
  const other = await Audile.open(inMemory)
  await other.tracks.import(music.tracks.export(), { strict: true })
  const { tracks } = await other.tracks.list({ sort: 'artist-asc' })
  await other.close()
  const paths = tracks.map(({ files }) => files[0].path)
  assert.deepEqual(paths.slice(0, 3), ['/music/slow.mp3', '/music/calm.mp3', '/music/fast.mp3'])
})

/** A minute at one tempo, in one key (0 = C) and mode (1 = major), with one timbre. */
function documentOf(tempo, key, mode, brightness) {
  const duration = 60 / tempo
  const starts = Array.from({ length: tempo }, (_, i) => i * duration)
  const beats = starts.map((start) => ({ start, duration, confidence: 1 }))
  const pitches = Array.from({ length: 12 }, (_, i) => (i === key ? 1 : 0.1))
  const sound = { pitches, timbre: [50, brightness, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }
  const segments = beats.map((one) => ({ ...one, ...sound }))
  const track = { duration: 60, tempo, key, mode, loudness: -9 }
  return { track, beats, segments }
}
