import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openInline } from '../support/open.ts'
import { BASE, Client } from '../support/wire.ts'

const guide = readFileSync(new URL('../../examples/from-echo-nest.md', import.meta.url), 'utf8')

it('the guide says which groups of methods have addresses, and which have none', async () => {
  const [, served = '', none = ''] =
    /has the addresses of ([^,]*,[^,]*), too; (.*) have none/.exec(guide) ?? []
  const groupsIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(groupsIn(served)).toEqual(['track', 'song', 'catalog'])
  const methods = [...guide.matchAll(/`((?:track|song|catalog|artist|playlist)\/\w+)`/g)]
  const client = new Client(await openInline())
  for (const [, name = ''] of methods) {
    const [group] = name.split('/')
    const { status } = await client.handle(new Request(`${BASE}${name}?api_key=local`))
    const isServed = groupsIn(served).includes(group)
    expect(status === 404, name).toBe(!isServed)
    expect(groupsIn(none).includes(group), name).toBe(!isServed)
  }
  expect(methods.length).toBeGreaterThan(10)
})
