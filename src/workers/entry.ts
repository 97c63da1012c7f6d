import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { runDecoderProcess } from '../audio/decoder-process.ts'
import { toPlain } from '../values/errors.ts'
import { lowerPriority } from './priority.ts'
import {
  RUN,
  type Run,
  STOP,
  TASK_ARGUMENT,
  type TaskKind,
  transferablesOf,
  type WorkerReply,
  type WorkerRequest,
} from './tasks.ts'

type Reply = (message: WorkerReply, transfer?: ArrayBuffer[]) => void

// One script with three roles, so that a bundler has one file to place: a thread of the pool, the
// process of a decoder that can crash its process, and the process of a task that may have crashed
// the one before.
if (isMainThread) {
  if (process.argv[2] === 'audile-decode') void runDecoderProcess(process.argv.slice(2))
  else if (process.argv[2] === TASK_ARGUMENT) serveProcess()
} else if ((workerData as { audile?: string } | null)?.audile === 'worker') {
  if ((workerData as { gentle?: boolean }).gentle) lowerPriority()
  serveThread()
}

function serveThread(): void {
  const port = parentPort
  const stopping = new AbortController()
  port?.on('message', (request: WorkerRequest | typeof STOP) => {
    if (request !== STOP) {
      const reply: Reply = (message, transfer) => port.postMessage(message, transfer)
      return runTask(request, reply, stopping.signal)
    }
    stopping.abort()
    // The thread ends when nothing is under way any more.
    port.unref()
  })
}

function serveProcess(): void {
  process.on('disconnect', () => process.exit(0))
  process.once('message', (request: WorkerRequest) => {
    const reply: Reply = (message) => void process.send?.(message)
    // Reports that the process runs. If it dies after this, the task is the cause.
    reply({ type: 'progress', progress: 0 })
    void runTask(request, reply)
  })
}

async function runTask(
  { kind, task }: WorkerRequest,
  reply: Reply,
  signal?: AbortSignal,
): Promise<void> {
  try {
    const run = RUN[kind] as Run<TaskKind>
    const result = await run(task, (progress) => reply({ type: 'progress', progress }), signal)
    reply({ type: 'result', result }, transferablesOf(result))
  } catch (error) {
    reply({ type: 'error', error: toPlain(error) })
  }
}
