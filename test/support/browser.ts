import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll } from 'vitest'

const PLACES = process.env.CHROMIUM_PATH
  ? [process.env.CHROMIUM_PATH]
  : [
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'google-chrome')),
    ]
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--mute-audio',
]

/**
 * A headless Chromium for the tests of a file, closed after them; `undefined`, with the reason
 * printed, where there is none: `it.skipIf(!chromium)`.
 */
export async function browser(): Promise<Browser | undefined> {
  const executablePath = PLACES.find(existsSync)
  if (!executablePath) {
    console.warn('No Chromium: tests in a browser are skipped. CHROMIUM_PATH says where one is.')
    return undefined
  }
  const launched = await chromium.launch({ executablePath, args: ARGUMENTS, timeout: 0 })
  // What it waits for ends with the test, however slow the machine is.
  const newContext = launched.newContext.bind(launched)
  launched.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(0)
    return context
  }
  afterAll(() => launched.close())
  return launched
}
