import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browser } from '../support/browser.ts'
import { addTracks, assorted } from '../support/mix-library.ts'
import { openInline } from '../support/open.ts'
import { Player, song } from '../support/player.ts'
import { opened, row } from '../support/player-page.ts'
import { scratch } from '../support/scratch.ts'

const chromium = await browser()

/** A library of eight bands with four tracks each; those of a band sound alike. */
async function bands(): Promise<{ database: string; titles: Map<string, string> }> {
  const folder = scratch()
  const plans = assorted(8).map((plan, i) => ({
    ...plan,
    // As long as its document says, so that none ends while it is looked at.
    file: song(folder, `${i}.wav`, { TIT2: plan.title }, { seconds: 30, seed: i }),
  }))
  const database = join(folder, 'music.db')
  const music = await openInline({ database })
  const tracks = await addTracks(music, plans)
  await music.close()
  return { database, titles: new Map(tracks.map(({ id, answer }) => [id, String(answer.artist)])) }
}

const steps = (page: Page) =>
  page.evaluate<string[]>(
    "[...document.querySelectorAll('#up-next li')].map((one) => one.dataset.id)",
  )

/** What plays would be followed by the next on a slow machine, and the steps would be others. */
const pause = (page: Page) => page.getByRole('button', { name: 'Pause', exact: true }).click()

describe.skipIf(!chromium)('the radio of the player', () => {
  it('goes on from a track, is steered, says why, and survives a reload and a restart', async () => {
    const { database, titles } = await bands()
    const bandOf = (id: string | undefined) => titles.get(id ?? '')
    const player = await Player.start(database)
    const page = await opened(chromium, player)
    const first = row(page, 'Song bababa').first()
    await first.hover()
    await first.getByRole('button', { name: /^Start a radio/ }).click()
    await page.getByRole('heading', { name: 'Radio: Song bababa' }).waitFor()
    await pause(page)
    await expect.poll(() => steps(page)).toHaveLength(12)
    const before = await steps(page)
    expect(before.slice(0, 3).filter((id) => bandOf(id) === 'Band bababa')).not.toEqual([])
    const why = page.locator('#up-next li .why')
    await expect.poll(() => why.first().textContent()).toMatch(/^sounds .* what you asked for/)
    await expect
      .poll(() => why.nth(1).textContent())
      .toMatch(/the track before.*(tempo|faster|slower)/)
    await expect
      .poll(() => why.nth(1).getAttribute('title'))
      .toMatch(/distance from the track before \d/)

    // Less like one band, more like another: what follows changes at once.
    const unwanted = bandOf(before[0])
    const less = page
      .locator('#up-next li')
      .first()
      .getByRole('button', { name: /^Less like/ })
    await less.click()
    await page.locator('#said').getByText('what follows has changed').waitFor()
    await expect.poll(() => steps(page)).not.toEqual(before)
    const after = await steps(page)
    const many = (ids: string[]) => ids.filter((id) => bandOf(id) === unwanted).length
    expect(many(after)).toBeLessThan(many(before))
    const wanted = page.locator('#up-next li').nth(6)
    const band = bandOf((await wanted.getAttribute('data-id')) ?? undefined)
    await wanted.getByRole('button', { name: /^More like/ }).click()
    await expect.poll(async () => (await steps(page)).slice(0, 2).map(bandOf)).toContain(band)

    // The next one plays, and after a reload or a restart the same ones follow.
    const [next] = await steps(page)
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.locator(`body[data-playing=${next}]`).waitFor()
    await pause(page)
    await expect.poll(async () => (await steps(page)).includes(String(next))).toBe(false)
    await expect.poll(() => steps(page)).toHaveLength(12)
    const follow = await steps(page)
    const goesOn = async () => {
      await page.locator(`body[data-playing=${next}]`).waitFor()
      await page.getByRole('heading', { name: 'Radio: Song bababa' }).waitFor()
      await expect.poll(() => steps(page)).toEqual(follow)
    }
    await page.reload()
    await goesOn()
    // What the page asks while nobody listens would be an error in its console.
    await page.goto('about:blank')
    await player.restart()
    await page.goto(player.url)
    await goesOn()
  })

  it('starts from an artist, an album, a mood, and from what is liked', async () => {
    const { database, titles } = await bands()
    const player = await Player.start(database)
    const page = await opened(chromium, player)
    const radio = async (name: string) => {
      await page.getByRole('heading', { name: `Radio: ${name}`, exact: true }).waitFor()
      await expect.poll(() => steps(page)).not.toEqual([])
      const playing = await page.locator('body').getAttribute('data-playing')
      // What is heard to its half counts, and then something is liked.
      await pause(page)
      return playing
    }
    for (const [view, name] of [
      ['Artists', 'Band babafi'],
      ['Albums', 'Album babafi'],
    ] as const) {
      await page.getByRole('link', { name: view, exact: true }).click()
      await page.getByRole('button', { name: `Start a radio: ${name}`, exact: true }).click()
      expect(titles.get((await radio(name)) ?? '')).toBe(view === 'Artists' ? name : 'Band babade')
      await page.getByRole('link', { name, exact: false }).first().click()
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
    }
    // Nothing is liked yet: it says so. Then it is what was rated.
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Radio', exact: true }).first().click()
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('My taste')
    await page.getByRole('alert').getByText('Nothing is liked yet').waitFor()
    await page.getByRole('link', { name: 'Songs', exact: true }).click()
    await row(page, 'Song bababa').focus()
    await page.keyboard.press('5')
    await expect.poll(() => page.locator('#said').textContent()).toContain('5 stars')
    await choose('My taste')
    const liked = await radio('my taste')
    expect(titles.get(liked ?? '')).toBe('Band bababa')
    await choose('Calm')
    await radio('calm')
  })
})
