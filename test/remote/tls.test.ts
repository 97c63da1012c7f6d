import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ClosedError, DatabaseError, ParameterError } from '../../src/errors.ts'
import type { ServeOptions } from '../../src/remote/serve-options.ts'
import { type Certificate, certificateFor } from '../support/certificate.ts'
import { clip } from '../support/clips.ts'
import { failure } from '../support/failure.ts'
import { openInline } from '../support/open.ts'
import { connect, serve } from '../support/remote.ts'
import { scratch } from '../support/scratch.ts'

/** An engine behind TLS; the port of its address. */
async function serveBehind(tls: Certificate & ServerOptions, options: Partial<ServeOptions> = {}) {
  const music = await openInline()
  const server = createServer(tls)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await serve(music, { listen: { server }, ...options })
  const { port } = server.address() as AddressInfo
  return { music, port }
}

describe('an engine behind TLS', () => {
  it('is used when its certificate, or its authority, is given', async () => {
    const { cert, key } = certificateFor(['localhost'])
    const { music, port } = await serveBehind({ cert, key })
    const other = certificateFor(['elsewhere.test']).cert
    const { id } = await music.catalogs.create({ name: 'a', type: 'song' })
    for (const ca of [cert, Buffer.from(cert), [other, cert], [Buffer.from(cert)]]) {
      const client = await connect(`wss://localhost:${port}`, { tls: { ca } })
      expect((await client.catalogs.list()).catalogs.map((one) => one.id)).toEqual([id])
    }
  })

  it('is a reference when its certificate is given', async () => {
    const { cert, key } = certificateFor(['localhost'])
    const { music, port } = await serveBehind({ cert, key })
    const { apiKey } = await music.keys.create()
    const engine = `wss://localhost:${port}` as const
    for (const ca of [cert, [Buffer.from(cert)]]) {
      const own = await openInline({ references: [{ engine, apiKey, tls: { ca } }] })
      expect(await own.songs.identify(clip({ seconds: 12 }))).toEqual([])
    }
    const error = await failure(openInline({ references: [{ engine, apiKey }] }))
    expect(error).toBeInstanceOf(DatabaseError)
    expect((error as Error).message).toContain('tls.ca')
  })

  it('is used when its authority is in NODE_EXTRA_CA_CERTS', async () => {
    const { cert, key } = certificateFor(['localhost'])
    const { port } = await serveBehind({ cert, key })
    const file = join(scratch(), 'ca.pem')
    writeFileSync(file, cert)
    // Read when a process starts.
    const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
    const source = new URL('../../src/audile.ts', import.meta.url).href
    const script = `
      const { Audile } = await import(${JSON.stringify(source)})
      const music = await Audile.open({ engine: 'wss://localhost:${port}' }).catch((error) => error)
      process.stdout.write(music instanceof Error ? music.message : String((await music.tracks.list()).total))
      if (!(music instanceof Error)) await music.close()`
    const run = async (extra: NodeJS.ProcessEnv) => {
      const child = spawn(
        process.execPath,
        ['--import', 'tsx', '--input-type=module', '-e', script],
        { env: { ...env, ...extra }, stdio: ['ignore', 'pipe', 'inherit'] },
      )
      let text = ''
      child.stdout.on('data', (data) => {
        text += data
      })
      await once(child, 'close')
      return text
    }
    expect(await run({ NODE_EXTRA_CA_CERTS: file })).toBe('0')
    expect(await run({})).toContain('NODE_EXTRA_CA_CERTS')
  })

  it.each<[string, () => Certificate, string]>([
    ['is not trusted', () => certificateFor(['localhost']), 'tls.ca, or in NODE_EXTRA_CA_CERTS'],
    ['is of another name', () => certificateFor(['elsewhere.test']), 'a name that its certificate'],
    ['has expired', () => certificateFor(['localhost'], -1), 'Renew its certificate'],
  ])('is not used when its certificate %s, and what to do is said', async (_what, make, remedy) => {
    const made = make()
    const { port } = await serveBehind(made)
    const ca = remedy.startsWith('tls') ? certificateFor(['localhost']).cert : made.cert
    const failed = await failure(connect(`wss://localhost:${port}`, { tls: { ca } }))
    expect(failed).toBeInstanceOf(ClosedError)
    expect(failed.message).toContain(remedy)
  })

  it('may ask for the certificate of a client', async () => {
    const own = certificateFor(['localhost'])
    const client = certificateFor(['client'])
    const admitted: unknown[] = []
    const { port } = await serveBehind(
      { ...own, ca: client.cert, requestCert: true, rejectUnauthorized: true },
      {
        authorize: ({ socket }) => {
          admitted.push((socket as TLSSocket).getPeerCertificate().subject.CN)
          return true
        },
      },
    )
    const address = `wss://localhost:${port}`
    const failed = await failure(connect(address, { tls: { ca: own.cert } }))
    expect(failed).toBeInstanceOf(ClosedError)
    expect(failed.message).toContain('give tls.cert and tls.key')
    const { cert, key } = client
    const music = await connect(address, { tls: { ca: own.cert, cert, key } })
    expect(await music.tracks.list()).toMatchObject({ total: 0 })
    expect(admitted).toEqual(['client'])
  })

  it('is not at a server without it, and the other way round', async () => {
    const { address } = await serve(await openInline())
    const plain = await failure(connect(address.replace('ws:', 'wss:')))
    expect(plain.message).toContain('no TLS there')
    const { port } = await serveBehind(certificateFor(['localhost']))
    expect(await failure(connect(`ws://localhost:${port}`))).toBeInstanceOf(ClosedError)
    expect(await failure(connect(address, { tls: { ca: 7 } as never }))).toBeInstanceOf(
      ParameterError,
    )
  })
})
