import { Worker } from 'node:worker_threads'
import type { DecodeOptions } from '../audio/decode.ts'
import { AudileError, DecodeError, fromPlain } from '../errors.ts'
import { onAbort } from '../kernel/abort.ts'
import { clearInterval, clearTimeout, setInterval, setTimeout } from '../kernel/timers.ts'
import type { Limits, ThreadConfig } from '../options.ts'
import { builtScript, inheritedFlags } from './built-script.ts'
import { startTaskProcess, type TaskProcess } from './task-process.ts'
import { RUN, type TaskKind, type Tasks, type WorkerReply, type WorkerRequest } from './tasks.ts'
import type { GivenTask, RunOptions, Workers } from './workers.ts'

/** The options of a pool. */
interface PoolOptions {
  /** The most threads; 0 runs the tasks on the calling thread. */
  size: number
  /** The built worker script. Default: beside this file. */
  workerPath?: string
  /** JavaScript heap of each thread in MB. */
  megabytes: number
  /** Milliseconds after which a thread that reports nothing counts as stuck and is ended. */
  stalledAfter: number
  /** How files are decoded. */
  decode?: Pick<DecodeOptions, 'limits' | 'ffmpegPath'>
}

/** Milliseconds after which a thread without work ends. */
const IDLE = 10_000

interface Thread {
  worker: Worker
  idle?: NodeJS.Timeout
}

/** A worker thread died during its task: out of memory, crashed by a decoder, or ended from outside. */
export class WorkerDied extends AudileError {
  constructor(message: string, options?: ErrorOptions) {
    super('internal', message, options)
  }
}

/**
 * Threads that decode and analyse. A task that gets stuck or crashes its thread harms no other task:
 * the thread is replaced.
 */
