import { z } from 'zod'
import { ParameterError } from '../errors.ts'
import { method } from '../kernel/method.ts'
import type { FleetFigures } from '../workers/workers.ts'
import { counter, gauge } from './exposition.ts'
import type { FleetRoom } from './room.ts'

/** How far a fleet is. */
export interface FleetStatus extends FleetFigures {
  /** Tracks of this database that are not analysed yet, those among them that are on the queue. */
  tracks: number
  /** Seconds until they are analysed, at the present rate; `null` while there is none. */
  secondsLeft: number | null
}

/** `fleet/status` (ours): what the fleet of `analysis` does. */
export const status = method({
  name: 'fleet/status',
  parameters: z.strictObject({}),
  run: statusOf,
})

/** `fleet/metrics` (ours): {@link status} for Prometheus. */
export const metrics = method({
  name: 'fleet/metrics',
  parameters: z.strictObject({}),
  run: async (room: FleetRoom) => ({ text: ownerMetrics(await statusOf(room)) }),
})

/** @throws {ParameterError} `not_ready` without a fleet, or when its queue does not answer */
async function statusOf({ workers, jobs, analyses }: FleetRoom): Promise<FleetStatus> {
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

/** The figures of an owner for Prometheus. */
function ownerMetrics(status: FleetStatus): string {
  const { waiting, running, givenUp, workers, own, results, rate, tracks, failures } = status
  return [
    gauge('queue_jobs', 'Jobs of all owners on the queue.', {
      '{state="waiting"}': waiting,
      '{state="running"}': running,
      '{state="given_up"}': givenUp,
    }),
    gauge('jobs', 'Jobs of this owner that are out.', {
      '{state="waiting"}': own.waiting,
      '{state="running"}': own.running,
    }),
    gauge('workers', 'Workers seen in the last minute.', { '': workers }),
    gauge('tracks', 'Tracks of this database that are not analysed yet.', { '': tracks }),
    gauge('results_per_second', 'Results in the last five minutes.', { '': rate }),
    counter('results_total', 'Results that came to this owner.', { '': results }),
    counter('failures_total', 'Files that failed, and calls that were refused and repeated.', {
      '{cause="file"}': failures.file,
      '{cause="worker"}': failures.worker,
      '{cause="queue"}': failures.queue,
      '{cause="store"}': failures.store,
    }),
  ].join('')
}
