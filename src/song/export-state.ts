import type { Codes } from '../recognition/systems/codes.ts'
import type { Family } from '../recognition/systems/version.ts'

/**
 * The codes that the last export has collected, for its next pages, by the number of their recording.
 * Those of an export that is not finished stay until the next one.
 */
export class ExportState {
  readonly codes = new Map<number, Map<Family, Codes>>()
}
