import type { Splice } from './byte-edit.ts'
import type { TagBlock, TagTexts } from './tag-block.ts'

/** The tags of a file, to read and to plan an edit of. */
export interface EditableTags {
  /** The block that gets new values first; a second one has its own values changed. */
  blocks: readonly [main: TagBlock, beside?: TagBlock]
  /** Whether the format states the tempo in whole beats per minute. */
  hasWholeBeats: boolean
  /** Whether gains are those of Opus (RFC 7845, 5.2.1). */
  isOpus?: boolean
  /** The changes of bytes that give the file these texts. */
  edit(texts: TagTexts): Promise<Splice[]>
}
