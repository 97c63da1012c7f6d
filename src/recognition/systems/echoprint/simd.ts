import { instantiateModule } from '../../../audio/web-assembly.ts'
import {
  ANALYSIS_WINDOW,
  BUFFER_SIZES,
  type EchoprintKernel,
  MODULATION_TABLE,
  SMOOTHING_WINDOW,
} from './kernel.ts'
import { ECHOPRINT_MODULE } from './simd-module.ts'

type KernelBuffers = Record<keyof typeof BUFFER_SIZES, Float32Array>

/** The loops, and where in memory their buffers lie, bytes. */
interface ModuleExports
  extends Omit<EchoprintKernel, keyof typeof BUFFER_SIZES>,
    Record<
      keyof typeof BUFFER_SIZES | 'window' | 'modulation' | 'smoothing',
      { readonly value: number }
    > {
  readonly memory: { readonly buffer: ArrayBuffer }
}

/** @throws {AudileError} where WebAssembly with SIMD cannot be used */
export function createEchoprintKernel(): EchoprintKernel {
  const exports = instantiateModule<ModuleExports>(ECHOPRINT_MODULE)
  const { memory, correlate, predict, subbands, smooth } = exports
  const bufferAt = (name: keyof ModuleExports & string, length: number) =>
    new Float32Array(memory.buffer, (exports[name] as { value: number }).value, length)
  bufferAt('window', ANALYSIS_WINDOW.length).set(ANALYSIS_WINDOW)
  bufferAt('modulation', MODULATION_TABLE.length).set(MODULATION_TABLE)
  bufferAt('smoothing', SMOOTHING_WINDOW.length).set(SMOOTHING_WINDOW)
  const names = Object.keys(BUFFER_SIZES) as (keyof typeof BUFFER_SIZES)[]
  const buffers = Object.fromEntries(
    names.map((name) => [name, bufferAt(name, BUFFER_SIZES[name])]),
  )
  return { ...(buffers as KernelBuffers), correlate, predict, subbands, smooth }
}
