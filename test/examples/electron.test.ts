import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import type { Audile } from '../../src/index.ts'
import { PACKAGE } from '../support/built.ts'
import { clip, waveBytes } from '../support/clips.ts'
import { openInline } from '../support/open.ts'

/** What the example needs of Electron: somewhere to hang a handler. */
class StandIn {
  readonly #handlers = new Map<string, (request: Request) => Response | Promise<Response>>()

  handle(scheme: string, handler: (request: Request) => Response | Promise<Response>): void {
    this.#handlers.set(scheme, handler)
  }

  async fetch(url: string, init?: RequestInit): Promise<Response> {
    const request = new Request(url, init)
    const handler = this.#handlers.get(new URL(url).protocol.slice(0, -1))
    if (!handler) throw new Error(`nobody answers ${url}`)
    return handler(request)
  }
}

interface Example {
  SCHEME: { scheme: string; privileges: Record<string, boolean> }
  serve(protocol: StandIn, music: Audile): void
}

const FILE = join(PACKAGE, 'examples/electron/main.mjs')

async function served(): Promise<{ protocol: StandIn; example: Example }> {
  const example = (await import(/* @vite-ignore */ pathToFileURL(FILE).href)) as Example
  const protocol = new StandIn()
  example.serve(protocol, await openInline())
  return { protocol, example }
}

async function envelope(response: Response) {
  const { response: told } = JSON.parse(await response.text())
  return told
}

it('answers the old protocol at audile://api/v4/', async () => {
  const { protocol, example } = await served()
  expect(example.SCHEME).toMatchObject({
    scheme: 'audile',
    privileges: { standard: true, secure: true, supportFetchAPI: true },
  })
  const uploaded = await envelope(
    await protocol.fetch(
      'audile://api/v4/track/upload?api_key=local&filetype=wav&wait=true&bucket=audio_summary',
      {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: await waveBytes(clip()),
      },
    ),
  )
  expect(uploaded.status).toMatchObject({ code: 0, message: 'Success' })
  expect(uploaded.track.status).toBe('complete')

  const query = 'api_key=local&sort=tempo-asc&bucket=audio_summary'
  const found = await envelope(await protocol.fetch(`audile://api/v4/song/search?${query}`))
  expect(found.songs).toHaveLength(1)
  // The address it answers with is of the same origin, and is answered too.
  const address = found.songs[0].audio_summary.analysis_url
  expect(address).toMatch(/^audile:\/\/api\//)
  const document = JSON.parse(await (await protocol.fetch(address)).text())
  expect(document.track.duration).toBe(3)
})

it('opens a page that asks it, and answers nothing else', async () => {
  const { protocol } = await served()
  const page = await protocol.fetch('audile://api/')
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toBe("default-src 'self'")
  expect(await page.text()).toContain('src="/page.mjs"')
  expect(await (await protocol.fetch('audile://api/page.mjs')).text()).toContain(
    "fetch('audile://api/v4/'",
  )
  expect((await protocol.fetch('audile://elsewhere/')).status).toBe(404)
  const unknown = await protocol.fetch('audile://api/v4/no/method?api_key=local')
  expect(unknown.status).toBe(404)
  // Pages of other origins are not let in.
  const listed = await protocol.fetch('audile://api/v4/catalog/list?api_key=local')
  expect(listed.headers.get('access-control-allow-origin')).toBeNull()
})

it('is no reason to depend on Electron', () => {
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(PACKAGE, 'package.json'), 'utf8'),
  )
  expect({ ...dependencies, ...devDependencies, ...peerDependencies }).not.toHaveProperty(
    'electron',
  )
  expect(readFileSync(FILE, 'utf8').split('\n')[0]).toMatch(/^\/\/ [A-Z].*electron/)
})
