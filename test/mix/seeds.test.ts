import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Audile, MixSeed, Track } from '../../src/index.ts'
import { failure } from '../support/failure.ts'
import { addTracks, assorted, mixLibrary, stepsOf } from '../support/mix-library.ts'

/** The bands of the first tracks of a mix with seeds, without variety and spacing. */
async function bandsOf(music: Audile, seeds: MixSeed | MixSeed[], length = 4): Promise<string[]> {
  const given = { seeds, length, variety: 0, adventurousness: 0, spacing: {} }
  const steps = await stepsOf(await music.mixes.create(given))
  return steps.map(({ track }) => track.answer.artist as string)
}

/** Whether a mix stays with the band of a track as long as it has tracks. */
async function followsBand(music: Audile, seeds: MixSeed, { answer }: Track): Promise<void> {
  const bands = await bandsOf(music, seeds, 3)
  expect(bands).toEqual(Array(3).fill(answer.artist))
}

describe('a seed of a mix', () => {
  it('is a track, by its handle, answer, id or file', async () => {
    const file = '/music/gone.mp3'
    const plans = assorted(12).map((plan, i) => ({ ...plan, ...(i === 21 && { file }) }))
    const { music, tracks } = await mixLibrary(plans)
    const track = tracks[21] as Track
    const kinds = [track, track.answer, track.id, { id: track }, { file }]
    for (const seed of kinds) await followsBand(music, seed, track)
    // A relative path, and the URL of a path, are kept as absolute ones: for other folders.
    for (const other of [relative('.', file), pathToFileURL(file)]) {
      await followsBand(music, { file: other }, track)
      const mix = await music.mixes.create({ seeds: { file: other } })
      expect(mix.state().wish.seeds).toEqual([{ file, weight: 1 }])
    }
    const path = await music.mixes.path({ file: relative('.', file) }, tracks[0] as Track)
    expect(path[0]?.track.id).toBe(track.id)
  })

  it('is no track of the mix itself, where it is a single track', async () => {
    const { music, tracks } = await mixLibrary()
    const steps = await stepsOf(await music.mixes.create({ seeds: [tracks[5] as Track] }))
    expect(steps).toHaveLength(tracks.length - 1)
    expect(steps.map(({ track }) => track.id)).not.toContain(tracks[5]?.id)
  })

  it('is a song or an artist, by id', async () => {
    const { music, tracks } = await mixLibrary()
    const track = tracks[30] as Track
    const songId = track.answer.songId as string
    await followsBand(music, songId, track)
    const [song] = await music.songs.profile(songId)
    await followsBand(music, { id: song?.artistId as string }, track)
  })

  it('is an artist by name, and an album with or without its artist', async () => {
    const { music, tracks } = await mixLibrary()
    const track = tracks[13] as Track
    const { artist, release } = track.answer as { artist: string; release: string }
    await followsBand(music, { artist }, track)
    await followsBand(music, { album: release }, track)
    await followsBand(music, { album: release, artist }, track)
    const wrong = failure(music.mixes.create({ seeds: { album: release, artist: 'Band babaro' } }))
    expect(await wrong).toMatchObject({ code: 'unknown_identifier' })
  })

  it('is a catalog, of which the best liked items count', async () => {
    const { music, tracks } = await mixLibrary()
    const catalog = await music.catalogs.create({ name: 'Listening', type: 'song' })
    const item = (n: number) => ({ itemId: `${n}`, trackId: tracks[n]?.id as string })
    const ticket = await catalog.update([
      { item: { ...item(0), rating: 1 } },
      { item: { ...item(24), rating: 10 } },
      { item: { ...item(40), rating: 10 } },
      { action: 'ban', item: { itemId: '40' } },
    ])
    await ticket.done()
    await followsBand(music, catalog.id, tracks[24] as Track)
    // Not even a far one that is not liked, as soon as the liked ones are played.
    expect(await bandsOf(music, catalog, 5)).not.toContain(tracks[0]?.answer.artist)
  })

  it('is a mood, the place of its angle in the plane of valence and energy', async () => {
    const corners = [
      ['happy', 0.95, 0.55],
      ['angry', 0.45, 0.98],
      ['sad', 0.05, 0.25],
      ['calm', 0.85, 0.15],
    ] as const
    const { music } = await mixLibrary(
      corners.map(([title, valence, energy], sound) => ({
        title,
        sound,
        audioSummary: { valence, energy },
      })),
    )
    for (const [mood] of corners) {
      const mix = await music.mixes.create({ seeds: { mood }, variety: 0, adventurousness: 0 })
      const first = await mix.next()
      expect(first?.track.answer.title).toBe(mood)
      expect(first?.reasons.fromSeeds).toBeLessThan(4)
    }
  })

  it('counts by its weight beside others', async () => {
    const { music, tracks } = await mixLibrary()
    const [one, other] = [tracks[0] as Track, tracks[24] as Track]
    const among = async (mine: number, theirs: number) => {
      const seeds = [
        { id: one, weight: mine },
        { id: other, weight: theirs },
      ]
      const bands = await bandsOf(music, seeds, 1)
      return bands[0]
    }
    expect(await among(100, 1)).toBe(one.answer.artist)
    expect(await among(1, 100)).toBe(other.answer.artist)
  })

  it('is rejected when it is unknown, not analysed, or says too much or nothing', async () => {
    const { music, tracks } = await mixLibrary()
    const unknown = [
      'TRXXXXX00000000000',
      'SOXXXXX00000000000',
      'ARXXXXX00000000000',
      'CAXXXXX00000000000',
      { artist: 'Nobody Whatever' },
      { album: 'Nothing Whatever' },
      { file: '/nowhere.mp3' },
    ]
    for (const seeds of unknown) {
      const error = await failure(music.mixes.create({ seeds }))
      expect(error, JSON.stringify(seeds)).toMatchObject({ code: 'unknown_identifier', status: 5 })
    }
    const [bare] = await addTracks(music, [
      { title: 'Bare', analysis: undefined, audioSummary: { tempo: 90 } },
    ])
    const empty = await music.catalogs.create({ name: 'Empty', type: 'song' })
    for (const seeds of [bare as Track, empty]) {
      const error = await failure(music.mixes.create({ seeds }))
      expect(error).toMatchObject({ code: 'not_ready', status: 5 })
    }
    const id = tracks[0]?.id as string
    for (const seeds of [{}, { weight: 2 }, { id, artist: 'Band' }, { mood: 'calm', id }, '']) {
      const wrong = await failure(music.mixes.create({ seeds: seeds as MixSeed }))
      expect(wrong, JSON.stringify(seeds)).toMatchObject({ code: 'invalid_parameter' })
    }
    for (const seeds of [{ mood: 'odd' }, { id, weight: 0 }, { id, weight: -1 }]) {
      const wrong = await failure(music.mixes.create({ seeds: seeds as MixSeed }))
      expect(wrong, JSON.stringify(seeds)).toMatchObject({ code: 'invalid_parameter' })
    }
  })
})
