import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Audile, MixedTrack, MixWish, Track } from '../../src/index.ts'
import { failure } from '../support/failure.ts'
import { assorted, mixLibrary, type Plan, stepsOf, titles } from '../support/mix-library.ts'
import { scratch } from '../support/scratch.ts'

const HOUR = 3_600_000

/** The whole mix of a wish, and what ended it. */
async function mixed(music: Audile, wish: MixWish, most?: number) {
  const mix = await music.mixes.create({ seed: 7, ...wish })
  const steps = await stepsOf(mix, most)
  return { steps, ended: mix.ended }
}

/** The fewest other tracks between two that share something. */
function leastBetween(steps: readonly MixedTrack[], of: (track: Track) => unknown): number {
  const found = steps.map(({ track }) => of(track))
  const gaps = found.map((one, i) => i - found.lastIndexOf(one, i - 1) - 1)
  return Math.min(...gaps.filter((_, i) => found.indexOf(found[i]) < i))
}

const artistOf = ({ answer }: Track) => answer.artist
const albumOf = ({ answer }: Track) => answer.release

/** Spearman's correlation of two lists without equal values. */
function rankCorrelation(one: readonly number[], other: readonly number[]): number {
  const ranks = (list: readonly number[]) => {
    const sorted = [...list].sort((a, b) => a - b)
    return list.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2)
  }
  const [a, b] = [ranks(one), ranks(other)]
  const mean = (one.length - 1) / 2
  const sum = (of: (i: number) => number) => a.reduce((total, _, i) => total + of(i), 0)
  const squares = (list: number[]) => sum((i) => (list[i]! - mean) ** 2)
  return sum((i) => (a[i]! - mean) * (b[i]! - mean)) / Math.sqrt(squares(a) * squares(b))
}

