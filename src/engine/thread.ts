import { type MessagePort, parentPort, Worker } from 'node:worker_threads'
import { AudileError, ClosedError, fromPlain, type PlainError, toPlain } from '../errors.ts'
import { CLOSE_PATIENCE, Deadline, joined, onAbort } from '../kernel/abort.ts'
import type { Emit, EventName, Events } from '../kernel/events.ts'
import type { Fetched, FetchOptions, Host, LogLevel } from '../kernel/host.ts'
import { Limiter } from '../kernel/limiter.ts'
import { sizeOf } from '../message-size.ts'
import type { EngineConfig } from '../options.ts'
import { builtScript, inheritedFlags } from '../workers/built-script.ts'
import { Channel, type Port } from './channel.ts'
import type { EngineHandle } from './handle.ts'

/** What is kept of the patience with closing for the thread to end after its engine, in milliseconds. */
const EXIT_PATIENCE = 1_000
/**
 * A call with more bytes than this waits until there is room for it: hundreds of imports at once
 * would fill the memory with messages that the engine has not read.
 */
const LARGE = 64_000
/** Large calls that are under way at once; the engine works on one at a time. */
const LARGE_AT_ONCE = 4

interface CallArgs {
  method: string
  params: unknown
  apiKey: string
}

/**
 * Starts an engine in a thread of its own, and opens it there. Nothing but calls, their answers,
 * events, and the engine's requests to the host crosses.
 *
 * Waiting calls keep the process alive, an idle thread does not.
 *
 * @throws {DatabaseError} when the database cannot be opened
 * @throws {AudileError} `internal` when the built engine script is not there
 */
export async function startEngineThread(
  options: { config: EngineConfig; enginePath: string | undefined },
  services: { host: Host; emit: Emit },
): Promise<EngineHandle> {
  const worker = new Worker(scriptOf(options.enginePath), {
    name: 'audile-engine',
    ...inheritedFlags(),
    workerData: { audile: 'engine' },
  })
  const channel = new Channel(worker as Port, {
    respond: (name, args, signal) => answerEngine(services.host, name, args, signal),
    onNotice: (name, args) => {
      if (name === 'log') {
        const { level, message, detail } = args as LogNotice
        services.host.log(level, message, detail)
      } else if (name === 'ended') {
        ended.abort(fromPlain(args as PlainError))
      } else {
        services.emit(name as EventName, args as Events[EventName])
      }
    },
    onBusy: (busy) => (busy ? worker.ref() : worker.unref()),
  })
  const ended = new AbortController()
  const large = new Limiter(LARGE_AT_ONCE)
  let failure: Error | undefined
  worker.on('error', (error) => {
    failure = error instanceof Error ? error : new Error(String(error))
  })
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', (code) => {
      const reason = new ClosedError(
        `The engine thread ended unexpectedly (${failure?.message ?? `exit code ${code}`}). What was acknowledged is in the database; open a new Audile to go on.`,
        failure ? { cause: failure } : {},
      )
      channel.break(reason)
      ended.abort(reason)
      resolve()
    })
  })
  try {
    await channel.request('open', options.config)
  } catch (error) {
    await worker.terminate()
    throw error
  }
  let closing: Promise<void> | undefined
  const close = async (patience: number) => {
    const deadline = new Deadline(patience)
    ended.abort(new ClosedError())
    channel.cancelAll(new ClosedError())
    // A thread that is dead already has nothing to close, and one that waits in SQLite hears nothing.
    const own = Math.max(0, patience - EXIT_PATIENCE)
    await deadline.settled(channel.request('close', own))
    channel.break(new ClosedError())
    worker.ref()
    if (await deadline.settled(exited)) return
    void worker.terminate()
    worker.unref()
  }

  async function call(
    method: string,
    params: unknown,
    { apiKey, signal }: { apiKey: string; signal: AbortSignal | undefined },
  ): Promise<unknown> {
    ended.signal.throwIfAborted()
    signal?.throwIfAborted()
    const args: CallArgs = { method, params, apiKey }
    if (sizeOf(params, LARGE) <= LARGE) return channel.request('call', args, signal)
    const until = joined(ended.signal, signal)
    try {
      return await large.run(until.signal, () => channel.request('call', args, signal))
    } finally {
      until.release()
    }
  }

  return {
    call,
    ended: ended.signal,
    close: (patience = CLOSE_PATIENCE) => {
      closing ??= close(patience)
      return closing
    },
  }
}

/** Runs the engine's end: to be called in the thread that {@link startEngineThread} made. */
export function serveEngine(
  open: (
    config: EngineConfig,
    services: { host: Host; emit: Emit; now: () => number },
  ) => Promise<EngineHandle>,
): void {
  const port = parentPort as MessagePort
  let engine: EngineHandle | undefined
  const channel = new Channel(port as Port, {
    async respond(name, args, signal) {
      if (name === 'open') {
        const emit: Emit = (event, detail) => channel.notify(event, detail)
        engine = await open(args as EngineConfig, {
          host: remoteHost(channel),
          emit,
          now: Date.now,
        })
        const { ended } = engine
        onAbort(ended, () => channel.notify('ended', toPlain(ended.reason)))
        return undefined
      }
      if (!engine) throw new ClosedError()
      if (name === 'call') {
        const { method, params, apiKey } = args as CallArgs
        return engine.call(method, params, { apiKey, signal })
      }
      await engine.close(args as number)
      // The thread has nothing else to live for. It is not closed: the port of Deno cannot be.
      port.unref()
      return undefined
    },
  })
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

/** The host as the engine's thread sees it. */
function remoteHost(channel: Channel): Host {
  const release = async (source: number) => {
    await channel.request('release', source)
  }
  return {
    pull: (source, signal) =>
      channel.request('pull', source, signal) as Promise<Uint8Array | undefined>,
    release,
    fetch: (url, signal, options) =>
      channel.request('fetch', { url, options } satisfies FetchArgs, signal, (response) =>
        release((response as Fetched).source).catch(() => {}),
      ) as Promise<Fetched>,
    log: (level, message, detail) => {
      const told = detail instanceof Error ? (detail.stack ?? detail.message) : detail
      channel.notify('log', { level, message, detail: told } satisfies LogNotice)
    },
  }
}

function answerEngine(host: Host, name: string, args: unknown, signal: AbortSignal) {
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
      return Promise.reject(new AudileError('internal', `The engine asked for "${name}".`))
  }
}

function scriptOf(enginePath: string | undefined): string {
  const script = builtScript('engine', enginePath)
  if (script !== undefined) return script
  throw new AudileError(
    'internal',
    "audile runs from its TypeScript sources, which have no built engine script; build it, or set engine: 'inline'.",
  )
}
