import { type MessagePort, parentPort, Worker } from 'node:worker_threads'
import type { EngineHandle, Fetched, FetchOptions, Host, LogLevel } from '../call.ts'
import { AudileError, ClosedError } from '../errors.ts'
import type { Emit, EventName, Events } from '../events.ts'
import type { EngineConfig } from '../options.ts'
import { builtScript } from '../workers/built-script.ts'
import { inheritedFlags } from '../workers/inherited-flags.ts'
import { Channel, type Port } from './channel.ts'

/** How long a thread may take to end by itself after it closed, in milliseconds. */
const EXIT_PATIENCE = 5_000

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
      } else {
        services.emit(name as EventName, args as Events[EventName])
      }
    },
    onBusy: (busy) => (busy ? worker.ref() : worker.unref()),
  })
  let failure: Error | undefined
  worker.on('error', (error) => {
    failure = error instanceof Error ? error : new Error(String(error))
  })
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', (code) => {
      channel.break(
        new ClosedError(
          `The engine thread ended unexpectedly (${failure?.message ?? `exit code ${code}`}). What was acknowledged is in the database; open a new Audile to go on.`,
          failure ? { cause: failure } : {},
        ),
      )
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
  const close = async () => {
    // A thread that is dead already has nothing to close.
    await channel.request('close', undefined).catch(() => {})
    channel.break(new ClosedError())
    worker.ref()
    const patience = setTimeout(() => void worker.terminate(), EXIT_PATIENCE)
    await exited
    clearTimeout(patience)
  }
  return {
    call: (method, params, { apiKey, signal }) =>
      channel.request('call', { method, params, apiKey } satisfies CallArgs, signal),
    close: () => {
      closing ??= close()
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
        return undefined
      }
      if (!engine) throw new ClosedError()
      if (name === 'call') {
        const { method, params, apiKey } = args as CallArgs
        return engine.call(method, params, { apiKey, signal })
      }
      await engine.close()
      // The answer goes out first; without its port the thread has nothing left to live for.
      setImmediate(() => port.close())
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
  return {
    pull: (source, signal) =>
      channel.request('pull', source, signal) as Promise<Uint8Array | undefined>,
    release: async (source) => {
      await channel.request('release', source)
    },
    fetch: (url, signal, options) =>
      channel.request('fetch', { url, options } satisfies FetchArgs, signal) as Promise<Fetched>,
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
