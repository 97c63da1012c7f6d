import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import {
  type Audile,
  ClosedError,
  DecodeError,
  type FileChange,
  type WatchOptions,
} from '../../src/index.ts'
import { clip, waveBytes } from '../support/clips.ts'
import { failure } from '../support/failure.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

const bytesOf = (seed: number) => waveBytes(clip({ seconds: 1, seed, bpm: 100 + 7 * seed }))

/** Watches a folder; `next` waits for the next change, as `kind name`. */
function watched(music: Audile, folder: string, options: WatchOptions = {}) {
  const changes = music.tracks.watch(folder, { settle: 0.2, ...options })
  let last: FileChange | undefined
  return {
    changes,
    last: () => last,
    async next(): Promise<string> {
      const { value } = await changes.next()
      last = value
      const { kind, file, from } = value as FileChange
      return [kind, basename(file), from && basename(from)].filter(Boolean).join(' ')
    },
  }
}

it('scans, then tells what is written, moved, changed and removed', async () => {
  const music = await openInline()
  const folder = scratch()
  writeFileSync(join(folder, 'a.wav'), await bytesOf(1))
  const { next, last, changes } = watched(music, folder)
  expect(await next()).toBe('added a.wav')
  const id = last()?.track?.id

  mkdirSync(join(folder, 'deep'))
  writeFileSync(join(folder, 'deep', 'cover.jpg'), 'no music')
  writeFileSync(join(folder, 'deep', 'notes'), 'no music')
  writeFileSync(join(folder, 'deep', 'b.wav'), await bytesOf(2))
  expect(await next()).toBe('added b.wav')
  expect(last()?.track?.answer.status).toBe('complete')

  renameSync(join(folder, 'a.wav'), join(folder, 'deep', 'A song.wav'))
  expect(await next()).toBe('moved A song.wav a.wav')
  expect(last()?.track?.id).toBe(id)

  renameSync(join(folder, 'deep'), join(folder, 'deeper'))
  const moved = [await next(), await next()].sort()
  expect(moved).toEqual(['moved A song.wav A song.wav', 'moved b.wav b.wav'])

  writeFileSync(join(folder, 'deeper', 'b.wav'), await bytesOf(3))
  expect(await next()).toBe('changed b.wav')

  rmSync(join(folder, 'deeper', 'A song.wav'))
  expect(await next()).toBe('missing A song.wav')
  expect(last()?.track?.files).toMatchObject([{ present: false }])
  await changes.return(undefined)
  expect((await music.tracks.list()).total).toBe(3)
})

it('waits until a file is fully written', async () => {
  const music = await openInline()
  const folder = scratch()
  const { next, last, changes } = watched(music, folder, { settle: 0.6 })
  const bytes = await bytesOf(1)
  writeFileSync(join(folder, '0.wav'), await bytesOf(2))
  expect(await next()).toBe('added 0.wav')
  const told = next()
  const write = async () => {
    const path = join(folder, 'a.wav')
    for (let at = 0; at < bytes.length; at += bytes.length / 6) {
      appendFileSync(path, bytes.subarray(at, at + bytes.length / 6))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  await write()
  expect(await told).toBe('added a.wav')
  expect(last()?.track?.answer.status).toBe('complete')
  expect((await last()?.track?.analysis())?.track.duration).toBeCloseTo(1)
  await changes.return(undefined)
  expect((await music.tracks.list()).total).toBe(2)
})

it('tells a touched file not at all, and prunes on request', async () => {
  const music = await openInline()
  const folder = scratch()
  for (const seed of [1, 2]) writeFileSync(join(folder, `${seed}.wav`), await bytesOf(seed))
  const { next, changes } = watched(music, folder, { prune: true })
  await next()
  await next()
  const later = new Date(Date.now() + 60_000)
  utimesSync(join(folder, '1.wav'), later, later)
  rmSync(join(folder, '2.wav'))
  expect(await next()).toBe('missing 2.wav')
  await changes.return(undefined)
  expect((await music.tracks.list()).total).toBe(1)
})

it('does not prune what a subfolder that is empty now held, and says so', async () => {
  const music = await openInline()
  const folder = scratch()
  mkdirSync(join(folder, 'disk'))
  writeFileSync(join(folder, '1.wav'), await bytesOf(1))
  writeFileSync(join(folder, 'disk', '2.wav'), await bytesOf(2))
  const { next, last, changes } = watched(music, folder, { prune: true })
  await next()
  await next()
  rmSync(join(folder, 'disk', '2.wav'))
  expect(await next()).toBe('missing 2.wav')
  expect(await next()).toBe('failed disk')
  expect(last()?.error?.message).toContain("prune: 'emptied'")
  await changes.return(undefined)
  expect((await music.tracks.list({ missing: true })).total).toBe(1)
})

it('does not prune what a folder that is empty now held', async () => {
  const music = await openInline()
  const folder = scratch()
  writeFileSync(join(folder, '1.wav'), await bytesOf(1))
  const { next, changes } = watched(music, folder, { prune: true })
  await next()
  rmSync(join(folder, '1.wav'))
  expect(await next()).toBe('missing 1.wav')
  await changes.return(undefined)
  expect((await music.tracks.list({ missing: true })).total).toBe(1)
})

it('follows links to folders on request, each real folder once', async () => {
  const music = await openInline()
  const [folder, elsewhere] = [scratch(), scratch()]
  mkdirSync(join(folder, 'own'))
  writeFileSync(join(folder, '0.wav'), await bytesOf(9))
  symlinkSync(join(folder, 'own'), join(folder, 'again'))
  symlinkSync(elsewhere, join(folder, 'linked'))
  const { next, last, changes } = watched(music, folder, { followSymlinks: true })
  expect(await next()).toBe('added 0.wav')
  writeFileSync(join(elsewhere, 'x.wav'), await bytesOf(1))
  expect(await next()).toBe('added x.wav')
  expect(last()?.file).toBe(join(folder, 'linked', 'x.wav'))
  writeFileSync(join(folder, 'own', 'y.wav'), await bytesOf(2))
  expect(await next()).toBe('added y.wav')
  expect(last()?.track?.files.map(({ path }) => path)).toEqual([join(folder, 'own', 'y.wav')])
  await changes.return(undefined)
})

it('says that a folder is not there', async () => {
  const music = await openInline()
  for (const name of ['no', 'abc/'.repeat(2000)]) {
    const error = await failure(watched(music, join(scratch(), name)).next())
    expect(error).toBeInstanceOf(DecodeError)
    expect(error.message).toMatch(/^Cannot read /)
  }
})

it('ends with the signal’s reason, and with the database', async () => {
  const music = await openInline()
  const folder = scratch()
  const abort = new AbortController()
  const reason = new Error('enough')
  const aborted = failure(watched(music, folder, { signal: abort.signal }).next())
  const closed = failure(watched(music, folder).next())
  await new Promise((resolve) => setTimeout(resolve, 300))
  abort.abort(reason)
  expect(await aborted).toBe(reason)
  await music.close()
  expect(await closed).toBeInstanceOf(ClosedError)
})
