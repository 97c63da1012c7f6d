import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds on a page that WCAG 2.2 AA or good practice forbids: the rule and the elements. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // As the developer tools do it, where the policy of the page allows no script of others.
  await page.evaluate(AXE)
  return (await page.evaluate(`axe
    .run(document, { runOnly: ${JSON.stringify(TAGS)}, preload: false })
    .then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target).join(' ')))`)) as string[]
}
