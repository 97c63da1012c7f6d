import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** What came of one deed. */
export interface Outcome {
  /** Milliseconds that it took. */
  ms: number
  /** Milliseconds that the host's event loop was held up at most. */
  waited?: number
  /** Most megabytes of the host and all processes that it started. */
  megabytes: number
  /** The host did not survive it, or did not answer in time. */
  died?: string
  error?: { name?: string; code?: string; message: string }
  duration?: number
  samplerate?: number
  told?: string
  status?: number
  message?: string
  failed?: string
}

const VICTIM = fileURLToPath(new URL('./victim.mjs', import.meta.url))
/** Milliseconds after which a host that says nothing is given up. */
const PATIENCE = 120_000
const SAMPLE_EVERY = 20

/**
 * An application with the built package, in a process of its own that is started anew when it dies.
 */
export class Host {
  readonly #options: object
  #child: ChildProcess | undefined
  #lines: AsyncIterator<string> | undefined
  #reader: Interface | undefined
  #said = ''

  /** @param options of `Audile.open` */
  constructor(options: object) {
    this.#options = options
  }

  /** Has the host do something. */
  async do(task: object): Promise<Outcome> {
    const child = this.#child ?? this.#start()
    const started = performance.now()
    let megabytes = 0
    const sample = () => {
      megabytes = Math.max(megabytes, megabytesOf(child.pid ?? 0))
    }
    const sampling = setInterval(sample, SAMPLE_EVERY)
    let patience: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => {
      patience = setTimeout(resolve, PATIENCE, 'late')
    })
    child.stdin?.write(`${JSON.stringify(task)}\n`)
    const line = await Promise.race([this.#lines?.next(), late])
    clearTimeout(patience)
    sample()
    clearInterval(sampling)
    const ms = Math.round(performance.now() - started)
    if (line !== 'late' && line && !line.done) {
      return { ...(JSON.parse(line.value) as Outcome), megabytes }
    }
    const died = line === 'late' ? `no answer for ${PATIENCE / 1000} s` : `died: ${this.#said}`
    await this.end()
    return { ms, megabytes, died }
  }

  async end(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    this.#reader?.close()
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.stdin?.end()
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(timer)
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, [VICTIM, JSON.stringify(this.#options)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.#child = child
    this.#said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-2000)
    })
    // A host that is gone cannot be written to; that it is gone is told by its output's end.
    child.stdin?.on('error', () => {})
    this.#reader = createInterface({ input: child.stdout as NodeJS.ReadableStream })
    this.#lines = this.#reader[Symbol.asyncIterator]()
    return child
  }
}

/** Resident memory of a process and of those that it started; 0 where the system does not tell. */
export function megabytesOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const own = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean),
    )
    return children.reduce((sum, child) => sum + megabytesOf(Number(child)), own)
  } catch {
    return 0
  }
}
