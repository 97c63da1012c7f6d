import { fromBase64 } from '../values/base64.ts'
import { AudileError } from '../values/errors.ts'

/** The part of WebAssembly that audile uses; the types of Node 20 do not have it. */
interface WasmConstructors {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: unknown }
}

/**
 * Synchronous: on Node 20 a thread that ends while another compiles may never end.
 *
 * @throws {AudileError} `internal` where there is no WebAssembly with SIMD, or no memory
 */
export function instantiateModule<Exports>(base64: string): Exports {
  try {
    const { Module, Instance } = (globalThis as unknown as { WebAssembly: WasmConstructors })
      .WebAssembly
    return new Instance(new Module(fromBase64(base64))).exports as Exports
  } catch (error) {
    const message = `WebAssembly with SIMD, which the analysis needs, cannot be used here: ${error}. Add 'wasm-unsafe-eval' to script-src of the page's Content-Security-Policy; start Node.js without --jitless.`
    throw new AudileError('internal', message, { cause: error })
  }
}

/** Calls of a kernel are synchronous, so all of a thread share one. */
export function oncePerThread<T extends object>(create: () => T): () => T {
  let created: T | undefined
  return () => (created ??= create())
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

const PAGE_BYTES = 65_536

/** A growth replaces the buffer and keeps its content. */
export function reserveMemory(memory: WasmMemory, bytes: number): ArrayBuffer {
  const missing = bytes - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES))
  return memory.buffer
}
