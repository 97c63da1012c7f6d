import type { Splice } from './byte-edit.ts'
import type { TagBlock, TagTexts } from './tag-block.ts'

export interface EditableTags {
  /** The first gets new values; a second has only its own values changed. */
  blocks: readonly [main: TagBlock, beside?: TagBlock]
  /** Whether the format states the tempo in whole beats per minute. */
  hasWholeBeats: boolean
  /** Whether gains are those of Opus (RFC 7845, 5.2.1). */
  isOpus?: boolean
  /** The changes that give the file these texts. */
  edit(texts: TagTexts): Promise<Splice[]>
}
