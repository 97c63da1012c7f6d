import { z } from 'zod'
import { audioInput } from '../input/receive-audio.ts'
import type { FingerprintResult, FingerprintTask } from '../workers/tasks.ts'
import { TRIES } from '../workers/workers.ts'
import type { SongRoom } from './room.ts'

/** Audio that a song method is asked about: exactly one input, and a part of it. */
export const audio = {
  ...audioInput,
  /** Where the part begins, seconds. Default 0. */
  start: z.number().min(0).optional(),
  /** Length of the part, seconds. Default: to the end. */
  length: z.number().positive().optional(),
}

/** Takes the fingerprints of a file, in a worker. */
export function takeFingerprints(
  { listening, workers }: SongRoom,
  task: Omit<FingerprintTask, 'decode'>,
  signal: AbortSignal,
): Promise<FingerprintResult> {
  return listening.run(signal, () => workers.run('fingerprint', task, { signal, tries: TRIES }))
}
