import { type ChildProcess, spawn } from 'node:child_process'
import type { Plan, Told } from './plan.ts'

/** How a process ended. */
export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
  stderr: string
  /** It had to be killed, for it did not end by itself in time. */
  hung: boolean
}

/** How a process is started. */
export interface Start {
  env?: Record<string, string>
  /** The user that it runs as, where the driver may choose. */
  user?: number
  /** Files may not grow beyond so many blocks of 512 bytes. */
  fileBlocks?: number
}

/** Milliseconds after which a process that does not do what is waited for has hung. */
const PATIENCE = 180_000

/** A process of mixed work, as its driver sees it. */
export class Working {
  readonly plan: Plan
  readonly ended: Promise<Ending>
  /** Whether it opened the database; false if it ended without. */
  readonly opened: Promise<boolean>
  readonly #child: ChildProcess
  readonly #counts: Record<Told, number> = { opened: 0, answered: 0, failed: 0 }
  readonly #waiting = new Set<() => void>()
  #isEnded = false
  #hung = false

  constructor(script: string, plan: Plan, { env, user, fileBlocks }: Start) {
    this.plan = plan
    const command = [process.execPath, script, JSON.stringify(plan)]
    const limited = ['sh', '-c', 'ulimit -f "$0" && exec "$@"', `${fileBlocks}`, ...command]
    const [file = '', ...args] = fileBlocks === undefined ? command : limited
    this.#child = spawn(file, args, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, ...env },
      ...(user !== undefined && { uid: user, gid: user }),
    })
    this.#child.on('message', (told) => {
      this.#counts[told as Told]++
      this.#look()
    })
    let stderr = ''
    this.#child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    this.ended = new Promise((resolve, reject) => {
      this.#child.on('error', reject)
      this.#child.on('close', (code, signal) => {
        this.#isEnded = true
        this.#look()
        resolve({ code, signal, stderr, hung: this.#hung })
      })
    })
    this.opened = this.#until(() => this.#counts.opened > 0).then(() => this.#counts.opened > 0)
  }

  /** Resolves when so many calls were answered, or when the process has ended. */
  answered(count: number): Promise<void> {
    return this.#until(() => this.#counts.answered >= count)
  }

  /** Resolves when so many calls were rejected, or when the process has ended. */
  failed(count: number): Promise<void> {
    return this.#until(() => this.#counts.failed >= count)
  }

  /** How many calls were answered until now. */
  get answers(): number {
    return this.#counts.answered
  }

  /** Ends it from one moment to the next. */
  kill(): Promise<Ending> {
    this.#child.kill('SIGKILL')
    return this.ended
  }

  /** Has it stand still, in the middle of whatever it does. */
  standStill(): void {
    this.#child.kill('SIGSTOP')
  }

  /** Has it go on. */
  wake(): void {
    this.#child.kill('SIGCONT')
  }

  /** Has it close the database and end. */
  async stop(): Promise<Ending> {
    if (this.#child.connected) this.#child.send('stop', () => {})
    await this.#until(() => this.#isEnded)
    return this.ended
  }

  #until(condition: () => boolean): Promise<void> {
    if (condition() || this.#isEnded) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#hung = true
        this.#child.kill('SIGKILL')
      }, PATIENCE)
      const look = () => {
        if (!condition() && !this.#isEnded) return
        clearTimeout(timer)
        this.#waiting.delete(look)
        resolve()
      }
      this.#waiting.add(look)
    })
  }

  #look(): void {
    for (const look of [...this.#waiting]) look()
  }
}