describe('the bounds of a mix', () => {
  it('are its length, or else that everything was played', async () => {
    const { music, tracks } = await mixLibrary()
    const short = await mixed(music, { length: 5 })
    expect(short.steps).toHaveLength(5)
    expect(short.ended).toEqual({ bound: 'length', message: expect.stringContaining('5 tracks') })
    const all = await mixed(music, {})
    expect(new Set(titles(all.steps)).size).toBe(tracks.length)
    expect(all.ended?.bound).toBe('library')
    const tooLong = await mixed(music, { length: tracks.length + 1 })
    expect(tooLong.steps).toHaveLength(tracks.length)
    expect(tooLong.ended?.bound).toBe('library')
  })

  it('are conditions as in a search', async () => {
    const { music } = await mixLibrary()
    const { steps, ended } = await mixed(music, {
      where: { energy: [0.25, 0.5], tempo: '100-140' },
    })
    const expected = await music.tracks.search({ energy: [0.25, 0.5], tempo: '100-140' })
    expect(expected.total).toBeGreaterThan(3)
    const ids = steps.map(({ track }) => track.id)
    expect(ids.sort()).toEqual(expected.tracks.map(({ id }) => id).sort())
    expect(ended?.bound).toBe('where')
    const none = await mixed(music, { where: { genre: 'polka' } })
    expect(none).toMatchObject({ steps: [], ended: { bound: 'where' } })
  })

  it('leave out what is banned, and what was played within hours', async () => {
    let now = 1_700_000_000_000
    const { music, tracks } = await mixLibrary(undefined, { now: () => now })
    const catalog = await music.catalogs.create({ name: 'Listening', type: 'song' })
    const entry = (n: number) => ({ item: { itemId: `${n}`, trackId: tracks[n]?.id as string } })
    const [ban, play] = [{ action: 'ban' as const }, { action: 'play' as const }]
    await (
      await catalog.update([entry(3), { ...ban, ...entry(3) }, entry(9), { ...play, ...entry(9) }])
    ).done()
    const without = async (playedHours?: number) => {
      const { steps, ended } = await mixed(music, { avoid: { catalog, playedHours } })
      expect(ended?.bound).toBe('avoid')
      const ids = new Set(steps.map(({ track }) => track.id))
      return tracks.flatMap(({ id }, i) => (ids.has(id) ? [] : [i]))
    }
    now += HOUR
    expect(await without()).toEqual([3])
    expect(await without(2)).toEqual([3, 9])
    now += 2 * HOUR
    expect(await without(2)).toEqual([3])
  })

  it('leave out tracks whose files are all missing', async () => {
    const folder = scratch()
    const there = join(folder, 'there.mp3')
    writeFileSync(there, '')
    const plans = assorted(3).map((plan, i) => ({
      ...plan,
      ...(i === 4 && { file: join(folder, 'gone.mp3') }),
      ...(i === 5 && { file: [there, join(folder, 'gone too.mp3')] }),
    }))
    const { music, tracks } = await mixLibrary(plans)
    const { steps } = await mixed(music, {})
    expect(steps).toHaveLength(11)
    expect(steps.map(({ track }) => track.id)).not.toContain(tracks[4]?.id)
    const { ended } = await mixed(music, { where: { text: plans[4]?.title, missing: true } })
    expect(ended?.bound).toBe('missing')
  })

  it('allow no two recordings of one song', async () => {
    const copies: Plan[] = [
      { title: 'Evening Rain', artist: 'The Trio', sound: 1 },
      { title: 'Evening Rain (Live 1999)', artist: 'The Trio', sound: 2 },
      { title: 'Sunday', artist: 'Anna', sound: 3, songId: 'SOAAAAA11111111111' },
      { title: 'Domingo', artist: 'Ana', sound: 4, songId: 'SOAAAAA11111111111' },
      { title: 'Track 1', sound: 5, samples: 'a'.repeat(32) },
      { title: 'Unknown', sound: 6, samples: 'a'.repeat(32) },
      { title: 'Evening Rain', artist: 'Somebody Else', sound: 7 },
    ]
    const { music, tracks } = await mixLibrary(copies)
    for (let seed = 0; seed < 5; seed++) {
      const { steps, ended } = await mixed(music, { seed, variety: 1 })
      const played = titles(steps)
      expect(played).toHaveLength(4)
      expect(played.filter((title) => title === 'Sunday' || title === 'Domingo')).toHaveLength(1)
      expect(played.filter((title) => title.startsWith('Evening Rain'))).toHaveLength(2)
      expect(steps.map(({ track }) => track.answer.artist)).toContain('Somebody Else')
      expect(played.filter((title) => title === 'Track 1' || title === 'Unknown')).toHaveLength(1)
      expect(ended?.bound).toBe('song')
      expect(ended?.message).toContain('song')
    }
    const from = await mixed(music, { seeds: tracks[0] as Track })
    expect(titles(from.steps)).toHaveLength(3)
  })

  it('allow no version at another speed', async () => {
    const plans = ['celtic', 'celtic_fast', 'celtic dance', 'Fast'].map((title, i) => ({
      title,
      artist: 'Harper',
      sound: i / 10,
    }))
    const { music } = await mixLibrary(plans)
    const { steps } = await mixed(music, { spacing: {} })
    expect(steps).toHaveLength(3)
    expect(titles(steps).filter((title) => /^celtic(_fast)?$/.test(title))).toHaveLength(1)
  })

  it('keep artists and albums apart by the wished number of tracks', async () => {
    const { music } = await mixLibrary()
    // The seed's own tracks come as soon as they may.
    const near = { seeds: { artist: 'Band babalu' }, variety: 0, adventurousness: 0, length: 24 }
    const apart = await mixed(music, { ...near, spacing: { artist: 7 } })
    expect(apart.steps).toHaveLength(24)
    expect(leastBetween(apart.steps, artistOf)).toBe(7)
    const albums = await mixed(music, { ...near, spacing: { album: 9 } })
    expect(albums.steps).toHaveLength(24)
    expect(leastBetween(albums.steps, albumOf)).toBe(9)
    expect(leastBetween(albums.steps, artistOf)).toBeLessThan(7)
    const free = await mixed(music, { ...near, spacing: {} })
    expect(leastBetween(free.steps, albumOf)).toBe(0)
  })

  it('end a mix whose spacing cannot be met', async () => {
    const { music } = await mixLibrary()
    const artist = 'Band bababa'
    const one = await mixed(music, { where: { artist }, spacing: { artist: 1 } })
    expect(one.steps).toHaveLength(1)
    expect(one.ended).toEqual({
      bound: 'artist',
      message: 'Of the 3 tracks that are left, 3 break the rule "artist".',
    })
    const release = 'Album bababa'
    const two = await mixed(music, { where: { release }, spacing: { album: 5 } })
    expect(two).toMatchObject({ steps: { length: 1 }, ended: { bound: 'album' } })
  })

  it('keep artists three tracks apart as long as that is possible, if nothing is wished', async () => {
    const { music } = await mixLibrary()
    const first = await mixed(music, { variety: 0 }, 30)
    expect(leastBetween(first.steps, artistOf)).toBeGreaterThanOrEqual(3)
    expect(first.steps.some(({ reasons }) => (reasons.passedOver.artist ?? 0) > 0)).toBe(true)
    const only = await mixed(music, { where: { artist: 'Band bababa' } })
    expect(only).toMatchObject({ steps: { length: 4 }, ended: { bound: 'where' } })
  })

  it('follow an arc', async () => {
    const { music } = await mixLibrary(assorted(24))
    const arcs = [
      [0.1, 0.9],
      [0.9, 0.1],
      [0.2, 0.9, 0.3],
    ]
    for (const energy of arcs) {
      const { steps } = await mixed(music, { arc: { energy }, length: 16 })
      const reasons = steps.map(({ reasons }) => reasons.arc[0]!)
      expect(reasons[0]?.target).toBe(energy[0])
      expect(reasons.at(-1)?.target).toBe(energy.at(-1))
      const { audioSummary } = (await music.tracks.search({ results: 1 })).tracks[0]!.answer
      expect(audioSummary).toBeUndefined()
      const values = reasons.map(({ value }) => value as number)
      const targets = reasons.map(({ target }) => target)
      expect(rankCorrelation(values, targets)).toBeGreaterThanOrEqual(0.9)
    }
    const one = await mixed(music, { arc: { energy: [0.5, 0.9] }, length: 1 })
    expect(one.steps[0]?.reasons.arc[0]?.target).toBe(0.5)
  })

  it('are wrong without a length of the arc, with an unknown fact, or out of range', async () => {
    const { music } = await mixLibrary()
    const wrong = (wish: object) => failure(music.mixes.create(wish))
    const noLength = await wrong({ arc: { energy: [0, 1] } })
    expect(noLength).toMatchObject({ code: 'invalid_parameter', status: 5 })
    expect(noLength.message).toContain('needs length')
    const wishes = [
      { arc: { groove: [0, 1] }, length: 5 },
      { arc: { energy: [0, 2] }, length: 5 },
      { arc: { energy: [0.5] }, length: 5 },
      { length: 0 },
      { variety: 2 },
      { adventurousness: -1 },
      { seed: -1 },
      { spacing: { artist: 1.5 } },
      { where: { sort: 'tempo-asc' } },
      { lenght: 5 },
    ]
    for (const wish of wishes) {
      const error = await wrong(wish)
      expect(error, JSON.stringify(wish)).toMatchObject({ code: 'invalid_parameter', status: 5 })
    }
    const unknown = await wrong({ avoid: { catalog: 'CAXXXXX00000000000' } })
    expect(unknown).toMatchObject({ code: 'unknown_identifier', status: 5 })
  })
})
