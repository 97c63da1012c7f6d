import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { CLOSE_PATIENCE, Deadline, joinSignals, onAbort } from '../kernel/abort.ts'
import { LockWaits } from '../kernel/database/lock-wait.ts'
import type { Emit, EventName, Events } from '../kernel/events.ts'
import type { Fetched, FetchOptions, Host, LogLevel } from '../kernel/host.ts'
import { Limiter } from '../kernel/limiter.ts'
import type { EngineServices } from '../kernel/open.ts'
import type { EngineConfig } from '../options/options.ts'
import { AudileError, ClosedError, fromPlain, type PlainError, toPlain } from '../values/errors.ts'
import { CONCURRENT_LARGE_CALLS, isLargeMessage } from '../values/message-size.ts'
import { findBuiltScript, inheritedFlags } from '../workers/built-script.ts'
import { Channel, type ChannelSide, type Port } from './channel.ts'
import type { CallOptions, EngineHandle } from './handle.ts'

/** Of the closing time, for the thread to end after its engine. */
const EXIT_MILLISECONDS = 1_000

// The arguments of requests and notices that cross the thread boundary.

interface CallArgs {
  method: string
  params: unknown
  apiKey: string
}

interface FetchArgs {
  url: string
  options: FetchOptions | undefined
}

interface LogNotice {
  level: LogLevel
  message: string
  detail?: unknown
}

/**
 * Only calls, answers, events and requests to the host cross the boundary; only calls keep the
 * process alive.
 * @throws {DatabaseError} when the database cannot be opened
 * @throws {AudileError} `internal` when the built engine script is missing
 */
export async function startEngineThread(
  options: { config: EngineConfig; enginePath: string | undefined },
  services: Pick<EngineServices, 'host' | 'emit'>,
): Promise<EngineHandle> {
  const thread = new EngineThread(options.enginePath, services)
  await thread.open(options.config)
  return thread
}

/** Of running engines: Node.js ends their threads when the process exits. */
const openWaits = new Set<LockWaits>()
process.on('exit', () => {
  for (const waits of openWaits) waits.forbidWaits()
})

class EngineThread implements EngineHandle, ChannelSide {
  readonly #services: Pick<EngineServices, 'host' | 'emit'>
  readonly #waits = new LockWaits()
  readonly #worker: Worker
  readonly #channel: Channel
  readonly #largeCalls = new Limiter(CONCURRENT_LARGE_CALLS)
  readonly #ended = new AbortController()
  readonly ended: AbortSignal = this.#ended.signal
  readonly #exited: Promise<void>
  #closing: Promise<void> | undefined

