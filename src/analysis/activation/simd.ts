import { instantiate } from '../../audio/web-assembly.ts'
import type { Kernel } from './kernel.ts'
import { SIMD_MODULE } from './simd-module.ts'

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  convolve(...values: number[]): void
}

/** Bytes of a number, and of a page of memory. */
const NUMBER = 4
const PAGE = 65_536

/** The kernel in WebAssembly with SIMD: kernel.as. @throws {AudileError} where that cannot be used */
export function simdKernel(): Kernel {
  const { memory, convolve } = instantiate<Exports>(SIMD_MODULE)
  return {
    memory(length) {
      const missing = NUMBER * length - memory.buffer.byteLength
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
      return new Float32Array(memory.buffer)
    },
    convolve({ input, output, weights, bias, frames, inputs, outputs, taps, dilation, added }) {
      const places = [input, output, weights, bias].map((place) => NUMBER * place)
      convolve(...places, frames, inputs, outputs, taps, dilation, added ? 1 : 0)
    },
  }
}
