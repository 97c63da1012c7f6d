import { fromBase64 } from '../values/base64.ts'
import { AudileError } from '../values/errors.ts'

/** The part of WebAssembly that audile uses; the types of Node 20 do not have it. */
interface Wasm {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: unknown }
}

/**
 * Compiles and starts a module. It works synchronously, as modules here are small: on Node 20 a thread
 * that ends while another compiles may never end. Under 4 kB, every browser compiles on a page's main
 * thread too.
 *
 * @param base64 - the bytes of the module
 * @throws {AudileError} `internal` where there is no WebAssembly with SIMD, where a page's policy
 * forbids it, or no memory is left for it
 */
export function instantiate<Exports>(base64: string): Exports {
  try {
    const { Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly
    return new Instance(new Module(fromBase64(base64))).exports as Exports
  } catch (error) {
    const message = `WebAssembly with SIMD, which the analysis needs, cannot be used here: ${error}. Add 'wasm-unsafe-eval' to script-src of the page's Content-Security-Policy; start Node.js without --jitless.`
    throw new AudileError('internal', message, { cause: error })
  }
}

/** What `make` makes at the first call. Calls of a kernel are synchronous, so all of a thread share one. */
export function ofThread<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** The memory of a module. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** Bytes of a page of memory. */
const PAGE = 65_536

/** The memory's buffer, which a growth replaces, with at least so many bytes; the content is kept. */
export function reserve(memory: WasmMemory, bytes: number): ArrayBuffer {
  const missing = bytes - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
  return memory.buffer
}
