import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { installModel } from '../../src/host/sound-models.ts'
import { removeSoundModel, soundModels } from '../../src/index.ts'
import { madeNetwork, networkFile } from '../support/made-network.ts'
import { scratch } from '../support/scratch.ts'

const FILE = networkFile(madeNetwork())

/** A server that answers with some bytes; its address. */
async function serving(bytes: Uint8Array, status = 200): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(bytes))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/network.tflite`
}

function expected(url: string, file: Uint8Array = FILE) {
  const sha256 = createHash('sha256').update(file).digest('hex')
  return { url, bytes: file.length, sha256 } as Parameters<typeof installModel>[1]
}

it('is fetched from its source, checked, and kept', async () => {
  const path = join(scratch(), 'models', 'network.tflite')
  const model = await installModel({}, expected(await serving(FILE)), path)
  expect(model).toMatchObject({ path, installed: true, bytes: FILE.length })
  expect(readFileSync(path).equals(FILE)).toBe(true)
})

it('is taken from a file, without a connection', async () => {
  const folder = scratch()
  writeFileSync(join(folder, 'mine.tflite'), FILE)
  const path = join(folder, 'models', 'network.tflite')
  const fetch = () => Promise.reject(new Error('no network'))
  const from = join(folder, 'mine.tflite')
  await installModel({ from, fetch }, expected('http://127.0.0.1:1/'), path)
  expect(readFileSync(path).equals(FILE)).toBe(true)
})

it.each<[string, Uint8Array, number, RegExp]>([
  ['cut', FILE.subarray(0, 500), 200, /SHA-256 is .* it is damaged, cut/],
  ['damaged', Buffer.from(FILE).fill(1, 900, 920), 200, /SHA-256 is .* it is damaged, cut/],
  ['longer', Buffer.concat([FILE, FILE]), 200, /more than the \d+ bytes/],
  ['empty', new Uint8Array(0), 200, /it has 0 bytes/],
  ['not there', FILE, 404, /the server answered 404.*add it by its path/],
])('is refused when it is %s, and what was installed stays', async (_, bytes, status, message) => {
  const path = join(scratch(), 'models', 'network.tflite')
  mkdirSync(dirname(path))
  writeFileSync(path, 'the one before')
  const from = await serving(bytes, status)
  await expect(installModel({ from }, expected(''), path)).rejects.toThrow(message)
  expect(readFileSync(path, 'utf8')).toBe('the one before')
  expect(readdirSync(dirname(path))).toHaveLength(1)
})

it('is listed and removed', async () => {
  const before = process.env.XDG_DATA_HOME
  process.env.XDG_DATA_HOME = scratch()
  onTestFinished(() => {
    if (before === undefined) delete process.env.XDG_DATA_HOME
    else process.env.XDG_DATA_HOME = before
  })
  const [model] = await soundModels()
  expect(model).toMatchObject({ name: 'yamnet', installed: false, license: 'Apache-2.0' })
  expect(await removeSoundModel()).toBe(false)
  mkdirSync(dirname(model!.path), { recursive: true })
  writeFileSync(model!.path, 'cut')
  expect((await soundModels())[0]?.installed).toBe(false)
  expect(await removeSoundModel()).toBe(true)
  expect(existsSync(model!.path)).toBe(false)
})
