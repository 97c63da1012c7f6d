import { oncePerThread } from '../../audio/web-assembly.ts'
import { fromBase64 } from '../../values/base64.ts'
import type { RhythmSpectrum } from '../novelty.ts'
import { GROUP, type Kernel, simdKernel } from './kernel.ts'

/** The shape of a network, which determines the layout of its weights. */
export interface Form {
  /** Inputs of a frame. */
  bands: number
  /** Numbers that each layer passes on per frame. */
  channels: number
  /** Taps of the dilated convolutions. */
  taps: number
  /** Dilated convolutions; each spans twice as many frames as the one before. */
  levels: number
}

/** Indices of the scores of a frame, which are in nats; only their differences count. */
export const SCORES = { none: 0, beat: 1, down: 2, count: GROUP }

/** Frames processed at a time: nearly three minutes. */
const CHUNK = 8_192
/** Taps of the first two layers. */
const TAPS = 3

/** A convolution with its weights: see {@link Convolution}. */
export interface Layer {
  inputs: number
  outputs: number
  taps: number
  dilation: number
  weights: Float32Array
  bias: Float32Array
}

/**
 * The layers of a network, in the order in which they are applied.
 *
 * @param weights  base64: of each layer the biases and scales as float32, then the weights as int8
 */
export function networkLayers(form: Form, weights: string): readonly Layer[] {
  const { bands, channels, taps, levels } = form
  const shapes = [
    { inputs: bands, outputs: channels, taps: TAPS, dilation: 1 },
    { inputs: channels, outputs: channels, taps: TAPS, dilation: 1 },
    ...Array.from({ length: levels }, (_, level) => [
      { inputs: channels, outputs: channels, taps, dilation: 2 ** level },
      { inputs: channels, outputs: channels, taps: 1, dilation: 1 },
    ]).flat(),
    { inputs: channels, outputs: SCORES.count, taps: 1, dilation: 1 },
  ]
  const bytes = fromBase64(weights)
  let at = 0
  return shapes.map((shape) => {
    const { inputs, outputs } = shape
    const size = shape.taps * inputs * outputs
    const numbers = new Float32Array(bytes.slice(at, at + 8 * outputs).buffer)
    const bias = numbers.slice(0, outputs)
    const scale = numbers.slice(outputs)
    const whole = new Int8Array(bytes.buffer, at + 8 * outputs, size)
    at += 8 * outputs + size
    return {
      ...shape,
      bias,
      weights: Float32Array.from(whole, (w, i) => w * scale[i % outputs]!),
    }
  })
}

/**
 * A temporal convolutional network (Davies & Böck, EUSIPCO 2019, in a smaller form): two layers over
 * the bands, then residual layers of growing dilation, then the scores of no beat, of a beat and of
 * the first beat of a bar.
 */
export class Network {
  readonly #form: Form
  readonly #layers: readonly Layer[]
  /** Frames on either side that influence the scores of a frame. */
  readonly #reach: number

  /** @param weights  those of {@link networkLayers} */
  constructor(form: Form, weights: string) {
    this.#form = form
    this.#layers = networkLayers(form, weights)
    this.#reach = this.#layers.reduce((sum, { taps, dilation }) => sum + (taps >> 1) * dilation, 0)
  }

  /** The scores, frames × `SCORES.count`; {@link SCORES} names the first three of a frame. */
  hear(spectrum: RhythmSpectrum, kernel: Kernel = kernelOfThread()): Float32Array {
    const { frames } = spectrum
    const scores = new Float32Array(frames * SCORES.count)
    for (let from = 0; from < frames; from += CHUNK) {
      const to = Math.min(frames, from + CHUNK)
      const start = Math.max(0, from - this.#reach)
      const end = Math.min(frames, to + this.#reach)
      const rows = this.#hearChunk(spectrum, { start, end, from, to }, kernel)
      scores.set(rows, from * SCORES.count)
    }
    return scores
  }

  /** The scores of the frames [from, to), as if nothing was before `start` and after `end`. */
  #hearChunk(
    { bands, levels }: RhythmSpectrum,
    { start, end, from, to }: { start: number; end: number; from: number; to: number },
    kernel: Kernel,
  ): Float32Array {
    const { channels } = this.#form
    const frames = end - start
    const largest = Math.max(...this.#layers.map(({ taps, dilation }) => (taps >> 1) * dilation))
    const sizes = this.#layers.reduce(
      (sum, { weights, bias }) => sum + weights.length + bias.length,
      0,
    )
    const row = (frames + 2 * largest) * channels
    const inputs = sizes
    const first = inputs + (frames + 2) * bands
    const second = first + row
    const memory = kernel.memory(second + row)
    memory.fill(0, inputs, second + row)
    const input = inputs + bands
    memory.set(levels.subarray(start * bands, end * bands), input)
    const a = first + largest * channels
    const b = second + largest * channels
    let place = 0
    const convolve = (layer: Layer, source: number, target: number, added = false): void => {
      const { weights, bias, ...shape } = layer
      memory.set(weights, place)
      memory.set(bias, place + weights.length)
      const places = { input: source, output: target, weights: place, bias: place + weights.length }
      kernel.convolve({ ...shape, ...places, frames, added })
      place += weights.length + bias.length
    }
    const [lowest, next, ...rest] = this.#layers
    const head = rest.pop()!
    convolve(lowest!, input, a)
    convolve(next!, a, b)
    for (let l = 0; l < rest.length; l += 2) {
      convolve(rest[l]!, b, a)
      convolve(rest[l + 1]!, a, b, true)
    }
    for (let i = b; i < b + frames * channels; i++) if (memory[i]! < 0) memory[i] = 0
    memory.fill(0, a, a + frames * SCORES.count)
    convolve(head, b, a, true)
    return memory.slice(a + (from - start) * SCORES.count, a + (to - start) * SCORES.count)
  }
}

const kernelOfThread = oncePerThread(simdKernel)
