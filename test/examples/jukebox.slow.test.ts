import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fromHtml } from 'hast-util-from-html'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { browser } from '../support/browser.ts'
import { mp3Bytes } from '../support/encode.ts'
import { example } from '../support/example.ts'
import { own, type Piece, SCRIPT, type Step } from '../support/jukebox.ts'
import { complaints, excess, groundLight, overlaps } from '../support/layout.ts'
import { song } from '../support/music.ts'
import { taggedMp3 } from '../support/tagged-mp3.ts'

const chromium = await browser()
const folder = mkdtempSync(join(tmpdir(), 'audile-jukebox-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'jukebox.html')
const HOSTILE = '<script>document.title="taken"</script>'

beforeAll(async () => {
  // Ten bars, twice.
  const once = song({ seconds: 20, tempo: 120, sampleRate: 44_100 }).samples
  const samples = new Float32Array(2 * once.length)
  samples.set(once)
  samples.set(once, once.length)
  const mp3 = await mp3Bytes({ samples: [samples], sampleRate: 44_100 }, 128)
  const path = join(folder, 'piece.mp3')
  writeFileSync(path, Buffer.concat([taggedMp3({ TIT2: HOSTILE }, 0), mp3]))
  const { code, stdout, stderr } = await example(SCRIPT, [path, '--out', file])
  expect(stderr).toBe('')
  expect(stdout).toMatch(/: \d+ beats, \d+ % of them with twins\./)
  expect(code).toBe(0)
})

/** What the page knows of the piece. */
function data(): Piece & { url: string; metre: number } {
  const text = readFileSync(file, 'utf8')
  const json = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(text)?.[1]
  return JSON.parse(json ?? '')
}

describe('the page', () => {
  it('is one file of faultless HTML, in which nothing of a tag is markup', () => {
    const faults: string[] = []
    const text = readFileSync(file, 'utf8')
    fromHtml(text, { onerror: (fault) => void faults.push(`${fault.reason} ${fault.line}`) })
    expect(faults).toEqual([])
    expect(text.match(/<script/g)).toHaveLength(2)
    expect(text).toContain('<h1>&lt;script&gt;')
    expect(text).not.toMatch(/(src|href)="(?!data:)/)
    expect(data().url).toMatch(/^data:audio\/mpeg;base64,/)
  })

  it('has branches between beats of the same place in the bar', () => {
    const { beats, branches } = data()
    const first = new Map<number, number>()
    beats.forEach(({ bar }, i) => void (first.has(bar) || first.set(bar, i)))
    const place = (beat: number) => beat - (first.get(beats[beat]?.bar ?? -1) ?? 0)
    expect(new Set(branches.map(({ beat }) => beat)).size).toBeGreaterThan(beats.length / 4)
    for (const { beat, twin } of branches) expect(place(twin)).toBe(place(beat))
    // The piece is heard twice: what is alike is mostly one half of it apart.
    const apart = branches.map(({ beat, twin }) =>
      Math.abs((beats[beat]?.start ?? 0) - (beats[twin]?.start ?? 0)),
    )
    expect(apart.filter((s) => Math.abs(s - 20) < 0.1).length).toBeGreaterThan(apart.length / 3)
  })

  it('is told how it is used, and what no browser plays', async () => {
    expect((await example(SCRIPT, [])).stderr).toContain('usage:')
    const { code, stderr } = await example(SCRIPT, ['piece.xm'])
    expect(code).toBe(1)
    expect(stderr).toContain('piece.xm - browsers do not play')
  })

  it.skipIf(!chromium).each([
    [360, 'light'],
    [360, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('fits a window of %i pixels, %s', async (width, colorScheme) => {
    const { page, complained } = await opened({ width, colorScheme })
    await page.locator('#play:enabled').waitFor()
    expect(await excess(page)).toBeLessThanOrEqual(0)
    expect(await overlaps(page, 'header, .wheel, .counts, .keys')).toEqual([])
    const light = await groundLight(page)
    if (colorScheme === 'light') expect(light).toBeGreaterThan(240)
    else expect(light).toBeLessThan(40)
    expect(complained).toEqual([])
  })

  it.skipIf(!chromium)('plays, jumps, and obeys the keyboard', async () => {
    const { page, complained } = await opened({ query: '?seed=7' })
    const steps: (Step & { start: number; end: number })[] = []
    await page.exposeFunction('told', (step: (typeof steps)[0]) => void steps.push(step))
    await page.locator('#wheel').evaluate((wheel) => {
      const { told } = wheel.ownerDocument.defaultView
      wheel.addEventListener('beat', ({ detail }: { detail: unknown }) => told(detail))
    })
    await page.getByRole('button', { name: 'Play' }).click()
    const wheel = page.getByRole('slider', { name: 'Beat' })
    await expect.poll(() => steps.length).toBeGreaterThan(2)
    expect(steps[0]).toMatchObject({ beat: 0 })
    await page.keyboard.press('ArrowUp')
    // One jump that was asked for, one of its own.
    const jumps = () => steps.filter(({ from }) => from !== undefined)
    await expect.poll(() => jumps().length).toBeGreaterThan(1)
    const { branches, last } = data()
    const allowed = [...branches, last].map(({ beat, twin }) => `${beat} ${twin}`)
    for (const { beat, from } of jumps()) expect(allowed).toContain(`${from} ${beat}`)
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
})

it.skipIf(!chromium)('plays what follows without a seam, and fades only at a jump', async () => {
  if (!chromium) return
  const page = await chromium.newPage()
  onTestFinished(() => page.close())
  const content = `${readFileSync(own('deck.mjs'), 'utf8')}\nglobalThis.createDeck = createDeck`
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

async function opened(options: { width?: number; colorScheme?: 'light' | 'dark'; query?: string }) {
  if (!chromium) throw new Error('No Chromium.')
  const { width = 1280, colorScheme = 'light', query = '' } = options
  const page = await chromium.newPage({ viewport: { width, height: 900 }, colorScheme })
  onTestFinished(() => page.close())
  const complained = complaints(page)
  await page.goto(pathToFileURL(file).href + query)
  return { page, complained }
}
