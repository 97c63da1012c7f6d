import { count, storeOf } from '../kernel/database/statements.ts'

/** Reads the table `jobs` for a fleet. */
export class FleetJobStore extends storeOf({
  /** Jobs of a kind that have not ended. */
  unfinished: count<[kind: string]>(
    'SELECT count(*) FROM jobs WHERE kind = ? AND failed_at IS NULL',
  ),
}) {}
