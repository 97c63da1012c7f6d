import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FolderStore } from '../../src/fleet/folder-store.ts'
import { collectBytes } from '../../src/fleet/read-object.ts'
import { openS3Store } from '../../src/fleet/s3-store.ts'
import type { Store } from '../../src/fleet/store.ts'
import { S3_KEYS, startS3 } from '../support/s3.ts'
import { scratch } from '../support/scratch.ts'

const NAME = 'audio/0123456789'
const MOST = 10_000_000
const bytesOf = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 7) % 251)

let s3: Awaited<ReturnType<typeof startS3>>
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(() => s3.stop())

const STORES: [string, () => Promise<Store>][] = [
  ['a folder', async () => new FolderStore(scratch())],
  ['a bucket', () => openS3Store(s3.store, S3_KEYS)],
]

describe.each(STORES)('a store in %s', (_name, open) => {
  const read = async (store: Store) => {
    const object = await store.get(NAME)
    return object && new Uint8Array(await collectBytes(object, MOST))
  }

  it('keeps bytes and files until they are removed', async () => {
    const store = await open()
    expect(await store.has(NAME)).toBe(false)
    expect(await store.get(NAME)).toBeUndefined()
    const small = bytesOf(10)
    await store.put(NAME, small)
    expect(await store.has(NAME)).toBe(true)
    expect(await read(store)).toEqual(small)
    const large = bytesOf(300_000)
    const path = join(scratch(), 'large')
    writeFileSync(path, large)
    await store.put(NAME, { path, bytes: large.length })
    expect(await read(store)).toEqual(large)
    await store.delete(NAME)
    expect(await store.has(NAME)).toBe(false)
    await store.delete(NAME)
  })

  it('has nothing of a file that cannot be read', async () => {
    const store = await open()
    const missing = { path: join(scratch(), 'missing'), bytes: 10 }
    await expect(store.put(NAME, missing)).rejects.toThrow()
    expect(await store.has(NAME)).toBe(false)
  })
})

it('a folder that is tried loses what processes were writing when they died', async () => {
  const folder = scratch()
  const unfinished = join(folder, 'unfinished')
  mkdirSync(unfinished)
  const host = hostname().replace(/[^A-Za-z0-9]/g, '_')
  // No process has this number.
  writeFileSync(join(unfinished, `${2 ** 30}-1-${host}-a`), 'a')
  writeFileSync(join(unfinished, `${process.pid}-0-elsewhere-b`), 'b')
  await new FolderStore(folder).check()
  expect(readdirSync(unfinished)).toEqual([`${process.pid}-0-elsewhere-b`])
})

it('a folder removes what nobody fetched for long', async () => {
  const folder = scratch()
  const store = new FolderStore(folder)
  await store.put('audio/old', bytesOf(1))
  await store.put('audio/new', bytesOf(1))
  const [entry] = readdirSync(join(folder, 'audio'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('old'),
  )
  utimesSync(join(folder, 'audio', entry as string), 1, 1)
  await store.sweep(3600)
  expect([await store.has('audio/old'), await store.has('audio/new')]).toEqual([false, true])
})

it('a bucket says that a key is wrong', async () => {
  const store = await openS3Store(s3.store, { ...S3_KEYS, AWS_SECRET_ACCESS_KEY: 'wrong' })
  await expect(store.put(NAME, bytesOf(1))).rejects.toThrow(/403/)
  await expect(openS3Store(s3.store, {})).rejects.toThrow('AWS_ACCESS_KEY_ID')
})
