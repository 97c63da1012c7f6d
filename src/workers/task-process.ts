import { fork } from 'node:child_process'
import type { WorkerReply, WorkerRequest } from './messages.ts'

/** The first argument of a task process, which nothing else is started with. */
export const TASK_ARGUMENT = 'audile-task'

/** A process of its own, as a worker thread looks to the pool. */
export interface TaskProcess {
  onReply(listener: (reply: WorkerReply) => void): void
  /** @param listener - told how it ended, once */
  onEnd(listener: (how: string) => void): void
  end(): void
}

/**
 * Starts a process for one task. What takes it down takes nothing else down, and an end of this
 * process ends it too.
 *
 * @param script - a file that calls `serveTask` with its arguments
 */
export function startTaskProcess(
  script: string,
  request: WorkerRequest,
  megabytes: number,
): TaskProcess {
  const child = fork(script, [TASK_ARGUMENT], {
    // Typed arrays stay what they are.
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${Math.round(megabytes)}`],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Its end is told by 'exit' or 'error'; a message that does not reach it tells nothing more.
  // One that could not be started, for want of file descriptors say, is not connected.
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

/** The other end: does the task that comes, answers, and ends. */
export function serveTask(
  run: (request: WorkerRequest, reply: (message: WorkerReply) => void) => Promise<void>,
): void {
  const send = process.send?.bind(process)
  if (!send) return
  process.on('disconnect', () => process.exit(0))
  process.once('message', (request: WorkerRequest) => {
    const reply = (message: WorkerReply) => void send(message)
    // A sign of life: from here on it is the task that ends this process.
    reply({ type: 'progress', progress: 0 })
    void run(request, reply)
  })
}
