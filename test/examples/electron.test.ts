import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import type { Audile } from '../../src/index.ts'
import { PACKAGE } from '../support/built.ts'
import { clip, waveBytes, waveFile } from '../support/clips.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

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

interface OldProtocol {
  SCHEME: { scheme: string; privileges: Record<string, boolean> }
  serve(protocol: StandIn, music: Audile): void
}

type Handler = (event: { sender: Window }, ...args: unknown[]) => unknown

/** What the example needs of a window: somewhere to send progress to. */
class Window {
  readonly told: { channel: string; progress: { done: number; total: number; file: string } }[] = []
  destroyed = false

  send(channel: string, progress: (typeof this.told)[number]['progress']): void {
    this.told.push({ channel, progress })
  }

  isDestroyed(): boolean {
    return this.destroyed
  }
}

interface Main {
  connect(
    ipcMain: { handle(channel: string, handler: Handler): void },
    music: Audile,
    chooseFolder: () => Promise<string | undefined>,
  ): void
}

const FOLDER = join(PACKAGE, 'examples/electron')

async function imported<T>(name: string): Promise<T> {
  return (await import(/* @vite-ignore */ pathToFileURL(join(FOLDER, name)).href)) as T
}

async function served(): Promise<{ protocol: StandIn; example: OldProtocol }> {
  const example = await imported<OldProtocol>('old-protocol.mjs')
  const protocol = new StandIn()
  example.serve(protocol, await openInline())
  return { protocol, example }
}

/** The main process's side, as a window invokes it. */
async function connected(music: Audile, folder: string | undefined) {
  const { connect } = await imported<Main>('main.mjs')
  const handlers = new Map<string, Handler>()
  const window = new Window()
  connect(
    { handle: (channel, handler) => handlers.set(channel, handler) },
    music,
    async () => folder,
  )
  const invoke = (channel: string, ...args: unknown[]) =>
    handlers.get(channel)?.({ sender: window }, ...args)
  return { window, invoke }
}

it('scans a folder by its path, tells how far it is, and copies nothing', async () => {
  const folder = scratch()
  const slow = await waveFile(folder, 'slow # 1 ü.wav', clip({ seconds: 8, bpm: 90 }))
  const fast = await waveFile(folder, 'fast.wav', clip({ seconds: 8, bpm: 150, seed: 4 }))
  writeFileSync(join(folder, 'broken.wav'), 'RIFF    WAVEfmt ')
  const home = scratch()
  const music = await openInline({ database: join(home, 'music.db') })
  const { window, invoke } = await connected(music, folder)

  const sum = await invoke('scan')
  const errors = [expect.stringMatching(/broken\.wav: \w/)]
  expect(sum).toMatchObject({ folder, added: 2, failed: 1, missing: 0, errors })
  expect(window.told[0]).toMatchObject({ channel: 'progress', progress: { done: 1, total: 3 } })
  const urls = [slow, fast].map((path) => pathToFileURL(path).href)
  const listed = (await invoke('tracks', 0)) as { tracks: { url: string; tempo?: number }[] }
  const analysed = listed.tracks.filter(({ tempo }) => tempo !== undefined)
  expect(analysed.map(({ url }) => url)).toEqual(urls)
  expect(readdirSync(home)).not.toContain('music.db-audio')

  rmSync(slow)
  expect(await invoke('scan')).toMatchObject({ unchanged: 1, failed: 1, missing: 1 })
  // A window that is closed is sent nothing, and ends the scan.
  window.destroyed = true
  window.told.length = 0
  expect(await invoke('scan')).toMatchObject({ unchanged: 1 })
  expect(window.told).toEqual([])
  expect(await (await connected(music, undefined)).invoke('scan')).toBeUndefined()
})

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

it('answers nothing else', async () => {
  const { protocol } = await served()
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
  expect(readFileSync(join(FOLDER, 'main.mjs'), 'utf8').split('\n')[0]).toMatch(
    /^\/\/ [A-Z].*electron/,
  )
})
