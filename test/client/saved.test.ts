import { describe, expect, it } from 'vitest'
import { failure } from '../support/failure.ts'
import { assorted, mixLibrary, stepsOf, titles } from '../support/mix-library.ts'

describe('catalog.save', () => {
  it('keeps searches and mixes under names, to be asked again', async () => {
    const { music, tracks } = await mixLibrary()
    const catalog = await music.catalogs.create({ name: 'Listening', type: 'song' })
    expect(await catalog.saved()).toEqual([])
    const search = { tempo: '80-120', mixesWith: tracks[3]!, sort: 'energy-asc' } as const
    await catalog.save('slow', { search })
    const mix = {
      seeds: [tracks[0]!, { artist: 'Band babago', weight: 2 }],
      where: { key: ['C', 'Am'] as const },
      avoid: { catalog, playedHours: 2 },
      length: 9,
      seed: 4,
    }
    await catalog.save('evening', { mix: { ...mix, where: { key: ['C', 'Am'] } } })
    const again = await music.catalogs.get({ name: 'Listening' })
    const saved = await again.saved()
    expect(saved).toEqual([
      {
        name: 'evening',
        mix: {
          seeds: [{ id: tracks[0]!.id }, { artist: 'Band babago', weight: 2 }],
          where: { key: ['C', 'Am'] },
          avoid: [{ catalog: catalog.id, playedHours: 2 }],
          length: 9,
          seed: 4,
        },
      },
      { name: 'slow', search: { ...search, mixesWith: tracks[3]!.id } },
    ])
    const found = await music.tracks.search(saved[1]!.search)
    expect(found.total).toBeGreaterThan(0)
    expect(found.total).toBe((await music.tracks.search(search)).total)
    const kept = await stepsOf(await music.mixes.create(saved[0]!.mix))
    const given = await stepsOf(await music.mixes.create({ ...mix, where: { key: ['C', 'Am'] } }))
    expect(titles(kept)).toEqual(titles(given))
    expect(kept).toHaveLength(9)
  })

  it('replaces what has the name, and removes it by null', async () => {
    const { music } = await mixLibrary(assorted(1))
    const [one, other] = [
      await music.catalogs.create({ name: 'One', type: 'song' }),
      await music.catalogs.create({ name: 'Other', type: 'song' }),
    ]
    await one.save('x', { search: { genre: 'rock' } })
    await one.save('x', { mix: { length: 3 } })
    await other.save('x', { search: {} })
    expect(await one.saved()).toEqual([{ name: 'x', mix: { length: 3 } }])
    await one.save('x', null)
    await one.save('never', null)
    expect(await one.saved()).toEqual([])
    expect(await other.saved()).toEqual([{ name: 'x', search: {} }])
    await other.delete()
    expect(await failure(other.saved())).toMatchObject({ code: 'unknown_identifier' })
  })

  it('checks what is kept, and who keeps it', async () => {
    const { music } = await mixLibrary(assorted(1))
    const catalog = await music.catalogs.create({ name: 'One', type: 'song' })
    const wrong = async (what: object) => {
      const error = await failure(catalog.save('x', what))
      expect(error, JSON.stringify(what)).toMatchObject({ code: 'invalid_parameter', status: 5 })
      return error.message
    }
    expect(await wrong({ search: { energy: [0, 2] } })).toMatch(/^energy/)
    await wrong({ search: { start: 1 } })
    await wrong({ mix: { variety: 2 } })
    expect(await wrong({ mix: { arc: { energy: [0, 1] } } })).toContain('needs length')
    await wrong({ search: {}, mix: {} })
    expect(await failure(catalog.save('', { search: {} }))).toMatchObject({ status: 5 })
    const { apiKey } = await music.keys.create()
    const foreign = await music.as(apiKey).catalogs.get({ id: catalog.id })
    expect(await failure(foreign.save('x', { search: {} }))).toMatchObject({ code: 'not_allowed' })
    expect(await foreign.saved()).toEqual([])
  })
})
