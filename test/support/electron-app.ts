import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { PACKAGE } from './built.ts'

const EXAMPLE = join(PACKAGE, 'examples/electron')
const STAND_IN = join(PACKAGE, 'test/support/electron-stand-in.mjs')

/** The packages that audile needs, and that they need. */
function needed(): Set<string> {
  const found = new Set<string>()
  const add = (manifest: string) => {
    const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
    for (const name of Object.keys(dependencies)) {
      const its = join(PACKAGE, 'node_modules', name, 'package.json')
      // That which only fetches a built addon, at the installation, is not there when an app runs.
      if (name === 'prebuild-install' || found.has(name) || !existsSync(its)) continue
      found.add(name)
      add(its)
    }
  }
  add(join(PACKAGE, 'package.json'))
  return found
}

/**
 * Lays out the example as a packed app: `app.asar` is a folder here, without what no thread and no
 * loader of addons could read inside an archive; `app.asar.unpacked` has node_modules beside it.
 *
 * @returns the main script
 */
export function packedApp(folder: string): string {
  const [inside, outside] = ['app.asar', 'app.asar.unpacked'].map((name) => join(folder, name))
  for (const place of [inside!, outside!]) {
    const modules = join(place, 'node_modules')
    for (const name of needed()) {
      const filter = (from: string) => !/better-sqlite3.(?:deps|src)\b/.test(from)
      const from = join(PACKAGE, 'node_modules', name)
      cpSync(from, join(modules, name), { recursive: true, dereference: true, filter })
    }
    for (const part of ['dist', 'package.json'])
      cpSync(join(PACKAGE, part), join(modules, 'audile', part), { recursive: true })
  }
  for (const name of ['audile/dist/engine.js', 'audile/dist/worker.js', 'better-sqlite3/build'])
    rmSync(join(inside!, 'node_modules', name), { recursive: true })
  cpSync(EXAMPLE, inside!, { recursive: true })
  const electron = join(inside!, 'node_modules/electron')
  mkdirSync(electron)
  cpSync(STAND_IN, join(electron, 'index.mjs'))
  writeFileSync(join(electron, 'package.json'), '{ "exports": "./index.mjs" }')
  return join(inside!, 'main.mjs')
}

interface Message {
  window?: { page: string; preload: string }
  channel?: string
  args?: unknown[]
  id?: number
  answer?: unknown
  error?: string
}

/** A main process of the example under Node, which takes itself for Electron's. */
export class MainProcess {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (message: Message) => void>()
  #told: (channel: string, args: unknown[]) => void = () => {}
  /** What its window shows. */
  readonly window: Promise<{ page: string; preload: string }>

  constructor(script: string, env: { USER_DATA: string; CHOSEN_FOLDER: string }) {
    const electron = join(dirname(script), 'be-electron.mjs')
    writeFileSync(
      electron,
      `Object.defineProperty(process.versions, 'electron', { value: '0.0.0' })`,
    )
    this.#child = fork(script, {
      env: { ...process.env, ...env },
      execArgv: ['--import', pathToFileURL(electron).href],
    })
    onTestFinished(() => void this.#child.kill('SIGKILL'))
    const { promise, resolve, reject } = withResolvers<{ page: string; preload: string }>()
    this.window = promise
    this.#child.on('exit', (code) => reject(new Error(`The main process ended with ${code}.`)))
    this.#child.on('message', (message: Message) => {
      if (message.window) resolve(message.window)
      else if (message.channel) this.#told(message.channel, message.args ?? [])
      else this.#waiting.get(message.id ?? 0)?.(message)
    })
  }

  #invoke(channel: string, ...args: unknown[]): Promise<Message> {
    const id = this.#waiting.size + 1
    this.#child.send({ id, channel, args })
    return new Promise((resolve) => void this.#waiting.set(id, resolve))
  }

  /** Opens the page of its window, after its preload script, whose `electron` leads to this process. */
  async show(page: Page): Promise<void> {
    const window = await this.window
    await page.exposeFunction('toMain', async (args: [string, ...unknown[]]) => {
      const { answer, error } = await this.#invoke(...args)
      return { answer, error }
    })
    await page.addInitScript(`{
      const told = new Map()
      window.fromMain = (channel, args) => told.get(channel)?.({}, ...args)
      const electron = {
        contextBridge: { exposeInMainWorld: (name, api) => { window[name] = Object.freeze(api) } },
        ipcRenderer: {
          on: (channel, listener) => told.set(channel, listener),
          invoke: async (...args) => {
            const { answer, error } = await window.toMain(args)
            if (error) throw new Error(error)
            return answer
          },
        },
      }
      const require = (name) => ({ electron })[name]
      ${readFileSync(window.preload, 'utf8')}
    }`)
    await page.goto(pathToFileURL(window.page).href)
    this.#told = (channel, args) =>
      void page.evaluate(`fromMain(${JSON.stringify(channel)}, ${JSON.stringify(args)})`)
  }

  /** Closes the window. @returns the code with which the process ends */
  async close(): Promise<number> {
    const exit = once(this.#child, 'exit')
    this.#child.send({ channel: 'window-all-closed' })
    return (await exit)[0]
  }
}

function withResolvers<T>() {
  let resolve!: (value: T) => void
  let reject!: (error: Error) => void
  const promise = new Promise<T>((...both) => {
    ;[resolve, reject] = both
  })
  return { promise, resolve, reject }
}
