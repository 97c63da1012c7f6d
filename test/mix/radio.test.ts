import { describe, expect, it } from 'vitest'
import type { Track } from '../../src/index.ts'
import { failure } from '../support/failure.ts'
import {
  addTracks,
  assorted,
  mixLibrary,
  type Plan,
  stepsOf,
  titles,
} from '../support/mix-library.ts'
import { openInline } from '../support/open.ts'

const idsOf = (steps: readonly { track: Track }[]) => steps.map(({ track }) => track.id)

describe('a mix that is under way', () => {
  it('never plays what was banned or removed meanwhile', async () => {
    const { music, tracks, database } = await mixLibrary()
    const catalog = await music.catalogs.create({ name: 'Banned', type: 'song' })
    const mix = await music.mixes.create({ seeds: tracks[0] as Track, avoid: { catalog }, seed: 1 })
    const before = await stepsOf(mix, 4)
    // Another engine tells what would come: this one must not have chosen it for another mix.
    const beside = await openInline({ database })
    const coming = await stepsOf(await beside.mixes.resume(mix.state()), 6)
    await beside.close()
    const [banned, removed] = [coming.slice(0, 3), coming.slice(3)]
    const items = banned.map(({ track: { id } }) => ({ item: { itemId: id, trackId: id } }))
    const bans = [...items, ...items.map((item) => ({ action: 'ban' as const, ...item }))]
    await (await catalog.update(bans)).done()
    for (const { track } of removed) await music.tracks.remove(track.id)
    const after = idsOf(await stepsOf(mix))
    expect(after).toHaveLength(tracks.length - 1 - before.length - coming.length)
    for (const { track } of coming) expect(after).not.toContain(track.id)
  })

  it('goes on without a seed that is gone, and says so', async () => {
    const { music, tracks } = await mixLibrary()
    const [one, other] = [tracks[0] as Track, tracks[8] as Track]
    const mix = await music.mixes.create({ seeds: [one, { id: other, weight: 2 }], seed: 1 })
    expect(await mix.next()).toBeDefined()
    expect(mix.gone).toEqual([])
    const saved = JSON.stringify(mix.state())
    await music.tracks.remove(one)
    const later = await music.mixes.resume(JSON.parse(saved))
    expect(later.gone).toEqual([{ id: one.id, weight: 1 }])
    const step = await later.next()
    expect(step?.reasons.fromSeeds).toBeGreaterThan(0)
    expect((await mix.next())?.track.id).toBe(step?.track.id)
    expect(mix.gone).toEqual(later.gone)
    await music.tracks.remove(other)
    expect((await later.next())?.reasons.fromSeeds).toBeNull()
    expect(later.gone).toHaveLength(2)
    expect(await failure(music.mixes.create({ seeds: one }))).toMatchObject({
      code: 'unknown_identifier',
    })
  })

  it('takes weights from 0.001 to 1,000', async () => {
    const { music, tracks } = await mixLibrary()
    for (const weight of [5e-324, 0, 0.0009, 1001, Number.NaN]) {
      const error = await failure(music.mixes.create({ seeds: { id: tracks[0]!, weight } }))
      expect(error).toMatchObject({ code: 'invalid_parameter' })
      expect(error.message).toContain('weight')
    }
    const seeds = [
      { id: tracks[0]!, weight: 0.001 },
      { id: tracks[9]!, weight: 1_000 },
    ]
    expect(await stepsOf(await music.mixes.create({ seeds, length: 5 }))).toHaveLength(5)
  })
})

describe('repeatAfter', () => {
  const hours = (tracks: number) => (tracks * 30) / 3_600

  it('brings back what was played, after the time of other tracks', async () => {
    const { music, tracks } = await mixLibrary(assorted(2))
    const mix = await music.mixes.create({ repeatAfter: hours(7), spacing: {}, seed: 1 })
    const ids = idsOf(await stepsOf(mix, 40))
    expect(ids).toHaveLength(40)
    expect(new Set(ids).size).toBe(tracks.length)
    expect(ids.slice(8)).toEqual(ids.slice(0, -8))
    const resumed = await music.mixes.resume(mix.state())
    expect(idsOf(await stepsOf(resumed, 5))).toEqual(idsOf(await stepsOf(mix, 5)))
  })

  it('counts no skipped track, and never brings back the seed', async () => {
    const { music, tracks } = await mixLibrary(assorted(2))
    const wish = { seeds: tracks[0]!, spacing: {}, seed: 1, repeatAfter: hours(6) }
    const whole = idsOf(await stepsOf(await music.mixes.create(wish), 20))
    expect(new Set(whole).size).toBe(7)
    expect(whole).not.toContain(tracks[0]!.id)
    const mix = await music.mixes.create(wish)
    await stepsOf(mix, 7)
    mix.skip()
    expect(await mix.next()).toBeUndefined()
    expect(mix.ended).toMatchObject({ bound: 'library' })
    expect(mix.ended?.message).toContain('repeatAfter')
    expect(await failure(music.mixes.create({ repeatAfter: 0 }))).toMatchObject({
      code: 'invalid_parameter',
    })
  })
})

