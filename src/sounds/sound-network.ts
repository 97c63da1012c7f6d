import {
  type LayerKernel,
  layerKernel,
  OUTPUT_GROUP,
  packedByGroup,
} from './layers/layer-kernel.ts'
import { PATCH, type ReadLayer, type ReadNetwork } from './read-network.ts'

/** Activations are whole numbers of 12 bits; the highest stands for the 6 at which ReLU6 ends. */
const TOP = 4_095
const STEP = 6 / TOP
/** Steps of a level that a network hears, in a neper; and the highest number of them. */
const LEVEL_STEPS = 512
const MOST_STEPS = 4_095
/** The inputs of the first layer: 3 × 3 levels, and a 0 that makes them even. */
const LEVELS = 10
/** Bytes to which places in the kernel's memory are aligned. */
const ALIGNMENT = 16

interface Shape {
  height: number
  width: number
  channels: number
}

interface PlacedLayer {
  layer: ReadLayer
  from: Shape
  to: Shape
  weights: number
  scales: number
  biases: number
}

/**
 * A network that names sounds. Its answers have the same bits on every runtime.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { openSoundNetwork } from 'audile/analysis'
 *
 * const network = await openSoundNetwork(await readFile('yamnet_spectra_in.tflite'))
 * console.log(network.classes, network.hear(new Float32Array(96 * 64)).length)
 * ```
 */
export class SoundNetwork {
  /** How many classes it tells apart. */
  readonly classes: number
  readonly #kernel: LayerKernel = layerKernel()
  readonly #layers: PlacedLayer[] = []
  readonly #head: PlacedLayer
  readonly #buffers: [number, number]
  #free = 0

