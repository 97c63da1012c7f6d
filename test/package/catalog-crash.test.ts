import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../support/built.ts'
import { stateOf } from '../support/killed-updates.ts'
import { scratch } from '../support/scratch.ts'

// By name, so that it is the built package.
const { Audile } = (await import('audile' as string)) as typeof import('../../src/index.ts')

const MANY = `
import { Audile } from 'audile'
const [database, id, name] = process.argv.slice(1).filter((a) => a !== '--')
const music = await Audile.open({ database })
const catalog = await music.catalogs.get({ id })
const tickets = []
for (let u = 0; u < 30; u++) {
  const entries = [{ item: { itemId: name, rating: u % 11, itemKeyvalues: { [name]: String(u) } } }]
  for (let i = 0; i < 40; i++) {
    entries.push({ item: { itemId: name + '-' + (u * 40 + i) } })
    entries.push({ action: 'play', item: { itemId: 'both' } })
  }
  tickets.push(await catalog.update(entries))
}
const ends = await Promise.all(tickets.map((ticket) => ticket.done()))
await music.close()
console.log(JSON.stringify(ends.map(({ ticketStatus, itemsUpdated, updateInfo }) => [ticketStatus, itemsUpdated, updateInfo.length])))
`

it('two processes that update one catalog at once lose nothing, and each keeps its order', async () => {
  const database = join(scratch(), 'music.db')
  const music = await Audile.open({ database })
  const catalog = await music.catalogs.create({ name: 'ours', type: 'song' })
  await (await catalog.update([{ item: { itemId: 'both' } }])).done()
  const ended = await Promise.all(['a', 'b'].map((name) => run(MANY, [database, catalog.id, name])))
  for (const { stdout, stderr } of ended) {
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(Array(30).fill(['complete', 81, 0]))
  }
  const { items } = await stateOf(catalog)
  const all = items as Awaited<ReturnType<typeof catalog.read>>['items']
  expect(all).toHaveLength(1 + 2 * (1 + 1200))
  const byId = new Map(all.map((item) => [item.request.itemId, item]))
  expect(byId.get('both')?.playCount).toBe(2 * 1200)
  for (const name of ['a', 'b']) {
    expect(byId.get(name)).toMatchObject({ rating: 29 % 11, kvstore: { [name]: '29' } })
    const own = [...byId.keys()].filter((itemId) => itemId.startsWith(`${name}-`))
    expect(own).toEqual(Array.from({ length: 1200 }, (_, i) => `${name}-${i}`))
  }
  expect((await catalog.profile()).pendingTickets).toEqual([])
  await music.close()
})
