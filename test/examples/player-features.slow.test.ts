import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browser } from '../support/browser.ts'
import { album, HOSTILE, Player, song, Visitor } from '../support/player.ts'
import { opened, row, titles } from '../support/player-page.ts'
import { scratch } from '../support/scratch.ts'

const chromium = await browser()

/** Keeps the handlers of the media keys, so that a test can press them. */
const MEDIA_KEYS = `window.mediaKeys = {}
navigator.mediaSession.setActionHandler = (action, act) => { window.mediaKeys[action] = act }`

const playing = (page: Page, title: string) =>
  expect.poll(() => page.locator('#now-title').textContent()).toBe(title)
const following = (page: Page) => page.locator('#up-next li .name').allTextContents()
const bar = (page: Page) => page.getByRole('region', { name: 'Player' })

async function choose(page: Page, title: string, choice: string): Promise<void> {
  await row(page, title).hover()
  await row(page, title).getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: choice, exact: true }).click()
}

describe.skipIf(!chromium)('what the player can do', () => {
  it('queues, shuffles, repeats, and obeys the media keys', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    await (await Visitor.invited(player)).scan(album())
    const page = await opened(chromium, player, {}, (blank) => blank.addInitScript(MEDIA_KEYS))
    await page.getByRole('button', { name: 'Up next' }).click()
    await row(page, 'Morning Train').focus()
    await page.keyboard.press('Enter')
    await playing(page, 'Morning Train')
    await expect.poll(() => following(page)).toEqual(['Evening Bus'])

    await choose(page, '<img', 'Add to the queue')
    await choose(page, 'Morning Train', 'Play next')
    const inLine = ['Morning Train', '<img src=x onerror=alert(1)>', 'Evening Bus']
    await expect.poll(() => following(page)).toEqual(inLine)
    const remove = page.locator('#up-next').getByRole('button', { name: 'Remove: Morning Train' })
    await remove.click()
    await expect.poll(() => following(page)).toEqual(inLine.slice(1))

    const press = (key: string, given = '{}') => page.evaluate(`mediaKeys.${key}(${given})`)
    const told = () => page.evaluate<string>('navigator.mediaSession.metadata.title')
    await press('nexttrack')
    await playing(page, inLine[1] as string)
    await expect.poll(() => told()).toBe(inLine[1])
    await press('previoustrack')
    await playing(page, 'Morning Train')
    await press('pause')
    await bar(page).getByRole('button', { name: 'Play', exact: true }).waitFor()
    await expect.poll(() => page.evaluate('navigator.mediaSession.playbackState')).toBe('paused')
    await press('seekto', '{ seekTime: 9 }')
    await expect.poll(() => page.locator('#elapsed').textContent()).toBe('0:09')
    await press('play')
    // The track ends; the next one plays by itself.
    await playing(page, inLine[1] as string)

    await bar(page).getByRole('button', { name: 'Repeat: off' }).click()
    await playing(page, inLine[1] as string)
    await expect.poll(() => following(page)).toHaveLength(3)
    await bar(page).getByRole('button', { name: 'Repeat: all' }).click()
    await bar(page).getByRole('button', { name: 'Repeat: this track' }).waitFor()
    await page.getByRole('slider', { name: 'Position' }).fill('11')
    await expect.poll(() => page.locator('#elapsed').textContent()).toBe('0:01')
    await playing(page, inLine[1] as string)
    await bar(page).getByRole('button', { name: 'Shuffle' }).click()
    await page.reload()
    const shuffle = bar(page).getByRole('button', { name: 'Shuffle' })
    await expect.poll(() => shuffle.getAttribute('aria-pressed')).toBe('true')
  })

  it('tells once why there are no rows, and goes on', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    await (await Visitor.invited(player)).scan(album())
    const page = await opened(chromium, player)
    await page.route('**/', async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(/(?<=id="first">).*(?=<)/, 'null')
      return route.fulfill({ response, body })
    })
    await page.route('**/player/ids?*', (route) =>
      route.fulfill({ json: { refused: 'no rows today' } }),
    )
    await page.reload()
    await page.getByRole('alert').getByText('no rows today').waitFor()
    await page.waitForSelector('body[data-ready]')
    await page.unroute('**/player/ids?*')
    await page.getByLabel('Search titles').fill('evening')
    await row(page, 'Evening Bus').waitFor()
    await page.getByRole('alert').waitFor({ state: 'hidden' })
  })

  it('obeys what is asked before the page is complete', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    const guest = await Visitor.invited(player)
    await guest.scan(album())
    const page = await opened(chromium, player)
    await row(page, 'Morning Train').focus()
    await page.keyboard.press('Enter')
    await playing(page, 'Morning Train')
    // The catalog of taste comes only when the rows are long there.
    let goOn = () => {}
    const asked = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route('**/api/v4/catalog/list?*', async (route) => {
      await asked
      await route.continue()
    })
    await page.reload()
    await row(page, 'Evening Bus').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('4')
    await playing(page, 'Evening Bus')
    goOn()
    await page.waitForSelector('body[data-ready]')
    await expect.poll(() => page.locator('#elapsed').textContent()).not.toBe('0:00')
    await playing(page, 'Evening Bus')
    const stars = row(page, 'Evening Bus').getByRole('slider')
    await expect.poll(() => stars.getAttribute('aria-valuetext')).toBe('4 stars')
  })

  it('shows the waveform with sections and cues, and corrects tempo and bars, with undo', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    const guest = await Visitor.invited(player)
    const folder = scratch()
    song(folder, 'long.wav', { TIT2: 'Long' }, { seconds: 40, bpm: 120, seed: 3 })
    await guest.scan(folder)
    const [{ id }] = await guest.library()
    const detail = (await guest.get(`/player/track?id=${id}`)).json
    expect(detail.waveform.data.length / 2).toBeGreaterThan(500)
    expect(detail.waveform.data.some((value: number) => Math.abs(value) > 20)).toBe(true)
    expect(detail.beats.length).toBeGreaterThan(60)

    const page = await opened(chromium, player)
    await row(page, 'Long').focus()
    await page.keyboard.press('Enter')
    await playing(page, 'Long')
    // The picture is drawn: it has the colour of what was played, and of the rest.
    const colours = `(() => {
      const canvas = document.querySelector('.contour canvas')
      const copy = new OffscreenCanvas(canvas.width, canvas.height)
        .getContext('2d', { willReadFrequently: true })
      copy.drawImage(canvas, 0, 0)
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
      const seen = new Set()
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) seen.add(data.slice(i, i + 3).join())
      return seen.size
    })()`
    await expect.poll(() => page.evaluate<number>(colours)).toBeGreaterThan(1)
    await page.keyboard.press('g')
    const place = page.getByRole('menuitem').last()
    const [, minutes, seconds] = /^(\d+):(\d+) /.exec((await place.textContent()) ?? '') ?? []
    await page.keyboard.press('End')
    await page.keyboard.press(' ')
    const at = Number(minutes) * 60 + Number(seconds)
    await expect
      .poll(async () => Number(await page.getByRole('slider', { name: 'Position' }).inputValue()))
      .toBeGreaterThanOrEqual(at)

    const tempo = async () =>
      Number.parseFloat((await page.locator('#now-sound').textContent()) ?? '')
    const heard = await tempo()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'Correct Long' })
    await dialog.getByRole('button', { name: 'Half' }).click()
    await expect.poll(async () => (await tempo()) / heard).toBeCloseTo(0.5, 1)
    await dialog.getByRole('button', { name: 'The one is here' }).click()
    await dialog.getByText(/A bar begins at \d/).waitFor()
    const corrected = (await guest.get(`/player/track?id=${id}`)).json
    expect(Object.keys(corrected.corrections).sort()).toEqual(['downbeat', 'tempo'])
    await dialog.getByRole('button', { name: 'Undo' }).first().click()
    await dialog.getByText('as heard').first().waitFor()
    await dialog.getByRole('button', { name: 'Undo' }).last().click()
    await dialog.getByText('Bars as heard').waitFor()
    await expect.poll(tempo).toBe(heard)
    expect((await guest.get(`/player/track?id=${id}`)).json).toEqual(detail)
  })

  it('keeps searches, and shows duplicates and missing files', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    const guest = await Visitor.invited(player)
    const folder = album()
    const twin = { TIT2: 'Morning Train again', TPE1: 'The Fixtures' }
    song(folder, 'twin.wav', twin, { seconds: 12, bpm: 120, seed: 3 })
    await guest.scan(folder)
    rmSync(join(folder, 'two.wav'))
    await guest.scan(folder)
    const page = await opened(chromium, player)
    // Neither its copy nor what has no file.
    await row(page, 'Morning Train again').focus()
    await page.keyboard.press('s')
    await page.getByRole('heading', { name: 'Sounds like' }).waitFor()
    await expect.poll(() => titles(page)).toEqual([HOSTILE])
    await page.getByRole('link', { name: 'Review' }).click()
    const review = page.locator('#review')
    await review.getByText('twin.wav').waitFor()
    await review.getByText('one.wav').waitFor()
    await review.getByRole('button', { name: /^Ban: .*twin.wav/ }).click()
    await review.getByText('1 track of which no file is left.').waitFor()
    await review.getByRole('button', { name: 'Remove from the library: Evening Bus' }).click()
    await review.getByText('No file is missing.').waitFor()

    await page.getByRole('link', { name: 'Songs' }).click()
    await expect.poll(() => titles(page)).toHaveLength(3)
    await page.getByRole('button', { name: 'Filter and sort' }).click()
    await page.getByLabel('Slowest tempo').fill('140')
    await page.getByLabel('Search titles').fill('img')
    await expect.poll(() => titles(page)).toHaveLength(1)
    await page.getByRole('button', { name: 'Saved' }).click()
    await page.getByRole('menuitem', { name: 'Save this search' }).click()
    await page.getByLabel('Name').fill('Fast pictures')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('#said').textContent()).toContain('is saved')
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect.poll(() => titles(page)).toHaveLength(3)
    await page.getByRole('button', { name: 'Saved' }).click()
    await page.getByRole('menuitem', { name: 'Fast pictures', exact: true }).click()
    await expect.poll(() => titles(page)).toHaveLength(1)
    await expect.poll(() => page.getByLabel('Slowest tempo').inputValue()).toBe('140')
    await page.getByRole('button', { name: 'Saved' }).click()
    await page.getByRole('menuitem', { name: 'Remove “Fast pictures”' }).click()
    await expect.poll(() => page.locator('#said').textContent()).toContain('is removed')
    expect((await guest.get('/player/saved')).json.saved).toEqual([])
  })
})
