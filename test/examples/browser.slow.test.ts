import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { accessibilityFaults } from '../support/accessibility.ts'
import { browser } from '../support/browser.ts'
import { PACKAGE } from '../support/built.ts'
import { clip, waveFile } from '../support/clips.ts'
import { song } from '../support/music.ts'
import { scratch } from '../support/scratch.ts'

type Analysis = typeof import('../../src/analysis-entry.ts')
interface Given {
  samples: Float32Array[]
  sampleRate: number
}

const chromium = await browser()
/** A machine may be slow: nothing here waits for less. */
const patient = { timeout: 600_000 }
const BUILD = join(PACKAGE, 'dist/analysis.js')
/** As Node runs it, from the build that browsers get too. */
const { analyze, stringifyAnalysis }: Analysis = await import(
  /* @vite-ignore */ pathToFileURL(BUILD).href
)

/** All but when it was made and how long that took. */
const lasting = (text: string) =>
  text.replace(/"timestamp":\d+/, '').replace(/"analysis_time":[\d.]+/, '')
const inNode = (given: Given, fingerprints = false) =>
  lasting(stringifyAnalysis(analyze({ ...given, fingerprints })))

const toText = ({ samples, sampleRate }: Given) => ({
  channels: samples.map((channel) => Buffer.from(channel.slice().buffer).toString('base64')),
  sampleRate,
})
const fromText = (text: string) =>
  new Float32Array(new Uint8Array(Buffer.from(text, 'base64')).buffer)

/** What the files of the fixtures say of their rate; of MP4 files the page does not know it. */
const RATES = {
  'adts.aac': 44_100,
  'ima.wav': 44_100,
  'mono-22050.mp3': 22_050,
  'mono-flac.ogg': 44_100,
  'mono.opus': 48_000,
  'stereo.flac': 44_100,
  'stereo.m4a': undefined,
  'stereo.mp3': 44_100,
  'stereo.ogg': 44_100,
}

async function visit(url: string): Promise<Page> {
  const page = await chromium!.newPage()
  page.setDefaultTimeout(patient.timeout)
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  onTestFinished(async () => {
    await page.close()
    expect(complaints).toEqual([])
  })
  await page.goto(url)
  return page
}

describe.skipIf(!chromium)('the page', patient, () => {
  let server: ChildProcess
  let url: string
  beforeAll(async () => {
    const script = join(PACKAGE, 'examples/browser/serve.mjs')
    server = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(server.stdout!, 'data')
    url = /http\S+/.exec(String(line))?.[0] ?? ''
  }, patient.timeout)
  afterAll(async () => {
    const exit = once(server, 'exit')
    server.kill('SIGTERM')
    expect((await exit)[0]).toBe(0)
  })

  it('analyses a file in a worker, and its document is Node’s to the last decimal', async () => {
    const page = await visit(url)
    const file = await waveFile(scratch(), 'a <b>.wav', clip({ seconds: 12, sampleRate: 32_000 }))
    await page.evaluate(`
      window.seen = []
      const bar = document.querySelector('progress')
      new MutationObserver(() => seen.push(bar.value)).observe(bar, { attributes: true })`)
    await page.setInputFiles('#file', file)
    await page.waitForSelector('#result:not([hidden])')
    expect(await page.textContent('#name')).toBe('a <b>.wav')
    expect(await page.textContent('#facts')).toMatch(/Tempo120\.\d BPM.*Key.*LUFS/)
    expect(await page.textContent('#decoded')).toMatch(/1 channel at 32,000 Hz, the file’s own/)
    const seen = (await page.evaluate('seen')) as number[]
    expect(seen.length).toBeGreaterThan(3)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))

    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')])
    const text = readFileSync(await download.path(), 'utf8')
    // What the browser makes of the file's bytes.
    const decoded = (await page.evaluate(`(async () => {
      const bytes = Uint8Array.from(atob('${readFileSync(file, 'base64')}'), (c) => c.charCodeAt(0))
      const context = new OfflineAudioContext(1, 1, 32_000)
      const audio = await context.decodeAudioData(bytes.buffer)
      const part = new Uint8Array(audio.getChannelData(0).slice().buffer)
      return btoa(Array.from(part, (byte) => String.fromCharCode(byte)).join(''))
    })()`)) as string
    expect(lasting(text)).toBe(inNode({ samples: [fromText(decoded)], sampleRate: 32_000 }))
  })

  it('draws what was found, and says what it cannot decode', async () => {
    const page = await visit(url)
    const file = await waveFile(scratch(), 'song.wav', clip({ seconds: 12 }))
    await page.setInputFiles('#file', file)
    await page.waitForSelector('#result:not([hidden])')
    for (const id of ['waveform', 'beats', 'pitches']) {
      expect(await page.getAttribute(`#${id}`, 'aria-label')).toMatch(/\d/)
      const inked = await page.evaluate(`(() => {
        const canvas = document.getElementById('${id}')
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
        return data.filter((value, i) => i % 4 === 3 && value > 0).length / (data.length / 4)
      })()`)
      expect(inked, id).toBeGreaterThan(0.02)
    }
    const sections = await page.locator('#sections tr').count()
    expect(sections).toBeGreaterThan(0)
    expect(await page.locator('#blocks span').count()).toBe(sections)

    const none = { name: 'notes.wav', mimeType: 'audio/wav', buffer: Buffer.from('no audio') }
    await page.setInputFiles('#file', none)
    await page.waitForSelector('#problem:not(:empty)')
    expect(await page.textContent('#problem')).toMatch(/cannot decode notes\.wav/)
    expect(await page.isHidden('#result')).toBe(true)
  })

  it('fits a telephone', async () => {
    const page = await visit(url)
    await page.setViewportSize({ width: 360, height: 700 })
    await page.setInputFiles('#file', await waveFile(scratch(), 'song.wav', clip({ seconds: 6 })))
    await page.waitForSelector('#result:not([hidden])')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  })
})

