import { describe, expect, it } from 'vitest'
import type { Track } from '../../src/index.ts'
import { shortestPath } from '../../src/mix/shortest-path.ts'
import { failure } from '../support/failure.ts'
import { addTracks, mixLibrary, titles } from '../support/mix-library.ts'

describe('mixes.path', () => {
  it('leads from one track to another by small steps', async () => {
    const { music, tracks } = await mixLibrary()
    const [from, to] = [tracks[0] as Track, tracks[20] as Track]
    const path = await music.mixes.path(from, to, { length: 6 })
    expect(path).toHaveLength(6)
    expect([path[0]?.track.id, path.at(-1)?.track.id]).toEqual([from.id, to.id])
    expect(new Set(titles(path)).size).toBe(6)
    expect(path[0]?.reasons).toMatchObject({ fromLast: null, share: null, tempoRatio: null })
    const [, whole] = await music.mixes.path(from, to, { length: 2 })
    expect(whole?.reasons.share).toBe(1)
    const direct = whole?.reasons.fromLast as number
    for (const { reasons } of path.slice(1)) {
      expect(reasons.fromLast).toBeLessThan(0.95 * direct)
      expect(reasons.share).toBeCloseTo((reasons.fromLast as number) / direct, 2)
    }
    expect(await music.mixes.path(from.id, { file: '/nowhere' }).catch(() => 'no')).toBe('no')
    expect(await music.mixes.path(from, to)).toHaveLength(8)
  })

  it('takes only tracks that meet the conditions, except its ends', async () => {
    const { music, tracks } = await mixLibrary()
    const where = { energy: [0.4, 0.6] as [number, number] }
    const path = await music.mixes.path(tracks[0]!, tracks[20]!, { length: 6, where })
    expect(path).toHaveLength(6)
    const allowed = (await music.tracks.search({ ...where, results: 100 })).tracks.map(
      ({ id }) => id,
    )
    for (const { track } of path.slice(1, -1)) expect(allowed).toContain(track.id)
    const none = await music.mixes.path(tracks[0]!, tracks[20]!, { where: { genre: 'polka' } })
    expect(none.map(({ track }) => track.id)).toEqual([tracks[0]?.id, tracks[20]?.id])
  })

  it('takes no song twice, nor those of its ends, and is short in a small library', async () => {
    const { music, tracks } = await mixLibrary([
      { title: 'Start', artist: 'A', sound: 0 },
      { title: 'Start (Live)', artist: 'A', sound: 0.3 },
      { title: 'Middle', artist: 'B', sound: 0.5 },
      { title: 'Middle (Demo)', artist: 'B', sound: 0.6 },
      { title: 'End', artist: 'C', sound: 1 },
      { title: 'End (Remix)', artist: 'C', sound: 0.8 },
    ])
    const path = await music.mixes.path(tracks[0]!, tracks[4]!, { length: 6 })
    expect(path).toHaveLength(3)
    expect(titles(path)[1]).toMatch(/^Middle/)
  })

  it('needs two analysed tracks and a length', async () => {
    const { music, tracks } = await mixLibrary()
    const [one, other] = [tracks[0] as Track, tracks[1] as Track]
    expect(await failure(music.mixes.path(one, one))).toMatchObject({ code: 'invalid_parameter' })
    for (const length of [1, 51, 2.5]) {
      const error = await failure(music.mixes.path(one, other, { length }))
      expect(error).toMatchObject({ code: 'invalid_parameter', status: 5 })
    }
    const unknown = failure(music.mixes.path(one, 'TRXXXXX00000000000'))
    expect(await unknown).toMatchObject({ code: 'unknown_identifier', status: 5 })
    const [bare] = await addTracks(music, [
      { title: 'Bare', analysis: undefined, audioSummary: { tempo: 90 } },
    ])
    expect(await failure(music.mixes.path(one, bare!))).toMatchObject({ code: 'not_ready' })
  })
})

describe('shortestPath', () => {
  const line = (places: readonly number[]) => (a: number, b: number) =>
    Math.abs(places[a]! - places[b]!)

  it('makes the largest step as small as possible', () => {
    const places = [0, 1, 5, 3.4, 6.6, 9, 20, 10]
    const path = shortestPath(places.length, 4, line(places))
    expect(path.map((place) => places[place])).toEqual([0, 3.4, 6.6, 10])
    // Over 1 and 2 by three steps of 3, over 3 and 4 by two of 1 and one of 4.
    const steps: Record<string, number> = { '01': 3, '12': 3, '25': 3, '03': 1, '34': 1, '45': 4 }
    const apart = (a: number, b: number) => steps[[a, b].sort().join('')] ?? 9
    expect(shortestPath(6, 4, apart)).toEqual([0, 1, 2, 5])
  })

  it('uses no point twice, even where that is shorter', () => {
    expect(shortestPath(4, 4, line([0, 5, -3, 10]))).toEqual([0, 2, 1, 3])
  })

  it('has both ends, even where there is nothing between, and no more points than there are', () => {
    expect(shortestPath(2, 8, line([0, 1]))).toEqual([0, 1])
    expect(shortestPath(4, 2, line([0, 1, 2, 3]))).toEqual([0, 3])
    expect(shortestPath(4, 9, line([0, 2, 1, 3]))).toEqual([0, 2, 1, 3])
  })

  it('leaves out points whose steps would be larger than the whole distance', () => {
    expect(shortestPath(4, 4, line([0, 5, 40, 10]))).toEqual([0, 1, 3])
    expect(shortestPath(3, 3, line([0, 40, 10]))).toEqual([0, 2])
  })
})
