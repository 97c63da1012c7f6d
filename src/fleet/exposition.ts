import type { FleetWorkerStatus } from './fleet-worker.ts'

/** Values of a metric by their labels; a single one has none. */
type Samples = Readonly<Record<string, number>>

/** The figures of a worker for Prometheus. */
export function workerMetrics(status: FleetWorkerStatus, threads: number): string {
  const { running, done, failed, queueRefused, storeRefused } = status
  return [
    gauge('worker_threads', 'Analyses that run at once at most.', { '': threads }),
    gauge('worker_jobs', 'Jobs in hand.', { '': running }),
    counter('worker_ended_total', 'Jobs that ended, by how.', {
      '{outcome="done"}': done,
      '{outcome="given_back"}': failed,
    }),
    counter('worker_refused_total', 'Calls that were refused, and repeated.', {
      '{server="queue"}': queueRefused,
      '{server="store"}': storeRefused,
    }),
  ].join('')
}

/** A gauge for Prometheus. */
export const gauge = metric('gauge')
/** A counter for Prometheus. */
export const counter = metric('counter')

/** Texts in the exposition format 0.0.4. */
function metric(type: string) {
  return (name: string, help: string, samples: Samples): string => {
    const full = `audile_fleet_${name}`
    const lines = Object.entries(samples).map(([labels, value]) => `${full}${labels} ${value}\n`)
    return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${lines.join('')}`
  }
}
