import { instantiateModule, reserveMemory, type WasmMemory } from '../../audio/web-assembly.ts'
import { LAYERS_MODULE } from './simd-module.ts'

/** Outputs of a layer are made in groups of this size; their number is a multiple of it. */
export const OUTPUT_GROUP = 8

/** The numbers with which a layer begins and ends; places are bytes of the kernel's memory. */
interface LayerPlaces {
  /** Activations of 16 bits, by position and channel. */
  input: number
  output: number
  /** Of 8 bits; see {@link packedByGroup} for those of a pointwise layer. */
  weights: number
  /** By output, single precision: a sum of products is multiplied by the one, the other is added. */
  scales: number
  biases: number
  /** The highest activation. */
  top: number
}

/** A layer whose outputs depend on one position. */
interface PlacedPointwise extends LayerPlaces {
  positions: number
  /** An even number. */
  inputs: number
  outputs: number
  /** Whether outputs are activations, 0 to `top`; else they are of single precision. */
  whole: boolean
}

/** A layer of 3 × 3 positions whose outputs depend on one channel. */
interface PlacedDepthwise extends LayerPlaces {
  height: number
  width: number
  channels: number
  outputHeight: number
  outputWidth: number
  stride: number
  /** Rows and columns of silence before the first. */
  above: number
  before: number
}

/** The layers in WebAssembly with SIMD: kernel.as. */
export interface LayerKernel {
  /** The memory, grown to at least `bytes`. */
  memory(bytes: number): ArrayBuffer
  pointwise(layer: PlacedPointwise): void
  depthwise(layer: PlacedDepthwise): void
}

interface Exports extends Record<'pointwise' | 'depthwise', (...values: number[]) => void> {
  readonly memory: WasmMemory
}

/** @throws {AudileError} where WebAssembly with SIMD cannot be used */
export function layerKernel(): LayerKernel {
  const { memory, ...layers } = instantiateModule<Exports>(LAYERS_MODULE)
  return {
    memory: (bytes) => reserveMemory(memory, bytes),
    pointwise({ input, output, weights, scales, biases, ...layer }) {
      const { positions, inputs, outputs, top, whole } = layer
      const places = [input, output, weights, scales, biases]
      layers.pointwise(...places, positions, inputs, outputs, top, Number(whole))
    },
    depthwise({ input, output, weights, scales, biases, ...layer }) {
      const { height, width, channels, outputHeight, outputWidth, stride, above, before } = layer
      const shape = [height, width, channels, outputHeight, outputWidth, stride, above, before]
      layers.depthwise(input, output, weights, scales, biases, ...shape, layer.top)
    },
  }
}

/**
 * The weights of a pointwise layer as the kernel reads them: by group of outputs, pair of inputs,
 * output and input of the pair.
 *
 * @param rows - by output and input
 */
export function packedByGroup(rows: Int8Array, inputs: number, outputs: number): Int8Array {
  const even = inputs + (inputs % 2)
  const packed = new Int8Array(even * Math.ceil(outputs / OUTPUT_GROUP) * OUTPUT_GROUP)
  for (let output = 0; output < outputs; output++) {
    const lane = output % OUTPUT_GROUP
    const group = (output - lane) * even
    for (let input = 0; input < inputs; input++) {
      const pair = group + (input >> 1) * 2 * OUTPUT_GROUP
      packed[pair + 2 * lane + (input & 1)] = rows[output * inputs + input]!
    }
  }
  return packed
}
