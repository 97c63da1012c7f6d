import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import timers from 'node:timers'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transformSync } from 'esbuild'

const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url))
/** What runs as soon as it is loaded. */
const PROGRAMS = /^(cli-entry|engine-entry|workers\/entry)\.js$/
/** The engine rests when so many looks, so many milliseconds apart, each find few functions entered. */
const REST = { looks: 30, milliseconds: 50, functions: 20 }

/** The number of functions that were entered, by source file. */
export type Entered = Map<string, number>
export const functionsOf = (entered: Entered) => [...entered.values()].reduce((a, b) => a + b, 0)

/** Tells which functions of a source tree are called. */
export class Coverage {
  readonly #root: string
  readonly #session = new Session()
  #counting = false

  /** @param folder - where the code is that runs */
  constructor(folder: string) {
    this.#root = pathToFileURL(`${folder}/src/`).href
  }

  /** Begins to count, and loads every source file, so that no operation loads one. */
  async start(source: string): Promise<void> {
    this.#holdIntervals()
    this.#session.connect()
    await this.#session.post('Profiler.enable')
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    const files = transpile(source, fileURLToPath(this.#root))
    for (const file of files.filter((file) => !PROGRAMS.test(file))) await import(this.#root + file)
  }

  /** Tells what an operation enters, after the work that earlier ones left. */
  async of(operation: () => Promise<unknown>): Promise<Entered> {
    for (let quiet = 0; quiet < REST.looks; ) {
      await setTimeout(REST.milliseconds)
      quiet = functionsOf(await this.#enteredSinceLast()) > REST.functions ? 0 : quiet + 1
    }
    this.#counting = true
    try {
      await operation()
      return await this.#enteredSinceLast()
    } finally {
      this.#counting = false
    }
  }

  /** Stills the engine's intervals while an operation is counted: some would come by chance. */
  #holdIntervals(): void {
    const { setInterval } = timers
    const held = (work: () => void, milliseconds: number) =>
      setInterval(() => this.#counting || work(), milliseconds)
    timers.setInterval = held as typeof setInterval
    syncBuiltinESMExports()
  }

  async #enteredSinceLast(): Promise<Entered> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage')
    const entered: Entered = new Map()
    for (const { url, functions } of result.filter(({ url }) => url.startsWith(this.#root))) {
      const called = functions.filter(({ functionName, ranges: [whole] }) => {
        // The code of the module itself, and what a class does when it is declared.
        const loading = functionName === '' && whole?.startOffset === 0
        return whole?.count && !loading && functionName !== '<static_initializer>'
      })
      const file = url.slice(this.#root.length).replace(/\.js$/, '.ts')
      if (called.length > 0) entered.set(file, called.length)
    }
    return entered
  }
}

/** Writes each source file as a JavaScript file, so that V8 tells them apart; returns their names. */
function transpile(source: string, target: string): string[] {
  const all = readdirSync(source, { recursive: true, encoding: 'utf8' })
  const files = all.filter((file) => /(?<!\.d)\.ts$/.test(file))
  for (const file of files) {
    const text = readFileSync(join(source, file), 'utf8')
    const imports = text.replace(/'(\.\.?\/[^'\n]+)\.(?:ts|json)'/g, "'$1.js'")
    const { code } = transformSync(imports, { loader: 'ts', format: 'esm', target: 'node20' })
    const path = join(target, file.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, code)
  }
  writeFileSync(join(target, '../package.json'), '{ "type": "module" }')
  // Node.js has no named imports of JSON, which bundlers have.
  const manifest = readFileSync(join(source, '../package.json'), 'utf8')
  const named = `export const { version, peerDependencies } = ${manifest}`
  writeFileSync(join(target, '../package.js'), named)
  symlinkSync(PACKAGES, join(target, '../node_modules'), 'junction')
  return files.map((file) => file.replaceAll('\\', '/').replace(/\.ts$/, '.js'))
}
