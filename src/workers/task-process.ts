import { fork } from 'node:child_process'
import type { WorkerReply, WorkerRequest } from './tasks.ts'

/** The first argument of a task process; other processes have another. */
export const TASK_ARGUMENT = 'audile-task'

/** A process for one task, for the pool. */
export interface TaskProcess {
  onReply(listener: (reply: WorkerReply) => void): void
  /** @param listener - called once, with how the process ended */
  onEnd(listener: (how: string) => void): void
  end(): void
}

/**
 * Starts a process for one task. If it crashes, nothing else does; when this process ends, it ends too.
 *
 * @param script - a file that calls `serveTask` with its arguments
 */
export function startTaskProcess(
  script: string,
  request: WorkerRequest,
  megabytes: number,
): TaskProcess {
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
  return {
    onReply: (listener) => void child.on('message', listener),
    onEnd: (listener) => {
      child.once('exit', (code, signal) =>
        listener(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
      )
      child.on('error', (error) => listener(`could not be started: ${error.message}`))
    },
    end: () => void child.kill('SIGKILL'),
  }
}

/** The task process itself: does the task that it receives, and replies. */
export function serveTask(
  run: (request: WorkerRequest, reply: (message: WorkerReply) => void) => Promise<void>,
): void {
  const send = process.send?.bind(process)
  if (!send) return
  process.on('disconnect', () => process.exit(0))
  process.once('message', (request: WorkerRequest) => {
    const reply = (message: WorkerReply) => void send(message)
    // Reports that the process runs. If it dies after this, the task is the cause.
    reply({ type: 'progress', progress: 0 })
    void run(request, reply)
  })
}
