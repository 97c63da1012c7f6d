import type { MethodName, Params, Result } from '../engine/methods.ts'
import type { EventName, Listener } from '../kernel/events.ts'
import type { ByteSource } from '../values/byte-stream.ts'

export type { MethodName, Params, Result }

/** As the typed classes see it. */
export interface Door {
  /** Parameters and result are plain data. */
  call<M extends MethodName>(
    method: M,
    params: Params<M>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Result<M>>
  /**
   * Returns the number by which the engine reads it; a stream that a function makes can be sent
   * again.
   */
  offer(bytes: ByteSource | (() => ByteSource)): number
  release(source: number): void
  /** With the reason, when the database is closed or its engine has ended. */
  readonly ended: AbortSignal
  on<N extends EventName>(name: N, listener: Listener<N>): () => void
}
