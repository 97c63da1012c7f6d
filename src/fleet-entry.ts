/**
 * Analysis on many machines: an owner with the database, and workers that share a queue and a store
 * with it. Needs one package for the queue, `pg-boss` (PostgreSQL) or `bullmq` (Redis, Valkey), and
 * `aws4fetch` where the store is a bucket.
 *
 * @module audile/fleet
 */

export type { FleetWorker, FleetWorkerStatus } from './fleet/fleet-worker.ts'
export type { ServeFleetOptions } from './fleet/serve.ts'
export { serveFleet } from './fleet/serve.ts'
export type { FleetDescription, FleetOptions, FleetPlaces } from './fleet-options.ts'
export { fleet } from './fleet-options.ts'
export type { Logger } from './options.ts'
