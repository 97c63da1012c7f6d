import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { accessibilityFaults } from '../support/accessibility.ts'
import { browser } from '../support/browser.ts'
import { complaints, excess, focused, groundLight, overlaps } from '../support/layout.ts'
import { HOSTILE, reports } from '../support/report.ts'

const chromium = await browser()
const folder = mkdtempSync(join(tmpdir(), 'audile-report-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const { trackPage, libraryPage } = await reports(folder)

async function opened(file: string, options: { width?: number; colorScheme?: 'light' | 'dark' }) {
  if (!chromium) throw new Error('No Chromium.')
  const { width = 1280, colorScheme = 'light' } = options
  const page = await chromium.newPage({ viewport: { width, height: 800 }, colorScheme })
  onTestFinished(() => page.close())
  const complained = complaints(page)
  await page.goto(pathToFileURL(file).href)
  return { page, complained }
}

describe.each([
  ['track', trackPage],
  ['library', libraryPage],
])('the page of a %s', (_, file) => {
  it
    .skipIf(!chromium)
    .each(
      [360, 1280, 1920].flatMap((width) =>
        (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
      ),
    )('fits $width pixels, $colorScheme, and has no fault of accessibility', async (look) => {
    const { page, complained } = await opened(file, look)
    expect(await excess(page)).toBeLessThanOrEqual(0)
    expect(await overlaps(page, 'header, .facts, .feel, .lanes, .frame, .keys svg, .bar')).toEqual(
      [],
    )
    const light = await groundLight(page)
    if (look.colorScheme === 'light') expect(light).toBeGreaterThan(240)
    else expect(light).toBeLessThan(40)
    for (const summary of await page.locator('summary').all()) await summary.press('Enter')
    expect(await accessibilityFaults(page)).toEqual([])
    expect(complained).toEqual([])
  })

  it.skipIf(!chromium)(
    'is printed on white, as wide as the paper, without what is pressed',
    async () => {
      const { page } = await opened(file, { width: 703, colorScheme: 'dark' })
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      expect(await groundLight(page)).toBe(255)
      expect(await excess(page)).toBeLessThanOrEqual(0)
      for (const hidden of ['.zoom', '#readout', 'label', 'details'])
        expect(await page.locator(hidden).filter({ visible: true }).count()).toBe(0)
      // Nothing is cut off by a box that scrolls on the screen.
      const cut = await page
        .locator('.scroll, .window')
        .evaluateAll(
          (boxes) =>
            boxes.filter((box) => box.clientHeight > 0 && box.scrollHeight > box.clientHeight + 1)
              .length,
        )
      expect(cut).toBe(0)
    },
  )
})

it.skipIf(!chromium)('moves a cursor along a track by the keyboard', async () => {
  const { page } = await opened(trackPage, {})
  expect(await page.title()).toBe(`Rock "n" Roll – ${HOSTILE}`)
  const cursor = page.getByRole('slider', { name: 'Time' })
  await cursor.focus()
  await page.keyboard.press('Home')
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight')
  const told = (await cursor.getAttribute('aria-valuetext')) ?? ''
  expect(told).toMatch(/^0:0\d\.\d · bar \d · beat 5 · section 1, C major · −\d+(\.\d)? dB · \S+/)
  expect(await page.locator('#readout').textContent()).toBe(told)
  const outline = await cursor.evaluate(
    (element) => element.ownerDocument.defaultView.getComputedStyle(element).outlineStyle,
  )
  expect(outline).toBe('solid')
  await page.keyboard.press('End')
  expect(Number(await cursor.getAttribute('aria-valuenow'))).toBeCloseTo(24, 0)
  await page.getByRole('button', { name: 'Zoom in' }).press('Enter')
  const window = page.locator('#window')
  const wider = await window.evaluate((element) => element.scrollWidth / element.clientWidth)
  expect(wider).toBeCloseTo(2, 1)
  expect(await window.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
  expect(await excess(page)).toBeLessThanOrEqual(0)
})

it.skipIf(!chromium)('draws what the analysis says', async () => {
  const { page } = await opened(trackPage, {})
  const beats = await page.locator('.grid .beat').getAttribute('d')
  const said = await page
    .getByRole('img', { name: /bars and \d+ beats/ })
    .getAttribute('aria-label')
  expect(beats?.match(/M/g)).toHaveLength(Number(said?.match(/(\d+) beats/)?.[1]))
  // Strokes are the higher the surer the beat.
  const heights = [...(beats ?? '').matchAll(/M\d+ (\d+)V100/g)].map(([, top]) => 100 - Number(top))
  const shares = await page.locator('details').first().locator('td:last-child').allTextContents()
  for (const [i, share] of shares.entries())
    expect(Math.abs(heights[i]! - 10 - 0.35 * Number.parseInt(share, 10))).toBeLessThanOrEqual(1)
  await expect.poll(() => page.locator('.lanes image').count()).toBe(2)
  const drawn = await page.locator('.pitches image').evaluate(async (picture) => {
    const image = new picture.ownerDocument.defaultView.Image()
    image.src = picture.getAttribute('href')
    await image.decode()
    return [image.naturalWidth, image.naturalHeight]
  })
  // A column for each twentieth of a second; the encoder adds a little silence.
  expect(drawn).toEqual([481, 12])
})

it.skipIf(!chromium)('shows the true waveform and the cues, with their confidence', async () => {
  const { page } = await opened(trackPage, {})
  const pixels = async (kind: string) =>
    ((await page.locator(`.waveform .${kind}`).getAttribute('d')) ?? '').split('L').length / 2
  // 256 samples at 44,100 Hz a pixel: no finer, and no coarser where the piece is short.
  expect(await pixels('peaks')).toBeCloseTo((24.05 * 44_100) / 256, -2)
  expect(await pixels('area')).toBe(await pixels('peaks'))
  const flags = await page.locator('.flag').allTextContents()
  const rows = page.locator('section', { hasText: 'Cues' }).locator('tbody tr')
  const names = page.locator('.tables section').first().locator('tbody th')
  expect(flags.map((flag) => flag.replace(/^\d /, ''))).toEqual(await names.allTextContents())
  expect(flags).toContain('1 start')
  expect(await rows.first().locator('meter').getAttribute('aria-label')).toBe('Confidence of start')
  const tempo = page.locator('.fact', { hasText: 'Tempo' })
  expect(await tempo.textContent()).toMatch(/Tempo\s*1\d\d\.\d BPM\s*confidence\s*\d+ %/)
  const confidence = Number(await tempo.locator('meter').getAttribute('value'))
  expect(confidence).toBeGreaterThan(0)
  expect(await page.locator('.fact', { hasText: 'Key' }).textContent()).toMatch(/C major\s*8B/)
})

it.skipIf(!chromium)('leads from a point of the map to its row, by keys alone', async () => {
  const { page, complained } = await opened(libraryPage, {})
  const points = page.locator('#points a')
  expect(await points.count()).toBe(3)
  const stops = page.locator('#points a[tabindex="0"]')
  expect(await stops.count()).toBe(1)
  await stops.focus()
  const from = await focused(page, 'aria-label')
  // The other points lie to some side of it.
  for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown']) {
    if ((await focused(page, 'aria-label')) === from) await page.keyboard.press(key)
  }
  const label = await focused(page, 'aria-label')
  expect(label).not.toBe(from)
  expect(await stops.getAttribute('aria-label')).toBe(label)
  expect(label).toMatch(/: [\d.]+ BPM, energy \d\.\d\d, [A-G]\S? (major|minor)$/)
  await expect.poll(() => page.locator('#tip').isVisible()).toBe(true)
  await page.keyboard.press('Enter')
  const row = await focused(page)
  expect(row).toContain(label.match(/(\d+\.\d) BPM/)?.[1])
  expect(complained).toEqual([])
})

it.skipIf(!chromium)('sorts and filters its table', async () => {
  const { page } = await opened(libraryPage, {})
  const column = (n: number) =>
    page.locator(`#table tbody tr:not([hidden]) > :nth-child(${n})`).allTextContents()
  await page.getByRole('button', { name: 'BPM' }).click()
  const tempos = (await column(1)).map(Number)
  expect(tempos).toEqual([...tempos].sort((a, b) => a - b))
  await page.getByRole('button', { name: 'BPM' }).press('Enter')
  expect((await column(1)).map(Number)).toEqual(tempos.reverse())
  const sorted = page.locator('th[aria-sort=descending]')
  expect(await sorted.textContent()).toContain('BPM')
  await page.getByLabel('Filter').fill('äpfel slow')
  expect(await column(3)).toEqual(['Slow one slow.mp3'])
  expect(await page.locator('#count').textContent()).toBe('1 of 3 tracks')
  expect(await page.locator('#points .out').count()).toBe(2)
  // A key of the wheel is looked for among the keys alone: "8a" is in no title.
  const key = page.locator('.keys [data-key="8A"]')
  expect(await key.getAttribute('aria-label')).toBe('8A Am 1 track in A minor')
  await key.focus()
  await page.keyboard.press('Enter')
  expect(await page.getByLabel('Filter').inputValue()).toBe('8A')
  expect(await column(3)).toEqual(['Slow one slow.mp3'])
})

it.skipIf(!chromium)(
  'shows tempo and key first, and names beside the points of the map',
  async () => {
    const { page } = await opened(libraryPage, { width: 360 })
    const table = page.locator('#tracks .scroll')
    const right = async (locator: typeof table) => {
      const box = (await locator.boundingBox())!
      return box.x + box.width
    }
    // On a telephone, they are seen beside the title without scrolling.
    expect(await page.locator('thead th').allTextContents()).toEqual(
      expect.arrayContaining(['BPM', 'Key', 'Title']),
    )
    const title = page.locator('tbody th').first()
    expect(await right(title)).toBeLessThanOrEqual((await right(table)) + 1)
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const names = page.locator('#points span:visible')
      await expect.poll(() => names.count()).toBeGreaterThan(0)
      expect(await overlaps(page, '.frame')).toEqual([])
      for (const name of await names.all())
        expect(await right(name)).toBeLessThanOrEqual(await right(page.locator('#points')))
    }
    expect(await page.locator('#points span:visible').count()).toBe(3)
  },
)
