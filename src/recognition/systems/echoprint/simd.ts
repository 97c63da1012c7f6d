import { instantiate } from '../../../audio/web-assembly.ts'
import { ANALYSIS_WINDOW, type Kernel, MODULATION, SIZES, SMOOTHING } from './kernel.ts'
import { SIMD_MODULE } from './simd-module.ts'

type Buffers = Record<keyof typeof SIZES, Float32Array>

/** What the module exports: the loops, and where in its memory their buffers lie, bytes. */
interface Exports
  extends Omit<Kernel, keyof typeof SIZES>,
    Record<keyof typeof SIZES | 'window' | 'modulation' | 'smoothing', { readonly value: number }> {
  readonly memory: { readonly buffer: ArrayBuffer }
}

/** The kernel in WebAssembly with SIMD: kernel.as. @throws {AudileError} where that cannot be used */
export function simdKernel(): Kernel {
  const exports = instantiate<Exports>(SIMD_MODULE)
  const { memory, correlate, predict, subbands, smooth } = exports
  const buffer = (name: keyof Exports & string, length: number) =>
    new Float32Array(memory.buffer, (exports[name] as { value: number }).value, length)
  buffer('window', ANALYSIS_WINDOW.length).set(ANALYSIS_WINDOW)
  buffer('modulation', MODULATION.length).set(MODULATION)
  buffer('smoothing', SMOOTHING.length).set(SMOOTHING)
  const names = Object.keys(SIZES) as (keyof typeof SIZES)[]
  const buffers = Object.fromEntries(names.map((name) => [name, buffer(name, SIZES[name])]))
  return { ...(buffers as Buffers), correlate, predict, subbands, smooth }
}
