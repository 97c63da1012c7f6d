import type { ByteSource } from './byte-stream.ts'
import type { MethodName, Params, Result } from './engine/methods.ts'
import type { EventName, Listener } from './kernel/events.ts'

export type { MethodName, Params, Result }

/** The engine, as the typed classes see it. */
export interface Door {
  /** Calls a method. Parameters and result are plain data. */
  call<M extends MethodName>(
    method: M,
    params: Params<M>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Result<M>>
  /**
   * Keeps a stream on this side, from which the engine reads by the number that is returned. What a
   * function makes can be sent again.
   */
  offer(bytes: ByteSource | (() => ByteSource)): number
  /** Releases a stream that nobody reads any more. */
  release(source: number): void
  /** Aborts with the reason when the database is closed or its engine has ended. */
  readonly ended: AbortSignal
  on<N extends EventName>(name: N, listener: Listener<N>): () => void
}
