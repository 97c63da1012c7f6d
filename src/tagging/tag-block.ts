import { DecodeError } from '../values/errors.ts'

/** New texts of tag values by name; `undefined` removes the value. */
export type TagTexts = ReadonlyMap<string, string | undefined>

/** A block of tags in a file: an ID3v2 tag, a Vorbis comment, the items of an MP4 or an APE tag. */
export interface TagBlock {
  /** The text of a value by the name that Vorbis comments give it; `undefined` where it is absent. */
  readText(name: string): string | undefined
  /** The block with changed values; every other byte that is no size or padding stays. */
  withTexts(texts: TagTexts): Uint8Array
}

/** @throws {DecodeError} `Its <part> <problem>; …` about a part that no edit can be sure to keep */
export function refuseEdit(part: string, problem: string): never {
  throw new DecodeError(`Its ${part} ${problem}; a tag editor may be able to repair it.`)
}

/** The bytes that a block which has to grow leaves free, so that later edits move nothing. */
export const SPARE_BYTES = 1024
