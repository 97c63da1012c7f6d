import type { Merge } from '../recognition/index/merge.ts'
import type { Codes } from '../recognition/systems/codes.ts'
import type { Family } from '../recognition/systems/version.ts'

/**
 * The codes that the last export has collected, for its next pages, by the number of their recording.
 * Those of an export that is not finished stay until the next one.
 */
export class ExportState {
  readonly codes = new Map<number, Map<Family, Codes>>()
}

/** The merge at hand, which keeps what its sources have not packed. */
export class MergeState {
  merge: Merge | undefined
}
