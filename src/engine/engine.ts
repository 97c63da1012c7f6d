import { asDatabaseError } from '../errors.ts'
import { openDatabase, setBusyTimeout } from '../kernel/database/open.ts'
import type { Emit } from '../kernel/events.ts'
import type { Host } from '../kernel/host.ts'
import { openKernel } from '../kernel/open.ts'
import type { EngineConfig } from '../options.ts'
import { indexUnindexed } from '../song/index-missing.ts'
import { openWorkers } from '../workers/workers.ts'
import { serve } from './calls.ts'
import type { EngineHandle } from './handle.ts'
import { openRooms } from './rooms.ts'

/** What an engine is given besides its plain configuration. */
export interface EngineServices {
  host: Host
  emit: Emit
  now: () => number
}

/** Milliseconds for which what ends with the engine waits for another process's lock. */
const LAST_WAIT = 100

/**
 * The engine: opens the database and the rooms on it, runs their jobs and answers calls. It knows
 * nothing of threads; `thread.ts` puts it behind one.
 *
 * - `rooms.ts`: the rooms, and what each needs of others
 * - `listeners.ts`: what happens elsewhere when something changes
 * - `method-list.ts`: the methods
 * - `calls.ts`: how a call is admitted, answered and ended
 *
 * @throws {DatabaseError} when the database cannot be opened
 */
export async function openEngine(
  config: EngineConfig,
  services: EngineServices,
): Promise<EngineHandle> {
  const db = openDatabase(config.database, config)
  try {
    const { kernel, jobs, lost } = openKernel(db, config, services)
    const workers = openWorkers(config)
    const rooms = await openRooms(kernel, workers)
    jobs.start()
    indexUnindexed(rooms.song)
    const engine = serve(rooms, {
      // From now on nothing waits long for another's lock: all the calls that end now would wait for
      // it one after the other.
      hurry: () => setBusyTimeout(db, LAST_WAIT),
      shut: async (deadline) => {
        await jobs.close(deadline, () => setBusyTimeout(db, deadline.left))
        await deadline.settled(workers.close())
        db.close()
        rooms.track.spool.close()
      },
    })
    lost((reason) => engine.fault(reason))
    return engine
  } catch (error) {
    db.close()
    throw asDatabaseError(error)
  }
}
