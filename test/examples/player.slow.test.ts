import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browser } from '../support/browser.ts'
import { album, HOSTILE, Player, song, Visitor } from '../support/player.ts'
import { opened, row, rows, titles } from '../support/player-page.ts'
import { scratch } from '../support/scratch.ts'

const chromium = await browser()

// What is asked inside the page. As text: the names of the DOM are none of this package's own types.
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
const GROUND = 'getComputedStyle(document.body).backgroundColor'
const NAMELESS = `[...document.querySelectorAll('button, input, select, [role=slider]')]
  .filter((one) => one.checkVisibility())
  .filter((one) => !one.getAttribute('aria-label') && !one.textContent.trim())
  .filter((one) => !one.labels?.[0]?.textContent.trim())
  .map((one) => one.outerHTML)`
const ROWS = "[...document.querySelectorAll('[role=grid] .body > [role=row]')]"
const FOCUS = `(() => {
  const one = document.activeElement
  if (one === document.body) return undefined
  const outlined = (each) => getComputedStyle(each).outlineStyle !== 'none'
  const name = one.id || one.className || one.tagName
  return { name, shown: outlined(one) || outlined(one.parentElement) }
})()`

const stars = (page: Page, title: string) => row(page, title).getByRole('slider')

describe.skipIf(!chromium)('the page of the player', () => {
  it('scans, searches, plays and keeps what was rated over a restart', async () => {
    const database = join(scratch(), 'music.db')
    const folder = album()
    const player = await Player.start(database)
    const page = await opened(chromium, player)
    expect(new URL(page.url()).search).toBe('')

    // Nothing there yet: it says what to do.
    await page.getByText('There is no music here yet.').waitFor()
    await page.getByLabel('Folder').fill(join(folder, 'nowhere'))
    await page.getByRole('button', { name: 'Scan' }).click()
    await page.getByRole('alert').getByText('no such file or folder').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByLabel('Folder').fill(folder)
    await page.getByRole('button', { name: 'Scan' }).click()
    await page.getByText('1 file could not be taken in').waitFor()
    await page.getByText(`3 files in ${folder}.`).first().waitFor()
    await page.getByRole('button', { name: 'Add folder' }).click()

    await expect.poll(() => titles(page)).toEqual([HOSTILE, 'Morning Train', 'Evening Bus'])
    const cells = await row(page, 'Morning Train').getByRole('gridcell').allTextContents()
    expect(cells[2]).toBe('The Fixtures')
    expect(cells[3]).toBe('0:12')
    expect(Number(cells[4])).toBeCloseTo(120, -1)
    expect(cells[5]).toMatch(/^\d+[AB] [A-G][b#]? (major|minor)$/)

    // By words, by the beginning of a word, by a slip of the pen, by genre and tempo.
    const found = async (...expected: string[]) => {
      await expect.poll(() => titles(page)).toEqual(expected)
    }
    await page.keyboard.press('/')
    await page.keyboard.type('evening bus')
    await found('Evening Bus')
    await page.getByLabel('Search titles').fill('even')
    await found('Evening Bus')
    await page.getByLabel('Search titles').fill('the fixturs – mornign train')
    await found('Morning Train')
    await page.keyboard.press('Escape')
    await found(HOSTILE, 'Morning Train', 'Evening Bus')
    await page.getByRole('button', { name: 'Filter and sort' }).click()
    await page.getByLabel('Genre').fill('jazz')
    await found('Morning Train')
    await page.getByLabel('Slowest tempo').fill('400')
    await found()
    await page.getByText('Nothing is like that.').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByLabel('Slowest tempo').fill('100')
    await page.getByLabel('Sort by').selectOption('tempo-desc')
    await found(HOSTILE, 'Morning Train')
    await page.getByLabel('Slowest tempo').fill('900')
    await page.getByRole('alert').getByText('Slowest tempo').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('alert').waitFor({ state: 'hidden' })
    await page.getByRole('columnheader', { name: 'BPM' }).getByRole('button').click()
    await found('Evening Bus', 'Morning Train', HOSTILE)
    await page.getByRole('button', { name: 'Clear' }).click()
    await found(HOSTILE, 'Morning Train', 'Evening Bus')

    // By keys alone: play, rate, seek, favourite, ban.
    await row(page, 'Evening Bus').focus()
    await page.keyboard.press('Enter')
    const elapsed = page.locator('#elapsed')
    await expect.poll(() => elapsed.textContent()).not.toBe('0:00')
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
    await expect.poll(() => page.locator('#beats').getAttribute('data-beat')).toMatch(/^[1-9]$/)
    const dots = await page.locator('#beats span').count()
    expect(dots).toBeGreaterThan(1)
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    const position = page.getByRole('slider', { name: 'Position' })
    await position.fill('6')
    await expect.poll(() => position.getAttribute('aria-valuetext')).toBe('0:06 of 0:12')
    await row(page, 'Evening Bus').focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => elapsed.textContent()).toBe('0:01')
    const { width = 0 } = (await stars(page, 'Evening Bus').boundingBox()) ?? {}
    await stars(page, 'Evening Bus').click({ position: { x: width * 0.5, y: 9 } })
    await expect
      .poll(() => stars(page, 'Evening Bus').getAttribute('aria-valuetext'))
      .toBe('3 stars')
    await row(page, 'Evening Bus').focus()
    await page.keyboard.press('4')
    await expect
      .poll(() => stars(page, 'Evening Bus').getAttribute('aria-valuetext'))
      .toBe('4 stars')
    await page.keyboard.press('f')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('b')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('2')
    await page.keyboard.press('0')
    await expect.poll(() => stars(page, '<img').getAttribute('aria-valuetext')).toBe('not rated')
    // Past half of it, it counts as played; what is banned is passed over, and then there is no next.
    await position.fill('7')
    await page.keyboard.press(' ')
    await expect.poll(() => page.locator('#said').textContent()).toBeTruthy()
    await page.getByRole('link', { name: 'Taste' }).click()
    await page.locator('.chips button').filter({ hasText: 'Played 1' }).waitFor()
    await page.locator('.chips button').filter({ hasText: 'Banned 1' }).click()
    await found('Morning Train')
    await page.locator('.chips button').filter({ hasText: 'Favourites 1' }).click()
    await found('Evening Bus')

    await page.keyboard.press('s')
    await page.getByRole('heading', { name: 'Sounds like “Evening Bus”' }).waitFor()
    expect((await titles(page)).sort()).toEqual([HOSTILE, 'Morning Train'].sort())
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Your taste' }).waitFor()
    await expect.poll(() => page.locator('main img').count()).toBe(0)

    await page.close()
    await player.stop()
    const again = await Player.start(database)
    const later = await opened(chromium, again)
    await expect.poll(() => titles(later)).toEqual([HOSTILE, 'Morning Train', 'Evening Bus'])
    await expect
      .poll(() => stars(later, 'Evening Bus').getAttribute('aria-valuetext'))
      .toBe('4 stars')
    const favourite = row(later, 'Evening Bus').getByRole('button', { name: /^Favourite/ })
    await expect.poll(() => favourite.getAttribute('aria-pressed')).toBe('true')
    await expect.poll(() => row(later, 'Morning Train').getAttribute('class')).toContain('banned')
  })

  it('has room for everything from 360 to 1920 pixels, in light and in dark', async () => {
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
    const sizes = [360, 768, 1280, 1920]
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await opened(chromium, player, { colorScheme, reducedMotion: 'reduce' })
      for (const width of sizes) {
        await page.setViewportSize({ width, height: 700 })
        await fits(page, 'nothing yet')
      }
      await page.close()
      await guest.scan(colorScheme === 'light' ? scratch() : folder)
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await opened(chromium, player, { colorScheme })
      grounds.add(await page.evaluate<string>(GROUND))
      await row(page, 'Endless').focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
      for (const width of sizes) {
        await page.setViewportSize({ width, height: 700 })
        const more = page.getByRole('button', { name: 'Filter and sort' })
        await more.click()
        for (const view of ['Albums', 'Artists', 'Taste', 'Songs']) {
          await page.getByRole('link', { name: view, exact: true }).click()
          await fits(page, view)
        }
        await more.click()
        await page.getByRole('button', { name: 'Up next' }).click()
        await fits(page, 'what plays next')
        await page.getByRole('button', { name: 'Up next' }).click()
        await page.getByRole('button', { name: 'Add folder' }).click()
        await fits(page, 'the scan')
        await page.getByRole('button', { name: 'Add folder' }).click()
      }
    }
    expect(grounds.size).toBe(2)
  })

  it('gives a name to everything that can be used, and shows where the focus is', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    await (await Visitor.invited(player)).scan(album())
    const page = await opened(chromium, player)
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
    for (const name of [
      'filter',
      'radio',
      'add',
      'help',
      'icon play',
      'icon next',
      'seek',
      'volume',
      'stars',
    ]) {
      expect([...reached], name).toContain(name)
    }
    expect([...reached].some((name) => name.startsWith('row'))).toBe(true)

    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('grid', { name: 'Songs' }).waitFor()
  })

  it('holds a hundred thousand tracks, and draws those in sight', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    const page = await opened(chromium, player, {}, (page) => pretend(page, 100_000))
    const grid = page.getByRole('grid')
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('100001')
    await expect.poll(() => rows(page).count()).toBeLessThan(50)
    await rows(page).first().focus()
    await page.keyboard.press('End')
    await row(page, 'Song 99999').waitFor()
    await expect.poll(() => rows(page).count()).toBeLessThan(50)
    // Other tracks in the same rows, and still in the order of the list.
    await page.evaluate(`for (const one of ${ROWS}) one.dataset.made = 'before'`)
    await grid.evaluate((one) => one.scrollTo(0, one.scrollHeight / 2))
    await row(page, 'Song 50001').waitFor()
    const made = await page.evaluate<number>(
      `${ROWS}.filter(({ dataset }) => !dataset.made).length`,
    )
    expect(made, 'rows that had to be made for those ahead').toBeLessThan(15)
    const order = await page.evaluate<number[]>(`${ROWS}.map(({ ariaRowIndex }) => +ariaRowIndex)`)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    // What stays in sight is not touched.
    await page.evaluate(`${ROWS}[20].addEventListener('blur', () => (window.moved = true))`)
    await page.evaluate(`${ROWS}[20].focus({ preventScroll: true })`)
    await grid.evaluate((one) => one.scrollBy(0, 126))
    await row(page, 'Song 50018').waitFor()
    expect(await page.evaluate('window.moved')).toBeUndefined()
    await page.getByLabel('Search titles').fill('song 50000')
    await row(page, 'Song 50000').waitFor()
    await expect.poll(() => rows(page).count()).toBe(1)
  })
})

