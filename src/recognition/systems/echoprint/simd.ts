import { instantiate } from '../../../audio/web-assembly.ts'
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

/** The kernel in WebAssembly with SIMD: kernel.as. @throws {AudileError} where that cannot be used */
export function simdKernel(): Kernel {
  const exports = instantiate<Exports>(SIMD_MODULE)
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
}
