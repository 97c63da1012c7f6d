import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Audile } from '../../src/index.ts'
import { chunk, encode, int, wav } from '../support/audio-files.ts'
import { browser } from '../support/browser.ts'
import { PACKAGE } from '../support/built.ts'
import { clip } from '../support/clips.ts'
import { scratch } from '../support/scratch.ts'
import { type Frames, taggedMp3 } from '../support/tagged-mp3.ts'

const chromium = await browser()

// ---- the player, as a user starts it

class Player {
  readonly url: string
  readonly #child: ChildProcess
  #stopped = false

  private constructor(url: string, child: ChildProcess) {
    this.url = url
    this.#child = child
  }

  static async start(database: string): Promise<Player> {
    const file = join(PACKAGE, 'examples/player/player.mjs')
    const child = spawn(process.execPath, [file, '--database', database], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let complaints = ''
    child.stderr.on('data', (text) => {
      complaints += text
    })
    const [line] = await once(child.stdout, 'data')
    const player = new Player(/http\S+/.exec(String(line))?.[0] ?? '', child)
    onTestFinished(async () => {
      await player.stop()
      expect(complaints).toBe('')
    })
    return player
  }

  get origin(): string {
    return new URL(this.url).origin
  }

  async stop(): Promise<void> {
    if (this.#stopped) return
    this.#stopped = true
    const exit = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
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
class Visitor {
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
    return expect
      .poll(async () => (await this.get('/player/scan')).json, { timeout: 50_000 })
      .not.toMatchObject({ status: 'running' })
      .then(async () => (await this.get('/player/scan')).json)
  }

  /** What the library holds, as the page reads it. */
  async library() {
    const { files } = (await this.get('/player/state')).json
    const { json } = await this.get(`/api/v4/catalog/read?id=${files}&results=100`)
    return json.response.catalog.items
  }

  // Not by fetch, which does not let a Host be made up, nor a path with dots in it.
  #send(method: string, path: string, headers: Record<string, string>, body?: string) {
    const { hostname, port } = new URL(this.#player.url)
    const all = { ...(this.#cookie && { cookie: this.#cookie }), ...headers }
    return new Promise<Answer>((resolve, reject) => {
      const sent = request({ hostname, port, path, method, headers: all }, (response) => {
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
function song(folder: string, name: string, tags: Frames, options: Parameters<typeof clip>[0]) {
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

const HOSTILE = '<img src=x onerror=alert(1)>'

/** Three songs and a file that is none. */
function album(): string {
  const folder = join(scratch(), 'An album')
  mkdirSync(join(folder, 'deeper'), { recursive: true })
  const seconds = 12
  song(
    folder,
    'one.wav',
    { TIT2: 'Morning Train', TPE1: 'The Fixtures', TCON: 'Jazz', TMOO: 'mellow' },
    { seconds, bpm: 120, seed: 3 },
  )
  song(
    folder,
    'two.wav',
    { TIT2: 'Evening Bus', TPE1: 'The Fixtures', TCON: 'Rock' },
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

describe('the server of the player', () => {
  it('answers its own page alone, with the token of this run', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    const stranger = new Visitor(player)
    for (const path of ['/', '/?token=', '/?token=guess', '/app.mjs', '/player/state']) {
      expect((await stranger.get(path)).status, path).toBe(401)
    }
    expect((await stranger.get('/api/v4/catalog/list?api_key=local')).status).toBe(401)

    const page = await stranger.get(player.url.slice(player.origin.length))
    expect(page.status).toBe(200)
    expect(page.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Strict$/)
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors/)
    expect(page.headers['access-control-allow-origin']).toBeUndefined()

    const guest = await Visitor.invited(player)
    const { status, json, headers } = await guest.get('/api/v4/catalog/list')
    expect({ status, code: json.response.status.code }).toEqual({ status: 200, code: 0 })
    expect(headers['access-control-allow-origin']).toBeUndefined()

    // A name of somebody else's that was made to lead here.
    const rebound = { host: `evil.example:${new URL(player.url).port}` }
    expect((await guest.get('/player/state', rebound)).status).toBe(403)
    // A page of somebody else's, in the same browser.
    const foreign = { origin: 'https://evil.example' }
    const port = Number(new URL(player.url).port)
    for (const headers of [
      foreign,
      { origin: 'null' },
      { origin: `http://127.0.0.1:${port + 1}` },
      { origin: `http://localhost:${port}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const told = await guest.post('/player/scan', { folder: scratch() }, headers)
      expect(told.status, JSON.stringify(headers)).toBe(403)
      const form = new URLSearchParams({ name: 'x', type: 'song' })
      expect((await guest.post('/api/v4/catalog/create', form, headers)).status).toBe(403)
    }
    expect((await guest.get('/player/state', foreign)).status).toBe(403)
    const silent = { method: 'POST', body: '{}' }
    const cookieless = await fetch(`${player.origin}/player/scan`, silent)
    expect(cookieless.status).toBe(403)
    expect((await guest.get('/player/scan')).json.status).toBe('idle')

    // Of another run the token is worth nothing.
    const other = await Player.start(join(scratch(), 'music.db'))
    const { search } = new URL(player.url)
    expect((await new Visitor(other).get(`/${search}`)).status).toBe(401)
  })

  it('serves the files of its page, and of the library, and no other', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    const guest = await Visitor.invited(player)
    const page = await guest.get('/')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect((await guest.get('/app.mjs')).headers['content-type']).toMatch('text/javascript')
    const head = await guest.get('/style.css', {}, 'HEAD')
    expect(Number(head.headers['content-length'])).toBeGreaterThan(1000)
    expect(head.bytes).toHaveLength(0)
    const escapes = [
      '/server.mjs',
      '/../server.mjs',
      '/page/index.html',
      '/..%2fserver.mjs',
      '/%2e%2e/server.mjs',
      '//etc/passwd',
      '/player/audio/../../../../etc/passwd',
      '/player/audio/..%2f..%2fetc%2fpasswd',
      '/player/audio//etc/passwd',
      '/player/audio/TRAAAAA00000000000',
      '/player/audio/',
      '/constructor',
      '/player/__proto__',
    ]
    for (const path of escapes) expect((await guest.get(path)).status, path).toBe(404)

    const folder = album()
    await guest.scan(folder)
    const [{ request: item }] = await guest.library()
    const { files } = (await guest.get('/player/state')).json
    const entry = (itemId: string) =>
      JSON.stringify([{ item: { item_id: itemId, url: join(folder, 'notes.txt') } }])
    // The page cannot have another path put into the library …
    const data = entry(item.item_id)
    const form = (id: string) => new URLSearchParams({ id, data })
    const refused = await guest.post('/api/v4/catalog/update', form(files))
    expect(refused.json.response.status).toMatchObject({ code: 2 })
    const key = 'api_key=audile-player-files'
    const inUrl = await guest.post(`/api/v4/catalog/update?${key}&${key}`, form(files))
    expect(inUrl.json.response.status.code).toBe(2)
    const inBody = new URLSearchParams(`${form(files)}&${key}`)
    const unread = await guest.post('/api/v4/catalog/update', inBody)
    expect(unread.json.response.status.code).toBe(5)
    // … nor does a path in a catalog of its own lead anywhere.
    const create = new URLSearchParams({ name: 'Mine', type: 'song' })
    const made = (await guest.post('/api/v4/catalog/create', create)).json.response
    await guest.post('/api/v4/catalog/update', form(made.id))
    const audio = await guest.get(`/player/audio/${item.item_id}`)
    expect(audio.bytes.equals(readFileSync(item.url))).toBe(true)
  })

  it('sends the part of a file that is asked for', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    const guest = await Visitor.invited(player)
    const folder = scratch()
    const path = song(folder, 'a.wav', { TIT2: 'A' }, { seconds: 3 })
    await guest.scan(folder)
    const [{ request: item }] = await guest.library()
    const address = `/player/audio/${item.item_id}`
    const whole = readFileSync(path)
    const size = whole.length

    const all = await guest.get(address)
    expect(all.status).toBe(200)
    expect(all.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-type': 'audio/wav' })
    expect(all.bytes.equals(whole)).toBe(true)
    const etag = String(all.headers.etag)

    const parts: [string, number, number][] = [
      ['bytes=0-0', 0, 1],
      ['bytes=100-199', 100, 200],
      [`bytes=${size - 5}-`, size - 5, size],
      ['bytes=-7', size - 7, size],
      [`bytes=-${size + 10}`, 0, size],
      [`bytes=10-${size + 10}`, 10, size],
    ]
    for (const [range, from, to] of parts) {
      const part = await guest.get(address, { range })
      expect(part.status, range).toBe(206)
      expect(part.headers['content-range']).toBe(`bytes ${from}-${to - 1}/${size}`)
      expect(part.headers['content-length']).toBe(String(to - from))
      expect(part.bytes.equals(whole.subarray(from, to)), range).toBe(true)
    }
    for (const range of [`bytes=${size}-`, 'bytes=-0']) {
      const none = await guest.get(address, { range })
      expect([none.status, none.headers['content-range']]).toEqual([416, `bytes */${size}`])
    }
    // What is no range, or several, is answered with all of it.
    for (const range of ['bytes=5-2', 'bytes=a-b', 'bytes=-', 'items=0-1', 'bytes=0-1,4-5']) {
      expect((await guest.get(address, { range })).bytes.length, range).toBe(size)
    }
    const range = 'bytes=0-9'
    expect((await guest.get(address, { range, 'if-range': etag })).bytes).toHaveLength(10)
    expect((await guest.get(address, { range, 'if-range': '"other"' })).bytes).toHaveLength(size)
    const head = await guest.get(address, { range }, 'HEAD')
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([206, '10', 0])

    rmSync(path)
    const gone = await guest.get(address)
    expect(gone.status).toBe(404)
    expect(gone.json.error).toBe(`${path} is not there any more: scan its new folder.`)
  })

  it('takes a folder in, and takes note of what changed since', async () => {
    const database = join(scratch(), 'music.db')
    const player = await Player.start(database)
    const guest = await Visitor.invited(player)
    const folder = album()
    const first = await guest.scan(folder)
    expect(first).toMatchObject({ status: 'done', folder, done: 4, total: 4, shown: 3, failed: 1 })
    expect(first.failures).toEqual([
      { file: join(folder, 'broken.mp3'), error: expect.stringMatching(/\w/) },
    ])
    const names = async () =>
      (await guest.library()).map((item: { song_name: string }) => item.song_name).sort()
    expect(await names()).toEqual([HOSTILE, 'Evening Bus', 'Morning Train'])

    expect(await guest.scan(folder)).toMatchObject({ shown: 3, removed: 0 })
    expect(await guest.library()).toHaveLength(3)

    rmSync(join(folder, 'deeper'), { recursive: true })
    song(
      folder,
      'two.wav',
      { TIT2: 'Night Tram', TPE1: 'Else' },
      { seconds: 12, bpm: 100, seed: 2 },
    )
    expect(await guest.scan(folder)).toMatchObject({ status: 'done', shown: 2, removed: 2 })
    expect(await names()).toEqual(['Morning Train', 'Night Tram'])
  })

  it('says in words what it cannot take in', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    const guest = await Visitor.invited(player)
    for (const body of [{}, { folder: '  ' }, { folder: 7 }]) {
      const told = await guest.post('/player/scan', body)
      expect([told.status, told.json.error]).toEqual([
        400,
        'Give the path of a folder, as /home/you/Music.',
      ])
    }
    for (const body of [null, 'text', 3]) {
      expect((await guest.post('/player/scan', body)).status).toBe(400)
    }
    expect((await guest.post('/player/scan', { folder: 'x'.repeat(70_000) })).status).toBe(413)

    const folder = album()
    const missing = await guest.scan(join(folder, 'nowhere'))
    expect(missing).toMatchObject({
      status: 'failed',
      error: expect.stringMatching('no such folder'),
    })
    const file = await guest.scan(join(folder, 'one.wav'))
    expect(file).toMatchObject({ status: 'failed', error: expect.stringMatching('not a folder') })
    const similar = await guest.get('/player/similar?id=TRAAAAA00000000000')
    expect([similar.status, similar.json.error]).toEqual([400, expect.stringMatching('not exist')])

    await guest.post('/player/scan', { folder })
    const second = await guest.post('/player/scan', { folder })
    expect([second.status, second.json.error]).toEqual([409, expect.stringMatching(folder)])
    const stopped = await guest.post('/player/scan/cancel', {})
    expect(stopped.json.status).toBe('cancelled')
    // What was begun can be gone on with.
    expect(await guest.scan(folder)).toMatchObject({ status: 'done', shown: 3 })
  })

  it('offers the folders that begin as typed', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    const guest = await Visitor.invited(player)
    const folder = scratch()
    for (const name of ['Albums', 'albums old', '.hidden', 'Other']) mkdirSync(join(folder, name))
    const under = async (typed: string) =>
      (await guest.get(`/player/folders?under=${encodeURIComponent(typed)}`)).json.folders
    expect(await under(join(folder, 'alb'))).toEqual(
      ['Albums', 'albums old'].map((name) => join(folder, name)),
    )
    expect(await under(`${folder}/`)).toHaveLength(3)
    expect(await under(join(folder, 'nothing', 'here'))).toEqual([])
    expect(await under('')).toEqual([])
  })
})

// ---- in a browser

/** A page of the player's in a context of its own; whatever it complains of fails the test. */
async function opened(player: Player, options: BrowserContextOptions = {}): Promise<Page> {
  if (!chromium) throw new Error('no Chromium')
  const context = await chromium.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (said) => {
    if (said.type() === 'error' || said.type() === 'warning') complaints.push(said.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  await page.goto(player.url)
  await page.waitForSelector('body[data-ready]')
  return page
}

// What is asked inside the page. As text: the names of the DOM are none of this package's own types.
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
const GROUND = 'getComputedStyle(document.body).backgroundColor'
const NAMELESS = `[...document.querySelectorAll('button, input, select, [role=slider]')]
  .filter((one) => one.checkVisibility())
  .filter((one) => !one.getAttribute('aria-label') && !one.textContent.trim())
  .filter((one) => !one.labels?.[0]?.textContent.trim())
  .map((one) => one.outerHTML)`
const FOCUS = `(() => {
  const one = document.activeElement
  if (one === document.body) return undefined
  const outlined = (each) => getComputedStyle(each).outlineStyle !== 'none'
  const name = one.id || one.className || one.tagName
  return { name, shown: outlined(one) || outlined(one.parentElement) }
})()`

const rows = (page: Page) => page.locator('[role=grid] .body [role=row]')
const row = (page: Page, title: string) => rows(page).filter({ hasText: title })
const stars = (page: Page, title: string) => row(page, title).getByRole('slider')
const titles = (page: Page) => page.locator('.body .name').allTextContents()

describe.skipIf(!chromium)('the page of the player', () => {
  it('scans, searches, plays and keeps what was rated over a restart', async () => {
    const database = join(scratch(), 'music.db')
    const folder = album()
    const player = await Player.start(database)
    const page = await opened(player)
    expect(new URL(page.url()).search).toBe('')

    // Nothing there yet: it says what to do.
    await page.getByText('There is no music here yet.').waitFor()
    await page.getByLabel('Folder').fill(join(folder, 'nowhere'))
    await page.getByRole('button', { name: 'Scan' }).click()
    await page.getByRole('alert').getByText('no such folder').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByLabel('Folder').fill(folder)
    await page.getByRole('button', { name: 'Scan' }).click()
    await page.getByText('1 file could not be taken in').waitFor()
    await page.getByText(`3 tracks in ${folder}.`).first().waitFor()
    await page.getByRole('button', { name: 'Add folder' }).click()

    expect(await titles(page)).toEqual([HOSTILE, 'Evening Bus', 'Morning Train'])
    const cells = await row(page, 'Morning Train').getByRole('gridcell').allTextContents()
    expect(cells[2]).toBe('The Fixtures')
    expect(cells[3]).toBe('0:12')
    expect(Number(cells[4])).toBeCloseTo(120, -1)
    expect(cells[5]).toMatch(/^[A-G][♭♯]? (major|minor)$/)

    // By words, by the beginning of a word, by a slip of the pen, by style, mood and tempo.
    const found = async (...expected: string[]) => {
      await expect.poll(() => titles(page), { timeout: 5000 }).toEqual(expected)
    }
    await page.keyboard.press('/')
    await page.keyboard.type('evening bus')
    await found('Evening Bus')
    await page.getByLabel('Search titles').fill('even')
    await found('Evening Bus')
    await page.getByLabel('Search titles').fill('the fixturs – mornign train')
    await found('Morning Train')
    await page.keyboard.press('Escape')
    await found(HOSTILE, 'Evening Bus', 'Morning Train')
    await page.getByLabel('Style').fill('jazz')
    await found('Morning Train')
    await page.getByLabel('Mood').fill('-mellow')
    await found()
    await page.getByText('Nothing is like that.').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByLabel('Slowest tempo').fill('100')
    await page.getByLabel('Sort').selectOption('tempo-desc')
    await found(HOSTILE, 'Morning Train')
    await page.getByLabel('Slowest tempo').fill('900')
    await page.getByRole('alert').getByText('Slowest tempo').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('alert').waitFor({ state: 'hidden' })
    await page.getByRole('columnheader', { name: 'BPM' }).getByRole('button').click()
    await found('Evening Bus', 'Morning Train', HOSTILE)
    await page.getByRole('button', { name: 'Clear' }).click()
    await found(HOSTILE, 'Evening Bus', 'Morning Train')

    // By keys alone: play, rate, seek, favourite, ban.
    await row(page, 'Evening Bus').focus()
    const ranges: string[] = []
    page.on('request', (sent) => {
      if (sent.url().includes('/player/audio/')) ranges.push(sent.headers().range ?? '')
    })
    await page.keyboard.press('Enter')
    const elapsed = page.locator('#elapsed')
    await expect.poll(() => elapsed.textContent(), { timeout: 10_000 }).not.toBe('0:00')
    expect(ranges[0]).toMatch(/^bytes=0-/)
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
    await expect.poll(() => page.locator('#beats').getAttribute('data-beat')).toMatch(/^[1-9]$/)
    const dots = await page.locator('#beats span').count()
    expect(dots).toBeGreaterThan(1)
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    const position = page.getByRole('slider', { name: 'Position' })
    await position.fill('6')
    expect(await position.getAttribute('aria-valuetext')).toBe('0:06 of 0:12')
    await row(page, 'Evening Bus').focus()
    await page.keyboard.press('ArrowLeft')
    expect(await elapsed.textContent()).toBe('0:01')
    await page.keyboard.press('4')
    expect(await stars(page, 'Evening Bus').getAttribute('aria-valuetext')).toBe('4 stars')
    await page.keyboard.press('f')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('b')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('2')
    await page.keyboard.press('0')
    expect(await stars(page, '<img').getAttribute('aria-valuetext')).toBe('not rated')
    // Past half of it, it counts as played; what is banned is passed over, and then there is no next.
    await position.fill('7')
    await page.keyboard.press(' ')
    await expect.poll(() => page.locator('#said').textContent()).toBeTruthy()
    await page.getByRole('button', { name: 'Taste' }).click()
    await page.locator('.chips button').filter({ hasText: 'Played 1' }).waitFor({ timeout: 10_000 })
    await page.locator('.chips button').filter({ hasText: 'Banned 1' }).click()
    await found('Morning Train')
    await page.locator('.chips button').filter({ hasText: 'Favourites 1' }).click()
    await found('Evening Bus')

    await page.keyboard.press('s')
    await page.getByRole('heading', { name: 'Sounds like “Evening Bus”' }).waitFor()
    expect((await titles(page)).sort()).toEqual([HOSTILE, 'Morning Train'].sort())
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Library' }).waitFor()
    expect(await page.locator('main img').count()).toBe(0)

    await page.close()
    await player.stop()
    const again = await Player.start(database)
    const later = await opened(again)
    expect(await titles(later)).toEqual([HOSTILE, 'Evening Bus', 'Morning Train'])
    expect(await stars(later, 'Evening Bus').getAttribute('aria-valuetext')).toBe('4 stars')
    const favourite = row(later, 'Evening Bus').getByRole('button', { name: /^Favourite/ })
    expect(await favourite.getAttribute('aria-pressed')).toBe('true')
    const banned = row(later, 'Morning Train').getByRole('button', { name: /^Ban/ })
    expect(await banned.getAttribute('aria-pressed')).toBe('true')
  })

  it('has room for everything from 360 to 1600 pixels, in light and in dark', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    const guest = await Visitor.invited(player)
    const folder = album()
    song(
      folder,
      'long.wav',
      { TIT2: 'Endless'.repeat(40), TPE1: 'Someone with a very long name indeed '.repeat(4) },
      { seconds: 12, bpm: 110, seed: 9 },
    )
    const fits = async (page: Page, what: string) => {
      const over = await page.evaluate<number>(OVERFLOW)
      expect(over, `${what} at ${page.viewportSize()?.width}`).toBe(0)
    }
    const grounds = new Set<string>()
    const sizes = [360, 768, 1280, 1600]
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await opened(player, { colorScheme, reducedMotion: 'reduce' })
      for (const width of sizes) {
        await page.setViewportSize({ width, height: 700 })
        await fits(page, 'nothing yet')
      }
      await page.close()
      await guest.scan(colorScheme === 'light' ? scratch() : folder)
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await opened(player, { colorScheme })
      grounds.add(await page.evaluate<string>(GROUND))
      await row(page, 'Endless').focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
      for (const width of sizes) {
        await page.setViewportSize({ width, height: 700 })
        await page.getByRole('button', { name: 'Library', exact: true }).click()
        await fits(page, 'the library')
        const more = page.getByRole('button', { name: 'Filters' })
        if (await more.isVisible()) await more.click()
        await fits(page, 'the filters')
        await page.getByRole('button', { name: 'Taste' }).click()
        await fits(page, 'the taste')
        await page.getByRole('button', { name: 'Add folder' }).click()
        await fits(page, 'the scan')
        await page.getByRole('button', { name: 'Add folder' }).click()
        if (await more.isVisible()) await more.click()
      }
    }
    expect(grounds.size).toBe(2)
  })

  it('gives a name to everything that can be used, and shows where the focus is', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    await (await Visitor.invited(player)).scan(album())
    const page = await opened(player)
    await row(page, 'Evening Bus').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
    const nameless = await page.evaluate<string[]>(NAMELESS)
    expect(nameless).toEqual([])

    await page.locator('body').press('Tab')
    const reached = new Set<string>()
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab')
      const seen = await page.evaluate<{ name: string; shown: boolean } | undefined>(FOCUS)
      if (!seen) continue
      expect(seen.shown, `focus on ${seen.name}`).toBe(true)
      reached.add(seen.name)
    }
    for (const name of ['words', 'add', 'help', 'play', 'next', 'seek', 'volume', 'stars']) {
      expect([...reached], name).toContain(name)
    }
    expect([...reached].some((name) => name.startsWith('row'))).toBe(true)

    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('grid', { name: 'Library' }).waitFor()
  })

  it('holds ten thousand tracks, and draws those in sight', async () => {
    const database = join(scratch(), 'music.db')
    await manySongs(database, 10_000)
    const page = await opened(await Player.start(database))
    const grid = page.getByRole('grid')
    expect(await grid.getAttribute('aria-rowcount')).toBe('10001')
    expect(await rows(page).count()).toBeLessThan(50)
    await rows(page).first().focus()
    await page.keyboard.press('End')
    await row(page, 'Song 9999').waitFor()
    expect(await rows(page).count()).toBeLessThan(50)
    await page.getByLabel('Search titles').fill('song 5000')
    await row(page, 'Song 5000').waitFor()
    await expect.poll(() => rows(page).count()).toBe(1)
  })
})

/** A library of songs that nobody has the audio of. */
async function manySongs(database: string, count: number): Promise<void> {
  const music = await Audile.open({ database, engine: 'inline', workers: 0 })
  try {
    const records = Array.from({ length: count }, (_, i) => ({
      id: `SOAAAAA${i.toString(16).toUpperCase().padStart(11, '0')}`,
      title: `Song ${String(i).padStart(4, '0')}`,
      artistName: 'The Many',
      audioSummary: { tempo: 60 + (i % 120), key: i % 12, mode: i % 2, duration: 180 },
    }))
    expect(await music.songs.import(records)).toMatchObject({ imported: count, rejected: [] })
    await music.keys.create({ apiKey: 'audile-player-files', commercial: true })
    const files = music.as('audile-player-files').catalogs
    const catalog = await files.create({ name: 'Files of the player', type: 'song' })
    const items = records.map(({ id }, i) => ({
      item: { itemId: `TR${id.slice(2)}`, songId: id, url: `/nowhere/${i}.mp3` },
    }))
    await (await catalog.update(items)).done()
  } finally {
    await music.close()
  }
}
