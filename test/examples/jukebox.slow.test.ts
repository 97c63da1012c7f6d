import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fromHtml } from 'hast-util-from-html'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { accessibilityFaults } from '../support/accessibility.ts'
import { browser } from '../support/browser.ts'
import { waveBytes } from '../support/clips.ts'
import { mp3Bytes } from '../support/encode.ts'
import { example } from '../support/example.ts'
import { own, type Piece, SCRIPT, type Step, type Tune, tuned } from '../support/jukebox.ts'
import { complaints, excess, groundLight, overlaps } from '../support/layout.ts'
import { song } from '../support/music.ts'
import { taggedMp3 } from '../support/tagged-mp3.ts'

const chromium = await browser()
const folder = mkdtempSync(join(tmpdir(), 'audile-jukebox-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'jukebox.html')
const empty = join(folder, 'empty.html')
const HOSTILE = '<script>document.title="taken"</script>'

let path: string
beforeAll(async () => {
  // Ten bars, twice.
  const once = song({ seconds: 20, tempo: 120, sampleRate: 44_100 }).samples
  const samples = new Float32Array(2 * once.length)
  samples.set(once)
  samples.set(once, once.length)
  const mp3 = await mp3Bytes({ samples: [samples], sampleRate: 44_100 }, 128)
  path = join(folder, 'piece.mp3')
  writeFileSync(path, Buffer.concat([taggedMp3({ TIT2: HOSTILE }, 0), mp3]))
  const { code, stdout, stderr } = await example(SCRIPT, [path, '--out', file])
  expect(stderr).toBe('')
  expect(stdout).toMatch(/: \d+ beats, \d+ % of them with twins\./)
  expect(code).toBe(0)
  expect((await example(SCRIPT, ['--out', empty])).stdout).toBe(`${empty}: Open it in a browser.\n`)
})

/** What a page knows of the piece. */
function data(page = file): Piece & { audio: string; metre: number; tune: Tune } {
  const text = readFileSync(page, 'utf8')
  const json = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(text)?.[1]
  return JSON.parse(json ?? '')
}

/** The pairs that may follow one another by a jump. */
function allowed(): string[] {
  const piece = data()
  const { branches, last } = tuned(piece, piece.tune)
  return [...branches, last ?? piece.last].map(({ beat, twin }) => `${beat} ${twin}`)
}

/** Says on the test's side which beats sound. */
async function stepsOf(page: Page) {
  const steps: (Step & { start: number; end: number })[] = []
  await page.exposeFunction('heardBeat', (step: (typeof steps)[0]) => void steps.push(step))
  await page.evaluate(`addEventListener('beat', ({ detail }) => heardBeat(detail))`)
  return steps
}

const LOOKS = [360, 1280, 1920].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
)

describe('the page', () => {
  it('is one file of faultless HTML, in which nothing of a tag is markup', () => {
    const faults: string[] = []
    const text = readFileSync(file, 'utf8')
    fromHtml(text, { onerror: (fault) => void faults.push(`${fault.reason} ${fault.line}`) })
    expect(faults).toEqual([])
    expect(text).toContain('"title":"\\u003cscript>')
    expect(text).not.toMatch(/(src|href)="(?!data:)/)
    expect(data().audio).toMatch(/^data:audio\/mpeg;base64,/)
  })

  it('has branches between beats of the same place in the bar', () => {
    const { beats, ...rest } = data()
    const { branches } = tuned({ beats, ...rest }, rest.tune)
    expect(new Set(branches.map(({ beat }) => beat)).size).toBeGreaterThan(beats.length / 4)
    for (const { beat, twin } of branches) expect(beats[twin]?.place).toBe(beats[beat]?.place)
    // The piece is heard twice: what is alike is mostly one half of it apart.
    const apart = branches.map(({ beat, twin }) =>
      Math.abs((beats[beat]?.start ?? 0) - (beats[twin]?.start ?? 0)),
    )
    expect(apart.filter((s) => Math.abs(s - 20) < 0.1).length).toBeGreaterThan(apart.length / 3)
  })

  it('is told how it is used, and what no browser plays', async () => {
    expect((await example(SCRIPT, ['one', 'two'])).stderr).toContain('usage:')
    const { code, stderr } = await example(SCRIPT, ['piece.xm'])
    expect(code).toBe(1)
    expect(stderr).toContain('piece.xm - browsers do not play')
  })

  it.skipIf(!chromium).each(LOOKS)('fits $width pixels, $colorScheme', async (look) => {
    const { page, complained } = await opened(look)
    await page.locator('#play:enabled').waitFor()
    // The whole circle is in the window, without scrolling.
    const box = (await page.locator('#wheel').boundingBox())!
    expect(Math.min(box.x, box.y)).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(look.width)
    expect(box.y + box.height).toBeLessThanOrEqual(800)
    expect(box.width).toBeGreaterThan(320)
    await page.locator('#twins summary').click()
    await page.locator('#rows tr').first().waitFor()
    expect(await excess(page)).toBeLessThanOrEqual(0)
    expect(await overlaps(page, 'header, .wheel, .counts, #tune, .keys')).toEqual([])
    const light = await groundLight(page)
    if (look.colorScheme === 'light') expect(light).toBeGreaterThan(240)
    else expect(light).toBeLessThan(40)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(complained).toEqual([])
  })

  it.skipIf(!chromium)(
    'draws every candidate, colour by timbre and height by loudness',
    async () => {
      const { page } = await opened({})
      const { beats, candidates, last, tune } = data()
      expect(await page.locator('.arcs path').count()).toBe(candidates.length + 1)
      const pairs = new Set(
        tuned(data(), tune).branches.map(({ beat, twin }) => [beat, twin].sort().join()),
      )
      expect(await page.locator('.arcs .open').count()).toBe(
        [...candidates, last].filter(({ beat, twin }) => pairs.has([beat, twin].sort().join()))
          .length,
      )
      const drawn = (await page.evaluate(`[...document.querySelectorAll('.beats path')].map(
      (path) => [path.getTotalLength(), getComputedStyle(path).stroke])`)) as [number, string][]
      expect(drawn).toHaveLength(beats.length)
      const loudness = beats.map((beat) => (beat as unknown as { loudness: number }).loudness)
      const order = loudness.map((_, i) => i).sort((a, b) => loudness[a]! - loudness[b]!)
      const heights = order.map((i) => drawn[i]![0])
      for (const [i, height] of heights.slice(1).entries())
        expect(height).toBeGreaterThan(heights[i]! - 0.2)
      expect(heights.at(-1)! - heights[0]!).toBeGreaterThan(10)
      const [, chroma, hue] = beats[9]!.colour
      expect(drawn[9]![1]).toMatch(new RegExp(`^oklch\\([\\d.]+ ${chroma} ${hue}\\)$`))
      expect(new Set(drawn.map(([, stroke]) => stroke)).size).toBeGreaterThan(beats.length / 4)
    },
  )

  it.skipIf(!chromium)('plays, jumps, and obeys the keyboard', async () => {
    const { page, complained } = await opened({ query: '?seed=7' })
    const steps = await stepsOf(page)
    await page.locator('#play:enabled').focus()
    await page.keyboard.press('Enter')
    const wheel = page.getByRole('slider', { name: 'Beat' })
    await expect.poll(() => steps.length).toBeGreaterThan(2)
    expect(steps[0]).toMatchObject({ beat: 0 })
    await page.keyboard.press('ArrowUp')
    // One jump that was asked for, one of its own.
    const jumps = () => steps.filter(({ from }) => from !== undefined)
    await expect.poll(() => jumps().length).toBeGreaterThan(1)
    for (const { beat, from } of jumps()) expect(allowed()).toContain(`${from} ${beat}`)
    // Each beat begins where the one before ended, to the sample.
    for (const [i, step] of steps.slice(1).entries()) expect(step.start).toBe(steps[i]?.end)
    expect(await page.locator('#jumps').textContent()).toBe(String(jumps().length))
    expect(await wheel.getAttribute('aria-valuetext')).toMatch(/^beat \d+, 0:\d\d, \d+ jumps$/)

    await page.keyboard.press('Home')
    await expect.poll(() => steps.at(-1)?.beat).toBeLessThan(3)
    const box = await wheel.boundingBox()
    if (!box) throw new Error('The wheel is not shown.')
    await page.mouse.click(box.x + box.width / 2, box.y + box.height * 0.9)
    const half = data().beats.length / 2
    await expect.poll(() => steps.at(-1)?.beat).toBeGreaterThan(half - 3)

    await wheel.focus()
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: 'Play' }).waitFor()
    expect(await page.locator('#told').textContent()).toBe('Paused.')
    expect(complained).toEqual([])
  })

  it.skipIf(!chromium).each([
    ['no-preference', true],
    ['reduce', false],
  ] as const)('moves an arc at a jump, unless less motion is wanted: %s', async (motion, moves) => {
    const { page } = await opened({ query: '?seed=7' })
    await page.emulateMedia({ reducedMotion: motion })
    const steps = await stepsOf(page)
    await page.evaluate(`
      window.moved = 0
      const { animate } = Element.prototype
      Element.prototype.animate = function (...args) {
        moved++
        return animate.apply(this, args)
      }`)
    await page.locator('#play:enabled').click()
    await expect.poll(() => steps.length).toBeGreaterThan(0)
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => steps.some(({ from }) => from !== undefined)).toBe(true)
    expect(await page.evaluate('moved > 0')).toBe(moves)
  })

  it.skipIf(!chromium)('is tuned by the keyboard, while it plays', async () => {
    const { page, complained } = await opened({})
    const open = () => page.locator('#open').textContent()
    const number = async () => Number.parseInt((await open()) ?? '', 10)
    const suggested = await number()
    expect(suggested).toBe(tuned(data(), data().tune).branches.length)
    await page.locator('#play:enabled').click()
    await page.locator('#threshold').focus()
    await page.keyboard.press('End')
    expect(await number()).toBeGreaterThan(suggested)
    expect(await page.locator('#threshold-value').textContent()).toBe('0.90')
    await page.keyboard.press('Home')
    expect(await open()).toMatch(/^(\d+ branches|No branch\. The two beats .* raise the threshold)/)
    await page.getByRole('button', { name: 'As the piece suggests' }).press('Enter')
    expect(await number()).toBe(suggested)
    await page.locator('#direction').selectOption('back')
    const back = tuned(data(), { ...data().tune, jumps: 'back' }).branches.length
    expect(await number()).toBe(back)
    expect(await page.locator('.arcs .last').count()).toBe(1)
    await page.locator('#last').press(' ')
    expect(await page.locator('.arcs .last').count()).toBe(0)
    // Without it the piece is over at its end.
    await page.locator('#threshold').press('Home')
    const box = (await page.locator('#wheel').boundingBox())!
    await page.mouse.click(box.x + box.width * 0.47, box.y + box.height * 0.09)
    await expect
      .poll(() => page.locator('#told').textContent(), { timeout: 20_000 })
      .toBe('The piece is over: no branch leads back.')
    expect(complained).toEqual([])
  })
})

