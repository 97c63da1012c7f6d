import { instantiateModule, reserveMemory, type WasmMemory } from '../../audio/web-assembly.ts'
import { ACTIVATION_MODULE } from './simd-module.ts'

/** The number of outputs of a layer is a multiple of this. */
export const OUTPUTS_PER_GROUP = 8

/** Places are indices into a kernel's memory. */
export interface Convolution {
  /** The first frame, of `inputs` numbers; `taps` reach frames before and after it. */
  input: number
  /** The first frame, of `outputs` numbers. */
  output: number
  /** By tap, input and output; the output runs fastest. */
  weights: number
  /** By output. */
  bias: number
  frames: number
  inputs: number
  /** A multiple of {@link OUTPUTS_PER_GROUP}. */
  outputs: number
  /** Odd; the middle tap reads the frame of the output. */
  taps: number
  /** Frames from one tap to the next. */
  dilation: number
  /** Whether the result is added to the output; else it replaces it, with negatives as 0. */
  added: boolean
}

/** Sums are rounded to single precision in one order, so that all kernels make the same bits. */
export interface ConvolutionKernel {
  /** Grown to at least `length` numbers; its content is kept. */
  memory(length: number): Float32Array
  convolve(layer: Convolution): void
}

interface ActivationExports {
  readonly memory: WasmMemory
  convolve(...values: number[]): void
}

const NUMBER_BYTES = 4

/**
 * kernel.as, with SIMD.
 *
 * @throws {AudileError} where that cannot be used
 */
export function simdKernel(): ConvolutionKernel {
  const { memory, convolve } = instantiateModule<ActivationExports>(ACTIVATION_MODULE)
  return {
    memory(length) {
      return new Float32Array(reserveMemory(memory, NUMBER_BYTES * length))
    },
    convolve({ input, output, weights, bias, frames, inputs, outputs, taps, dilation, added }) {
      const [inputBytes, outputBytes] = [NUMBER_BYTES * input, NUMBER_BYTES * output]
      const isAdded = added ? 1 : 0
      const [weightBytes, biasBytes] = [NUMBER_BYTES * weights, NUMBER_BYTES * bias]
      convolve(
        inputBytes,
        outputBytes,
        weightBytes,
        biasBytes,
        frames,
        inputs,
        outputs,
        taps,
        dilation,
        isAdded,
      )
    },
  }
}
