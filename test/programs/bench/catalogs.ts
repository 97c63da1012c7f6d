import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { gunzipSync } from 'node:zlib'
import type { Audile, Catalog, CatalogEntry, SongRecord, Ticket } from '../../../src/index.ts'
import { record } from '../../support/figures.ts'
import { seeded } from '../../support/music.ts'
import { namesOf, quantile, show } from './search.ts'
import { sized } from './sized.ts'

const ENTRIES = sized(100_000, 200)
/** Of names as people write them: most have to be searched for. */
const MIXED = sized(10_000, 50)
const PAGES = sized(300, 3)

interface Pair {
  artist: string
  title: string
}

/**
 * Catalogs of 100,000 items against a reference collection, with the engine in its thread: how long
 * the caller waits for an update, how fast it is applied and resolved, by clean names and by such as
 * people write, how long the host's event loop waits meanwhile, how much memory the process takes,
 * and how long a page takes to read.
 */
export async function benchCatalogs(data: string): Promise<void> {
  // By name, so that the built package is measured: threads start from built files only.
  const { Audile } = (await import('audile' as string)) as typeof import('../../../src/index.ts')
  const folder = mkdtempSync(join(tmpdir(), 'audile-bench-'))
  const music = await Audile.open({ database: join(folder, 'music.db') })
  try {
    const { songs, mix, real } = collectionOf(data)
    await music.songs.import(recordsOf(songs))
    console.log(
      `\nCatalogs against ${songs.length} ${real ? 'real' : 'made-up'} songs, engine in its thread`,
    )
    const random = seeded(5)
    const any = (pairs: readonly Pair[]) => pairs[Math.floor(random() * pairs.length)] as Pair
    const clean = await music.catalogs.create({ name: 'clean', type: 'song' })
    await benchUpdate(
      'clean names',
      clean,
      entriesOf(ENTRIES, () => any(songs)),
    )
    await benchPages(music, clean)
    const mixed = await music.catalogs.create({ name: 'mixed', type: 'song' })
    await benchUpdate(
      'as people write',
      mixed,
      entriesOf(MIXED, (i) => mix[i % mix.length] as Pair),
    )
  } finally {
    await music.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function benchUpdate(
  what: string,
  catalog: Catalog,
  entries: readonly CatalogEntry[],
): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let memory = 0
  const sample = setInterval(() => {
    memory = Math.max(memory, process.memoryUsage.rss())
  }, 50)
  delay.enable()
  const started = performance.now()
  const ticket = await catalog.update(entries)
  const accepted = performance.now()
  const applied = await atPercent(ticket, 50)
  await ticket.done()
  const complete = performance.now()
  delay.disable()
  clearInterval(sample)
  const { resolved } = await catalog.profile()
  const rate = (count: number, ms: number) => `${((1000 * count) / ms).toFixed(0)}/s`
  const { length } = entries
  record('bench', 'catalogs', {
    [`${what}: accepted s`]: (accepted - started) / 1000,
    [`${what}: applied a second`]: (1000 * length) / (applied - accepted),
    [`${what}: resolved a second`]: (1000 * length) / (complete - applied),
    [`${what}: longest wait ms`]: delay.max / 1e6,
  })
  console.log(
    `  ${what.padEnd(16)} ${length} entries: update() ${(accepted - started).toFixed(0)} ms, applied ${rate(length, applied - accepted)}, resolved ${rate(length, complete - applied)} (${((100 * resolved) / length).toFixed(1)} % of them), host waits at most ${(delay.max / 1e6).toFixed(1)} ms, process at most ${(memory / 2 ** 20).toFixed(0)} MiB`,
  )
}

/** When an update had come so far. */
async function atPercent(ticket: Ticket, percent: number): Promise<number> {
  for await (const { percentComplete = 100 } of ticket.progress()) {
    if (percentComplete >= percent) break
  }
  return performance.now()
}

async function benchPages(music: Audile, catalog: Catalog): Promise<void> {
  const random = seeded(8)
  const times: number[] = []
  const { total } = await catalog.profile()
  for (let i = 0; i < PAGES; i++) {
    const start = Math.floor(random() * (total - 100))
    const query = { id: catalog.id, start, results: 100, bucket: 'audio_summary' } as const
    const started = performance.now()
    await music.call('catalog/read', query)
    times.push(performance.now() - started)
  }
  record('bench', 'catalogs', {
    'page p50 ms': quantile(times, 0.5),
    'page p95 ms': quantile(times, 0.95),
  })
  console.log(`    a page of 100 with audio_summary, anywhere  ${show(times)}`)
}

function entriesOf(count: number, pairAt: (i: number) => Pair): CatalogEntry[] {
  return Array.from({ length: count }, (_, i) => {
    const { artist, title } = pairAt(i)
    return {
      item: { itemId: `item-${i}`, artistName: artist, songName: title, playCount: i % 50 },
    }
  })
}

function* recordsOf(songs: readonly Pair[]): Generator<SongRecord> {
  const random = seeded(11)
  for (const { artist, title } of songs) {
    yield {
      title,
      artistName: artist,
      duration: 120 + Math.floor(random() * 200),
      audioSummary: {
        tempo: 60 + random() * 120,
        energy: random(),
        danceability: random(),
        loudness: -9,
      },
    }
  }
}

/** The pairs of the reference data and the questions that go with them, or made-up ones. */
function collectionOf(data: string): { songs: Pair[]; mix: Pair[]; real: boolean } {
  const files = ['resolve-catalog.jsonl.gz', 'resolve-dev.jsonl'].map((name) =>
    join(data, 'data', name),
  )
  const [catalog, questions] = files as [string, string]
  if (existsSync(catalog) && existsSync(questions)) {
    const lines = (text: string) => text.trim().split('\n')
    const songs = lines(gunzipSync(readFileSync(catalog)).toString())
    const mix = lines(readFileSync(questions, 'utf8')).map((line) => {
      const { query } = JSON.parse(line) as { query: { artist_name: string; song_name: string } }
      return { artist: query.artist_name, title: query.song_name }
    })
    return { songs: songs.map((line) => JSON.parse(line) as Pair), mix, real: true }
  }
  const { artists, titles } = namesOf(data)
  const songs = titles.map((title, i) => ({ title, artist: artists[i % artists.length] as string }))
  const random = seeded(6)
  // A third as they are, a third with a letter less, a third of nobody's.
  const mix = Array.from({ length: 600 }, (_, i): Pair => {
    const { artist, title } = songs[Math.floor(random() * songs.length)] as Pair
    if (i % 3 === 0) return { artist, title }
    const at = Math.floor(random() * title.length)
    const slip = title.slice(0, at) + title.slice(at + 1)
    return i % 3 === 1 ? { artist, title: slip } : { artist: `${title} qu`, title: `${artist} qu` }
  })
  return { songs, mix, real: false }
}