export class Pool implements Workers {
  readonly #options: PoolOptions
  /** `undefined`: tasks run on the calling thread. */
  readonly #script: string | undefined
  readonly #decode: DecodeOptions
  readonly #idle: Thread[] = []
  readonly #live = new Set<Thread>()
  readonly #processes = new Set<TaskProcess>()
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#script = options.size > 0 ? builtScript('worker', options.workerPath) : undefined
    this.#decode = {
      ...options.decode,
      ...(this.#script !== undefined && { decoderProcess: this.#script }),
    }
  }

  /** The number of tasks that can usefully run at once. */
  get width(): number {
    return Math.max(1, this.#options.size)
  }

  /** Whether there is a built script, which can run in its own process. */
  get isolates(): boolean {
    return this.#script !== undefined
  }

  async run<K extends TaskKind>(
    kind: K,
    given: GivenTask<K>,
    options: RunOptions,
  ): Promise<Tasks[K]['result']> {
    // A given task lacks only `decode`, which the kinds that decode nothing ignore.
    const task = { ...given, decode: this.#decode } as unknown as Tasks[K]['task']
    for (let tries = 1; ; tries++) {
      try {
        return await this.#runOnce(kind, task, options)
      } catch (error) {
        if (!(error instanceof WorkerDied) || tries >= (options.tries ?? 1)) throw error
      }
    }
  }

  async #runOnce<K extends TaskKind>(kind: K, task: Tasks[K]['task'], options: RunOptions) {
    options.signal.throwIfAborted()
    if (this.#closed) throw new AudileError('closed', 'The worker pool is closed.')
    if (this.#script === undefined)
      return RUN[kind](task, options.onProgress ?? (() => {}), options.signal)
    const request: WorkerRequest = { kind, task }
    if (options.isolated) {
      const outcome = await this.#runApart(this.#script, request, options)
      if (outcome) return outcome.result
    }
    const thread = this.#idle.pop() ?? this.#spawn(this.#script)
    clearTimeout(thread.idle)
    thread.worker.ref()
    return this.#runOn(thread, request, options)
  }

  /** Ends all threads; rejects the tasks that are running. */
  async close(): Promise<void> {
    this.#closed = true
    for (const child of this.#processes) child.end()
    await Promise.all([...this.#live].map((thread) => this.#end(thread)))
  }

  #runOn(thread: Thread, request: WorkerRequest, { signal, onProgress }: RunOptions) {
    const { worker } = thread
    return new Promise<Tasks[TaskKind]['result']>((resolve, reject) => {
      let release = () => {}
      const settle = (outcome: () => void, reusable: boolean) => {
        stalled.stop()
        release()
        worker.off('message', onMessage).off('error', onError).off('exit', onExit)
        if (reusable) this.#rest(thread)
        else void this.#end(thread)
        outcome()
      }
      const onMessage = (reply: WorkerReply) => {
        if (reply.type === 'progress') {
          stalled.alive()
          onProgress?.(reply.progress)
        } else if (reply.type === 'result') {
          settle(() => resolve(reply.result), true)
        } else {
          settle(() => reject(fromPlain(reply.error)), true)
        }
      }
      const onError = (error: Error & { code?: string }) =>
        settle(() => reject(diedOf(error, this.#options.megabytes)), false)
      const onExit = (code: number) =>
        settle(() => reject(new WorkerDied(`The analysis thread ended with code ${code}.`)), false)
      // A decoder blocks its thread, so only the end of the thread stops it.
      const leave = () => settle(() => reject(signal.reason), false)
      const { stalledAfter } = this.#options
      const stalled = new StallWatch(stalledAfter, () =>
        settle(() => reject(stalledFor(stalledAfter)), false),
      )
      worker.on('message', onMessage).on('error', onError).on('exit', onExit)
      worker.postMessage(request)
      release = onAbort(signal, leave)
    })
  }

  /** `undefined` when the process did not start: an application may forbid its program to run as Node. */
  #runApart(script: string, request: WorkerRequest, { signal, onProgress }: RunOptions) {
    const { megabytes, stalledAfter } = this.#options
    return new Promise<{ result: Tasks[TaskKind]['result'] } | undefined>((resolve, reject) => {
      const child = startTaskProcess(script, request, megabytes)
      let started = false
      let release = () => {}
      const settle = (outcome: () => void) => {
        stalled.stop()
        release()
        this.#processes.delete(child)
        child.end()
        outcome()
      }
      const leave = () => settle(() => reject(signal.reason))
      const stalled = new StallWatch(stalledAfter, () =>
        settle(() => reject(stalledFor(stalledAfter))),
      )
      this.#processes.add(child)
      child.onReply((reply) => {
        started = true
        stalled.alive()
        if (reply.type === 'progress') onProgress?.(reply.progress)
        else if (reply.type === 'result') settle(() => resolve({ result: reply.result }))
        else settle(() => reject(fromPlain(reply.error)))
      })
      child.onEnd((how) =>
        settle(() => {
          if (started) reject(new WorkerDied(`The analysis process ${how}.`))
          else resolve(undefined)
        }),
      )
      release = onAbort(signal, leave)
    })
  }

  #spawn(script: string): Thread {
    const worker = new Worker(script, {
      name: 'audile-worker',
      ...inheritedFlags(),
      workerData: { audile: 'worker' },
      resourceLimits: { maxOldGenerationSizeMb: this.#options.megabytes },
      stderr: false,
      stdout: false,
    })
    const thread: Thread = { worker }
    this.#live.add(thread)
    // Between tasks there is no other listener, and an unheard 'error' event would end the process.
    worker.on('error', () => this.#forget(thread))
    worker.on('exit', () => this.#forget(thread))
    return thread
  }

  #rest(thread: Thread): void {
    if (this.#closed || !this.#live.has(thread)) return
    thread.worker.unref()
    thread.idle = setTimeout(() => void this.#end(thread), IDLE)
    thread.idle.unref()
    this.#idle.push(thread)
  }

  async #end(thread: Thread): Promise<void> {
    this.#forget(thread)
    await thread.worker.terminate()
  }

  #forget(thread: Thread): void {
    clearTimeout(thread.idle)
    this.#live.delete(thread)
    const at = this.#idle.indexOf(thread)
    if (at >= 0) this.#idle.splice(at, 1)
  }
}

/** The limits that decide what becomes of a file that is analysed. */
export type AnalysisLimits = Pick<
  Limits,
  'decodedSeconds' | 'analysisSeconds' | 'channels' | 'workerMegabytes' | 'stalledSeconds'
>

/** Opens a pool; its threads start with their first tasks. */
export function openPool(
  { workers, workerPath, ffmpegPath }: ThreadConfig,
  limits: AnalysisLimits,
): Pool {
  return new Pool({
    size: workers,
    megabytes: limits.workerMegabytes,
    stalledAfter: Math.round(limits.stalledSeconds * 1000),
    ...(workerPath !== undefined && { workerPath }),
    decode: {
      limits: {
        seconds: limits.decodedSeconds,
        channels: limits.channels,
        elapsed: limits.analysisSeconds,
      },
      ...(ffmpegPath !== undefined && { ffmpegPath }),
    },
  })
}

function stalledFor(milliseconds: number): DecodeError {
  return new DecodeError(
    `The analysis made no progress for ${Math.round(milliseconds / 1000)} s and was stopped; raise limits.stalledSeconds if the machine is slow.`,
  )
}

function diedOf(error: Error & { code?: string }, megabytes: number): Error {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new DecodeError(
      `The analysis needed more than the ${megabytes} MB of limits.workerMegabytes.`,
      { cause: error },
    )
  }
  return new WorkerDied(`The analysis thread died: ${error.message}`, { cause: error })
}

/** Timer ticks within the time after which work counts as stuck. */
const TICKS = 12

/**
 * Notices work that reports nothing for too long. It counts ticks of its own timer, so that time in
 * which the process was stopped or the machine slept does not count.
 */
class StallWatch {
  readonly #timer: NodeJS.Timeout
  #silentTicks = 0

  constructor(milliseconds: number, onStall: () => void) {
    this.#timer = setInterval(() => {
      if (++this.#silentTicks < TICKS) return
      this.stop()
      onStall()
    }, milliseconds / TICKS)
    this.#timer.unref()
  }

  /** The work reported something. */
  alive(): void {
    this.#silentTicks = 0
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
