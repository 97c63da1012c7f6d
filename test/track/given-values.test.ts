import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { Audile, parseKey } from '../../src/index.ts'
import { madeDocument } from '../support/made-documents.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

const analysis = madeDocument({ sections: [{ bars: 32, level: -12 }], bpm: 120 })

async function imported(music: Audile, corrections = {}) {
  const file = join(scratch(), 'a.mp3')
  await music.tracks.import([{ title: 'A', file, analysis, corrections }])
  const { tracks } = await music.tracks.list()
  return tracks[0]!
}

it('a key is corrected as it is searched: by what parseKey returns', async () => {
  const music = await openInline()
  const track = await imported(music)
  const { answer } = await track.correct({ key: parseKey('8A')! })
  expect(answer.audioSummary).toMatchObject({ key: 9, mode: 0 })
  expect((await music.tracks.search({ key: parseKey('8A')! })).total).toBe(1)
  const tonic = await track.correct({ key: { key: 2 }, mode: 'major' })
  expect(tonic.answer.audioSummary).toMatchObject({ key: 2, mode: 1 })
  await expect(track.correct({ key: { key: 9, mode: 0 }, mode: 1 })).rejects.toThrow(
    /^mode - .*A minor/,
  )
  for (const key of [{ key: 12 }, { key: 1.5 }, { mode: 1 }, { key: 1, mode: 2 }])
    await expect(track.correct({ key: key as never })).rejects.toMatchObject({
      code: expect.stringMatching(/_parameter$/),
    })
})

it('parts of a track have a most number, however they are given', async () => {
  const music = await openInline()
  const parts = Array.from({ length: 100 }, (_, i) => ({
    from: i / 4,
    to: i / 4 + 0.2,
    tempo: 120,
  }))
  const track = await imported(music, { parts })
  const one = { from: 40, to: 44, tempo: 121 }
  await expect(track.correct(one)).rejects.toMatchObject({ code: 'limit_exceeded' })
  await track.correct({ ...parts[0]!, tempo: null })
  await track.correct(one)
})

it('the bucket tracks needs an id space, in a search and in a catalog alike', async () => {
  const music = await openInline()
  const catalog = await music.catalogs.create({ name: 'A', type: 'song' })
  const refusal = /"tracks" needs an id space/
  await expect(music.songs.search({ bucket: ['tracks'] as never })).rejects.toThrow(refusal)
  await expect(catalog.read({ bucket: ['tracks'] as never })).rejects.toThrow(refusal)
  expect(await music.songs.search({ bucket: ['tracks', 'id:shop'] })).toEqual([])
  expect((await catalog.read({ bucket: ['tracks', 'id:shop'] })).items).toEqual([])
})

it('a database is named by a path or a file: URL, as text or object', async () => {
  const path = join(scratch(), 'a b#%25.db')
  const open = (database: string | URL) => Audile.open({ database, engine: 'inline', workers: 0 })
  const music = await open(path)
  await music.catalogs.create({ name: 'Kept', type: 'song' })
  await music.close()
  for (const database of [pathToFileURL(path), pathToFileURL(path).href]) {
    const again = await open(database)
    expect((await again.catalogs.list()).total).toBe(1)
    await again.close()
  }
  for (const database of ['file:///a?b', new URL('http://example.org/a.db'), '', 7])
    await expect(open(database as never)).rejects.toThrow(/^database - /)
})
