import { count, storeOf } from '../kernel/database/statements.ts'

export class FleetJobStore extends storeOf({
  /** Not ended yet. */
  unfinished: count<[kind: string]>(
    'SELECT count(*) FROM jobs WHERE kind = ? AND failed_at IS NULL',
  ),
}) {}
