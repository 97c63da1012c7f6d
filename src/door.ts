import type { ByteSource } from './byte-stream.ts'
import type { MethodName, Params, Result } from './engine/methods.ts'
import type { EventName, Listener } from './kernel/events.ts'

export type { MethodName, Params, Result }

/** The one way into the engine, as the typed classes and the wire see it. */
export interface Door {
  /** Calls a method; parameters and result are plain data. */
  call<M extends MethodName>(
    method: M,
    params: Params<M>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Result<M>>
  /** Keeps a stream on this side for the engine to read, and returns its number. */
  offer(bytes: ByteSource): number
  /** Lets go of a stream that nobody will read on. */
  release(source: number): void
  /** Aborts when the database is closed or its engine has ended, with the reason. */
  readonly ended: AbortSignal
  on<N extends EventName>(name: N, listener: Listener<N>): () => void
}