  /** @internal */
  constructor({ layers, head }: ReadNetwork) {
    this.classes = head.outputs
    let shape: Shape = { height: PATCH.frames, width: PATCH.bands, channels: 1 }
    let largest = 0
    for (const layer of layers) {
      const placed = this.#place(layer, shape, STEP)
      this.#layers.push(placed)
      shape = placed.to
      const inputs = layer.kind === 'first' ? LEVELS : 0
      largest = Math.max(largest, shape.height * shape.width * Math.max(shape.channels, inputs))
    }
    this.#head = this.#place(head, { height: 1, width: 1, channels: shape.channels }, 1)
    const bytes = Math.max(2 * largest, 4 * this.#head.to.channels)
    this.#buffers = [this.#reserve(bytes), this.#reserve(bytes)]
  }

  /**
   * What it hears in a patch: by class, how sure it is that the sound is there, as the logarithm of
   * the odds.
   *
   * @param patch - levels by frame and band, 96 frames of 64 bands
   * @example
   * ```ts
   * import { readFile } from 'node:fs/promises'
   * import { openSoundNetwork } from 'audile/analysis'
   *
   * const network = await openSoundNetwork(await readFile('yamnet_spectra_in.tflite'))
   * console.log(network.classes, network.hear(new Float32Array(96 * 64)).length)
   * ```
   */
  hear(patch: Float32Array): Float32Array {
    const [first, second] = this.#buffers
    let [input, output] = [first, second]
    for (const placed of this.#layers) {
      if (placed.layer.kind === 'first') this.#spread(patch, placed, input)
      this.#run(placed, input, output)
      ;[input, output] = [output, input]
    }
    this.#mean(input, output)
    this.#run(this.#head, output, input)
    return new Float32Array(this.#kernel.memory(0), input, this.classes).slice()
  }

  #run({ layer, from, to, ...places }: PlacedLayer, input: number, output: number): void {
    const common = { ...places, input, output, top: TOP }
    if (layer.kind === 'depthwise') {
      this.#kernel.depthwise({
        ...common,
        height: from.height,
        width: from.width,
        channels: to.channels,
        outputHeight: to.height,
        outputWidth: to.width,
        stride: layer.stride,
        above: marginOf(from.height, to.height, layer.stride),
        before: marginOf(from.width, to.width, layer.stride),
      })
    } else {
      this.#kernel.pointwise({
        ...common,
        positions: to.height * to.width,
        inputs: layer.kind === 'first' ? LEVELS : layer.inputs + (layer.inputs % 2),
        outputs: to.channels,
        whole: this.#head.layer !== layer,
      })
    }
  }

  /** Lays the levels around each position of the first layer side by side. */
  #spread(patch: Float32Array, { layer, from, to }: PlacedLayer, place: number): void {
    const stride = layer.kind === 'first' ? layer.stride : 1
    const levels = new Int16Array(this.#kernel.memory(0), place, to.height * to.width * LEVELS)
    const above = marginOf(from.height, to.height, stride)
    const before = marginOf(from.width, to.width, stride)
    // Silence on all sides, so that every position has nine levels around it.
    const row = from.width + 3
    const wide = new Int16Array((from.height + 3) * row)
    for (let y = 0; y < from.height; y++)
      for (let x = 0; x < from.width; x++) {
        const steps = Math.round(patch[y * from.width + x]! * LEVEL_STEPS)
        const limited = Math.max(-MOST_STEPS, Math.min(MOST_STEPS, steps))
        wide[(y + above) * row + x + before] = limited
      }
    let i = 0
    for (let y = 0; y < to.height; y++)
      for (let x = 0; x < to.width; x++) {
        for (let dy = 0, at = y * stride * row + x * stride; dy < 3; dy++, at += row) {
          levels[i++] = wide[at]!
          levels[i++] = wide[at + 1]!
          levels[i++] = wide[at + 2]!
        }
        levels[i++] = 0
      }
  }

  /** The mean activation of each channel, over all positions. */
  #mean(input: number, output: number): void {
    const { height, width, channels } = this.#layers.at(-1)!.to
    const positions = height * width
    const buffer = this.#kernel.memory(0)
    const values = new Int16Array(buffer, input, positions * channels)
    const means = new Int16Array(buffer, output, channels)
    for (let channel = 0; channel < channels; channel++) {
      let sum = 0
      for (let at = channel; at < values.length; at += channels) sum += values[at]!
      means[channel] = Math.round(sum / positions)
    }
  }

  /** Lays a layer into the kernel's memory. @param step - of its outputs */
  #place(layer: ReadLayer, from: Shape, step: number): PlacedLayer {
    const stride = layer.kind === 'pointwise' ? 1 : layer.stride
    const channels = Math.ceil(layer.outputs / OUTPUT_GROUP) * OUTPUT_GROUP
    const height = Math.ceil(from.height / stride)
    const width = Math.ceil(from.width / stride)
    const packed = packedOf(layer, channels)
    const weights = this.#reserve(packed.length)
    const scales = this.#reserve(4 * channels)
    const biases = this.#reserve(4 * channels)
    const buffer = this.#kernel.memory(this.#free)
    new Int8Array(buffer, weights, packed.length).set(packed)
    const inputStep = layer.kind === 'first' ? 1 / LEVEL_STEPS : STEP
    new Float32Array(buffer, scales, channels).set(layer.scales.map((s) => (s * inputStep) / step))
    new Float32Array(buffer, biases, channels).set(layer.biases.map((bias) => bias / step))
    return { layer, from, to: { height, width, channels }, weights, scales, biases }
  }

  #reserve(bytes: number): number {
    const place = this.#free
    this.#free = Math.ceil((place + bytes) / ALIGNMENT) * ALIGNMENT
    // Vectors are read whole, also at the end of the last channel.
    this.#kernel.memory(this.#free + ALIGNMENT)
    return place
  }
}

/** Rows before the first, where as many rows as possible lie around an output ("same" padding). */
function marginOf(from: number, to: number, stride: number): number {
  return Math.max(0, (to - 1) * stride + 3 - from) >> 1
}

/** The weights as the kernel reads them. @param channels - outputs, with those that fill a group */
function packedOf(layer: ReadLayer, channels: number): Int8Array {
  const { weights, outputs } = layer
  if (layer.kind !== 'depthwise')
    return packedByGroup(weights, layer.kind === 'first' ? 9 : layer.inputs, outputs)
  const packed = new Int8Array(9 * channels)
  for (let tap = 0; tap < 9; tap++)
    packed.set(weights.subarray(tap * outputs, (tap + 1) * outputs), tap * channels)
  return packed
}