describe('what is chosen without being asked for', () => {
  const sung = { energy: 0.5, speechiness: 0.05 }
  const plans: Plan[] = [
    ...assorted(2),
    { title: 'Bang', sound: 0.02, seconds: 2, audioSummary: { valence: 0.97, ...sung } },
    { title: 'Jingle', sound: 0.03, seconds: 29, audioSummary: sung },
    { title: 'Talk', sound: 0.01, audioSummary: { speechiness: 0.9 } },
    { title: 'Silence', sound: 0.01, loudness: -60, audioSummary: sung },
    { title: 'Rain', sound: 0.01, sure: 0.2, audioSummary: { speechiness: 0.2 } },
    // Free singing, and music of the air: sure of the key, or without noise.
    { title: 'Song of air', sound: 0.01, sure: 0.2, audioSummary: sung },
    { title: 'Song of the street', sound: 0.01, sure: 0.4, audioSummary: { speechiness: 0.2 } },
  ]
  const others = ['Bang', 'Jingle', 'Talk', 'Silence', 'Rain']

  it('is music: no effects, speech, noise or silence, unless the conditions say so', async () => {
    const { music, tracks } = await mixLibrary(plans)
    const listed = async (wish: object) =>
      titles(await stepsOf(await music.mixes.create({ seed: 1, ...wish })))
    for (const wish of [
      {},
      { seeds: tracks[0]! },
      { seeds: { mood: 'happy' } },
      { seeds: tracks[8]! },
    ]) {
      const found = await listed(wish)
      expect(found).toContain('of air')
      expect(found).toContain('of the street')
      expect(found.length).toBeGreaterThan(8)
      for (const title of others) expect(found).not.toContain(title)
    }
    expect((await listed({ where: { duration: [0, 29.5] } })).sort()).toEqual(['Bang', 'Jingle'])
    expect(await listed({ where: { speechiness: [0.7, 1] } })).toEqual(['Talk'])
    expect(await listed({ where: { speechiness: [0.15, 0.25] } })).toContain('Rain')
    expect(await listed({ where: { loudness: [-100, -50] } })).toEqual(['Silence'])
    const path = await music.mixes.path(tracks[0]!, tracks[7]!, { length: 10 })
    for (const title of others) expect(titles(path)).not.toContain(title)
  })

  it('may be longer than an hour', async () => {
    const { music, tracks } = await mixLibrary(plans)
    const duration: [number, number] = [10, 20_000]
    expect((await music.tracks.search({ duration })).total).toBe(14)
    const mix = await music.mixes.create({ seeds: tracks[0]!, where: { duration: [30, 21_600] } })
    expect(await stepsOf(mix)).toHaveLength(9)
    const error = await failure(music.tracks.search({ duration: [10, 21_601] }))
    expect(error).toMatchObject({ code: 'invalid_parameter' })
  })

  it('is anything in a library without music', async () => {
    const { music } = await mixLibrary(plans.filter(({ title }) => others.includes(title)))
    expect(titles(await stepsOf(await music.mixes.create({}))).sort()).toEqual([...others].sort())
  })

  it('is nothing but music for tracks that are similar to music', async () => {
    const { music, tracks } = await mixLibrary(plans)
    const titlesOf = async (track: Track) =>
      (await music.tracks.similar(track, { results: 20 })).map(({ answer }) => answer.title)
    const found = await titlesOf(tracks[0]!)
    expect(found).toHaveLength(9)
    for (const title of others) expect(found).not.toContain(title)
    const likeOthers = async (title: string) => {
      const place = plans.findIndex((plan) => plan.title === title)
      const like = await titlesOf(tracks[place]!)
      return like.filter((other) => others.includes(other!)).sort()
    }
    expect(await likeOthers('Talk')).toEqual(['Rain', 'Silence'])
    expect(await likeOthers('Bang')).toEqual(['Jingle', 'Rain', 'Silence', 'Talk'])
  })
})

describe('the seam between two tracks', () => {
  it('decides among tracks that are equally near', async () => {
    const plans = [120, 91, 62, 160, 122, 92].map((tempo, i) => ({
      title: `Song ${i}`,
      tempo,
      sound: 0,
      audioSummary: { energy: 0.5 },
    }))
    const { music, tracks } = await mixLibrary([...plans, ...assorted(4)])
    const [from] = tracks as [Track]
    const mix = await music.mixes.create({ seeds: from, variety: 0, length: 5, spacing: {} })
    const steps = await stepsOf(mix)
    for (const { reasons } of steps.slice(1)) {
      const { tempoRatio, against } = reasons
      const fits = [0.5, 1, 2].some((factor) => Math.abs(tempoRatio! / factor - 1) <= 0.08)
      expect(against.tempo > 0).toBe(!fits)
    }
    // 120, 62 and 122 follow each other, as do 91 and 92.
    expect(steps.slice(1).filter(({ reasons }) => reasons.against.tempo > 0).length).toBeLessThan(3)
  })

  it('is told in the reasons, whose parts add up to the order', async () => {
    const { music, tracks } = await mixLibrary()
    await addTracks(music, [
      { title: 'Clash', sound: 0, tempo: 80, audioSummary: { key: 6, mode: 1 } },
    ])
    const mix = await music.mixes.create({
      seeds: tracks[0]!,
      less: { artist: 'Band babade' },
      seed: 1,
    })
    const [first, second] = await stepsOf(mix, 2)
    expect(first?.reasons.against).toMatchObject({ last: 0, tempo: 0, key: 0, energy: 0 })
    expect(second?.reasons.similarity.toLast).toBeGreaterThan(0)
    const [like] = (await music.tracks.similar(tracks[0]!, { results: 1 })) as [Track]
    const one = await music.mixes.create({ seeds: tracks[0]!, variety: 0 })
    const step = await one.next()
    expect(step?.track.id).toBe(like.id)
    expect(step?.reasons.similarity.toSeeds).toBeCloseTo(like.answer.similarity as number, 2)
  })
})
