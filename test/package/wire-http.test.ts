import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { PACKAGE } from '../support/built.ts'
import { clip, waveBytes } from '../support/clips.ts'
import { scratch } from '../support/scratch.ts'

const EXAMPLE = join(PACKAGE, 'examples/wire-http.mjs')

/** Starts the example on a database of its own; where it listens, and the key that it printed. */
async function started(...more: string[]): Promise<{ base: string; key: string }> {
  const database = join(scratch(), 'music.db')
  const child = spawn(process.execPath, [EXAMPLE, database, '0', ...more], {
    cwd: PACKAGE,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    const [code] = await exit
    expect(code).toBe(0)
  })
  const [line] = await once(child.stdout, 'data')
  const [, base = '', key = ''] = /^(\S+) with api_key=([A-Z0-9]{17})\n$/.exec(String(line)) ?? []
  expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v4\/$/)
  return { base, key }
}

async function envelope(response: Response) {
  const { response: told } = JSON.parse(await response.text())
  return told
}

it('is mounted on Node’s own http in few lines', () => {
  const lines = readFileSync(EXAMPLE, 'utf8').trimEnd().split('\n')
  expect(lines.length).toBeLessThan(45)
})

it('takes all three forms of an upload over loopback', async () => {
  const { base, key } = await started('allow-private')
  const bytes = await waveBytes(clip())
  const form = new FormData()
  for (const [name, value] of Object.entries({ api_key: key, filetype: 'wav', wait: 'true' })) {
    form.append(name, value)
  }
  form.append('track', new Blob([bytes]), 'a.wav')
  const multipart = await envelope(
    await fetch(`${base}track/upload`, { method: 'POST', body: form }),
  )
  expect(multipart.status).toEqual({ version: '4.2', code: 0, message: 'Success' })
  expect(multipart.track.status).toBe('complete')

  const raw = await envelope(
    await fetch(`${base}track/upload?api_key=${key}&filetype=wav&wait=true&bucket=audio_summary`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: bytes,
    }),
  )
  expect(raw.track.id).toBe(multipart.track.id)
  const url = raw.track.audio_summary.analysis_url
  expect(url.startsWith(base)).toBe(true)
  const analysis = JSON.parse(await (await fetch(url)).text())
  expect(analysis.track.duration).toBe(3)

  const file = createServer((_, answer) => answer.end(bytes))
  await new Promise<void>((resolve) => file.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void file.close())
  const address = `http://127.0.0.1:${(file.address() as AddressInfo).port}/a.wav`
  const body = new URLSearchParams({ api_key: key, wait: 'true', url: address })
  const byAddress = await envelope(await fetch(`${base}track/upload`, { method: 'POST', body }))
  expect(byAddress.track).toMatchObject({ id: multipart.track.id, status: 'complete' })

  const other = await started()
  body.set('api_key', other.key)
  const careful = await fetch(`${other.base}track/upload`, { method: 'POST', body })
  expect(careful.status).toBe(400)
  expect(careful.headers.get('x-ratelimit-limit')).toBe('120')
  expect((await envelope(careful)).status.message).toMatch(
    /^url - Invalid parameter: "127\.0\.0\.1" is no public address/,
  )
})

it('answers who sends what it does not want, and goes on', async () => {
  const { base, key } = await started()
  const large = new Uint8Array(8_000_000)
  const refused = await fetch(`${base}track/upload?api_key=nobody&filetype=wav`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: large,
  })
  expect((await envelope(refused)).status.code).toBe(1)

  // One that goes away in the middle of its upload, and one that does not speak HTTP's language.
  const { hostname, port } = new URL(base)
  const leaving = httpRequest(`${base}track/upload?api_key=${key}&filetype=wav`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', 'content-length': 1_000_000 },
  })
  leaving.on('error', () => {})
  const left = new Promise((resolve) => leaving.once('close', resolve))
  leaving.write(large.subarray(0, 100_000), () => leaving.destroy())
  await left
  const odd = connect(Number(port), hostname)
  odd.on('error', () => {})
  const ended = new Promise((resolve) => odd.once('close', resolve))
  odd.end('TRACE / HTTP/1.1\r\nHost: [\r\n\r\n')
  odd.resume()
  await ended

  const list = await fetch(`${base}catalog/list?api_key=${key}`)
  expect((await envelope(list)).status.code).toBe(0)
  expect((await fetch(`${base}song/nothing`)).status).toBe(404)
})

it('gives its key to no page, and tells nobody who calls it by a foreign name', async () => {
  const { base, key } = await started()
  const page = { origin: 'http://evil.example' }
  for (const method of ['GET', 'POST'] as const) {
    const url = `${base}catalog/${method === 'GET' ? 'list' : 'create'}?api_key=local&name=A&type=song`
    const refused = await fetch(url, { method, headers: page })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      403,
      null,
    ])
  }
  const { hostname, port } = new URL(base)
  const bytes = await waveBytes(clip())
  const query = `api_key=${key}&filetype=wav&wait=true&bucket=audio_summary`
  const asked = (host: string) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const path = `/api/v4/track/upload?${query}`
      const headers = { host, 'content-type': 'application/octet-stream' }
      const request = httpRequest({ hostname, port, path, method: 'POST', headers }, (answer) => {
        answer
          .setEncoding('utf8')
          .toArray()
          .then((pieces) => resolve({ status: answer.statusCode, text: pieces.join('') }), reject)
      })
      request.on('error', reject)
      request.end(bytes)
    })
  for (const host of ['evil.example', `evil.example:${port}`, 'evil.example/x', hostname]) {
    expect((await asked(host)).status).toBe(403)
  }
  const { track } = JSON.parse((await asked(`localhost:${port}`)).text).response
  expect(track.audio_summary.analysis_url.startsWith(base)).toBe(true)

  const url: string = track.audio_summary.analysis_url
  const first = await fetch(url)
  expect(first.headers.get('content-encoding')).toBe('gzip')
  expect(JSON.parse(await first.text()).track.duration).toBe(3)
  const etag = String(first.headers.get('etag'))
  expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
  const head = await fetch(url, { method: 'HEAD' })
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000)
})
