import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { runDecoderProcess } from '../audio/decoder-process.ts'
import { toPlain } from '../values/errors.ts'
import { lowerPriority } from './priority.ts'
import {
  STOP_MESSAGE,
  TASK_ARGUMENT,
  TASK_RUNNERS,
  type TaskKind,
  type TaskReply,
  type TaskRequest,
  type TaskRunner,
  transferablesOf,
} from './tasks.ts'

type Reply = (message: TaskReply, transfer?: ArrayBuffer[]) => void

// One script with three roles, so that a bundler has one file to place.
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
  port?.on('message', (request: TaskRequest | typeof STOP_MESSAGE) => {
    if (request !== STOP_MESSAGE) {
      const reply: Reply = (message, transfer) => port.postMessage(message, transfer)
      return runTask(request, reply, stopping.signal)
    }
    stopping.abort()
    // The thread ends when nothing is under way.
    port.unref()
  })
}

function serveProcess(): void {
  process.on('disconnect', () => process.exit(0))
  process.once('message', (request: TaskRequest) => {
    const reply: Reply = (message) => void process.send?.(message)
    // If the process dies after this, the task is the cause.
    reply({ type: 'progress', progress: 0 })
    void runTask(request, reply)
  })
}

async function runTask(
  { kind, task }: TaskRequest,
  reply: Reply,
  signal?: AbortSignal,
): Promise<void> {
  try {
    const run = TASK_RUNNERS[kind] as TaskRunner<TaskKind>
    const result = await run(task, (progress) => reply({ type: 'progress', progress }), signal)
    reply({ type: 'result', result }, transferablesOf(result))
  } catch (error) {
    reply({ type: 'error', error: toPlain(error) })
  }
}
