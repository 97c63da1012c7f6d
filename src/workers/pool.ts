import { type ChildProcess, fork } from 'node:child_process'
import { Worker } from 'node:worker_threads'
import type { DecodeOptions } from '../audio/decode.ts'
import { Deadline, onAbort } from '../kernel/abort.ts'
import { clearTimeout, setTimeout } from '../kernel/timers.ts'
import { type Limits, type ThreadConfig, threadsOf } from '../options/options.ts'
import { AudileError, DecodeError, fromPlain } from '../values/errors.ts'
import { builtScript, inheritedFlags } from './built-script.ts'
import { lowerPriority } from './priority.ts'
import { stallWatch } from './stall-watch.ts'
import {
  RUN,
  STOP,
  TASK_ARGUMENT,
  type TaskKind,
  type Tasks,
  type WorkerReply,
  type WorkerRequest,
} from './tasks.ts'
import type { GivenTask, RunOptions, Workers } from './workers.ts'

/**
 * Megabytes for a thread's short-lived objects. Most of the analysis lies outside the heap, and by default
 * this part of it grows to 48.
 */
const YOUNG_MEGABYTES = 8

/** Milliseconds after which a thread without work ends. */
const IDLE = 10_000

/** Milliseconds in which a thread may end by itself: enough to start, and to leave a task. */
const END_PATIENCE = 2_000

/** A worker thread died during its task: out of memory, crashed by a decoder, or ended from outside. */
export class WorkerDied extends AudileError {
  constructor(message: string, options?: ErrorOptions) {
    super('internal', message, options)
  }
}

/** The limits that affect the result of an analysis. */
export type AnalysisLimits = Pick<
  Limits,
  'decodedSeconds' | 'analysisSeconds' | 'channels' | 'workerMegabytes' | 'stalledSeconds'
>

/** Starts a task, and returns a function that leaves it. */
type Performer = (
  onReply: (reply: WorkerReply) => void,
  onEnd: (error: Error) => void,
) => () => void

/**
 * Threads that decode and analyse. A task that gets stuck or crashes its thread harms no other task:
 * the thread is replaced.
 */
export class Pool implements Workers {
  readonly width: number
  readonly isolates: boolean
  readonly #limits: AnalysisLimits
  /** `undefined`: tasks run on the calling thread. */
  readonly #script: string | undefined
  readonly #decode: DecodeOptions
  readonly #live = new Set<Worker>()
  /** Idle threads and the timers that end them; the thread that worked last comes last. */
  readonly #idle = new Map<Worker, NodeJS.Timeout>()
  readonly #ending = new Set<Promise<void>>()
  readonly #processes = new Set<ChildProcess>()
  readonly #gentle: boolean
  #closed = false

  /** Threads start with their first tasks. @throws {AudileError} when the worker script is not found */
  constructor(config: ThreadConfig, limits: AnalysisLimits) {
    const { workerPath, ffmpegPath } = config
    const threads = threadsOf(config)
    this.width = Math.max(1, threads)
    this.#gentle = config.workers === 'gentle'
    this.#limits = limits
    this.#script = threads > 0 ? builtScript('worker', workerPath) : undefined
    this.isolates = this.#script !== undefined
    this.#decode = {
      limits: {
        seconds: limits.decodedSeconds,
        channels: limits.channels,
        elapsed: limits.analysisSeconds,
      },
      ...(ffmpegPath !== undefined && { ffmpegPath }),
      ...(this.#script !== undefined && { decoderProcess: this.#script }),
    }
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
    return this.#runOn([...this.#idle.keys()].at(-1) ?? this.#spawn(this.#script), request, options)
  }

