import { describe, expect, it } from 'vitest'
import {
  type Audile,
  type Mix,
  type MixState,
  type MixWish,
  ParameterError,
  type Track,
} from '../../src/index.ts'
import { failure } from '../support/failure.ts'
import { mixLibrary, stepsOf, titles } from '../support/mix-library.ts'
import { openInline } from '../support/open.ts'

const listed = async (music: Audile, wish: MixWish) =>
  titles(await stepsOf(await music.mixes.create(wish)))

/** The distance of two tracks. */
async function apart(music: Audile, one: string, other: string): Promise<number> {
  const [, last] = await music.mixes.path(one, other, { length: 2 })
  return last?.reasons.fromLast as number
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** How early the tracks of a band come: their mean place. */
function placeOf(steps: readonly { track: Track }[], artist: string): number {
  return mean(steps.flatMap(({ track }, i) => (track.answer.artist === artist ? [i] : [])))
}

describe('the seed of a mix', () => {
  it('decides it, in any engine on the file, now and later', async () => {
    const { music, tracks, database } = await mixLibrary()
    const wish = { seeds: tracks[0] as Track, length: 30, variety: 1, seed: 42 }
    const first = await listed(music, wish)
    expect(await listed(music, wish)).toEqual(first)
    const beside = await openInline({ database })
    expect(await listed(beside, wish)).toEqual(first)
    await beside.close()
    await music.close()
    const again = await openInline({ database })
    expect(await listed(again, wish)).toEqual(first)
    expect(await listed(again, { ...wish, seed: 43 })).not.toEqual(first)
  })

  it('is drawn where none is given, and is in the state', async () => {
    const { music } = await mixLibrary()
    const seeds = new Set<number>()
    for (let i = 0; i < 4; i++) seeds.add((await music.mixes.create()).state().seed)
    expect(seeds.size).toBeGreaterThan(1)
  })

  it('gives the same tracks however many are asked for at a time', async () => {
    const { music, tracks } = await mixLibrary()
    const mix = await music.mixes.create({ seeds: tracks[8] as Track, length: 20, seed: 5 })
    const state = mix.state()
    const many = await music.call('mix/next', { state, results: 20 })
    const single: unknown[] = []
    for (let i = 0; i < 20; i++) {
      const { steps } = await music.call('mix/next', { state, results: 1 })
      single.push(...steps)
      state.played.push(steps[0]!.track.id)
    }
    expect(single).toEqual(many.steps)
    const steps = await stepsOf(mix)
    expect(steps.map(({ track, reasons }) => ({ track: track.answer, reasons }))).toEqual(single)
  })
})

describe('a mix that is used in a hurry', () => {
  it('gives each of several calls at once another track', async () => {
    const { music, tracks } = await mixLibrary()
    const mix = await music.mixes.create({ seeds: tracks[0] as Track, seed: 1 })
    const steps = await Promise.all([mix.next(), mix.next(), mix.next()])
    expect(new Set(steps.map((step) => step?.track.id)).size).toBe(3)
    expect(mix.state().played).toEqual(steps.map((step) => step?.track.id))
  })

  it('goes on as before when it was steered by what does not exist', async () => {
    const { music, tracks } = await mixLibrary()
    const mix = await music.mixes.create({ seeds: tracks[0] as Track, seed: 1 })
    await mix.next()
    const before = mix.state()
    mix.less('TRNOSUCHTRACK')
    mix.more(null as never)
    await expect(mix.next()).rejects.toThrow(ParameterError)
    expect(mix.state()).toEqual(before)
    expect(await mix.next()).toBeDefined()
  })
})

describe('variety and adventurousness', () => {
  it('let chance decide: not at all at 0, more at 1', async () => {
    const { music, tracks } = await mixLibrary()
    const differing = async (variety: number) => {
      const lists = new Set<string>()
      for (let seed = 0; seed < 24; seed++) {
        const wish = { seeds: tracks[0] as Track, length: 6, variety, seed }
        lists.add((await listed(music, wish)).join())
      }
      return lists.size
    }
    expect(await differing(0)).toBe(1)
    expect(await differing(1)).toBeGreaterThan(5)
  })

  it('draw among the ten best tracks alone', async () => {
    const { music } = await mixLibrary()
    const firsts = new Set<string>()
    for (let seed = 0; seed < 60; seed++) {
      const wish = { seeds: { mood: 'calm' as const }, length: 1, variety: 1, seed }
      firsts.add((await listed(music, wish)).join())
    }
    expect(firsts.size).toBeGreaterThan(5)
    expect(firsts.size).toBeLessThanOrEqual(10)
  })

  it('let a mix without seeds begin anywhere', async () => {
    const { music } = await mixLibrary()
    const firsts = new Set<string>()
    for (let seed = 0; seed < 12; seed++) {
      firsts.add((await listed(music, { length: 1, variety: 0, seed })).join())
    }
    expect(firsts.size).toBeGreaterThan(6)
  })

  it('let a mix go away from its seeds', async () => {
    const { music, tracks } = await mixLibrary()
    const nearness = async (adventurousness: number) => {
      const near: number[] = []
      for (let seed = 0; seed < 6; seed++) {
        const wish = { length: 16, variety: 1, adventurousness, spacing: {}, seed }
        const mix = await music.mixes.create({ ...wish, seeds: tracks[0] as Track })
        for (const { reasons } of await stepsOf(mix))
          near.push(reasons.similarity.toSeeds as number)
      }
      return mean(near)
    }
    const [none, some, all] = [await nearness(0), await nearness(0.5), await nearness(1)]
    expect(none).toBeGreaterThan(some)
    expect(some).toBeGreaterThan(all)
  })
})

describe('the reasons of a step', () => {
  it('are its distances from the track before and from the seed, its key and tempo', async () => {
    const { music, tracks } = await mixLibrary()
    const seed = tracks[0] as Track
    const [first, second] = await stepsOf(await music.mixes.create({ seeds: seed, seed: 1 }), 2)
    const [one, other] = [first!.track, second!.track]
    expect(first?.reasons.fromLast).toBeNull()
    expect(first?.reasons.tempoRatio).toBeNull()
    expect(first?.reasons.fromSeeds).toBeCloseTo(await apart(music, seed.id, one.id), 2)
    expect(second?.reasons.fromLast).toBeCloseTo(await apart(music, one.id, other.id), 2)
    expect(second?.reasons.fromSeeds).toBeCloseTo(await apart(music, seed.id, other.id), 2)
    expect(second?.reasons.keyRelation).toBe('same')
    const before = await music.tracks.profile(one, { bucket: 'audio_summary' })
    const after = await music.tracks.profile(other, { bucket: 'audio_summary' })
    const ratio = after.audioSummary!.tempo! / before.audioSummary!.tempo!
    expect(second?.reasons.tempoRatio).toBeCloseTo(ratio, 2)
    const [free] = await stepsOf(await music.mixes.create({ seed: 1 }), 1)
    expect(free?.reasons.fromSeeds).toBeNull()
  })

  it('come with the facts that are asked for', async () => {
    const { music } = await mixLibrary()
    const mix = await music.mixes.create({ bucket: 'audio_summary' })
    expect((await mix.next())?.track.answer.audioSummary?.tempo).toBeGreaterThan(0)
  })
})

describe('a mix that is steered', () => {
  it('goes on behind the place where its loop was left', async () => {
    const { music, tracks } = await mixLibrary()
    const wish = { seeds: tracks[0] as Track, length: 12, seed: 9 }
    const whole = await listed(music, wish)
    const mix = await music.mixes.create(wish)
    expect(mix.ended).toBeUndefined()
    expect(titles(await stepsOf(mix, 5))).toEqual(whole.slice(0, 5))
    expect(mix.ended).toBeUndefined()
    expect(titles(await stepsOf(mix, 1))).toEqual(whole.slice(5, 6))
    expect(titles(await stepsOf(mix))).toEqual(whole.slice(6))
    expect(mix.ended?.bound).toBe('length')
    expect(await mix.next()).toBeUndefined()
  })

  it('keeps away from what is less wished for', async () => {
    const { music, tracks } = await mixLibrary()
    const near = tracks[4]?.answer.artist as string
    const wish = { seeds: tracks[0] as Track, variety: 0 }
    const steps = await stepsOf(await music.mixes.create(wish))
    const less = await stepsOf(await music.mixes.create({ ...wish, less: { artist: near } }))
    expect(less).toHaveLength(steps.length)
    expect(placeOf(less, near) - placeOf(steps, near)).toBeGreaterThan(5)
  })

  it('turns towards something and away from something at once', async () => {
    const { music, tracks } = await mixLibrary()
    const target = tracks[24] as Track
    const wish = { seeds: tracks[0] as Track, variety: 0, adventurousness: 0 }
    const run = async (steer: (mix: Mix) => void) => {
      const mix = await music.mixes.create(wish)
      const before = await stepsOf(mix, 4)
      steer(mix)
      const after = await stepsOf(mix, 8)
      const distances: number[] = []
      for (const { track } of after) {
        distances.push(track.id === target.id ? 0 : await apart(music, target.id, track.id))
      }
      return { before: titles(before), after: titles(after), distance: mean(distances), mix }
    }
    const plain = await run(() => {})
    const more = await run((mix) => mix.more(target))
    expect(more.before).toEqual(plain.before)
    expect(more.after[0]).not.toBe(plain.after[0])
    expect(plain.distance - more.distance).toBeGreaterThan(0.5)
    const away = plain.after[0]
    const less = await run((mix) =>
      mix.less({ id: tracks.find(({ answer }) => answer.title === `Song ${away}`)! }),
    )
    expect(less.before).toEqual(plain.before)
    expect(less.after[0]).not.toBe(away)
    // What is added counts at once, also after an end.
    await stepsOf(plain.mix)
    expect(plain.mix.ended).toBeDefined()
    plain.mix.more(target)
    expect(plain.mix.ended).toBeUndefined()
    expect(await plain.mix.next()).toBeUndefined()
  })

  it('follows the track before one that was skipped', async () => {
    const { music, tracks } = await mixLibrary()
    const wish = { seeds: tracks[0] as Track, variety: 0, seed: 3, spacing: {} }
    const mix = await music.mixes.create(wish)
    mix.skip()
    expect(mix.state().skipped).toEqual([])
    const [first, second] = await stepsOf(mix, 2)
    mix.skip()
    mix.skip()
    expect(mix.state().skipped).toEqual([second?.track.id])
    const third = await mix.next()
    expect(third?.reasons.fromLast).toBeCloseTo(
      await apart(music, first!.track.id, third!.track.id),
      2,
    )
  })

  it('makes what is like a skipped track less likely', async () => {
    const { music, tracks } = await mixLibrary()
    const [one, other] = [tracks[0] as Track, tracks[24] as Track]
    const seeds = [{ id: one, weight: 3 }, other]
    const mix = await music.mixes.create({ seeds, variety: 0, adventurousness: 0, spacing: {} })
    const bands = async () => (await mix.next())?.track.answer.artist
    expect([await bands(), await bands()]).toEqual([one.answer.artist, one.answer.artist])
    const again = await music.mixes.create({ seeds, variety: 0, adventurousness: 0, spacing: {} })
    expect((await again.next())?.track.answer.artist).toBe(one.answer.artist)
    again.skip()
    expect((await again.next())?.track.answer.artist).toBe(other.answer.artist)
  })

  it('does not take what was chosen while it was steered', async () => {
    const { music, tracks } = await mixLibrary()
    const mix = await music.mixes.create({ seeds: tracks[0] as Track, variety: 0 })
    const coming = mix.next()
    mix.more({ id: tracks[24] as Track, weight: 50 })
    const same = await music.mixes.resume({ ...mix.state(), played: [] })
    expect((await coming)?.track.id).toBe((await same.next())?.track.id)
  })

  it('rejects its next step when it is steered to something unknown', async () => {
    const { music } = await mixLibrary()
    const mix = await music.mixes.create()
    mix.more('TRXXXXX00000000000')
    expect(await failure(mix.next())).toMatchObject({ code: 'unknown_identifier', status: 5 })
    const signal = AbortSignal.abort(new Error('enough'))
    expect((await failure((await music.mixes.create()).next({ signal }))).message).toBe('enough')
  })
})

describe('the state of a mix', () => {
  it('is plain JSON, from which another engine goes on', async () => {
    const { music, tracks, database } = await mixLibrary()
    const wish: MixWish = {
      seeds: [tracks[0] as Track, { mood: 'calm', weight: 0.5 }],
      less: { artist: tracks[40]?.answer.artist as string },
      where: { tempo: '80-140', key: ['C', 'Am'], duration: [10, 60] },
      spacing: { artist: 2 },
      length: 20,
      seed: 11,
    }
    const mix = await music.mixes.create(wish)
    await stepsOf(mix, 3)
    mix.more(tracks[12] as Track)
    await stepsOf(mix, 2)
    mix.skip()
    const state = mix.state()
    expect(state.played).toHaveLength(5)
    const text = JSON.stringify(state)
    expect(JSON.parse(text)).toStrictEqual(state)
    const rest = titles(await stepsOf(mix))
    expect(rest.length).toBeGreaterThan(3)
    const beside = await openInline({ database })
    const resumed = await beside.mixes.resume(JSON.parse(text))
    expect(resumed.state()).toStrictEqual(state)
    expect(titles(await stepsOf(resumed))).toEqual(rest)
    // A state is a copy: what is done with it does not change the mix.
    mix.state().played.length = 0
    expect(mix.state().played).toHaveLength(5 + rest.length)
  })

  it('stands for whole mixes too, and for tracks that were removed', async () => {
    const { music } = await mixLibrary()
    const mix = await music.mixes.create({ length: 3 })
    const [first] = await stepsOf(mix)
    const again = await music.mixes.resume(mix.state())
    expect(await again.next()).toBeUndefined()
    expect(again.ended?.bound).toBe('length')
    const open = await music.mixes.create()
    const [gone] = await stepsOf(open, 1)
    open.skip()
    await music.tracks.remove(gone!.track)
    expect(first).toBeDefined()
    expect(await (await music.mixes.resume(open.state())).next()).toBeDefined()
  })

  it('is checked before it is taken', async () => {
    const { music } = await mixLibrary()
    const state = (await music.mixes.create()).state()
    for (const bad of [
      {},
      null,
      { ...state, seed: 'seven' },
      { ...state, played: 'TR' },
      { ...state, wish: { ...state.wish, variety: 5 } },
      { ...state, more: [{}] },
      { ...state, extra: 1 },
    ]) {
      const error = await failure(music.mixes.resume(bad as unknown as MixState))
      expect(error.name, JSON.stringify(bad)).toBe('ParameterError')
    }
    const catalog = { catalog: 'CAXXXXX00000000000' }
    const unknown = { ...state, wish: { ...state.wish, avoid: [catalog] } } as MixState
    expect(await failure(music.mixes.resume(unknown))).toMatchObject({ code: 'unknown_identifier' })
  })
})