describe.skipIf(!chromium)('the page without a piece', () => {
  it.each(LOOKS)('asks for a file, at $width pixels, $colorScheme', async (look) => {
    const { page, complained } = await opened({ ...look, of: empty })
    await page.getByText('Choose an audio file').waitFor()
    expect(await excess(page)).toBeLessThanOrEqual(0)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(complained).toEqual([])
  })

  it('analyses a file in the browser alone, and saves and opens what it found', async () => {
    const { page, complained } = await opened({ of: empty })
    await page.setInputFiles('#file', path)
    await page.locator('#play:enabled').waitFor()
    expect(await page.locator('#title').textContent()).toBe('piece')
    const told = await page.locator('#open').textContent()
    expect(Number.parseInt(told ?? '', 10)).toBeGreaterThan(20)
    await page.locator('#threshold').press('ArrowRight')
    const tunedTo = await page.locator('#threshold-value').textContent()

    const saved = async (button: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: button }).click(),
      ])
      const to = join(folder, download.suggestedFilename())
      await download.saveAs(to)
      return to
    }
    const html = await saved('Save page with audio')
    const json = await saved('Save without audio')
    expect([html, json].map((name) => name.slice(folder.length + 1))).toEqual([
      'piece.jukebox.html',
      'piece.jukebox.json',
    ])
    expect(complained).toEqual([])

    const again = await opened({ of: html })
    await again.page.locator('#play:enabled').waitFor()
    expect(await again.page.locator('#threshold-value').textContent()).toBe(tunedTo)
    expect(again.complained).toEqual([])

    await page.goto(pathToFileURL(empty).href)
    await page.setInputFiles('#file', json)
    await page.locator('#wheel').waitFor()
    expect(await page.locator('#threshold-value').textContent()).toBe(tunedTo)
    expect(await page.locator('#play').isDisabled()).toBe(true)
    await page.setInputFiles('#file', path)
    await page.locator('#play:enabled').waitFor()
    expect(await page.locator('#threshold-value').textContent()).toBe(tunedTo)
    expect(complained).toEqual([])
  })

  it('says what it cannot read', async () => {
    const { page } = await opened({ of: empty })
    const give = (name: string, text: string) =>
      page.setInputFiles('#file', { name, mimeType: 'x/y', buffer: Buffer.from(text) })
    await give('notes.wav', 'no audio')
    await page.getByText('This browser cannot decode notes.wav').waitFor()
    await give('other.json', '{}')
    await page.getByText('This file is no saved jukebox.').waitFor()
    const silence = Buffer.from(
      await waveBytes({ samples: [new Float32Array(88_200)], sampleRate: 44_100 }),
    )
    await page.setInputFiles('#file', {
      name: 'silence.wav',
      mimeType: 'audio/wav',
      buffer: silence,
    })
    await page.getByText('This piece has no beats to jump between.').waitFor()
  })
})