/** Answers the page with a library of tracks that nobody has the audio of. */
async function pretend(page: Page, total: number): Promise<void> {
  const rows = Array.from({ length: total }, (_, i) => ({
    id: `TRAAAAA${i.toString(16).toUpperCase().padStart(11, '0')}`,
    title: `Song ${String(i).padStart(5, '0')}`,
    artist: 'The Many',
    path: `/nowhere/${i}.mp3`,
    ...{ tempo: 60 + (i % 120), key: i % 12, mode: i % 2, duration: 180 },
  }))
  await page.route('**/player/state', (route) =>
    route.fulfill({ json: { scan: { status: 'idle' }, suggestion: '', tracks: total } }),
  )
  await page.route('**/?token=*', async (route) => {
    const shown = rows.slice(0, 40)
    const first = { ids: shown.map(({ id }) => id), total, many: total, rows: shown }
    const response = await route.fetch()
    const body = (await response.text()).replace(/(?<=id="first">).*(?=<)/, JSON.stringify(first))
    return route.fulfill({ response, body })
  })
  await page.route('**/player/ids?*', (route) => {
    const words = new URL(route.request().url()).searchParams.get('words')
    const found = rows.filter(({ title }) => !words || title.toLowerCase() === words)
    return route.fulfill({
      json: { ids: found.map(({ id }) => id), total, rows: found.slice(0, 40) },
    })
  })
  await page.route('**/player/rows', (route) => {
    const ids = new Set(route.request().postDataJSON().ids)
    return route.fulfill({ json: { rows: rows.filter(({ id }) => ids.has(id)) } })
  })
}
