import { count, storeOf } from '../kernel/database/statements.ts'

/** What the table `jobs` tells of work for a fleet. */
export class FleetJobStore extends storeOf({
  /** Jobs of a kind that have not ended. */
  unfinished: count<[kind: string]>(
    'SELECT count(*) FROM jobs WHERE kind = ? AND failed_at IS NULL',
  ),
}) {}
