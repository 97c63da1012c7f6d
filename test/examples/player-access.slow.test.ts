import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityFaults } from '../support/accessibility.ts'
import { browser } from '../support/browser.ts'
import { album, Player, Visitor } from '../support/player.ts'
import { opened, row } from '../support/player-page.ts'
import { scratch } from '../support/scratch.ts'

const chromium = await browser()

/** Where a press of Tab stops, in the order of the page. */
const STOPS = `[...document.querySelectorAll('a, button, input, select, [tabindex="0"]')]
  .filter((one) => one.checkVisibility() && one.tabIndex >= 0 && !one.disabled).length`

describe.skipIf(!chromium)('the accessibility of the player', () => {
  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const)('has no fault by axe in any view: %s, %d pixels', async (colorScheme, width) => {
    const player = await Player.start(join(scratch(), 'music.db'))
    const guest = await Visitor.invited(player)
    // Made before the page is: it is removed after the page, which may still read the next track.
    const folder = album()
    const page = await opened(chromium, player, {
      colorScheme,
      viewport: { width, height: 740 },
      reducedMotion: 'reduce',
    })
    const faults: string[] = []
    const sound = async (what: string) => {
      for (const fault of await accessibilityFaults(page)) faults.push(`${what}: ${fault}`)
    }
    await page.getByText('There is no music here yet.').waitFor()
    await sound('nothing yet')
    await guest.scan(folder)
    await page.reload()
    await page.waitForSelector('body[data-ready]')
    await row(page, 'Evening Bus').focus()
    await page.keyboard.press('4')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('#elapsed').textContent()).not.toBe('0:00')
    await sound('songs')
    await page.keyboard.press('r')
    await page.getByRole('heading', { name: /^Radio/ }).waitFor()
    await page.locator('#up-next li').first().waitFor()
    await sound('radio')
    await page.keyboard.press('u')
    await page.getByRole('button', { name: 'Filter and sort' }).click()
    await page.getByLabel('Slowest tempo').fill('900')
    await page.getByRole('alert').getByText('Slowest tempo').waitFor()
    await sound('filters and a fault')
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('alert').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Radio', exact: true }).first().click()
    await sound('menu')
    await page.keyboard.press('Escape')
    for (const view of ['Albums', 'Artists', 'Taste', 'Review', 'Songs']) {
      await page.getByRole('link', { name: view, exact: true }).click()
      await page.locator(`a[aria-current]`, { hasText: view }).waitFor()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await sound(view)
    }
    await page.keyboard.press('c')
    await page.getByRole('dialog').waitFor()
    await sound('corrections')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await sound('shortcuts')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add folder' }).click()
    await sound('a folder')
    expect(faults).toEqual([])
  })

  it('is whole by keyboard: a radio, a menu, an album and back', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    await (await Visitor.invited(player)).scan(album())
    const page = await opened(chromium, player)
    const tabTo = async (name: RegExp) => {
      const stops = await page.evaluate<number>(STOPS)
      for (let i = 0; i <= stops; i++) {
        await page.keyboard.press('Tab')
        if (name.test(await focused(page))) return
      }
      throw new Error(`Tab never stops at ${name}.`)
    }
    await tabTo(/^Radio$/)
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => focused(page)).toBe('Tense')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe('Radio')

    await tabTo(/^Artists$/)
    await page.keyboard.press('Enter')
    await tabTo(/^A & B/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'A & B', level: 1 }).waitFor()
    await expect.poll(() => focused(page)).toContain('<img')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('#now-title').textContent()).toContain('<img')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Artists', level: 1 }).waitFor()
    await tabTo(/^Up next/)
    await page.keyboard.press('Enter')
    await tabTo(/^Mix tracks/)
    await page.keyboard.press(' ')
    await expect.poll(() => page.getByRole('checkbox').isChecked()).toBe(false)
  })
})

/** The name of what has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const one = document.activeElement
    return one.getAttribute('aria-label') ?? (one.labels?.[0] ?? one).textContent.trim()
  })()`)
}