  constructor(enginePath: string | undefined, services: Pick<EngineServices, 'host' | 'emit'>) {
    this.#services = services
    this.#worker = new Worker(findScript(enginePath), {
      name: 'audile-engine',
      ...inheritedFlags(),
      workerData: { audile: 'engine', waits: this.#waits.memory },
    })
    this.#channel = new Channel(this.#worker as Port, this)
    let failure: Error | undefined
    this.#worker.on('error', (error) => {
      failure = error instanceof Error ? error : new Error(String(error))
    })
    openWaits.add(this.#waits)
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        openWaits.delete(this.#waits)
        this.#onExit(failure, code)
        resolve()
      })
    })
  }

  async open(config: EngineConfig): Promise<void> {
    try {
      await this.#channel.request('open', config)
    } catch (error) {
      await this.#worker.terminate()
      throw error
    }
  }

  async call(method: string, params: unknown, { apiKey, signal }: CallOptions): Promise<unknown> {
    this.ended.throwIfAborted()
    signal?.throwIfAborted()
    const args: CallArgs = { method, params, apiKey }
    if (!isLargeMessage(params)) return this.#channel.request('call', args, signal)
    const joinedSignal = joinSignals(this.ended, signal)
    try {
      return await this.#largeCalls.run(joinedSignal.signal, () =>
        this.#channel.request('call', args, signal),
      )
    } finally {
      joinedSignal.release()
    }
  }

  close(patience = CLOSE_PATIENCE): Promise<void> {
    this.#closing ??= this.#closeThread(patience)
    return this.#closing
  }

  async #closeThread(patience: number): Promise<void> {
    const deadline = new Deadline(patience)
    this.#ended.abort(new ClosedError())
    this.#channel.cancelAll(new ClosedError())
    // A dead thread has nothing to close, and one that waits for a lock does not answer.
    this.#waits.endWaits()
    const enginePatience = Math.max(0, patience - EXIT_MILLISECONDS)
    await deadline.settled(this.#channel.request('close', enginePatience))
    this.#channel.break(new ClosedError())
    this.#worker.ref()
    if (await deadline.settled(this.#exited)) return
    this.#waits.forbidWaits()
    void this.#worker.terminate()
    this.#worker.unref()
  }

  #onExit(failure: Error | undefined, code: number): void {
    const reason = new ClosedError(
      `The engine thread ended unexpectedly (${failure?.message ?? `exit code ${code}`}). What was acknowledged is in the database; open a new Audile to go on.`,
      failure ? { cause: failure } : {},
    )
    this.#channel.break(reason)
    this.#ended.abort(reason)
  }

  async respond(name: string, args: unknown, signal: AbortSignal): Promise<unknown> {
    const { host } = this.#services
    switch (name) {
      case 'pull':
        return host.pull(args as number, signal)
      case 'release':
        return host.release(args as number)
      case 'fetch': {
        const { url, options } = args as FetchArgs
        return host.fetch(url, signal, options)
      }
      default:
        throw new AudileError('internal', `The engine asked for "${name}".`)
    }
  }

  onNotice(name: string, args: unknown): void {
    if (name === 'log') {
      const { level, message, detail } = args as LogNotice
      this.#services.host.log(level, message, detail)
    } else if (name === 'ended') {
      this.#ended.abort(fromPlain(args as PlainError))
    } else {
      this.#services.emit(name as EventName, args as Events[EventName])
    }
  }

  onBusy(busy: boolean): void {
    if (busy) this.#worker.ref()
    else this.#worker.unref()
  }
}

type OpenEngine = (
  config: EngineConfig,
  services: Omit<EngineServices, 'connect'>,
) => Promise<EngineHandle>

/** Called in the thread that {@link startEngineThread} started. */
export function runEngine(openEngine: OpenEngine): void {
  const port = parentPort as MessagePort
  let engine: EngineHandle | undefined
  const startEngine = async (config: EngineConfig) => {
    const emit: Emit = (event, detail) => channel.notify(event, detail)
    const waits = new LockWaits(workerData.waits)
    const openedEngine = await openEngine(config, {
      host: hostBehind(channel),
      emit,
      now: Date.now,
      waits,
    })
    onAbort(openedEngine.ended, () => channel.notify('ended', toPlain(openedEngine.ended.reason)))
    engine = openedEngine
  }
  const channel = new Channel(port as Port, {
    async respond(name, args, signal) {
      if (name === 'open') return startEngine(args as EngineConfig)
      if (!engine) throw new ClosedError()
      if (name === 'call') {
        const { method, params, apiKey } = args as CallArgs
        return engine.call(method, params, { apiKey, signal })
      }
      await engine.close(args as number)
      // Nothing else keeps the thread alive; the port is not closed, because Deno cannot close it.
      port.unref()
      return undefined
    },
  })
}

/** As the engine's thread reaches it. */
function hostBehind(channel: Channel): Host {
  const release = async (source: number) => void (await channel.request('release', source))
  return {
    release,
    async pull(source, signal) {
      return (await channel.request('pull', source, signal)) as Uint8Array | undefined
    },
    async fetch(url, signal, options) {
      // Releases an answer that arrives after the abort.
      const releaseAnswer = (answer: unknown) =>
        void release((answer as Fetched).source).catch(() => {})
      const args: FetchArgs = { url, options }
      return (await channel.request('fetch', args, signal, releaseAnswer)) as Fetched
    },
    log(level, message, detail) {
      const plainDetail = detail instanceof Error ? (detail.stack ?? detail.message) : detail
      channel.notify('log', { level, message, detail: plainDetail } satisfies LogNotice)
    },
  }
}

function findScript(enginePath: string | undefined): string {
  const script = findBuiltScript('engine', enginePath)
  if (script !== undefined) return script
  throw new AudileError(
    'internal',
    "audile runs from its TypeScript sources, which have no built engine script; build it, or set engine: 'inline'.",
  )
}
