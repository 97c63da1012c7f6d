import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { ParameterError } from '../values/errors.ts'
import type { FleetFigures } from '../workers/workers.ts'
import type { FleetRoom } from './room.ts'

/** The progress of a fleet. */
export interface FleetStatus extends FleetFigures {
  /** Tracks of this database that are not analysed yet, including those on the queue. */
  tracks: number
  /** Seconds until they are analysed, at the current rate; `null` while the rate is 0. */
  secondsLeft: number | null
}

/** `fleet/status` (ours): what the fleet of `analysis` does. */
export const fleetStatus = method({
  name: 'fleet/status',
  parameters: z.strictObject({}),
  run: readFleetStatus,
})

/** @throws {ParameterError} `not_ready` without a fleet, or when its queue does not answer */
export async function readFleetStatus({
  workers,
  jobs,
  analyses,
}: FleetRoom): Promise<FleetStatus> {
  if (!workers.figures) {
    throw new ParameterError(
      'not_ready',
      'This database was opened without a fleet: its own threads analyse. Open it with the option analysis: fleet({ … }) of audile/fleet.',
    )
  }
  const figures = await workers.figures()
  const tracks = jobs.unfinished(analyses)
  const secondsLeft = figures.rate > 0 ? tracks / figures.rate : null
  return { ...figures, tracks, secondsLeft }
}
