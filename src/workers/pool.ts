import { type ChildProcess, fork } from 'node:child_process'
import { Worker } from 'node:worker_threads'
import type { DecodeOptions } from '../audio/decode.ts'
import { Deadline, onAbort } from '../kernel/abort.ts'
import { clearTimeout, setTimeout } from '../kernel/timers.ts'
import { type Limits, type ThreadConfig, threadsOf } from '../options/options.ts'
import { AudileError, DecodeError, fromPlain } from '../values/errors.ts'
import { findBuiltScript, inheritedFlags } from './built-script.ts'
import { lowerPriority } from './priority.ts'
import { watchStall } from './stall-watch.ts'
import {
  STOP_MESSAGE,
  TASK_ARGUMENT,
  TASK_RUNNERS,
  type TaskKind,
  type TaskReply,
  type TaskRequest,
  type Tasks,
} from './tasks.ts'
import type { GivenTask, RunOptions, Workers } from './workers.ts'

/** Most of the analysis lies outside the heap, whose young part would grow to 48 MB. */
const YOUNG_MEGABYTES = 8

const IDLE_MILLISECONDS = 10_000

/** Enough to start, and to leave a task. */
const END_MILLISECONDS = 2_000

/** A worker thread died during its task: out of memory, crashed by a decoder, or ended from outside. */
export class WorkerDied extends AudileError {
  constructor(message: string, options?: ErrorOptions) {
    super('internal', message, options)
  }
}

export type AnalysisLimits = Pick<
  Limits,
  'decodedSeconds' | 'analysisSeconds' | 'channels' | 'workerMegabytes' | 'stalledSeconds'
>

type Performer = (onReply: (reply: TaskReply) => void, onEnd: (error: Error) => void) => () => void

/** A task that gets stuck or crashes its thread harms no other; the thread is replaced. */
export class WorkerPool implements Workers {
  readonly width: number
  readonly isolates: boolean
  readonly #limits: AnalysisLimits
  /** `undefined`: tasks run on the calling thread. */
  readonly #script: string | undefined
  readonly #decodeOptions: DecodeOptions
  readonly #liveWorkers = new Set<Worker>()
  /** The thread that worked last comes last. */
  readonly #idleWorkers = new Map<Worker, NodeJS.Timeout>()
  readonly #endings = new Set<Promise<void>>()
  readonly #processes = new Set<ChildProcess>()
  readonly #gentle: boolean
  #closed = false

