import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Audile, ClosedError } from '../../src/index.ts'
import { clip, waveFile } from '../support/clips.ts'
import { failure } from '../support/failure.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

const unheard: unknown[] = []
const hear = (reason: unknown) => unheard.push(reason)
beforeEach(() => void process.on('unhandledRejection', hear))
afterEach(async () => {
  // Node tells of a rejection that nobody heard after the microtasks of its turn.
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', hear)
  expect(unheard.splice(0)).toEqual([])
})

const never = new Promise<never>(() => {})

interface Stall {
  /** Resolves when the source is waited for. */
  reached: Promise<void>
  /** Never ends. */
  wait(): Promise<never>
}

function stall(): Stall {
  let reach = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const wait = () => {
    reach()
    return never
  }
  return { reached, wait }
}

/** More than one message of records, then nothing, and no end either. */
async function* records<T>({ wait }: Stall, make: (i: number) => T): AsyncGenerator<T> {
  for (let i = 0; i < 1001; i++) yield make(i)
  await wait()
}

/** As promises in a list. */
function* promised<T>({ wait }: Stall, make: (i: number) => T): Generator<T> {
  for (let i = 0; i < 1001; i++) yield make(i)
  yield wait() as T
}

async function* pieces({ wait }: Stall): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1000)
  await wait()
}

/** A source whose end hangs too. */
function deaf<T>(source: AsyncGenerator<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => ({ next: () => source.next(), return: () => never }) }
}

const stream = ({ wait }: Stall) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(1000)),
    pull: wait,
    cancel: () => never,
  })

/** A Blob whose bytes do not come: as of a file on a drive that hangs. */
function blob(stalled: Stall): Blob {
  const blob = new Blob([])
  return Object.assign(blob, { stream: () => stream(stalled) })
}

const song = (i: number) => ({ title: `Song ${i}`, artistName: 'Someone' })
const entry = (i: number) => ({ item: { itemId: `${i}`, songName: `Song ${i}` } })
const url = 'https://example.org/a.wav'

type Waiting = { signal: AbortSignal }
type Begin = (music: Audile, stalled: Stall, waiting: Waiting) => Promise<unknown>

const catalogOf = (music: Audile) => music.catalogs.create({ name: 'One', type: 'song' })

/** An update that takes a while. */
async function longUpdate(music: Audile) {
  return (await catalogOf(music)).update(Array.from({ length: 5000 }, (_, i) => entry(i)))
}

const CALLS: [name: string, begin: Begin][] = [
  ['songs.import', (music, s, w) => music.songs.import(records(s, song), w)],
  ['songs.import of a source that is deaf', (m, s, w) => m.songs.import(deaf(records(s, song)), w)],
  ['songs.import of promises', (m, s, w) => m.songs.import(promised(s, song), w)],
  [
    'artists.import',
    (music, s, w) =>
      music.artists.import(
        records(s, (i) => ({ name: `Artist ${i}` })),
        w,
      ),
  ],
  ['catalog.update', async (m, s, w) => (await catalogOf(m)).update(records(s, entry), w)],
  [
    'catalog.update of a source that is deaf',
    async (m, s, w) => (await catalogOf(m)).update(deaf(records(s, entry)), w),
  ],
  ['tracks.upload of pieces', (m, s, w) => m.tracks.upload({ bytes: pieces(s), ...w })],
  ['tracks.upload of deaf pieces', (m, s, w) => m.tracks.upload({ bytes: deaf(pieces(s)), ...w })],
  ['tracks.upload of a stream', (m, s, w) => m.tracks.upload({ bytes: stream(s), ...w })],
  ['tracks.upload of a Blob', (m, s, w) => m.tracks.upload({ bytes: blob(s), ...w })],
  ['tracks.upload of an address', (m, _, w) => m.tracks.upload({ url, ...w })],
  ['songs.identify', (m, s, w) => m.songs.identify({ bytes: stream(s), ...w })],
  ['songs.identify, its options', (m, s, w) => m.songs.identify({ bytes: pieces(s) }, w)],
  ['songs.identify of an address', (m, _, w) => m.songs.identify({ url }, w)],
  ['songs.fingerprint', (m, s, w) => m.songs.fingerprint({ bytes: stream(s) }, w)],
  [
    'feeds.refresh',
    async (m, _, w) => {
      await m.feeds.add({ url: 'https://example.org/feed.xml', type: 'news' })
      return m.feeds.refresh(w)
    },
  ],
  [
    'ticket.done',
    async (m, s, w) => {
      const done = (await longUpdate(m)).done(w)
      s.wait()
      return done
    },
  ],
  [
    'ticket.progress',
    async (m, s, w) => {
      for await (const _ of (await longUpdate(m)).progress(w)) s.wait()
    },
  ],
]

/** An engine whose `fetch` never answers. */
function open(stalled: Stall): Promise<Audile> {
  return openInline({ fetch: stalled.wait as never })
}

// What waits for a source that stalls waits for ever, so that a call ends at all shows that it does
// not. No clock is asked.
describe('while its source or server stalls', () => {
  it.each(CALLS)('%s is ended at once by its signal', async (_, begin) => {
    const stalled = stall()
    const music = await open(stalled)
    const abort = new AbortController()
    const call = begin(music, stalled, { signal: abort.signal })
    call.catch(() => {})
    await stalled.reached
    const reason = new Error('enough')
    abort.abort(reason)
    expect(await failure(call)).toBe(reason)
  })

  it.each(CALLS)('%s is ended at once by close()', async (_, begin) => {
    const stalled = stall()
    const music = await open(stalled)
    const call = begin(music, stalled, { signal: new AbortController().signal })
    call.catch(() => {})
    await stalled.reached
    const closed = music.close()
    expect(await failure(call)).toBeInstanceOf(ClosedError)
    await closed
  })

  it.each<[string, (music: Audile, source: Stall) => Promise<unknown>]>([
    ['songs.import', (music, s) => music.songs.import(records(s, song))],
    ['artists.import', (m, s) => m.artists.import(records(s, (i) => ({ name: `Artist ${i}` })))],
    [
      'catalog.update',
      async (m, s) => {
        const catalog = await catalogOf(m)
        return catalog.update(records(s, entry))
      },
    ],
  ])('%s ends when a part that is on its way is refused', async (_, begin) => {
    const stalled = stall()
    const music = await open(stalled)
    const { id, apiKey } = await music.keys.create()
    const call = begin(music.as(apiKey), stalled)
    call.catch(() => {})
    // Before the first part is full, and so on its way.
    await music.keys.revoke(id)
    expect(await failure(call)).toMatchObject({ code: 'invalid_key' })
  })

  it('a folder is left at once by its signal and by close()', async () => {
    const folder = scratch()
    for (const name of ['a.wav', 'b.wav']) await waveFile(folder, name, clip({ seconds: 20 }))
    const music = await openInline()
    const abort = new AbortController()
    const first = music.tracks.uploadFolder(folder, { signal: abort.signal }).next()
    first.catch(() => {})
    abort.abort(new Error('enough'))
    expect(await failure(first)).toMatchObject({ message: 'enough' })
    const second = music.tracks.uploadFolder(folder).next()
    second.catch(() => {})
    const closed = music.close()
    expect(await failure(second)).toBeInstanceOf(ClosedError)
    await closed
  })
})
