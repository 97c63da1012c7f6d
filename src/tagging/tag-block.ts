import { DecodeError } from '../values/errors.ts'

/** By name; `undefined` removes the value. */
export type TagTexts = ReadonlyMap<string, string | undefined>

/** An ID3v2 tag, a Vorbis comment, the items of an MP4 or an APE tag. */
export interface TagBlock {
  /** By its name in Vorbis comments. */
  readText(name: string): string | undefined
  /** Every other byte that is no size or padding stays. */
  withTexts(texts: TagTexts): Uint8Array
}

/** @throws {DecodeError} about a part that no edit can be sure to keep */
export function refuseEdit(part: string, problem: string): never {
  throw new DecodeError(`Its ${part} ${problem}; a tag editor may be able to repair it.`)
}

/** A block that has to grow leaves them free, so that later edits move nothing. */
export const SPARE_BYTES = 1024
