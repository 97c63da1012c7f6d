import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Audile } from '../../../src/index.ts'
import { pick, seeded, whole } from '../../support/chance.ts'
import { mistyped } from '../../support/corruptions.ts'
import { record } from '../../support/figures.ts'
import { type MadeTrack, madeLibrary, storeLibrary } from '../../support/made-library.ts'
import { sized } from './sized.ts'

/** Names that are typed, each letter by letter. */
const TYPED = sized(60, 2)
/** Calls of every other kind. */
const CALLS = sized(60, 2)

/** A library of made tracks: typing into the search box, filters, pages, albums, artists. */
export async function benchLibrary(sizes: readonly number[]): Promise<void> {
  for (const size of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'audile-bench-'))
    try {
      await benchSize(size, join(folder, 'music.db'))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function benchSize(size: number, path: string): Promise<void> {
  const tracks = madeLibrary(size)
  storeLibrary(path, tracks)
  const before = statSync(path).size
  const begun = process.cpuUsage()
  const music = await Audile.open({ database: path, engine: 'inline', workers: 0 })
  const indexing = secondsSince(begun)
  try {
    await music.songs.import(
      tracks.map(({ title, artist: artistName, release }) => ({ title, artistName, release })),
    )
    const show = <T>(label: string, asked: readonly T[], ask: (one: T) => Promise<unknown>) =>
      timed(size, label, asked, ask)
    const random = seeded(11)
    const some = (count: number) => Array.from({ length: count }, () => pick(random, tracks))
    const texts = some(TYPED).flatMap((track) => keystrokes(typedOf(random, track)))
    console.log(`\nA library of ${size} made tracks, milliseconds of CPU: p50 / p95 / most`)
    console.log(`  indexed in ${indexing.toFixed(1)} s; ${size} songs imported besides`)
    await show('first search', [''], (text) => music.tracks.search({ text: `a${text}` }))
    await show('typing, tracks.search', texts, (text) => music.tracks.search({ text }))
    await music.songs.search({ combined: 'a' })
    await show('typing, songs.search', texts, (combined) => music.songs.search({ combined }))
    await show('tempo, key and energy', some(CALLS), ({ tempo }) =>
      music.tracks.search({ tempo: [tempo - 5, tempo + 5], key: '8A', energy: [0.3, 0.9] }),
    )
    await show('artist, genre and years', some(CALLS), ({ artist, genre, year }) =>
      music.tracks.search({ artist, genre, year: [year - 10, year] }),
    )
    await show('text and tempo, by title', some(CALLS), ({ title, tempo }) =>
      music.tracks.search({
        ...{ text: title.slice(0, 3), tempo: [tempo - 20, tempo + 20], sort: 'title-asc' },
      }),
    )
    const page = { results: 100 }
    const anywhere = () => whole(random, 0, size - 100)
    for (const sort of ['created-asc', 'title-asc', 'tempo-desc'] as const) {
      await show(`first page of 100, ${sort}`, some(CALLS), () =>
        music.tracks.list({ ...page, sort }),
      )
      await show(`any page of 100, ${sort}`, some(CALLS), () =>
        music.tracks.list({ ...page, sort, start: anywhere() }),
      )
    }
    await show('albums, 100 by year', some(CALLS), () =>
      music.tracks.albums({ ...page, sort: 'year-desc' }),
    )
    await show('albums of an artist', some(CALLS), ({ artist }) => music.tracks.albums({ artist }))
    await show('artists, 100', some(CALLS), () => music.tracks.artists(page))
    const memory = process.memoryUsage().rss / 2 ** 20
    console.log(`  memory of the whole process ${memory.toFixed(0)} MiB`)
  } finally {
    await music.close()
  }
  const bytes = (statSync(path).size - before) / size
  console.log(`  index of tracks, and songs with theirs: ${bytes.toFixed(0)} bytes a track`)
}

/** A title, an artist, or both, every third with a slip. */
function typedOf(random: () => number, { title, artist }: MadeTrack): string {
  const text = pick(random, [title, artist, `${title} ${artist}`, `${artist} ${title}`])
  return (random() < 1 / 3 ? mistyped(random, text) : text).toLowerCase()
}

function keystrokes(text: string): string[] {
  return Array.from({ length: text.length }, (_, i) => text.slice(0, i + 1))
}

async function timed<T>(
  size: number,
  label: string,
  asked: readonly T[],
  ask: (one: T) => Promise<unknown>,
): Promise<void> {
  const times: number[] = []
  for (const one of asked) {
    const begun = process.cpuUsage()
    await ask(one)
    times.push(1000 * secondsSince(begun))
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1)
  record('bench', 'library', {
    [`${size}: ${label} p50 ms`]: Number(at(0.5)),
    [`${size}: ${label} p95 ms`]: Number(at(0.95)),
  })
  console.log(`  ${label.padEnd(34)} ${at(0.5)} / ${at(0.95)} / ${at(1)} (${times.length} calls)`)
}

function secondsSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1e6
}
