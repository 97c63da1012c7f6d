import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toRekordbox } from '../../src/export-entry.ts'
import { fromRekordbox } from '../../src/import-entry.ts'
import { madeDocument } from '../support/made-documents.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

const document = madeDocument({ sections: [{ bars: 32, level: -9 }], bpm: 126, lead: 0.4, tail: 1 })

async function withTrack() {
  const music = await openInline()
  const file = join(scratch(), 'one.mp3')
  writeFileSync(file, 'no sound')
  await music.tracks.import([{ title: 'One', file, analysis: document }], { strict: true })
  const { tracks } = await music.tracks.list()
  return { music, file, track: await music.tracks.get(tracks[0]!.id) }
}

describe('own cues', () => {
  it('are set, listed beside the computed ones, and removed', async () => {
    const { track } = await withTrack()
    expect((await track.cues()).own).toEqual([])
    expect(await track.cues.set({ time: 10, name: 'Drop', colour: '#ff7f00' })).toEqual([
      { number: 1, time: 10, name: 'Drop', colour: '#ff7f00' },
    ])
    await track.cues.set([
      { number: 1, time: 11 },
      { time: 20, end: 24 },
      { number: 7, time: 30 },
    ])
    const own = [
      { number: 1, time: 11 },
      { number: 2, time: 20, end: 24 },
      { number: 7, time: 30 },
    ]
    const { own: listed, start } = await track.cues()
    expect(listed).toEqual(own)
    expect(start?.time).toBeCloseTo(0.4, 1)
    expect(await track.cues.own()).toEqual(own)
    expect(await track.cues.remove([1, 9])).toEqual(own.slice(1))
    expect(await track.cues.remove('all')).toEqual([])
  })

  it.each<[string, object, string]>([
    ['no time', {}, 'time'],
    ['a time before the track', { time: -1 }, 'time'],
    ['a time after its end', { time: 9999 }, 'after the end of the track'],
    ['a loop that ends before it begins', { time: 10, end: 9 }, 'end'],
    ['a colour by name', { time: 1, colour: 'red' }, 'colour'],
    ['a number that no pad has', { time: 1, number: 0 }, 'number'],
    ['a fraction as number', { time: 1, number: 1.5 }, 'number'],
    ['another field', { time: 1, label: 'x' }, 'label'],
    ['a long name', { time: 1, name: 'x'.repeat(513) }, 'name'],
  ])('are refused with %s, and nothing is set', async (_, cue, words) => {
    const { track } = await withTrack()
    await expect(track.cues.set([{ time: 5 }, cue as { time: number }])).rejects.toThrow(words)
    expect(await track.cues.own()).toEqual([])
  })

  it('have a number each, up to 99', async () => {
    const { track } = await withTrack()
    await track.cues.set(Array.from({ length: 98 }, (_, i) => ({ time: i / 10 })))
    await expect(track.cues.set([{ time: 1 }, { time: 2 }])).rejects.toThrow('99 cues are set')
    await expect(
      track.cues.set([
        { number: 5, time: 1 },
        { number: 5, time: 2 },
      ]),
    ).rejects.toThrow('given twice')
    expect((await track.cues.set({ time: 1 })).at(-1)?.number).toBe(99)
  })

  it('stay when the analysis is replaced, and go with the track', async () => {
    const { music, track, file } = await withTrack()
    await track.cues.set({ time: 10 })
    await music.tracks.import([{ file, analysis: { ...document, bars: [] } }], { strict: true })
    expect(await track.cues.own()).toEqual([{ number: 1, time: 10 }])
    await music.tracks.remove(track.id)
    await expect(track.cues.own()).rejects.toThrow(track.id)
    await music.tracks.import([{ id: track.id, file, analysis: document }], { strict: true })
    expect(await track.cues.own()).toEqual([])
  })

  it('go from one database to another, and to DJ programs', async () => {
    const { music, track } = await withTrack()
    await track.cues.set({ number: 3, time: 10, name: 'Drop' })
    const other = await openInline()
    await other.tracks.import(music.tracks.export(), { strict: true })
    expect(await (await other.tracks.get(track.id)).cues.own()).toEqual(await track.cues.own())
    expect(await toRekordbox([track])).toContain('Name="Drop" Type="0" Start="10.000" Num="2"')
  })
})

describe('a collection of a DJ program', () => {
  it('corrects the tracks that are known, and fills a catalog', async () => {
    const { music, track, file } = await withTrack()
    await track.correct({ key: 'Am', tempo: 63 })
    const grid = [{ time: 0.43, tempo: 126 }]
    const cues = [{ number: 2, time: 8, name: 'In' }]
    const mine = { analysis: document, corrections: { grid }, rating: 3, comment: 'loud' }
    const unknown = join(scratch(), 'none.mp3')
    const xml = await toRekordbox(
      [
        { ...mine, file, title: 'One', artist: 'Somebody', cues },
        { ...mine, file: unknown, title: 'Two' },
      ],
      { name: 'Set' },
    )
    const result = await music.tracks.import(fromRekordbox(Buffer.from(xml)))
    expect(result).toMatchObject({ imported: 0, updated: 1 })
    expect(result.rejected).toEqual([
      { index: 1, info: expect.stringContaining(`${JSON.stringify(unknown)} is of no track`) },
    ])
    expect(await track.corrections()).toEqual({
      ...{ key: 9, mode: 0 },
      grid: [{ time: 0.43, tempo: 126, place: 1 }],
    })
    const { beats } = await track.analysis()
    expect(beats[3]!.start).toBeCloseTo(0.43 + (3 * 60) / 126, 4)
    expect((await track.cues()).own).toContainEqual(cues[0])
    expect((await track.profile()).title).toBe('One')

    const catalog = await music.catalogs.create({ name: 'Set', type: 'song' })
    const ticket = await catalog.update(fromRekordbox(Buffer.from(xml)))
    const infos = (await ticket.done()).updateInfo?.map(({ info }) => info)
    expect(infos).toEqual(infos?.map(() => "couldn't resolve item"))
    const { items } = await catalog.read({ bucket: ['item_keyvalues'] })
    expect(items).toHaveLength(2)
    expect(items.find(({ request }) => request?.songName === 'One')).toMatchObject({
      ...{ rating: 6, itemKeyvalues: { comment: 'loud', playlists: '["Set"]' } },
    })
  })

  it('gives way to a tempo that is corrected later', async () => {
    const { track } = await withTrack()
    await track.correct({ grid: [{ time: 0.43, tempo: 126 }] })
    await track.correct({ tempo: 63 })
    expect(await track.corrections()).toEqual({ tempo: 63 })
    await track.correct({ grid: [{ time: 0.43, tempo: 126 }] })
    await track.correct({ grid: null })
    expect(await track.corrections()).toEqual({})
  })
})
