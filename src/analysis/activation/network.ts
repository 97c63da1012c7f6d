import { oncePerThread } from '../../audio/web-assembly.ts'
import { fromBase64 } from '../../values/base64.ts'
import type { RhythmSpectrum } from '../novelty.ts'
import { type ConvolutionKernel, OUTPUTS_PER_GROUP, simdKernel } from './kernel.ts'

/** The shape of a network, which determines the layout of its weights. */
export interface NetworkForm {
  bands: number
  /** Numbers that each layer passes on per frame. */
  channels: number
  /** Taps of the dilated convolutions. */
  taps: number
  /** Dilated convolutions; each spans twice as many frames as the one before. */
  levels: number
}

/** In nats; only their differences count. */
export const SCORES = { none: 0, beat: 1, down: 2, count: OUTPUTS_PER_GROUP }

/** Nearly three minutes. */
const CHUNK_FRAMES = 8_192
const FRONT_TAPS = 3

export interface Layer {
  inputs: number
  outputs: number
  taps: number
  dilation: number
  weights: Float32Array
  bias: Float32Array
}

/**
 * In the order in which they are applied.
 *
 * @param weights - base64: of each layer the biases and scales as float32, then the weights as int8
 */
export function networkLayers(form: NetworkForm, weights: string): readonly Layer[] {
  const { bands, channels, taps, levels } = form
  const shapes = [
    { inputs: bands, outputs: channels, taps: FRONT_TAPS, dilation: 1 },
    { inputs: channels, outputs: channels, taps: FRONT_TAPS, dilation: 1 },
    ...Array.from({ length: levels }, (_, level) => [
      { inputs: channels, outputs: channels, taps, dilation: 2 ** level },
      { inputs: channels, outputs: channels, taps: 1, dilation: 1 },
    ]).flat(),
    { inputs: channels, outputs: SCORES.count, taps: 1, dilation: 1 },
  ]
  const bytes = fromBase64(weights)
  let offset = 0
  return shapes.map((shape) => {
    const { inputs, outputs } = shape
    const size = shape.taps * inputs * outputs
    const numbers = new Float32Array(bytes.slice(offset, offset + 8 * outputs).buffer)
    const bias = numbers.slice(0, outputs)
    const scale = numbers.slice(outputs)
    const integers = new Int8Array(bytes.buffer, offset + 8 * outputs, size)
    offset += 8 * outputs + size
    return {
      ...shape,
      bias,
      weights: Float32Array.from(integers, (w, i) => w * scale[i % outputs]!),
    }
  })
}

/**
 * A temporal convolutional network, after Davies & Böck (EUSIPCO 2019): two layers over the bands,
 * residual layers of growing dilation, scores.
 */
export class Network {
  readonly #form: NetworkForm
  readonly #layers: readonly Layer[]
  /** Frames on either side that influence a frame. */
  readonly #reach: number

  /** @param weights - those of {@link networkLayers} */
  constructor(form: NetworkForm, weights: string) {
    this.#form = form
    this.#layers = networkLayers(form, weights)
    this.#reach = this.#layers.reduce((sum, { taps, dilation }) => sum + (taps >> 1) * dilation, 0)
  }

  /** Frames × `SCORES.count`. */
  scoreSpectrum(
    spectrum: RhythmSpectrum,
    kernel: ConvolutionKernel = convolutionOfThread(),
  ): Float32Array {
    const { frames } = spectrum
    const scores = new Float32Array(frames * SCORES.count)
    for (let firstFrame = 0; firstFrame < frames; firstFrame += CHUNK_FRAMES) {
      const endFrame = Math.min(frames, firstFrame + CHUNK_FRAMES)
      const start = Math.max(0, firstFrame - this.#reach)
      const end = Math.min(frames, endFrame + this.#reach)
      const rows = this.#scoreChunk(
        spectrum,
        { start, end, from: firstFrame, to: endFrame },
        kernel,
      )
      scores.set(rows, firstFrame * SCORES.count)
    }
    return scores
  }

  /** As if nothing was before `start` and after `end`. */
  #scoreChunk(
    { bands, levels }: RhythmSpectrum,
    { start, end, from, to }: { start: number; end: number; from: number; to: number },
    kernel: ConvolutionKernel,
  ): Float32Array {
    const { channels } = this.#form
    const frames = end - start
    const largest = Math.max(...this.#layers.map(({ taps, dilation }) => (taps >> 1) * dilation))
    const weightsSize = this.#layers.reduce(
      (sum, { weights, bias }) => sum + weights.length + bias.length,
      0,
    )
    const layerSize = (frames + 2 * largest) * channels
    const inputs = weightsSize
    const first = inputs + (frames + 2) * bands
    const second = first + layerSize
    const memory = kernel.memory(second + layerSize)
    memory.fill(0, inputs, second + layerSize)
    const input = inputs + bands
    memory.set(levels.subarray(start * bands, end * bands), input)
    const a = first + largest * channels
    const b = second + largest * channels
    let weightsAt = 0
    const applyLayer = (layer: Layer, source: number, target: number, added = false): void => {
      const { weights, bias, ...shape } = layer
      memory.set(weights, weightsAt)
      memory.set(bias, weightsAt + weights.length)
      const addresses = {
        input: source,
        output: target,
        weights: weightsAt,
        bias: weightsAt + weights.length,
      }
      kernel.convolve({ ...shape, ...addresses, frames, added })
      weightsAt += weights.length + bias.length
    }
    const [lowest, next, ...dilatedLayers] = this.#layers
    const head = dilatedLayers.pop()!
    applyLayer(lowest!, input, a)
    applyLayer(next!, a, b)
    for (let l = 0; l < dilatedLayers.length; l += 2) {
      applyLayer(dilatedLayers[l]!, b, a)
      applyLayer(dilatedLayers[l + 1]!, a, b, true)
    }
    for (let i = b; i < b + frames * channels; i++) if (memory[i]! < 0) memory[i] = 0
    memory.fill(0, a, a + frames * SCORES.count)
    applyLayer(head, b, a, true)
    return memory.slice(a + (from - start) * SCORES.count, a + (to - start) * SCORES.count)
  }
}

const convolutionOfThread = oncePerThread(simdKernel)
