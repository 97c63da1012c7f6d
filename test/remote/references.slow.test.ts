import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Samples } from '../../src/client/audio-input.ts'
import { Audile, serveEngine } from '../../src/index.ts'
import type { AudileOptions } from '../../src/options/options.ts'
import type { EngineServer } from '../../src/remote/server.ts'
import { hearOnce } from '../support/heard-once.ts'
import { seeded } from '../support/music.ts'
import { openInline } from '../support/open.ts'
import { nativeId } from '../support/reference-library.ts'
import { tune } from '../support/tune.ts'

hearOnce()

let folder = ''
const file = (name: string) => join(folder, name)

/** Part of a piece of music, with noise, and faster by a share. */
function heard(
  { samples, sampleRate }: Samples,
  { from = 0, to = 20, noise = 0, faster = 0, seed = 1 } = {},
): Samples {
  const random = seeded(seed)
  const some = samples.map((all) =>
    all
      .subarray(from * sampleRate, to * sampleRate)
      .map((sample) => sample + noise * (random() - 0.5)),
  )
  return { samples: some, sampleRate: Math.round(sampleRate * (1 + faster)) }
}

const NAMES = ['a.db', 'b.db', 'c.db'] as const
const ISRC = 'GBAYE7700531'
const IMPORTED = nativeId('SO', 9)

/** Which pieces are in which database; those of a plain number are in one, copies in others. */
const PIECES: Readonly<Record<(typeof NAMES)[number], readonly Samples[]>> = {
  'a.db': [tune({ seed: 1 }), tune({ seed: 2 }), tune({ seed: 3, seconds: 32 })],
  'b.db': [tune({ seed: 4 }), heard(tune({ seed: 1 }), { noise: 0.02 })],
  'c.db': [tune({ seed: 5 }), heard(tune({ seed: 2 }), { from: 2, to: 18 })],
}

const owners: Audile[] = []
const servers: EngineServer[] = []
let served: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'audile-test-'))
  for (const name of NAMES) {
    const music = await Audile.open({ database: file(name), engine: 'inline', workers: 0 })
    owners.push(music)
    for (const piece of PIECES[name]) await music.tracks.upload({ ...piece, wait: true })
    servers.push(await serveEngine(music, { listen: `unix:${file(name)}.socket` }))
  }
  const [, , last] = owners as [Audile, Audile, Audile]
  const { code } = await last.songs.fingerprint(tune({ seed: 6, seconds: 32 }), { version: 3.15 })
  const echoprint = await last.songs.fingerprint(tune({ seed: 6, seconds: 32 }), { version: 4.12 })
  const old = await last.songs.fingerprint(tune({ seed: 9, seconds: 32 }), { version: 3.15 })
  await last.songs.import([
    {
      ...{ id: nativeId('SO', 7), title: 'Old', artistName: 'Nora Vale' },
      fingerprints: [{ version: 3.15, code: old.code as string }],
    },
    {
      ...{
        id: IMPORTED,
        title: 'Long Way Down',
        artistName: 'Nora Vale',
        isrc: ISRC,
        duration: 32,
      },
      fingerprints: [
        { version: 3.15, code },
        { version: 4.12, code: echoprint.code },
      ],
      tracks: [{ catalog: 'shop', foreignId: '77' }],
    },
  ])
  served = servers.map(({ address }) => address)
})

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
  await Promise.all(owners.map((music) => music.close()))
  rmSync(folder, { recursive: true, force: true })
})

const open = (references: AudileOptions['references'], more: Partial<AudileOptions> = {}) =>
  openInline({ references, ...more })

/** An answer with the names that the references have as files. */
function named(answer: unknown): unknown {
  const text = JSON.stringify(answer)
  return JSON.parse(NAMES.reduce((all, name, i) => all.replaceAll(served[i]!, file(name)), text))
}

