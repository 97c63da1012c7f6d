import type { Page } from 'playwright-core'

// In the browser all is reached from an element: tests are checked without the types of the DOM,
// lest src could use what Node does not have.

/** What a page complains about from now on: errors, and whatever it asks the network for. */
export function complaints(page: Page): string[] {
  const found: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) found.push(message.text())
  })
  page.on('pageerror', (error) => found.push(error.message))
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) found.push(request.url())
  })
  return found
}

/** Pixels by which a page is wider than its window. */
export function excess(page: Page): Promise<number> {
  return page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)
}

/** The lightest part of a page's ground, 0…255. */
export function groundLight(page: Page): Promise<number> {
  return page.locator('body').evaluate((body) => {
    const { backgroundColor } = body.ownerDocument.defaultView.getComputedStyle(body)
    return Math.max(...backgroundColor.match(/\d+/g).slice(0, 3).map(Number))
  })
}

/** An attribute of what has the focus, or its text. */
export function focused(page: Page, attribute?: string): Promise<string> {
  return page.locator('html').evaluate((root, attribute) => {
    const { activeElement } = root.ownerDocument
    return (attribute ? activeElement.getAttribute(attribute) : activeElement.textContent) ?? ''
  }, attribute)
}

/** Pairs of texts inside the elements of a selector that lie upon one another. */
export function overlaps(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((roots) => {
    const texts: {
      node: unknown
      text: string
      left: number
      right: number
      top: number
      bottom: number
    }[] = []
    for (const root of roots) {
      const document = root.ownerDocument
      const walker = document.createTreeWalker(root, 4)
      while (walker.nextNode()) {
        const text = walker.currentNode.textContent.trim()
        const range = document.createRange()
        range.selectNodeContents(walker.currentNode)
        for (const { left, right, top, bottom } of text ? range.getClientRects() : []) {
          texts.push({ node: walker.currentNode, text, left, right, top, bottom })
        }
      }
    }
    const found: string[] = []
    for (const [i, a] of texts.entries()) {
      for (const b of texts.slice(i + 1)) {
        const x = Math.min(a.right, b.right) - Math.max(a.left, b.left)
        const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
        // The boxes of a font are higher than its letters.
        const letters = 0.3 * Math.min(a.bottom - a.top, b.bottom - b.top)
        // A text that is cut short has two boxes.
        if (a.node !== b.node && x > 1 && y > letters) found.push(`${a.text} | ${b.text}`)
      }
    }
    return found
  })
}
