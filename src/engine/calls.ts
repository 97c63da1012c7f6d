import { CLOSE_PATIENCE, Deadline, joinSignals, onAbort, unlessAborted } from '../kernel/abort.ts'
import { type LockWaits, setBusyTimeout } from '../kernel/database/lock-wait.ts'
import type { Database } from '../kernel/database/open.ts'
import type { OpenFile } from '../kernel/database/open-file.ts'
import { asDatabaseError } from '../kernel/database/sqlite-error.ts'
import type { Host } from '../kernel/host.ts'
import type { JobLoop } from '../kernel/jobs/loop.ts'
import { KeepAlive } from '../kernel/keep-alive.ts'
import type { Call, Caller } from '../kernel/method.ts'
import type { KeyStore } from '../key/store.ts'
import { parseInput } from '../options/validate.ts'
import { closeReferences } from '../recognition/references.ts'
import { closeTracks } from '../track/open.ts'
import { ClosedError, KeyError } from '../values/errors.ts'
import type { Workers } from '../workers/workers.ts'
import type { CallOptions, EngineHandle } from './handle.ts'
import { type AnyMethod, methodOf, roomOf } from './methods.ts'
import type { Rooms } from './rooms.ts'

/** That an aborted call has to clean up before it is rejected. */
const CLEAN_UP_MILLISECONDS = 1_000
/** For another process's lock while the engine ends. */
const LAST_LOCK_MILLISECONDS = 100

interface EngineParts {
  db: Database
  file: OpenFile
  jobs: JobLoop
  workers: Pick<Workers, 'close'>
  rooms: Rooms
  host: Pick<Host, 'log'>
  waits?: LockWaits
}

/** Until it is closed, or its file is lost. */
export class Engine implements EngineHandle {
  readonly #parts: EngineParts
  readonly #closing = new AbortController()
  readonly ended: AbortSignal = this.#closing.signal
  readonly #active = new Set<Promise<unknown>>()
  readonly #alive = new KeepAlive()
  #closed: Promise<void> | undefined

  constructor(parts: EngineParts) {
    this.#parts = parts
    onAbort(parts.file.lost, () => this.#failWith(parts.file.lost.reason))
  }

  async call(name: string, params: unknown, { apiKey, signal }: CallOptions): Promise<unknown> {
    this.ended.throwIfAborted()
    signal?.throwIfAborted()
    // The list of methods is no secret: the HTTP server reads it before it knows the caller.
    const isPublic = name === 'engine/describe'
    const caller = isPublic ? NO_CALLER : findCaller(this.#parts.rooms.key.store, apiKey)
    const method = methodOf(name)
    const parsed = parseInput(method.parameters, params)
    const joinedSignal = joinSignals(signal, this.ended)
    const call = { caller, signal: joinedSignal.signal }
    const runningCall = this.#alive.keepDuring(() => this.#runMethod(method, parsed, call))
    this.#active.add(runningCall)
    const onSettled = () => {
      joinedSignal.release()
      this.#active.delete(runningCall)
    }
    runningCall.then(onSettled, onSettled)
    return unlessAborted(runningCall, joinedSignal.signal, CLEAN_UP_MILLISECONDS)
  }

  async #runMethod(method: AnyMethod, params: unknown, call: Call): Promise<unknown> {
    try {
      return await method.run(roomOf(this.#parts.rooms, method), params, call)
    } catch (error) {
      throw asDatabaseError(error)
    }
  }

  close(patience = CLOSE_PATIENCE): Promise<void> {
    this.#closed ??= this.#endWith(new ClosedError(), patience)
    return this.#closed
  }

  /** The engine cannot go on; calls are rejected with the reason. */
  #failWith(reason: Error): void {
    this.#parts.host.log('error', 'The engine ends.', reason)
    this.#closed ??= this.#endWith(reason, CLOSE_PATIENCE)
    this.#closed.catch(() => {})
  }

  async #endWith(reason: Error, patience: number): Promise<void> {
    const { db, file, jobs, workers, rooms } = this.#parts
    const deadline = new Deadline(patience)
    this.#closing.abort(reason)
    file.stopWatching()
    // Otherwise each ending call would wait for another process's lock, one by one.
    setBusyTimeout(db, LAST_LOCK_MILLISECONDS)
    this.#parts.waits?.allowWaits()
    await deadline.settled(Promise.allSettled(this.#active))
    this.#alive.letEnd()
    await jobs.stop(deadline)
    try {
      setBusyTimeout(db, deadline.left)
      jobs.leave()
    } finally {
      await deadline.settled(workers.close())
      db.close()
      await deadline.settled(closeReferences(rooms.song.allReferences))
      await deadline.settled(closeTracks(rooms.track))
    }
  }
}

const NO_CALLER: Caller = { id: '', commercial: false }

/** @throws {KeyError} on a key that is unknown or revoked */
function findCaller(keys: KeyStore, apiKey: string): Caller {
  const key = keys.findKey(apiKey)
  if (!key || key.revokedAt !== null) {
    throw new KeyError(
      'invalid_key',
      `api_key - Invalid key: "${apiKey}" is not a valid, active api key`,
    )
  }
  return { id: key.id, commercial: key.commercial === 1 }
}
