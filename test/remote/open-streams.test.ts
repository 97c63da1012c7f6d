import { expect, it, vi } from 'vitest'
import { Fairness } from '../../src/remote/fairness.ts'
import { ClientStreams } from '../../src/remote/open-streams.ts'
import { type ServedEngine, Session } from '../../src/remote/session.ts'

const begun = (method: string, params: object = {}) => ({ method, params, apiKey: 'KEY' })

it('ends what a client has left open, once', () => {
  const made: unknown[] = []
  const held = new ClientStreams(async (call) => made.push(call))
  held.noteCall(begun('track/watch'), { watch: 1 })
  held.noteCall(begun('track/watch'), { watch: 2 })
  held.noteCall(begun('track/scan'), { scan: 1, total: 5 })
  held.noteCall(begun('track/watch-next', { watch: 2 }), { written: [] })
  held.noteCall(begun('track/watch-end', { watch: 1 }), { watch: 1 })
  held.noteCall(begun('song/search', {}), undefined)
  expect(made).toEqual([])
  held.endAll()
  const ends = [begun('track/watch-end', { watch: 2 }), begun('track/scan-end', { scan: 1 })]
  expect(made).toEqual(ends)
  // Its answer was under way when the client was given up.
  held.noteCall(begun('track/watch'), { watch: 3 })
  expect(made).toEqual([...ends, begun('track/watch-end', { watch: 3 })])
  held.endAll()
  expect(made).toHaveLength(3)
})

it('is told when the session of a client ends', async () => {
  const call = vi.fn(async (_method: string, _params: unknown, _options: object) => ({ watch: 4 }))
  const served = { engine: { call } } as unknown as ServedEngine
  const session = new Session(served, {
    ...{ apiKey: 'KEY', trusted: true, calls: 10, patience: 60_000 },
    fairness: new Fairness(1e6),
    onEnd: () => {},
  })
  const { signal } = new AbortController()
  await session.respond('call', { method: 'track/watch', params: { folders: ['/a'] } }, signal)
  session.end()
  expect(call.mock.calls.map(([method, params]) => [method, params])).toEqual([
    ['track/watch', { folders: ['/a'] }],
    ['track/watch-end', { watch: 4 }],
  ])
})
