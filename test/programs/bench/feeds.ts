import { COMMON_WORDS } from '../../../src/feed/common-words.ts'
import { Audile, type Catalog } from '../../../src/index.ts'
import { rss2, type Told } from '../../support/feed-formats.ts'
import { record } from '../../support/figures.ts'
import { type Random, seeded } from '../../support/music.ts'
import { type Names, namesOf, quantile, show } from './search.ts'
import { sized } from './sized.ts'

const ARTISTS = sized(500, 5)
const ITEMS = sized(10_000, 50)
const KNOWN = sized(100_000, 100)
const WORDS = 2_000

/**
 * Pages of the feed of a catalog, 10,000 items over 500 artists; and the artists named in texts of
 * 2,000 words with 100,000 known, against looking for each name by `String.includes`.
 */
export async function benchFeeds(data: string): Promise<void> {
  const names = namesOf(data)
  const artists = artistsOf(names)
  const random = seeded(5)
  const texts = Array.from({ length: 20 }, () => textOf(artists, random))
  const bodies = new Map<string, string>()
  const music = await Audile.open({
    database: ':memory:',
    engine: 'inline',
    workers: 0,
    fetch: async (url) => new Response(bodies.get(String(url)) ?? '', { status: 200 }),
  })
  try {
    console.log(
      `\nFeeds: ${ITEMS} items over ${ARTISTS} artists, ${artists.length} ${names.real ? 'real' : 'made-up'} names known`,
    )
    await music.artists.import(artists.map((name) => ({ name })))
    const chosen = artists.slice(0, ARTISTS)
    for (const [i, artistName] of chosen.entries()) {
      const url = `https://paper.example/${i}.xml`
      bodies.set(url, rss2(storiesOf(i, artistName, random)))
      await music.feeds.add({ url, artistName })
    }
    const started = performance.now()
    await music.call('feed/wait', { ids: (await music.feeds.list()).map(({ id }) => id) })
    const seconds = (performance.now() - started) / 1000
    console.log(`  reading and taking in: ${(ITEMS / seconds).toFixed(0)} items/s`)
    const catalog = await music.catalogs.create({ name: 'all', type: 'artist' })
    const entries = chosen.map((artistName, i) => ({ item: { itemId: `i${i}`, artistName } }))
    await (await catalog.update(entries)).done()
    await benchPages(catalog, random)
    await benchNames(music, texts, artists, bodies)
  } finally {
    await music.close()
  }
}

async function benchPages(catalog: Catalog, random: Random): Promise<void> {
  const kinds: [string, () => Parameters<Catalog['feed']>[0]][] = [
    ['first page', () => ({})],
    ['page of 100', () => ({ results: 100, start: Math.floor(random() * 1000) })],
    ['any page', () => ({ start: Math.floor(random() * ITEMS) })],
    ['highly relevant', () => ({ highRelevance: true, start: Math.floor(random() * 3000) })],
    ['since a day', () => ({ since: '2020-01-01', start: Math.floor(random() * 3000) })],
    ['of another type', () => ({ bucket: 'blogs' })],
  ]
  await catalog.feed({})
  const all: number[] = []
  for (const [kind, query] of kinds) {
    const times: number[] = []
    for (let i = 0; i < 60; i++) {
      const begun = performance.now()
      await catalog.feed(query())
      times.push(performance.now() - begun)
    }
    all.push(...times)
    console.log(`    ${kind.padEnd(22)} ${show(times)}`)
  }
  record('bench', 'feeds', {
    'page p50 ms': quantile(all, 0.5),
    'page p95 ms': quantile(all, 0.95),
  })
  console.log(`    ${'all'.padEnd(22)} ${show(all)}`)
}

/** A text alone in a feed of its own, so that what is measured is the way of one item. */
async function benchNames(
  music: Audile,
  texts: readonly string[],
  artists: readonly string[],
  bodies: Map<string, string>,
): Promise<void> {
  const { KnownNames } = await import('../../../src/feed/known-names.ts')
  const { mentionsIn } = await import('../../../src/feed/mentions.ts')
  const { artistKey } = await import('../../../src/naming/names.ts')
  const known = new KnownNames()
  const byKey = new Map<string, { num: number; name: string }>()
  for (const [num, name] of artists.entries()) {
    known.addName(artistKey(name))
    byKey.set(artistKey(name), { num, name })
  }
  const names = { known, find: (name: string) => byKey.get(artistKey(name)) }
  const ours: number[] = []
  const theirs: number[] = []
  let found = 0
  for (const text of texts) {
    let begun = performance.now()
    found += mentionsIn(text, names).length
    ours.push(performance.now() - begun)
    begun = performance.now()
    const lower = text.toLowerCase()
    for (const name of artists) lower.includes(name.toLowerCase())
    theirs.push(performance.now() - begun)
  }
  console.log(`  ${WORDS} words, ${(found / texts.length).toFixed(0)} names in each`)
  console.log(`    ${'names in memory'.padEnd(22)} ${show(ours)}`)
  console.log(`    ${'String.includes'.padEnd(22)} ${show(theirs)}   without evidence`)
  const told = texts.map((html, i) => ({ id: `t${i}`, title: `Text ${i}`, html }))
  const url = 'https://paper.example/texts.xml'
  bodies.set(url, rss2(told))
  const { id } = await music.feeds.add({ url })
  const begun = performance.now()
  await music.call('feed/wait', { ids: [id] })
  const each = (performance.now() - begun) / texts.length
  console.log(`    read, spotted in SQLite and stored: ${each.toFixed(2)} ms each`)
}

function artistsOf({ artists }: Names): string[] {
  const random = seeded(9)
  const all = new Set(artists.slice(0, KNOWN))
  const word = () => artists[Math.floor(random() * artists.length)]?.split(' ')[0] ?? 'x'
  while (all.size < KNOWN) all.add(`${word()} ${word()} ${word()}`)
  return [...all]
}

function storiesOf(feed: number, artist: string, random: Random): Told[] {
  return Array.from({ length: ITEMS / ARTISTS }, (_, i) => ({
    id: `${feed} ${i}`,
    title: i % 3 === 0 ? `${artist} in story ${i}` : `Story ${i} of ${feed}`,
    link: `https://paper.example/${feed}/${i}`,
    html: `<p>${proseOf(60, random)} ${artist} ${proseOf(20, random)}</p>`,
    date: new Date(Date.UTC(2020, 0, 1) + Math.floor(random() * 1e11)).toISOString(),
  }))
}

function textOf(artists: readonly string[], random: Random): string {
  const parts: string[] = []
  for (let words = 0; words < WORDS; words += 40) {
    parts.push(proseOf(38, random), artists[Math.floor(random() * artists.length)] ?? '')
  }
  return parts.join(' ')
}

const PROSE = [...COMMON_WORDS]

/** Words of every day in sentences, one in twelve with a capital. */
function proseOf(length: number, random: Random): string {
  return Array.from({ length }, (_, i) => {
    const word = PROSE[Math.floor(random() ** 2 * PROSE.length)] as string
    const capital = i % 15 === 0 || random() < 1 / 12
    const written = capital ? word.charAt(0).toUpperCase() + word.slice(1) : word
    return i % 15 === 14 ? `${written}.` : written
  }).join(' ')
}
