import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { counter, gauge } from './exposition.ts'
import type { FleetRoom } from './room.ts'
import { type FleetStatus, readFleetStatus } from './status.ts'

/** `fleet/metrics` (ours): `fleet/status` for Prometheus. */
export const fleetMetrics = method({
  name: 'fleet/metrics',
  parameters: z.strictObject({}),
  run: async (room: FleetRoom) => ({ text: ownerMetrics(await readFleetStatus(room)) }),
})

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
