import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PACKAGE } from '../support/built.ts'
import { scratch } from '../support/scratch.ts'

/** Starts a server of the examples; the port that its first line names. */
async function started(script: string, args: string[]): Promise<number> {
  const child = spawn(process.execPath, [join(PACKAGE, 'examples', script), ...args], {
    cwd: PACKAGE,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(child.stdout, 'data')
  return Number(/127\.0\.0\.1:(\d+)/.exec(String(line))?.[1])
}

/** The status of a request whose lines are sent as they are. */
async function statusOf(port: number, target: string, headers: Record<string, string> = {}) {
  const all = { Host: `127.0.0.1:${port}`, Connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`)
  const answer = (await socket.toArray()).join('')
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
}

const EXTENSIONS = '/rest/getOpenSubsonicExtensions'

const SERVERS = [
  ['sonic/server.mjs', EXTENSIONS, (database: string, map: string) => [database, map]],
  ['wire-http.mjs', '/api/v4/song/search', (database: string) => [database]],
  ['browser/serve.mjs', '/', () => []],
] as const

describe.each(SERVERS)('the server of %s', (script, target, argumentsOf) => {
  const start = () => {
    const map = join(scratch(), 'files.json')
    writeFileSync(map, '{}')
    return started(script, argumentsOf(join(scratch(), 'music.db'), map))
  }

  it('answers addresses that are none, and goes on', async () => {
    const port = await start()
    const usual = await statusOf(port, target)
    for (const odd of [
      '//',
      '///',
      '//[',
      '/%',
      '/\\',
      '/?%',
      'http://[',
      'http://',
      '*',
      '//a:b@c:d',
    ]) {
      expect(await statusOf(port, odd), odd).toBeGreaterThanOrEqual(200)
    }
    expect(await statusOf(port, target)).toBe(usual)
  })

  it('refuses other pages, and names that lead here', async () => {
    const port = await start()
    const usual = await statusOf(port, target)
    const own = `127.0.0.1:${port}`
    for (const headers of [
      { Host: `evil.example:${port}` },
      { Host: `127.0.0.1:${port + 1}` },
      { Host: '[' },
      { Host: '' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: `http://127.0.0.1:${port + 1}` },
      { Origin: `http://localhost:${port}` },
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]) {
      expect(await statusOf(port, target, headers), JSON.stringify(headers)).toBe(403)
    }
    for (const headers of [
      { Host: `localhost:${port}` },
      { Origin: `http://${own}` },
      { 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' },
    ]) {
      expect(await statusOf(port, target, headers), JSON.stringify(headers)).toBe(usual)
    }
  })
})
