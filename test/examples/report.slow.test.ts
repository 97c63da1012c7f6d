import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
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
  it.skipIf(!chromium).each([
    [360, 'light'],
    [1280, 'light'],
    [1600, 'light'],
    [360, 'dark'],
    [1280, 'dark'],
  ] as const)('fits a window of %i pixels, %s', async (width, colorScheme) => {
    const { page, complained } = await opened(file, { width, colorScheme })
    expect(await excess(page)).toBeLessThanOrEqual(0)
    expect(await overlaps(page, 'header, .facts, .lanes, .frame, .keys svg, .bar')).toEqual([])
    const light = await groundLight(page)
    if (colorScheme === 'light') expect(light).toBeGreaterThan(240)
    else expect(light).toBeLessThan(40)
    expect(complained).toEqual([])
  })
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
  await page.getByRole('button', { name: 'Tempo' }).click()
  const tempos = (await column(3)).map(Number)
  expect(tempos).toEqual([...tempos].sort((a, b) => a - b))
  await page.getByRole('button', { name: 'Tempo' }).press('Enter')
  expect((await column(3)).map(Number)).toEqual(tempos.reverse())
  const sorted = page.locator('th[aria-sort=descending]')
  expect(await sorted.textContent()).toContain('Tempo')
  await page.getByLabel('Filter').fill('äpfel slow')
  expect(await column(1)).toEqual(['Slow one'])
  expect(await page.locator('#count').textContent()).toBe('1 of 3 tracks')
  expect(await page.locator('#points .out').count()).toBe(2)
  const key = page.locator('.keys [data-key="A minor"]')
  await key.focus()
  await page.keyboard.press('Enter')
  expect(await page.getByLabel('Filter').inputValue()).toBe('A minor')
  expect(await column(1)).toEqual(['Slow one'])
})
