import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { Audile } from '../../src/host/audile.ts'
import { serveEngine } from '../../src/host/serve.ts'
import { ClosedError, ParameterError } from '../../src/values/errors.ts'
import { failure } from '../support/failure.ts'
import { openInline } from '../support/open.ts'
import { connect, serve } from '../support/remote.ts'
import { scratch } from '../support/scratch.ts'

describe.skipIf(process.platform === 'win32')('the path of a socket', () => {
  it('takes the place of no file, as a database that is named by mistake', async () => {
    const music = await openInline()
    const path = join(scratch(), 'music.db')
    writeFileSync(path, 'all my music')
    const error = await failure(serveEngine(music, { listen: `unix:${path}` }))
    expect(error).toBeInstanceOf(ParameterError)
    expect(String(error)).toContain(`"${path}" is there, and no socket; give another path`)
    expect(readFileSync(path, 'utf8')).toBe('all my music')
  })

  it('may be as long as the system allows', async () => {
    const music = await openInline()
    const folder = scratch()
    const path = join(folder, 'x'.repeat(120))
    const error = await failure(serveEngine(music, { listen: `unix:${path}` }))
    expect(error).toBeInstanceOf(ParameterError)
    expect(String(error)).toContain(`"${path}" has ${path.length} bytes`)
    // Not even one of the beginning of the path.
    expect(readdirSync(folder)).toEqual([])
    const longest = process.platform === 'linux' ? 107 : 103
    const whole = join(folder, 'x'.repeat(longest - folder.length - 1))
    const server = await serveEngine(music, { listen: `unix:${whole}` })
    onTestFinished(() => server.close())
    expect(existsSync(whole)).toBe(true)
    const client = await Audile.open({ engine: `unix:${whole}` })
    expect(await client.tracks.list()).toMatchObject({ total: 0 })
    await client.close()
  })

  it('needs a folder', async () => {
    const music = await openInline()
    const folder = join(scratch(), 'none')
    const error = await failure(serveEngine(music, { listen: `unix:${join(folder, 's')}` }))
    expect(error).toBeInstanceOf(ParameterError)
    expect(String(error)).toContain(`there is no folder "${folder}"; make it first`)
    mkdirSync(folder)
    const taken = await failure(serveEngine(music, { listen: `unix:${folder}` }))
    expect(String(taken)).toContain(`"${folder}" is there, and no socket`)
  })

  it('that a killed server left goes to one of two servers that begin at once', async () => {
    const music = await openInline()
    for (let round = 0; round < 10; round++) {
      const path = join(scratch(), 's')
      const killed = `net.createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
      spawnSync(process.execPath, ['-e', killed, path])
      const begun = await Promise.allSettled(
        Array.from({ length: 4 }, () => serveEngine(music, { listen: `unix:${path}` })),
      )
      const servers = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      const clients = servers.map(({ clients }) => clients)
      const client = await Audile.open({ engine: `unix:${path}` })
      await client.close()
      await Promise.all(servers.map((server) => server.close()))
      expect(clients).toEqual([0])
    }
  })

  // Other systems refuse such callers, as they do where nobody listens.
  it.runIf(process.platform === 'linux')(
    'stays that of a server which has too many callers to answer',
    async () => {
      const music = await openInline()
      const path = join(scratch(), 's')
      const busy = `const server = net.createServer().listen({ path: process.argv[1], backlog: 1 }, () => {
      console.log('at work')
      for (;;);
    })`
      const child = spawn(process.execPath, ['-e', busy, path], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      await once(child.stdout, 'data')
      const callers = Array.from({ length: 8 }, () => createConnection(path).on('error', () => {}))
      onTestFinished(() => callers.forEach((caller) => void caller.destroy()))
      const error = await failure(serveEngine(music, { listen: `unix:${path}` }))
      expect(String(error)).toContain('EADDRINUSE')
      expect(existsSync(path)).toBe(true)
    },
  )
})

describe('serveEngine', () => {
  it('refuses a database that is closed, or is none', async () => {
    const music = await openInline()
    await music.close()
    expect(await failure(serveEngine(music, { listen: { port: 0 } }))).toBeInstanceOf(ClosedError)
    for (const none of [undefined, {}, Promise.resolve(music)]) {
      const error = await failure(serveEngine(none as never, { listen: { port: 0 } }))
      expect(error).toBeInstanceOf(ParameterError)
      expect(String(error)).toContain('give what Audile.open resolves to')
    }
  })

  it('serves no more when the database is closed at the same moment', async () => {
    const music = await openInline()
    const serving = serveEngine(music, { listen: { port: 0 }, trusted: true })
    const closed = music.close()
    const server = await serving
    await closed
    await server.close()
    const { port } = new URL(server.address)
    const free = createServer().listen(Number(port), '127.0.0.1')
    await new Promise((resolve, reject) => free.once('listening', resolve).once('error', reject))
    free.close()
  })

  it('keeps no place for a client of another protocol, and tells it why', async () => {
    const music = await openInline()
    const server = await serve(music, { connections: 1 })
    const other = new WebSocket(server.address, 'audile.0', {
      headers: { authorization: 'Bearer local' },
    })
    const [, answer] = await once(other, 'unexpected-response')
    expect(await text(answer)).toContain('speaks the protocol audile.1 only; use the version of')
    expect(server.clients).toBe(0)
    await connect(server.address)
    const error = await failure(connect(server.address))
    expect(error.message).toBe(
      `The engine at ${server.address} answers 503: There are 1 clients already.`,
    )
  })
})
