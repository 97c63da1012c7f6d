import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { browser } from '../support/browser.ts'
import { PACKAGE } from '../support/built.ts'
import { clip, waveFile } from '../support/clips.ts'
import { scratch } from '../support/scratch.ts'

const chromium = await browser()

it.skipIf(!chromium)(
  'the page of the Electron example lists, shows progress and plays files where they are',
  async () => {
    const file = await waveFile(scratch(), 'a # of 100 %.wav', clip({ seconds: 6 }))
    const track = { title: '<b>Loud</b>', artist: 'A', tempo: 120, url: pathToFileURL(file).href }
    const page = await (chromium as NonNullable<typeof chromium>).newPage()
    onTestFinished(() => page.close())
    const complaints: string[] = []
    page.on('console', (said) => complaints.push(said.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    // What the preload script lends the page.
    await page.addInitScript(`
    let told
    let known = []
    window.library = {
      onProgress: (listener) => { told = listener },
      tracks: async () => ({ total: known.length, tracks: known }),
      stop: async () => window.finish(),
      scan: async () => {
        told({ done: 3, total: 4, file: '/music/three.mp3' })
        await new Promise((resolve) => { window.finish = resolve })
        known = [${JSON.stringify(track)}]
        return { folder: '/music', added: 1, moved: 0, changed: 0, missing: 0, errors: ['x.mp3: damaged'] }
      },
    }`)
    await page.goto(pathToFileURL(join(PACKAGE, 'examples/electron/page.html')).href)
    await page.getByRole('button', { name: 'Add a folder' }).click()
    await page.getByText('3 of 4: /music/three.mp3').waitFor()
    expect(await page.locator('progress').getAttribute('value')).toBe('3')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('/music: 1 added').waitFor()
    await page.getByText('x.mp3: damaged').waitFor()
    await page.getByRole('button', { name: 'A – <b>Loud</b>' }).click()
    await expect
      .poll(() => page.evaluate<number>("document.querySelector('audio').currentTime"))
      .toBeGreaterThan(0)
    expect(complaints).toEqual([])
  },
)