  /**
   * Threads start with their first tasks.
   *
   * @throws {AudileError} when the worker script is not found
   */
  constructor(config: ThreadConfig, limits: AnalysisLimits) {
    const { workerPath, ffmpegPath } = config
    const threads = threadsOf(config)
    this.width = Math.max(1, threads)
    this.#gentle = config.workers === 'gentle'
    this.#limits = limits
    this.#script = threads > 0 ? findBuiltScript('worker', workerPath) : undefined
    this.isolates = this.#script !== undefined
    this.#decodeOptions = {
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
    givenTask: GivenTask<K>,
    options: RunOptions,
  ): Promise<Tasks[K]['result']> {
    // A given task lacks only `decode`, which the kinds that decode nothing ignore.
    const task = { ...givenTask, decode: this.#decodeOptions } as unknown as Tasks[K]['task']
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
      return TASK_RUNNERS[kind](task, options.onProgress ?? (() => {}), options.signal)
    const request: TaskRequest = { kind, task }
    if (options.isolated) {
      const outcome = await this.#runInProcess(this.#script, request, options)
      if (outcome) return outcome.result
    }
    return this.#runOn(
      [...this.#idleWorkers.keys()].at(-1) ?? this.#startWorker(this.#script),
      request,
      options,
    )
  }

  /** Ends all threads; rejects the tasks that are running. */
  async close(): Promise<void> {
    this.#closed = true
    for (const child of this.#processes) child.kill('SIGKILL')
    for (const worker of this.#liveWorkers) this.#endWorker(worker)
    await Promise.all(this.#endings)
  }

  async #runOn(worker: Worker, request: TaskRequest, options: RunOptions) {
    this.#wakeWorker(worker)
    worker.ref()
    let hasAnswered = false
    const startTask: Performer = (onReply, onEnd) => {
      const onMessage = (reply: TaskReply) => {
        hasAnswered = reply.type !== 'progress'
        onReply(reply)
      }
      const onError = (error: Error & { code?: string }) =>
        onEnd(deathError(error, this.#limits.workerMegabytes))
      const onExit = (code: number) =>
        onEnd(new WorkerDied(`The analysis thread ended with code ${code}.`))
      worker.on('message', onMessage).on('error', onError).on('exit', onExit)
      worker.postMessage(request)
      return () => worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    }
    try {
      return await this.#awaitAnswer(startTask, options)
    } finally {
      if (hasAnswered) this.#restWorker(worker)
      else this.#endWorker(worker)
    }
  }

  /** `undefined` when the process did not start: an application may forbid it. */
  async #runInProcess(script: string, request: TaskRequest, options: RunOptions) {
    const child = startTaskProcess(script, request, this.#limits.workerMegabytes)
    if (this.#gentle && child.pid !== undefined) lowerPriority(child.pid)
    this.#processes.add(child)
    let hasStarted = false
    const startTask: Performer = (onReply, onEnd) => {
      child.on('message', (reply: TaskReply) => {
        hasStarted = true
        onReply(reply)
      })
      const reportEnd = (how: string) => onEnd(new WorkerDied(`The analysis process ${how}.`))
      child.on('exit', (code, signal) =>
        reportEnd(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
      )
      child.on('error', ({ message }) => reportEnd(`could not be started: ${message}`))
      return () => child.kill('SIGKILL')
    }
    try {
      return { result: await this.#awaitAnswer(startTask, options) }
    } catch (error) {
      if (hasStarted || !(error instanceof WorkerDied)) throw error
      return undefined
    } finally {
      this.#processes.delete(child)
    }
  }

  /** Rejects when the task ends early, is silent for too long, or on abort. */
  #awaitAnswer(startTask: Performer, { signal, onProgress }: RunOptions) {
    const seconds = this.#limits.stalledSeconds
    return new Promise<Tasks[TaskKind]['result']>((resolve, reject) => {
      let [release, leave] = [() => {}, () => {}]
      const settleOnce = (outcome: () => void) => {
        stalled.stop()
        release()
        leave()
        outcome()
      }
      const stalled = watchStall(seconds, () => settleOnce(() => reject(stalledError(seconds))))
      leave = startTask(
        (reply) => {
          stalled.alive()
          if (reply.type === 'progress') onProgress?.(reply.progress)
          else if (reply.type === 'result') settleOnce(() => resolve(reply.result))
          else settleOnce(() => reject(fromPlain(reply.error)))
        },
        (error) => settleOnce(() => reject(error)),
      )
      release = onAbort(signal, () => settleOnce(() => reject(signal.reason)))
    })
  }

  #startWorker(script: string): Worker {
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
    this.#liveWorkers.add(worker)
    // An unheard 'error' event would end the process.
    worker.on('error', () => this.#forgetWorker(worker))
    worker.on('exit', () => this.#forgetWorker(worker))
    return worker
  }

  #restWorker(worker: Worker): void {
    if (this.#closed || !this.#liveWorkers.has(worker)) return
    worker.unref()
    const timer = setTimeout(() => this.#endWorker(worker), IDLE_MILLISECONDS)
    timer.unref()
    this.#idleWorkers.set(worker, timer)
  }

  #wakeWorker(worker: Worker): void {
    clearTimeout(this.#idleWorkers.get(worker))
    this.#idleWorkers.delete(worker)
  }

  #endWorker(worker: Worker): void {
    if (!this.#liveWorkers.has(worker)) return
    this.#forgetWorker(worker)
    worker.ref()
    const ended = endThread(worker).finally(() => this.#endings.delete(ended))
    this.#endings.add(ended)
  }

  #forgetWorker(worker: Worker): void {
    this.#wakeWorker(worker)
    this.#liveWorkers.delete(worker)
  }
}

/** A thread that is forced while it opens a file never closes the file. */
async function endThread(worker: Worker): Promise<void> {
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => resolve())
  })
  worker.postMessage(STOP_MESSAGE)
  // A decoder may block its thread.
  if (!(await new Deadline(END_MILLISECONDS).settled(exited))) await worker.terminate()
}

/** A crash harms nothing else, and the process ends with this one. */
function startTaskProcess(script: string, request: TaskRequest, megabytes: number): ChildProcess {
  const child = fork(script, [TASK_ARGUMENT], {
    // Keeps typed arrays.
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${Math.round(megabytes)}`],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // 'exit' or 'error' reports the end; a process that could not start is not connected.
  if (child.connected) child.send(request, () => {})
  return child
}

function stalledError(seconds: number): DecodeError {
  return new DecodeError(
    `The analysis made no progress for ${Math.round(seconds)} s and was stopped; raise limits.stalledSeconds if the machine is slow.`,
  )
}

function deathError(error: Error & { code?: string }, megabytes: number): Error {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new DecodeError(
      `The analysis needed more than the ${megabytes} MB of limits.workerMegabytes.`,
      { cause: error },
    )
  }
  return new WorkerDied(`The analysis thread died: ${error.message}`, { cause: error })
}
