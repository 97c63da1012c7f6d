import { readTags, type Tags } from '../audio/tags.ts'

/** One file whose tags are to be read. */
export interface TagsTask {
  path: string
  /** Bytes that may be read for them. */
  bytes: number
}
/** What the file says of itself. */
export type TagsResult = Tags

/** Reads tags: a matter of milliseconds, unless they are made to take hours. */
export function readFileTags({ path, bytes }: TagsTask): Promise<TagsResult> {
  return readTags(path, bytes)
}