it.skipIf(!chromium)('plays what follows without a seam, and fades only at a jump', async () => {
  if (!chromium) return
  const page = await chromium.newPage()
  onTestFinished(() => page.close())
  const content = `${readFileSync(own('page/deck.mjs'), 'utf8')}\nglobalThis.createDeck = createDeck`
  await page.addScriptTag({ type: 'module', content })
  await expect.poll(() => page.evaluate('Boolean(globalThis.createDeck)')).toBe(true)
  const wrong = await page.locator('html').evaluate(async (root) => {
    const { createDeck, OfflineAudioContext } = root.ownerDocument.defaultView
    const rate = 44_100
    const context = new OfflineAudioContext(1, 4 * rate, rate)
    const buffer = context.createBuffer(1, 8 * rate, rate)
    const samples: Float32Array = buffer.getChannelData(0)
    for (let i = 0; i < samples.length; i++) samples[i] = Math.sin(i * i * 1e-5)
    const beats = Array.from({ length: 16 }, (_, i) => ({
      start: i * 0.4871,
      end: (i + 1) * 0.4871,
    }))
    const deck = createDeck(context, buffer, beats)
    deck.add({ beat: 2 }, 0.1)
    for (const beat of [3, 4, 11, 12]) deck.add({ beat })
    // This was not to be: another beat is chosen while the one before sounds.
    deck.cut(deck.at(0.1 + 3.5 * 0.4871).end)
    deck.add({ beat: 7 })
    // Nor was this jump: the same run goes on instead.
    deck.add({ beat: 14 })
    deck.cut(deck.at(0.1 + 4.5 * 0.4871).end)
    for (const beat of [8, 9]) deck.add({ beat })
    const out: Float32Array = (await context.startRendering()).getChannelData(0)
    const at = (beats: number) => Math.round((0.1 + beats * 0.4871) * rate)
    const from = (beat: number) => Math.round(beat * 0.4871 * rate)
    const fade = Math.ceil(0.012 * rate) + 1
    const differs = (start: number, end: number, offset: number) => {
      let count = 0
      for (let i = start; i < end; i++) {
        if (Math.abs((out[i] ?? 0) - (samples[i - start + offset] ?? 0)) > 1e-4) count++
      }
      return count
    }
    return [
      differs(at(0), at(3) - fade, from(2)),
      differs(at(3), at(4) - fade, from(11)),
      differs(at(4), at(7), from(7)),
      Math.max(...out.subarray(0, at(0) - fade)),
    ]
  })
  expect(wrong).toEqual([0, 0, 0, 0])
})

async function opened(options: {
  width?: number
  colorScheme?: 'light' | 'dark'
  query?: string
  of?: string
}) {
  if (!chromium) throw new Error('No Chromium.')
  const { width = 1280, colorScheme = 'light', query = '', of = file } = options
  const page = await chromium.newPage({ viewport: { width, height: 800 }, colorScheme })
  onTestFinished(() => page.close())
  const complained = complaints(page)
  await page.goto(pathToFileURL(of).href + query)
  return { page, complained }
}
