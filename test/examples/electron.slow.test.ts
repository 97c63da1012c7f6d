import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { accessibilityFaults } from '../support/accessibility.ts'
import { browser } from '../support/browser.ts'
import { PACKAGE } from '../support/built.ts'
import { clip, waveFile } from '../support/clips.ts'
import { MainProcess, packedApp } from '../support/electron-app.ts'
import { complaints, excess, focused } from '../support/layout.ts'
import { scratch } from '../support/scratch.ts'

const chromium = await browser()

async function newPage(options: object = {}) {
  const page = await chromium!.newPage(options)
  onTestFinished(() => page.close())
  return { page, complained: complaints(page) }
}

const playing = "document.querySelector('audio').currentTime"

it.skipIf(!chromium)(
  'the packed app scans, lists and plays, through main process, preload script and page',
  async () => {
    const folder = scratch()
    const file = await waveFile(folder, 'slow # 1 ü.wav', clip({ seconds: 6, bpm: 90 }))
    await waveFile(folder, 'fast.wav', clip({ seconds: 6, bpm: 150, seed: 4 }))
    writeFileSync(join(folder, 'broken.wav'), 'RIFF    WAVEfmt ')
    const env = { USER_DATA: scratch(), CHOSEN_FOLDER: folder }
    const script = packedApp(scratch())
    const main = new MainProcess(script, env)
    const { page, complained } = await newPage()
    await main.show(page)
    await page.getByRole('button', { name: 'Add a folder' }).click()
    await page.getByText('2 added, 0 changed, 0 moved, 0 missing').waitFor()
    expect(await page.locator('#errors').textContent()).toMatch(/broken\.wav: \w/)
    const lines = await page.locator('ol li').allTextContents()
    expect(lines).toEqual([
      expect.stringMatching(/slow # 1 ü\.wav 90\.\d BPM$/),
      expect.stringMatching(/fast\.wav 150\.\d BPM$/),
      expect.stringMatching(/broken\.wav$/),
    ])
    await page.locator('ol button').first().click()
    await expect.poll(() => page.evaluate<number>(playing)).toBeGreaterThan(0)
    expect(await page.evaluate("document.querySelector('audio').src")).toBe(
      pathToFileURL(file).href,
    )
    expect(complained).toEqual([])
    expect(await main.close()).toBe(0)

    // What was found is there when the app is started again.
    const again = new MainProcess(script, env)
    const second = await newPage()
    await again.show(second.page)
    await expect.poll(() => second.page.locator('ol li').count()).toBe(3)
    expect(await again.close()).toBe(0)
  },
)

/** The page alone, with 250 tracks, and a scan that ends when it is stopped. */
async function opened(options: object = {}) {
  const { page, complained } = await newPage(options)
  await page.addInitScript(`
    let told
    const all = Array.from({ length: 250 }, (_, i) => ({ title: '<b>' + i + '</b>', artist: 'A', tempo: 60 + i, url: 'file:///music/' + i }))
    window.library = {
      onProgress: (listener) => { told = listener },
      tracks: async (start) => ({ total: all.length, tracks: all.slice(start, start + 100) }),
      stop: async () => window.finish(),
      scan: async () => {
        told({ done: 3, total: 4, file: '/music/three.mp3' })
        await new Promise((resolve) => { window.finish = resolve })
        return { folder: '/music', added: 1, moved: 0, changed: 0, missing: 0, errors: ['x.mp3: damaged'] }
      },
    }`)
  await page.goto(pathToFileURL(join(PACKAGE, 'examples/electron/page.html')).href)
  await page.getByRole('button', { name: 'A – <b>0</b>' }).waitFor()
  return { page, complained }
}

it.skipIf(!chromium)('the page is used by the keyboard alone', async () => {
  const { page, complained } = await opened()
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Add a folder …')
  await page.keyboard.press('Enter')
  await page.getByText('3 of 4: /music/three.mp3').waitFor()
  expect(await page.locator('progress').getAttribute('value')).toBe('3')
  // The focus is where one can go on.
  expect(await focused(page)).toBe('Stop')
  await page.keyboard.press('Enter')
  await page.getByText('/music: 1 added').waitFor()
  await page.getByText('x.mp3: damaged').waitFor()
  expect(await focused(page)).toBe('Add a folder …')
  expect(await page.locator('ol li').count()).toBe(100)
  await page.getByRole('button', { name: 'More' }).press('Enter')
  await expect.poll(() => page.locator('ol li').count()).toBe(200)
  expect(await focused(page)).toBe('A – <b>100</b>')
  await page.getByRole('button', { name: 'More' }).press('Enter')
  await expect.poll(() => page.locator('ol li').count()).toBe(250)
  expect(await page.locator('#more').isHidden()).toBe(true)
  expect(complained).toEqual([])
})

it
  .skipIf(!chromium)
  .each(
    [360, 720, 1920].flatMap((width) =>
      (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
    ),
  )('the page has no fault of accessibility at $width pixels, $colorScheme', async (look) => {
  const { width, colorScheme } = look
  const { page, complained } = await opened({ viewport: { width, height: 560 }, colorScheme })
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await excess(page)).toBeLessThanOrEqual(0)
  await page.getByRole('button', { name: 'Add a folder' }).click()
  await page.getByText('3 of 4').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('x.mp3: damaged').waitFor()
  await page.evaluate("document.querySelector('audio').hidden = false")
  expect(await accessibilityFaults(page)).toEqual([])
  expect(complained).toEqual([])
})
