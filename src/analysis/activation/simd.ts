import { fromBase64 } from '../../base64.ts'
import type { Kernel } from './kernel.ts'
import { SIMD_MODULE } from './simd-module.ts'

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  convolve(...values: number[]): void
}

/** What is used of WebAssembly; the types of Node 20 have none of it. */
interface Wasm {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: Exports }
}

/** Bytes of a number, and of a page of memory. */
const NUMBER = 4
const PAGE = 65_536

/**
 * The kernel in WebAssembly with SIMD (kernel.as), bit for bit the same as the scalar one. It is
 * compiled synchronously, as it is small; every browser does so on a page's main thread too.
 *
 * @returns undefined where there is no WebAssembly with SIMD, or a page's policy forbids it
 */
export function simdKernel(): Kernel | undefined {
  try {
    const { Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly
    const { exports } = new Instance(new Module(fromBase64(SIMD_MODULE)))
    const { memory, convolve } = exports
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
  } catch {
    return undefined
  }
}
