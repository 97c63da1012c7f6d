import { instantiateModule, reserveMemory, type WasmMemory } from '../../audio/web-assembly.ts'
import { SIMD_MODULE } from './simd-module.ts'

/** Outputs of a layer are computed in groups of this size; their number is a multiple of it. */
export const GROUP = 8

/** A convolution over time. Places are indices into a kernel's memory. */
export interface Convolution {
  /** The first frame of the input, `inputs` numbers a frame. Frames before and after are read too. */
  input: number
  /** The first frame of the output, `outputs` numbers a frame. */
  output: number
  /** By tap, input and output; the output runs fastest. */
  weights: number
  /** By output. */
  bias: number
  frames: number
  inputs: number
  /** A multiple of {@link GROUP}. */
  outputs: number
  /** An odd number; the middle tap reads the frame of the output. */
  taps: number
  /** Frames from one tap to the next. */
  dilation: number
  /** Whether the result is added to the output; else it replaces it, with negatives as 0. */
  added: boolean
}

/**
 * Convolves. Every product and every sum is rounded to single precision, and sums begin with the
 * bias and go by tap and input, so that all kernels make the same bits.
 */
export interface Kernel {
  /** The memory, grown to at least `length` numbers; its content is kept. */
  memory(length: number): Float32Array
  convolve(layer: Convolution): void
}

interface Exports {
  readonly memory: WasmMemory
  convolve(...values: number[]): void
}

/** Bytes of a number. */
const NUMBER = 4

/** The kernel in WebAssembly with SIMD: kernel.as. @throws {AudileError} where that cannot be used */
export function simdKernel(): Kernel {
  const { memory, convolve } = instantiateModule<Exports>(SIMD_MODULE)
  return {
    memory(length) {
      return new Float32Array(reserveMemory(memory, NUMBER * length))
    },
    convolve({ input, output, weights, bias, frames, inputs, outputs, taps, dilation, added }) {
      const [from, to] = [NUMBER * input, NUMBER * output]
      const isAdded = added ? 1 : 0
      const [byWeights, fromBias] = [NUMBER * weights, NUMBER * bias]
      convolve(from, to, byWeights, fromBias, frames, inputs, outputs, taps, dilation, isAdded)
    },
  }
}
