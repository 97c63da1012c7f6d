import type { PlainError } from '../errors.ts'
import type { TaskKind, Tasks } from './tasks.ts'

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
