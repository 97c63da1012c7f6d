import { readTags, type Tags } from '../audio/tags.ts'
import type { PlainError } from '../errors.ts'
import { type FeedBytes, type FeedDocument, readFeed } from '../syndication/read-feed.ts'
import { type AnalyzeResult, type AnalyzeTask, analyzeFile } from './analyze-file.ts'
import {
  type FingerprintResult,
  type FingerprintTask,
  fingerprintFile,
} from './fingerprint-file.ts'

/** A file whose tags are read. */
export interface TagsTask {
  path: string
  /** The most bytes that are read for the tags. */
  bytes: number
}

/** The tasks of workers: plain data in, plain data out. */
export interface Tasks {
  analyze: { task: AnalyzeTask; result: AnalyzeResult }
  feed: { task: FeedBytes; result: FeedDocument }
  fingerprint: { task: FingerprintTask; result: FingerprintResult }
  tags: { task: TagsTask; result: Tags }
}

/** A kind of task. */
export type TaskKind = keyof Tasks

/** Does one task. */
export type Run<K extends TaskKind> = (
  task: Tasks[K]['task'],
  onProgress: (progress: number) => void,
  signal?: AbortSignal,
) => Promise<Tasks[K]['result']>

/**
 * How each kind is done, in a worker thread or on the calling one. Feeds and tags take milliseconds,
 * but a malicious one can take hours, and only the end of its thread stops that.
 */
export const RUN: { readonly [K in TaskKind]: Run<K> } = {
  analyze: analyzeFile,
  feed: readFeed,
  fingerprint: fingerprintFile,
  tags: ({ path, bytes }) => readTags(path, bytes),
}

/** A message from the pool to a worker. */
export interface WorkerRequest {
  kind: TaskKind
  task: Tasks[TaskKind]['task']
}

/** A message from a worker to the pool. */
export type WorkerReply =
  | { type: 'progress'; progress: number }
  | { type: 'result'; result: Tasks[TaskKind]['result'] }
  | { type: 'error'; error: PlainError }

/** The buffers of a result that move to another thread without being copied. */
export function transferablesOf(result: Tasks[TaskKind]['result']): ArrayBuffer[] {
  return 'document' in result ? [result.document.buffer] : []
}
