import { PATCH, type ReadLayer, type ReadNetwork } from '../../src/sounds/read-network.ts'

const { fround } = Math
const TOP = 4_095
const STEP = 6 / TOP
const LEVEL_STEPS = 512

interface Field {
  height: number
  width: number
  channels: number
  values: number[]
}

/** What a network hears, in plain TypeScript: the reference for the layers in WebAssembly. */
export function plainHearing({ layers, head }: ReadNetwork, patch: Float32Array): number[] {
  const limit = (steps: number) => Math.max(-TOP, Math.min(TOP, steps))
  let field: Field = {
    height: PATCH.frames,
    width: PATCH.bands,
    channels: 1,
    values: Array.from(patch, (level) => limit(Math.round(level * LEVEL_STEPS))),
  }
  for (const layer of layers) field = outputOf(layer, field)
  const { channels, values } = field
  const positions = values.length / channels
  const means = Array.from({ length: channels }, (_, channel) => {
    let sum = 0
    for (let i = channel; i < values.length; i += channels) sum += values[i]!
    return Math.round(sum / positions)
  })
  return Array.from({ length: head.outputs }, (_, output) => {
    let sum = 0
    for (const [i, mean] of means.entries()) sum += mean * head.weights[output * channels + i]!
    return scaled(sum, head, output, { from: STEP, to: 1 })
  })
}

function outputOf(layer: ReadLayer, from: Field): Field {
  const stride = layer.kind === 'pointwise' ? 1 : layer.stride
  const size = layer.kind === 'pointwise' ? 1 : 3
  const [height, width] = [Math.ceil(from.height / stride), Math.ceil(from.width / stride)]
  const margin = (before: number, after: number) =>
    Math.floor(Math.max(0, (after - 1) * stride + size - before) / 2)
  const [above, left] = [margin(from.height, height), margin(from.width, width)]
  const steps = { from: layer.kind === 'first' ? 1 / LEVEL_STEPS : STEP, to: STEP }
  const values: number[] = []
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let output = 0; output < layer.outputs; output++) {
        let sum = 0
        for (let dy = 0; dy < size; dy++)
          for (let dx = 0; dx < size; dx++) {
            const row = y * stride - above + dy
            const column = x * stride - left + dx
            if (row < 0 || row >= from.height || column < 0 || column >= from.width) continue
            const place = (row * from.width + column) * from.channels
            const tap = dy * size + dx
            if (layer.kind === 'depthwise')
              sum += from.values[place + output]! * layer.weights[tap * layer.outputs + output]!
            else
              for (let input = 0; input < from.channels; input++) {
                const weight = (output * size * size + tap) * from.channels + input
                sum += from.values[place + input]! * layer.weights[weight]!
              }
          }
        const value = scaled(sum, layer, output, steps)
        values.push(rounded(Math.max(0, Math.min(TOP, value))))
      }
  return { height, width, channels: layer.outputs, values }
}

function scaled(
  sum: number,
  { scales, biases }: Pick<ReadLayer, 'scales' | 'biases'>,
  output: number,
  steps: { from: number; to: number },
): number {
  const scale = fround((scales[output]! * steps.from) / steps.to)
  const bias = fround(biases[output]! / steps.to)
  return fround(fround(fround(sum) * scale) + bias)
}

/** To the nearest whole number, of two to the even one. */
function rounded(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}