  /** Ends all threads; rejects the tasks that are running. */
  async close(): Promise<void> {
    this.#closed = true
    for (const child of this.#processes) child.kill('SIGKILL')
    for (const worker of this.#live) this.#end(worker)
    await Promise.all(this.#ending)
  }

  async #runOn(worker: Worker, request: WorkerRequest, options: RunOptions) {
    this.#wake(worker)
    worker.ref()
    let hasAnswered = false
    const perform: Performer = (onReply, onEnd) => {
      const onMessage = (reply: WorkerReply) => {
        hasAnswered = reply.type !== 'progress'
        onReply(reply)
      }
      const onError = (error: Error & { code?: string }) =>
        onEnd(diedOf(error, this.#limits.workerMegabytes))
      const onExit = (code: number) =>
        onEnd(new WorkerDied(`The analysis thread ended with code ${code}.`))
      worker.on('message', onMessage).on('error', onError).on('exit', onExit)
      worker.postMessage(request)
      return () => worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    }
    try {
      return await this.#answer(perform, options)
    } finally {
      if (hasAnswered) this.#rest(worker)
      else this.#end(worker)
    }
  }

  /** `undefined` when the process did not start: an application may forbid its program to run as Node. */
  async #runApart(script: string, request: WorkerRequest, options: RunOptions) {
    const child = startTaskProcess(script, request, this.#limits.workerMegabytes)
    if (this.#gentle && child.pid !== undefined) lowerPriority(child.pid)
    this.#processes.add(child)
    let hasStarted = false
    const perform: Performer = (onReply, onEnd) => {
      child.on('message', (reply: WorkerReply) => {
        hasStarted = true
        onReply(reply)
      })
      const ended = (how: string) => onEnd(new WorkerDied(`The analysis process ${how}.`))
      child.on('exit', (code, signal) =>
        ended(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
      )
      child.on('error', ({ message }) => ended(`could not be started: ${message}`))
      return () => child.kill('SIGKILL')
    }
    try {
      return { result: await this.#answer(perform, options) }
    } catch (error) {
      if (hasStarted || !(error instanceof WorkerDied)) throw error
      return undefined
    } finally {
      this.#processes.delete(child)
    }
  }

  /** The performer's answer; rejects when it ends early, is silent for too long, or on abort. */
  #answer(perform: Performer, { signal, onProgress }: RunOptions) {
    const seconds = this.#limits.stalledSeconds
    return new Promise<Tasks[TaskKind]['result']>((resolve, reject) => {
      let [release, leave] = [() => {}, () => {}]
      const settle = (outcome: () => void) => {
        stalled.stop()
        release()
        leave()
        outcome()
      }
      const stalled = stallWatch(seconds, () => settle(() => reject(stalledFor(seconds))))
      leave = perform(
        (reply) => {
          stalled.alive()
          if (reply.type === 'progress') onProgress?.(reply.progress)
          else if (reply.type === 'result') settle(() => resolve(reply.result))
          else settle(() => reject(fromPlain(reply.error)))
        },
        (error) => settle(() => reject(error)),
      )
      release = onAbort(signal, () => settle(() => reject(signal.reason)))
    })
  }

  #spawn(script: string): Worker {
    const worker = new Worker(script, {
      name: 'audile-worker',
      ...inheritedFlags(),
      workerData: { audile: 'worker', gentle: this.#gentle },
      resourceLimits: {
        maxOldGenerationSizeMb: this.#limits.workerMegabytes,
        maxYoungGenerationSizeMb: YOUNG_MEGABYTES,
      },
      stderr: false,
      stdout: false,
    })
    this.#live.add(worker)
    // Between tasks there is no other listener, and an unheard 'error' event would end the process.
    worker.on('error', () => this.#forget(worker))
    worker.on('exit', () => this.#forget(worker))
    return worker
  }

  #rest(worker: Worker): void {
    if (this.#closed || !this.#live.has(worker)) return
    worker.unref()
    const timer = setTimeout(() => this.#end(worker), IDLE)
    timer.unref()
    this.#idle.set(worker, timer)
  }

  #wake(worker: Worker): void {
    clearTimeout(this.#idle.get(worker))
    this.#idle.delete(worker)
  }

  #end(worker: Worker): void {
    if (!this.#live.has(worker)) return
    this.#forget(worker)
    worker.ref()
    const ended = endThread(worker).finally(() => this.#ending.delete(ended))
    this.#ending.add(ended)
  }

  #forget(worker: Worker): void {
    this.#wake(worker)
    this.#live.delete(worker)
  }
}

/**
 * Asks a thread to end, and forces one that does not. A thread that is forced while it opens a file, be
 * it a part of its own script, never closes the file.
 */
async function endThread(worker: Worker): Promise<void> {
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => resolve())
  })
  worker.postMessage(STOP)
  // A decoder may block its thread.
  if (!(await new Deadline(END_PATIENCE).settled(exited))) await worker.terminate()
}

/**
 * Starts a process for one task. If it crashes, nothing else does; when this process ends, it ends too.
 */
function startTaskProcess(script: string, request: WorkerRequest, megabytes: number): ChildProcess {
  const child = fork(script, [TASK_ARGUMENT], {
    // Keeps typed arrays.
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${Math.round(megabytes)}`],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // The callback ignores errors of sending, as 'exit' or 'error' reports the end of the process.
  // A process that could not be started, e.g. for lack of file descriptors, is not connected.
  if (child.connected) child.send(request, () => {})
  return child
}

function stalledFor(seconds: number): DecodeError {
  return new DecodeError(
    `The analysis made no progress for ${Math.round(seconds)} s and was stopped; raise limits.stalledSeconds if the machine is slow.`,
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
