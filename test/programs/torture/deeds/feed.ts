import { whole } from '../../../support/chance.ts'
import { rss2 } from '../../../support/feed-formats.ts'
import { type Kind, Misfortune, WrongAnswer } from './deed.ts'

/** A feed that is added and read. */
export interface Feed {
  path: string
  items: number
}

export const feed: Kind<Feed, { id: string; found: number }> = {
  name: 'feed',
  weight: 2,
  draw(op, random) {
    return { path: `/${op}.rss`, items: whole(random, 5, 40) }
  },
  async perform(music, { path, items }, signal, { web }) {
    const entries = Array.from({ length: items }, (_, i) => ({
      id: `${path}#${i}`,
      title: `News ${i} of Artist ${i % 50}`,
      link: `https://paper.example${path}/${i}`,
      html: `<p>Artist ${i % 50} plays in town, says ${path}.</p>`,
      date: new Date(1_300_000_000_000 + 1000 * i).toISOString(),
    }))
    const url = `${web}${path}`
    const body = JSON.stringify({ body: rss2(entries) })
    await (await fetch(url, { method: 'PUT', body })).arrayBuffer()
    const { id } = await music.feeds.add({ url, type: 'news' }, { signal })
    const { failed } = await music.feeds.refresh({ id, signal })
    const [failure] = failed
    if (failure) throw new Misfortune(`the feed could not be read: ${failure.error}`)
    const told = (await music.feeds.list({ signal })).find((one) => one.id === id)
    if (told?.items !== items) throw new WrongAnswer(`${told?.items} items, not ${items}`)
    return { id, found: items }
  },
  find(database, { path, items }) {
    const rows = database
      .prepare<[string], FeedFound>(
        `SELECT f.state, f.error,
           (SELECT count(*) FROM feed_entries e WHERE e.feed = f.num) AS entries,
           (SELECT count(DISTINCT e.item) FROM feed_entries e WHERE e.feed = f.num) AS items
         FROM feeds f WHERE f.url LIKE '%' || ?`,
      )
      .all(path)
    const [row] = rows
    if (!row) return 'absent'
    if (rows.length > 1) return { broken: `${rows.length} feeds have its address` }
    if (row.state !== 0) return { broken: `its refresh has not ended (${row.state})` }
    if (row.entries !== row.items) return { broken: `${row.items} items of ${row.entries} entries` }
    if (row.items === items) return 'present'
    if (row.error !== null) return { unfinished: `could not be read: ${row.error}` }
    return { broken: `${row.items} of ${items} items` }
  },
}

interface FeedFound {
  state: 0 | 1 | 2
  error: string | null
  entries: number
  items: number
}
