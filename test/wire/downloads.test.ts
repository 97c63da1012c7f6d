import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isPublic } from '../../src/kernel/public-address.ts'
import { clip, waveBytes } from '../support/clips.ts'
import { openInline } from '../support/open.ts'
import { Client } from '../support/wire.ts'

const WAVE = await waveBytes(clip({ seconds: 1 }))
/** This machine, but not by its best known address; nobody has to listen there. */
const OTHER = '127.0.0.2'

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  // Whoever asks ends idle connections: else one may be ended that is just taken for the next.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const audio: RequestListener = (_, response) => response.end(WAVE)
const to =
  (location: string): RequestListener =>
  (_, response) =>
    response.writeHead(302, { location }).end()

const upload = (client: Client, url: string) => client.post('track/upload', { url })

describe('addresses', () => {
  it.each([
    '93.184.216.34',
    '8.8.8.8',
    '2606:4700:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('%s is public', (address) => {
    expect(isPublic(address)).toBe(true)
  })

  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '2002:7f00:1::',
    'fc00::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
  ])('%s is not', (address) => {
    expect(isPublic(address)).toBe(false)
  })
})

describe('uploads by address', () => {
  it.each([
    'http://127.0.0.1:1/a.mp3',
    'http://127.1:1/a.mp3',
    'http://2130706433:1/a.mp3',
    'http://0x7f.1:1/a.mp3',
    'http://[::1]:1/a.mp3',
    'http://[::ffff:127.0.0.1]:1/a.mp3',
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost:1/a.mp3',
    'https://localhost:1/a.mp3',
    'http://user:pass@localhost:1/a.mp3',
  ])('refuse %s', async (url) => {
    const client = new Client(await openInline())
    const { http, status } = await upload(client, url)
    expect(http).toBe(400)
    expect(status.code).toBe(5)
    expect(status.message).toMatch(
      /^url - Invalid parameter: ".*" is no public address, or leads to none$/,
    )
  })

  it.each(['ftp://example.org/a', 'data:audio/wav,x', 'javascript:1', '//example.org/a', 'a.mp3'])(
    'refuse %s, which is not of the web',
    async (url) => {
      const client = new Client(await openInline())
      expect((await upload(client, url)).status.message).toBe(
        `url - Invalid parameter: "${url}" must be an http or https address`,
      )
    },
  )

  it('reach what is allowed, and nothing else that it leads to', async () => {
    const asked: string[] = []
    const client = new Client(await openInline(), {
      allowPrivate: (address) => {
        asked.push(address)
        return address === '127.0.0.1'
      },
    })
    const secret = `http://${OTHER}:1/secret`
    const good = await serve(audio)
    for (const [listener, code] of [
      [audio, 0],
      [to(`${good}/a.wav`), 0],
      [to(secret), 5],
      [to(`${secret.replace('http:', '')}`), 5],
      [to('http://[::1]:9/'), 5],
      [to('file:///etc/passwd'), 5],
      [to('http://:'), 5],
    ] as [RequestListener, number][]) {
      const { status } = await upload(client, `${await serve(listener)}/x`)
      expect(status.code).toBe(code)
      if (code !== 0) expect(status.message).not.toContain('could not be downloaded: connect')
    }
    expect(asked).toContain(OTHER)
  })

  it('do not follow in circles, nor take an error page for music', async () => {
    const client = new Client(await openInline(), { allowPrivate: true })
    const round = await serve(to('/again'))
    expect((await upload(client, round)).status.message).toBe(
      `url - Invalid parameter: "${round}" could not be downloaded: it redirects more than 10 times`,
    )
    const broken = await serve((_, response) => response.writeHead(503).end('no'))
    expect((await upload(client, broken)).status.message).toBe(
      `url - Invalid parameter: "${broken}" could not be downloaded: the server answered 503`,
    )
    const cut = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('RIFF', () => response.destroy())
    })
    const { http, status } = await upload(client, cut)
    expect([http, status.code]).toEqual([400, 5])
    expect(status.message).toMatch(/could not be downloaded: /)
    const { status: none } = await upload(client, 'http://127.0.0.1:1/a')
    expect(none.message).toMatch(/could not be downloaded: /)
  })

  it('are bounded in bytes and seconds', async () => {
    const small = { allowPrivate: true, limits: { uploadBytes: 1000 } }
    const long = await serve(audio)
    expect((await upload(new Client(await openInline(), small), long)).status.message).toBe(
      'url - Invalid parameter: it has more than the 1000 bytes of limits.uploadBytes',
    )
    const short = { allowPrivate: true, limits: { downloadSeconds: 0.2 } }
    const client = new Client(await openInline(), short)
    const slow = await serve((_, response) => response.write('RIFF'))
    expect((await upload(client, slow)).status.message).toBe(
      `url - Invalid parameter: "${slow}" took longer than the 0.2 s of limits.downloadSeconds`,
    )
    const silent = await serve(() => {})
    expect((await upload(client, silent)).status.message).toContain('limits.downloadSeconds')
  })

  it('do not begin for who has no key, or says what there is not', async () => {
    let asked = 0
    const url = await serve((request, response) => {
      asked++
      audio(request, response)
    })
    const client = new Client(await openInline(), { allowPrivate: true })
    for (const query of [
      { api_key: 'nobody' },
      { filetype: 'exe' },
      { wait: 'x' },
      { nonsense: 1 },
    ]) {
      const { status } = await client.post('track/upload', { url, ...query })
      expect(status.code).not.toBe(0)
    }
    expect(asked).toBe(0)
  })

  it('are refused where the rule that allows them throws', async () => {
    const client = new Client(await openInline(), {
      allowPrivate() {
        throw new Error('no rule')
      },
    })
    for (const url of ['http://localhost:1/', 'http://127.0.0.1:1/']) {
      expect((await upload(client, url)).status.message).toContain('no public address')
    }
  })
})
