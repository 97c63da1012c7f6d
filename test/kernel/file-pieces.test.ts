import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readFilePieces } from '../../src/kernel/file-pieces.ts'
import { md5 } from '../../src/values/md5.ts'
import { scratch } from '../support/scratch.ts'

const MEGABYTE = 2 ** 20

function fileOf(bytes: number, seed: number) {
  const content = Uint8Array.from({ length: bytes }, (_, i) => (i * (seed + 1)) % 251)
  const path = join(scratch(), `${seed}`)
  writeFileSync(path, content)
  return { path, sum: md5(content) }
}

async function sumOf(path: string): Promise<string> {
  const pieces: Buffer[] = []
  const bytes = await readFilePieces(path, (piece) => pieces.push(Buffer.from(piece)))
  const content = Buffer.concat(pieces)
  expect(content.length).toBe(bytes)
  return md5(content)
}

it('reads files whole, however many at once and one after the other', async () => {
  const files = [0, 1, MEGABYTE, MEGABYTE + 1, 3 * MEGABYTE + 7].map(fileOf)
  for (const _ of [1, 2]) {
    const sums = await Promise.all(files.map(({ path }) => sumOf(path)))
    expect(sums).toEqual(files.map(({ sum }) => sum))
  }
})

it('ends with the reason of an abort, and reads on afterwards', async () => {
  const { path, sum } = fileOf(2 * MEGABYTE, 9)
  const stop = new AbortController()
  const reading = readFilePieces(path, () => stop.abort(new Error('enough')), stop.signal)
  await expect(reading).rejects.toThrow('enough')
  expect(await sumOf(path)).toBe(sum)
})