describe.skipIf(!chromium)('the page as a demonstration', patient, () => {
  let server: ChildProcess
  let url: string
  beforeAll(async () => {
    const script = join(PACKAGE, 'examples/browser/serve.mjs')
    server = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(server.stdout!, 'data')
    url = /http\S+/.exec(String(line))?.[0] ?? ''
  }, patient.timeout)
  afterAll(() => void server.kill('SIGTERM'))

  const analysed = async (page: Page) => {
    await page.click('#try')
    await page.waitForSelector('#result:not([hidden])')
  }

  it('asks no other machine, and shows tempo and feeling of a generated tune', async () => {
    const page = await visit(url)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.reload()
    await analysed(page)
    const elsewhere = asked.filter((one) => !one.startsWith(url) && !/^(?:blob|data):/.test(one))
    expect(asked.length).toBeGreaterThan(3)
    expect(elsewhere).toEqual([])
    expect(await page.textContent('#feel')).toMatch(/Energy0\.\d\d.*Danceability.*Moods/)
    expect(await page.getAttribute('#tempo', 'aria-label')).toMatch(/Tempo from 1\d\d\.\d to 1/)
  })

  it('works without a network after the first visit', async () => {
    const page = await visit(url)
    await page.evaluate('navigator.serviceWorker.ready')
    await page.reload()
    await page.context().setOffline(true)
    try {
      await page.reload()
      await analysed(page)
    } finally {
      await page.context().setOffline(false)
    }
    expect(await page.textContent('#facts')).toMatch(/120\.0 BPM/)
  })

  it('clicks on the beats while it plays', async () => {
    const page = await visit(url)
    await page.evaluate(`
      window.clicked = []
      const { start } = OscillatorNode.prototype
      OscillatorNode.prototype.start = function (at) {
        const audio = document.getElementById('audio')
        clicked.push(audio.currentTime + at - this.context.currentTime)
        start.call(this, at)
      }`)
    await analysed(page)
    await page.check('#clicks')
    await page.evaluate(`document.getElementById('audio').play()`)
    await expect.poll(() => page.evaluate('clicked.length'), patient).toBeGreaterThan(3)
    const clicked = (await page.evaluate('clicked')) as number[]
    // The tune has a beat each half second.
    for (const time of clicked) expect(Math.abs(2 * time - Math.round(2 * time))).toBeLessThan(0.1)
    expect(new Set(clicked.map((time) => Math.round(2 * time))).size).toBe(clicked.length)
  })

  it('is small', async () => {
    const script = pathToFileURL(join(PACKAGE, 'examples/browser/build.mjs')).href
    const { pageFiles } = (await import(/* @vite-ignore */ script)) as {
      pageFiles(): Promise<Map<string, Uint8Array>>
    }
    const sizes = [...(await pageFiles()).values()].map((contents) => gzipSync(contents).length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(400_000)
  })

  it.each(
    [360, 1280, 1920].flatMap((width) =>
      (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
    ),
  )('has no fault of accessibility at $width pixels, $colorScheme', async (look) => {
    const page = await visit(url)
    await page.setViewportSize({ width: look.width, height: 800 })
    await page.emulateMedia({ colorScheme: look.colorScheme })
    await analysed(page)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(look.width)
  })
})

it('tells the rate of a file from its first bytes', async () => {
  const script = pathToFileURL(join(PACKAGE, 'examples/browser/page/sample-rate.mjs')).href
  const { sampleRateOf } = (await import(/* @vite-ignore */ script)) as {
    sampleRateOf(bytes: Uint8Array): number | undefined
  }
  const fixtures = join(PACKAGE, 'test/audio/fixtures')
  const rates = Object.fromEntries(
    readdirSync(fixtures).map((name) => [name, sampleRateOf(readFileSync(join(fixtures, name)))]),
  )
  expect(rates).toMatchObject(RATES)
  for (let length = 0; length < 64; length++) {
    const start = readFileSync(join(fixtures, 'stereo.flac')).subarray(0, length)
    expect(sampleRateOf(start)).toBeOneOf([undefined, 44_100])
  }
})

describe.skipIf(!chromium)('samples analysed in a browser', patient, () => {
  const pieces: Record<string, Given> = {
    'a song in stereo': {
      samples: [true, false].map((drums) => song({ seconds: 20, tempo: 97, drums }).samples),
      sampleRate: 22_050,
    },
    'a clip at 48 kHz': clip({ seconds: 10, sampleRate: 48_000, bpm: 133 }),
    silence: { samples: [new Float32Array(22_050)], sampleRate: 22_050 },
  }

  /** A page whose policy is that of a careful site, if not stricter. */
  async function pageWith(policy: string): Promise<Page> {
    const { outputFiles } = await build({
      stdin: {
        resolveDir: PACKAGE,
        contents: `import * as audile from ${JSON.stringify(BUILD)}
          const analyzed = ({ channels, ...rest }) => {
            const samples = channels.map((text) =>
              new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer))
            return audile.stringifyAnalysis(audile.analyze({ samples, ...rest }))
          }
          if (self.document) self.analyzed = analyzed
          else self.onmessage = ({ data }) => self.postMessage(analyzed(data))`,
      },
      bundle: true,
      platform: 'browser',
      format: 'esm',
      write: false,
    })
    const page = await chromium!.newPage()
    page.setDefaultTimeout(patient.timeout)
    onTestFinished(() => page.close())
    await page.route('http://audile.test/**', (route) => {
      const script = route.request().url().endsWith('.js')
      return route.fulfill({
        contentType: script ? 'text/javascript' : 'text/html',
        headers: { 'content-security-policy': policy },
        body: script
          ? outputFiles[0]!.text
          : '<!doctype html><script type=module src=/a.js></script>',
      })
    })
    await page.goto('http://audile.test/')
    await expect.poll(() => page.evaluate('Boolean(self.analyzed)')).toBe(true)
    return page
  }

  const sent = (given: Given) => JSON.stringify({ ...toText(given), fingerprints: true })
  const onPage = (page: Page, given: Given): Promise<string> =>
    page.evaluate(`analyzed(${sent(given)})`)
  const inWorker = (page: Page, given: Given): Promise<string> =>
    page.evaluate(`new Promise((resolve, reject) => {
      const worker = new Worker('/a.js', { type: 'module' })
      worker.onerror = ({ message }) => reject(new Error(message))
      worker.onmessage = ({ data }) => resolve(data)
      worker.postMessage(${sent(given)})
    })`)

  it.each(Object.entries(pieces))(
    '%s: as in Node, on the page and in a worker',
    async (_, given) => {
      const page = await pageWith("default-src 'self'; script-src 'self' 'wasm-unsafe-eval'")
      const expected = inNode(given, true)
      expect(lasting(await onPage(page, given))).toBe(expected)
      expect(lasting(await inWorker(page, given))).toBe(expected)
    },
  )

  it('says what to do where a page’s policy forbids WebAssembly', async () => {
    const page = await pageWith("default-src 'self'")
    const compiling = 'new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))'
    await expect(page.evaluate(compiling)).rejects.toThrow(/Content Security Policy/)
    const given = pieces['a song in stereo']!
    await expect(onPage(page, given)).rejects.toThrow(/Add 'wasm-unsafe-eval' to script-src/)
  })
})
