import { openDatabase } from '../kernel/database/open.ts'
import { OpenFile } from '../kernel/database/open-file.ts'
import { asDatabaseError } from '../kernel/database/sqlite-error.ts'
import { type EngineServices, openKernel } from '../kernel/open.ts'
import type { EngineConfig } from '../options/options.ts'
import { WorkerPool } from '../workers/pool.ts'
import type { Workers } from '../workers/workers.ts'
import { Engine } from './calls.ts'
import type { EngineHandle } from './handle.ts'
import { openRooms } from './rooms.ts'

/**
 * Opens the database and the rooms on it, runs their jobs and answers calls, in any thread.
 * @throws {DatabaseError} when the database cannot be opened
 */
export async function openEngine(
  config: EngineConfig,
  services: EngineServices,
): Promise<EngineHandle> {
  const db = openDatabase(config.database, { ...config, waits: services.waits })
  const file = new OpenFile(db)
  try {
    const { kernel, jobs } = openKernel(db, config, services)
    const workers = await openWorkers(config, services)
    const rooms = await openRooms(kernel, workers)
    jobs.start()
    return new Engine({ ...services, db, file, jobs, workers, rooms })
  } catch (error) {
    file.stopWatching()
    db.close()
    throw asDatabaseError(error)
  }
}

async function openWorkers(config: EngineConfig, services: EngineServices): Promise<Workers> {
  const pool = new WorkerPool(config, config.limits)
  if (!config.analysis) return pool
  // No code of the fleet is loaded without one.
  const { openFleetWorkers } = await import('../fleet/fleet-workers.ts')
  return openFleetWorkers(config.analysis, config, pool, services)
}
