import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const PACKAGE = fileURLToPath(new URL('../../..', import.meta.url))
const SCRIPT = fileURLToPath(new URL('./server.mjs', import.meta.url))

/** What a supervised server serves. */
export interface Place {
  home: string
  engine: 'inline' | 'thread'
  /** Milliseconds from the end of a server to the start of the next one. */
  pause(): number
}

/** Starts a server again when it has ended, on the same database and the same addresses. */
export class Supervisor {
  readonly #place: Place
  #port = 0
  #child: ChildProcess | undefined
  #isServing = false
  #isStopped = false

  constructor(place: Place) {
    this.#place = place
  }

  /** The socket in the file system. */
  get socket(): string {
    return join(this.#place.home, 'socket')
  }

  get database(): string {
    return join(this.#place.home, 'music.db')
  }

  /** Starts the first one, and returns its addresses. */
  async start(): Promise<{ unix: `unix:${string}`; tcp: `ws://${string}` }> {
    const [unix, tcp] = await this.#begin()
    this.#port = Number(new URL(tcp).port)
    return { unix, tcp }
  }

  async #begin(): Promise<[`unix:${string}`, `ws://${string}`]> {
    const args = [this.database, this.#place.engine, this.socket, String(this.#port)]
    const child = fork(SCRIPT, args, {
      cwd: PACKAGE,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#child = child
    child.once('exit', () => void this.#again())
    const [addresses] = await once(child, 'message')
    this.#isServing = true
    return addresses
  }

  async #again(): Promise<void> {
    this.#isServing = false
    if (this.#isStopped) return
    await sleep(this.#place.pause())
    if (!this.#isStopped) void this.#begin()
  }

  /** Whether there is one now that serves. */
  get isServing(): boolean {
    return this.#isServing
  }

  /** Ends the server that runs by a signal: SIGKILL, or SIGTERM, at which it closes. */
  end(signal: 'SIGKILL' | 'SIGTERM'): void {
    this.#isServing = false
    this.#child?.kill(signal)
  }

  /** Ends the last server. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
  }
}
