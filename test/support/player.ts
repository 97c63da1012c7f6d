import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { chunk, encode, int, wav } from './audio-files.ts'
import { PACKAGE } from './built.ts'
import { clip } from './clips.ts'
import { scratch } from './scratch.ts'
import { type Frames, taggedMp3 } from './tagged-mp3.ts'

/** The player, as a user starts it. */
export class Player {
  readonly #database: string
  #url = ''
  #child: ChildProcess | undefined
  #complaints = ''

  private constructor(database: string) {
    this.#database = database
  }

  /** @param port - `null` for that which the player takes by itself */
  static async start(database: string, port: string | null = '0'): Promise<Player> {
    const player = new Player(database)
    // Hooks run in reverse: the pages that a test opens later are closed before.
    onTestFinished(async () => {
      await player.stop()
      expect(player.#complaints).toBe('')
    })
    await player.#launch(port)
    return player
  }

  /** Stops it, and starts it at the same port; `url` has another token then. */
  async restart(): Promise<void> {
    const { port } = new URL(this.#url)
    await this.stop()
    await this.#launch(port)
  }

  async #launch(port: string | null): Promise<void> {
    const file = join(PACKAGE, 'examples/player/player.mjs')
    const given = ['--database', this.#database, ...(port === null ? [] : ['--port', port])]
    const child = spawn(process.execPath, [file, ...given], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    child.stderr.on('data', (text) => {
      this.#complaints += text
    })
    const [line] = await once(child.stdout, 'data')
    this.#url = /http\S+/.exec(String(line))?.[0] ?? ''
  }

  get url(): string {
    return this.#url
  }

  get origin(): string {
    return new URL(this.url).origin
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (!child) return
    this.#child = undefined
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    const [code] = await exit
    expect(code).toBe(0)
  }
}

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any
}

/** Speaks to a player as its page does, or, with other headers, as somebody else. */
export class Visitor {
  readonly #player: Player
  #cookie = ''

  constructor(player: Player) {
    this.#player = player
  }

  static async invited(player: Player): Promise<Visitor> {
    const visitor = new Visitor(player)
    const { headers } = await visitor.get(player.url.slice(player.origin.length))
    visitor.#cookie = (headers['set-cookie']?.[0] ?? '').split(';')[0] as string
    return visitor
  }

  get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
    return this.#send(method, path, headers)
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const form = body instanceof URLSearchParams
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
    const text = form ? String(body) : JSON.stringify(body)
    const all = { origin: this.#player.origin, 'content-type': type, ...headers }
    return this.#send('POST', path, all, text)
  }

  /** Has a folder taken in, and answers how that ended. */
  async scan(folder: string) {
    expect((await this.post('/player/scan', { folder })).status).toBe(200)
    for (;;) {
      const { json } = await this.get('/player/scan')
      if (json.status !== 'running') return json
      await setTimeout(20)
    }
  }

  /** What the library holds, as the page reads it. */
  async library() {
    const { ids } = (await this.get('/player/ids?sort=created-asc')).json
    return (await this.post('/player/rows', { ids })).json.rows
  }

  // Not by fetch, which does not let a Host be made up, nor a path with dots in it.
  #send(method: string, path: string, headers: Record<string, string>, body?: string) {
    const { hostname, port } = new URL(this.#player.url)
    const all = { ...(this.#cookie && { cookie: this.#cookie }), ...headers }
    return new Promise<Answer>((resolve, reject) => {
      // A connection of its own: a server ends one that is idle for some seconds, and on a slow
      // machine that may be the one that is just taken.
      const to = { hostname, port, path, method, headers: all, agent: false as const }
      const sent = request(to, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part) => parts.push(part))
        response.on('end', () => {
          const bytes = Buffer.concat(parts)
          const isJson = /json/.test(response.headers['content-type'] ?? '')
          const json = isJson && bytes.length > 0 ? JSON.parse(String(bytes)) : undefined
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, json })
        })
      })
      sent.on('error', reject).end(body)
    })
  }
}

/** Writes a clip with tags. */
export function song(
  folder: string,
  name: string,
  tags: Frames,
  options: Parameters<typeof clip>[0],
) {
  const { samples, sampleRate } = clip(options)
  const [channel = new Float32Array()] = samples
  const data = encode(
    Array.from(channel, (value) => Math.round(value * 32_767)),
    int(2),
  )
  const after = chunk('id3 ', taggedMp3(tags, 0))
  const path = join(folder, name)
  writeFileSync(path, wav(data, { bits: 16, sampleRate, after }))
  return path
}

export const HOSTILE = '<img src=x onerror=alert(1)>'

/** Three songs and a file that is none. */
export function album(): string {
  const folder = join(scratch(), 'An album')
  mkdirSync(join(folder, 'deeper'), { recursive: true })
  const seconds = 12
  song(
    folder,
    'one.wav',
    { TIT2: 'Morning Train', TPE1: 'The Fixtures', TRCK: '1', TCON: 'Jazz', TMOO: 'mellow' },
    { seconds, bpm: 120, seed: 3 },
  )
  song(
    folder,
    'two.wav',
    { TIT2: 'Evening Bus', TPE1: 'The Fixtures', TRCK: '2', TCON: 'Rock' },
    { seconds, bpm: 90, seed: 8 },
  )
  song(
    join(folder, 'deeper'),
    'three.wav',
    { TIT2: HOSTILE, TPE1: 'A & B' },
    { seconds, bpm: 150, seed: 5 },
  )
  writeFileSync(join(folder, 'broken.mp3'), taggedMp3({ TIT2: 'Broken' }, 1).subarray(0, 40))
  writeFileSync(join(folder, 'notes.txt'), 'no audio')
  return folder
}