describe('references that other processes serve', () => {
  it('are identified as the same files are, with the same evidence to the bit', async () => {
    const [a, b, c] = NAMES.map(file) as [string, string, string]
    const ways = [
      [a, b, c],
      [served[0]!, served[1]!, served[2]!],
      [a, served[1]!, c],
    ]
    const databases = await Promise.all(ways.map((references) => open(references)))
    const own = { ...tune({ seed: 7 }), wait: true }
    for (const music of databases) await music.tracks.upload(own)
    const [maker] = databases as [Audile]
    const fingerprint = async (version: number, seed: number) => {
      const { code } = await maker.songs.fingerprint(tune({ seed, seconds: 32 }), { version })
      return { code, version }
    }
    const echoprint = await fingerprint(4.12, 6)
    const queries: readonly Parameters<Audile['songs']['identify']>[0][] = [
      heard(tune({ seed: 1 }), { from: 5, to: 15 }),
      heard(tune({ seed: 2 }), { from: 4, to: 16, noise: 0.05 }),
      heard(tune({ seed: 3, seconds: 32 }), { from: 3, to: 30, faster: 0.06 }),
      heard(tune({ seed: 4 }), { from: 8, to: 12 }),
      heard(tune({ seed: 6, seconds: 32 })),
      // Known by its codes of system A only.
      heard(tune({ seed: 9, seconds: 32 }), { to: 32 }),
      // Nobody knows it.
      heard(tune({ seed: 8 }), { from: 2, to: 18 }),
      echoprint,
      await fingerprint(4.12, 1),
      await fingerprint(3.15, 6),
      // Too little by itself, and enough with the names.
      {
        ...echoprint,
        code: await firstCodes(maker, 6),
        title: 'long way down',
        artist: 'Nora Vale',
      },
    ]
    const answers: number[] = []
    for (const query of queries) {
      const [files, ...others] = await Promise.all(
        databases.map((music) =>
          music.songs.identify(query as never, {
            evidence: true,
            bucket: ['id:isrc', 'tracks', 'origins', 'audio_summary', 'own_tracks'],
          }),
        ),
      )
      for (const answer of others) expect(named(answer)).toEqual(named(files))
      answers.push(files!.length)
    }
    expect(answers).toEqual([2, 2, 1, 1, 1, 1, 0, 1, 2, 1, 1])
  })

  it('say what they know of a song, then and later, and nothing of their own tracks', async () => {
    const ways = [NAMES.map(file), served]
    const [files, sockets] = (await Promise.all(ways.map((one) => open(one)))) as [Audile, Audile]
    const [piece] = PIECES['b.db'] as [Samples]
    const [song] = await sockets.songs.identify(heard(piece), { bucket: ['own_tracks'] })
    expect(song).toMatchObject({ reference: served[1], ownTracks: [] })
    const [told] = await owners[1]!.call('song/shard-songs', {
      songs: [{ id: song!.id }],
      bucket: ['own_tracks'],
    })
    expect(told?.song).toEqual({ id: song!.id, title: song!.title })
    const asked = { bucket: ['audio_summary', 'id:isrc', 'id:shop', 'tracks'] } as const
    for (const query of [
      { id: [song!.id, IMPORTED, `isrc:song:${ISRC}`, nativeId('SO', 8)] },
      { trackId: ['shop:track:77', (await owners[1]!.tracks.list()).tracks[0]!.id] },
      { id: [song!.id, IMPORTED], limit: true },
    ]) {
      for (const [i, reference] of served.entries()) {
        const there = await sockets.songs.profile({ ...query, ...asked, reference } as never)
        const here = await files.songs.profile({
          ...{ ...query, ...asked, reference: file(NAMES[i]!) },
        } as never)
        expect(named(there)).toEqual(named(here))
      }
    }
    expect(await song?.profile({ bucket: ['audio_summary'] })).toMatchObject({ id: song?.id })
    expect(await sockets.songs.profile({ id: IMPORTED, reference: served[2]! })).toHaveLength(1)
    // The catalogs are those of the one who asks.
    const [, , owner] = owners as [Audile, Audile, Audile]
    const theirs = await owner.catalogs.create({ name: 'Theirs', type: 'song' })
    await (await theirs.update([{ item: { itemId: 'y', songId: IMPORTED } }])).done()
    expect(
      await sockets.songs.profile({ id: `${theirs.id}:song:y`, reference: served[2]! }),
    ).toEqual([])
    const ofTheirs = { id: IMPORTED, bucket: [`id:${theirs.id}`] as const, reference: served[2]! }
    expect(await sockets.songs.profile(ofTheirs)).toMatchObject([{ foreignIds: [] }])
    const [track] = (await owner.tracks.list()).tracks
    for (const [i, music] of [files, sockets].entries()) {
      await music.songs.import([{ id: IMPORTED, title: 'Mine', artistName: 'Nora Vale' }])
      const mine = await music.catalogs.create({ name: 'Mine', type: 'song' })
      await (await mine.update([{ item: { itemId: 'x', songId: IMPORTED } }])).done()
      const found = await music.songs.profile({
        ...{ id: `${mine.id}:song:x`, reference: i === 0 ? file('c.db') : served[2]! },
        ...{ bucket: [`id:${mine.id}`], limit: true },
      })
      expect(found).toMatchObject([
        { title: 'Long Way Down', foreignIds: [{ foreignId: `${mine.id}:song:x` }] },
      ])
      const ofTracks = await music.songs.profile({
        trackId: [track!.id, `${mine.id}:song:x`],
        reference: i === 0 ? file('c.db') : served[2]!,
      })
      expect(ofTracks.map(({ title }) => title)).toEqual(['', 'Long Way Down'])
    }
  })

  it('are counted, and cannot be merged', async () => {
    const sockets = await open([file('a.db'), served[2]!])
    const files = await open([file('a.db'), file('c.db')])
    expect(named(await sockets.recordings.stat())).toEqual(named(await files.recordings.stat()))
    await expect(sockets.recordings.merge()).rejects.toThrow('name its file')
  })

  it('are not asked of an upload, as files are not: its song is your own', async () => {
    const music = await open(served)
    const [piece] = PIECES['a.db'] as [Samples]
    const track = await music.tracks.upload({ ...piece, wait: true })
    const { songId } = await track.profile()
    const found = await music.songs.identify(heard(piece, { from: 3, to: 17 }))
    expect(found[0]).toMatchObject({ id: songId })
    expect(found[0]?.reference).toBeUndefined()
    expect(found.slice(1).map(({ reference }) => reference)).toEqual([served[0], served[1]])
  })
})

/** A part of the Echoprint codes of a tune. */
async function firstCodes(music: Audile, seed: number): Promise<string> {
  const { samples, sampleRate } = tune({ seed, seconds: 32 })
  const part = { samples: samples.map((all) => all.subarray(0, 9 * sampleRate)), sampleRate }
  return (await music.songs.fingerprint(part, { version: 4.12 })).code as string
}
