import { fromBase64 } from '../../../base64.ts'
import { ANALYSIS_WINDOW, type Kernel, MODULATION, SIZES, SMOOTHING } from './kernel.ts'
import { SIMD_MODULE } from './simd-module.ts'

/** Where a buffer lies in the module's memory, bytes. */
interface Address {
  readonly value: number
}

/** What the module exports: the loops, and where they expect what they read and write. */
interface Exports extends Pick<Kernel, 'correlate' | 'predict' | 'subbands' | 'smooth'> {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly samples: Address
  readonly correlation: Address
  readonly predictor: Address
  readonly whitened: Address
  readonly powers: Address
  readonly envelopes: Address
  readonly window: Address
  readonly modulation: Address
  readonly smoothing: Address
}

/** What is used of WebAssembly; the types of Node 20 have none of it. */
interface Wasm {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: Exports }
}

/**
 * The kernel in WebAssembly with SIMD (kernel.as), bit for bit the same as the scalar one.
 *
 * It is compiled synchronously, as it is small: on Node 20 a thread that ends while another compiles
 * may never end. Under 4 kB, every browser does so on a page's main thread too.
 *
 * @returns undefined where there is no WebAssembly with SIMD, where a page's policy forbids it, or no
 *   memory is left for it
 */
export function simdKernel(): Kernel | undefined {
  try {
    const { Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly
    const { exports } = new Instance(new Module(fromBase64(SIMD_MODULE)))
    const { memory, correlate, predict, subbands, smooth } = exports
    const buffer = ({ value }: Address, length: number) =>
      new Float32Array(memory.buffer, value, length)
    buffer(exports.window, ANALYSIS_WINDOW.length).set(ANALYSIS_WINDOW)
    buffer(exports.modulation, MODULATION.length).set(MODULATION)
    buffer(exports.smoothing, SMOOTHING.length).set(SMOOTHING)
    return {
      samples: buffer(exports.samples, SIZES.samples),
      correlation: buffer(exports.correlation, SIZES.correlation),
      predictor: buffer(exports.predictor, SIZES.predictor),
      whitened: buffer(exports.whitened, SIZES.whitened),
      powers: buffer(exports.powers, SIZES.powers),
      envelopes: buffer(exports.envelopes, SIZES.envelopes),
      correlate,
      predict,
      subbands,
      smooth,
    }
  } catch {
    return undefined
  }
}
