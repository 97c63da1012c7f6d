import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { runDecoderProcess } from '../audio/decoder-process.ts'
import { type PlainError, toPlain } from '../errors.ts'
import { RUN, type Run, type TaskKind, type Tasks, transferablesOf } from './tasks.ts'

/** From the pool to a worker thread. */
export interface WorkerRequest {
  kind: TaskKind
  task: Tasks[TaskKind]['task']
}

/** From a worker thread to the pool. */
export type WorkerReply =
  | { type: 'progress'; progress: number }
  | { type: 'result'; result: Tasks[TaskKind]['result'] }
  | { type: 'error'; error: PlainError }

// One script in two parts, so that a bundler has one file to place: a thread of the pool, and the
// process that shields its host from a decoder that can take the process down.
if (isMainThread) {
  if (process.argv[2] === 'audile-decode') void runDecoderProcess(process.argv.slice(2))
} else if ((workerData as { audile?: string } | null)?.audile === 'worker') {
  serve()
}

function serve(): void {
  const port = parentPort
  const reply = (message: WorkerReply, transfer: ArrayBuffer[] = []) =>
    port?.postMessage(message, transfer)
  port?.on('message', async ({ kind, task }: WorkerRequest) => {
    try {
      const run = RUN[kind] as Run<TaskKind>
      const result = await run(task, (progress) => reply({ type: 'progress', progress }))
      reply({ type: 'result', result }, transferablesOf(result))
    } catch (error) {
      reply({ type: 'error', error: toPlain(error) })
    }
  })
}
