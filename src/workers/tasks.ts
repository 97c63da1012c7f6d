import { type AnalyzeResult, type AnalyzeTask, analyzeFile } from './analyze-file.ts'
import {
  type FingerprintResult,
  type FingerprintTask,
  fingerprintFile,
} from './fingerprint-file.ts'
import { type FeedResult, type FeedTask, readFeedBytes } from './read-feed.ts'
import { readFileTags, type TagsResult, type TagsTask } from './read-tags.ts'

/** What a worker can be asked to do: plain data in, plain data out. */
export interface Tasks {
  analyze: { task: AnalyzeTask; result: AnalyzeResult }
  feed: { task: FeedTask; result: FeedResult }
  fingerprint: { task: FingerprintTask; result: FingerprintResult }
  tags: { task: TagsTask; result: TagsResult }
}

/** The name of a kind of task. */
export type TaskKind = keyof Tasks

/** Does one task. */
export type Run<K extends TaskKind> = (
  task: Tasks[K]['task'],
  onProgress: (progress: number) => void,
  signal?: AbortSignal,
) => Promise<Tasks[K]['result']>

/** How each kind is done, in a worker thread or on the calling one. */
export const RUN: { readonly [K in TaskKind]: Run<K> } = {
  analyze: analyzeFile,
  feed: readFeedBytes,
  fingerprint: fingerprintFile,
  tags: readFileTags,
}

/** The buffers of a result, which cross a thread without being copied. */
export function transferablesOf(result: Tasks[TaskKind]['result']): ArrayBuffer[] {
  return 'document' in result ? [result.document.buffer] : []
}
