import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Audile, MixWish } from '../../../src/index.ts'
import { seeded, shuffled } from '../../support/chance.ts'
import { driftRows } from './drift.ts'
import { type Figures, figuresOf, isInTempo, type Listed } from './figures.ts'
import { type Heard, heardTracks } from './library.ts'
import { greedyFrom, mutualScale, nearestTo, rawScale } from './plainest.ts'

// npm run radio -- DATABASE [--seeds 60] [--length 30] [--lists 0] [--package DIR]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Lists of each kind. */
    seeds: { type: 'string', default: '60' },
    /** Tracks in a list. */
    length: { type: 'string', default: '30' },
    /** Prints so many default mixes, step by step. */
    lists: { type: 'string', default: '0' },
    /** A built package of audile, in place of this source. */
    package: { type: 'string' },
  },
})
/** Mixes without an end, of each adventurousness. */
const DRIFTING = 10

const [database] = positionals
if (database === undefined) throw new Error('name a database: npm run radio -- DATABASE')
const length = Number(values.length)
const entry =
  values.package === undefined
    ? new URL('../../../src/index.ts', import.meta.url)
    : pathToFileURL(resolve(values.package, 'dist/index.js'))
const { Audile: Package } = (await import(entry.href)) as { Audile: typeof Audile }
const music = await Package.open({ database, engine: 'inline', workers: 0 })
try {
  const all = await heardTracks(music, database)
  const byId = new Map(all.map((track) => [track.id, track]))
  const tracks = all.filter(({ isEffect }) => !isEffect)
  const seeds = shuffled(tracks, seeded(51)).slice(0, Number(values.seeds))
  const groups = new Set(tracks.map(({ group }) => group)).size
  console.log(
    `${tracks.length} recordings of ${groups} groups, ${all.length - tracks.length} effects; ${seeds.length} lists of ${length}\n`,
  )
  const mixes = (wish: MixWish) =>
    listed(seeds, async (seed, place) => {
      const mix = await music.mixes.create({ seeds: seed.id, seed: place, length, ...wish })
      return idsOf(mix)
    })
  const mixed = await mixes({})
  const places = tracks.map((_, place) => place)
  const raw = rawScale(tracks)
  const mutual = mutualScale(tracks.length, raw)
  const plain = (choose: (seed: number) => readonly number[]): Listed[] =>
    seeds.map((seed) => ({
      seed,
      tracks: choose(tracks.indexOf(seed)).map((place) => tracks[place]!),
    }))
  const random = seeded(52)
  const kinds = ['happy', 'calm', 'peaceful', 'energetic', 'sad'] as const
  const moods = [1, 2, 3, 4].flatMap(() => kinds)
  const rows: [string, readonly Listed[]][] = [
    [
      'tracks.similar',
      await listed(seeds, async ({ id }) =>
        (await music.tracks.similar(id, { results: length })).map((track) => track.id),
      ),
    ],
    ['mix', mixed],
    ['mix, no spacing', await mixes({ spacing: {} })],
    ['mix, adventurousness 0', await mixes({ adventurousness: 0 })],
    ['mix, adventurousness 0, no spacing', await mixes({ adventurousness: 0, spacing: {} })],
    ['mix, adventurousness .5', await mixes({ adventurousness: 0.5 })],
    ['mix, adventurousness 1', await mixes({ adventurousness: 1 })],
    ['mix, variety 0', await mixes({ variety: 0 })],
    ['mix, variety 1', await mixes({ variety: 1 })],
    [
      'mix of a mood',
      await listed(moods, async (mood, place) =>
        idsOf(await music.mixes.create({ seeds: { mood }, seed: place, length })),
      ),
    ],
    [
      'path of 20',
      await listed(seeds, async ({ id }, place) => {
        const to = seeds[(place + 1) % seeds.length]!.id
        const path = await music.mixes.path(id, to, { length: 20 })
        return path.map(({ track }) => track.id)
      }),
    ],
    ['chance', plain(() => shuffled(places, random).slice(0, length))],
    ['nearest, raw', plain((seed) => nearestTo(seed, places, raw, length))],
    ['nearest, mutual proximity', plain((seed) => nearestTo(seed, places, mutual, length))],
    ['greedy, raw', plain((seed) => greedyFrom(seed, places, raw, { length, pull: 0 }))],
    [
      'greedy with seed, mutual proximity',
      plain((seed) => greedyFrom(seed, places, mutual, { length, pull: 1 })),
    ],
  ]
  const greedy = figuresOf(rows.find(([name]) => name === 'greedy, raw')![1]).step
  console.log(
    '| lists | distinct | commonest in | two share | same group | step / greedy | from seed | tempo within 8 % | clashing keys | effects |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|')
  for (const [name, lists] of rows) console.log(rowOf(name, figuresOf(lists), greedy))
  console.log(`\n${(await driftRows(music, seeds.slice(0, DRIFTING), byId)).join('\n')}`)
  for (const list of mixed.slice(0, Number(values.lists))) print(list)

  /** Lists of tracks by seed. */
  async function listed<T extends Heard | string>(
    from: readonly T[],
    choose: (seed: T, place: number) => Promise<readonly string[]>,
  ): Promise<Listed[]> {
    const lists: Listed[] = []
    for (const [place, seed] of from.entries()) {
      const ids = await choose(seed, place)
      const found = ids.flatMap((id) => byId.get(id) ?? [])
      lists.push({ ...(typeof seed === 'object' && { seed }), tracks: found })
    }
    return lists
  }
} finally {
  await music.close()
}

async function idsOf(mix: Awaited<ReturnType<Audile['mixes']['create']>>): Promise<string[]> {
  const ids: string[] = []
  for await (const { track } of mix) ids.push(track.id)
  return ids
}

function rowOf(name: string, figures: Figures, greedy: number): string {
  const percent = (share: number) => (Number.isNaN(share) ? '' : `${Math.round(100 * share)} %`)
  const decimals = (value: number) => (Number.isNaN(value) ? '' : value.toFixed(2))
  const cells = [
    name,
    figures.distinct,
    percent(figures.commonest),
    percent(figures.shared),
    decimals(figures.sameGroup),
    decimals(figures.step / greedy),
    decimals(figures.fromSeed),
    percent(figures.tempo),
    percent(figures.clashing),
    figures.effects,
  ]
  return `| ${cells.join(' | ')} |`
}

/** A list as one reads it: name, group, tempo, key, energy, and what jumps. */
function print({ seed, tracks }: Listed): void {
  const keys = ['C', 'Db', 'D', 'Eb', 'E', 'F', 'Gb', 'G', 'Ab', 'A', 'Bb', 'B']
  const line = (mark: string, { title, group, tempo, key, mode, energy }: Heard) =>
    `${mark.padStart(4)} ${group.slice(0, 22).padEnd(23)}${title.slice(0, 34).padEnd(35)}${tempo.toFixed(0).padStart(4)} ${key < 0 ? '?' : `${keys[key]}${mode === 1 ? '' : 'm'}`.padEnd(4)} ${energy.toFixed(2)}`
  console.log(`\n${line('seed', seed!)}`)
  for (const [place, track] of tracks.entries()) {
    const before = tracks[place - 1] ?? seed!
    const jumps = [
      !isInTempo(track.tempo / before.tempo) && 'tempo',
      Math.abs(track.energy - before.energy) > 0.35 && 'energy',
    ].filter(Boolean)
    console.log(`${line(String(place + 1), track)}  ${jumps.join(' ')}`)
  }
}
