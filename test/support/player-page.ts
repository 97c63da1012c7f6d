import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Player } from './player.ts'

/** A page of the player's in a context of its own; whatever it complains of fails the test. */
export async function opened(
  chromium: Browser | undefined,
  player: Player,
  options: BrowserContextOptions = {},
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<Page> {
  if (!chromium) throw new Error('no Chromium')
  const context = await chromium.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (said) => {
    if (said.type() === 'error' || said.type() === 'warning') complaints.push(said.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  await prepare(page)
  await page.goto(player.url)
  await page.waitForSelector('body[data-ready]')
  return page
}

/** The rows of the table, and that of a title. */
export const rows = (page: Page) => page.locator('[role=grid] .body [role=row]')
export const row = (page: Page, title: string) => rows(page).filter({ hasText: title })
export const titles = (page: Page) => page.locator('.body .name').allTextContents()
