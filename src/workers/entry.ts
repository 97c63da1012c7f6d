import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { runDecoderProcess } from '../audio/decoder-process.ts'
import { type PlainError, toPlain } from '../errors.ts'
import { type AnalyzeResult, type AnalyzeTask, analyzeFile } from './analyze-file.ts'

/** From the pool to a worker thread. */
export type WorkerRequest = AnalyzeTask

/** From a worker thread to the pool. */
export type WorkerReply =
  | { type: 'progress'; progress: number }
  | { type: 'result'; result: AnalyzeResult }
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
  port?.on('message', async (task: WorkerRequest) => {
    try {
      const result = await analyzeFile(task, (progress) => reply({ type: 'progress', progress }))
      reply({ type: 'result', result }, [result.document.buffer])
    } catch (error) {
      reply({ type: 'error', error: toPlain(error) })
    }
  })
}
