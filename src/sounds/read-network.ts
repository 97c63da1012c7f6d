import { DamagedFile, FlatTable } from './flat-table.ts'

/** Numbers of a layer's outputs: `scales` of their weights, `biases` as they are added. */
interface Outputs {
  outputs: number
  weights: Int8Array
  scales: number[]
  biases: number[]
}

/** The layer that hears 3 × 3 levels. */
interface FirstLayer extends Outputs {
  kind: 'first'
  stride: number
}

/** A layer of 3 × 3 positions, of one channel for each output. */
interface DepthwiseLayer extends Outputs {
  kind: 'depthwise'
  stride: number
}

interface PointwiseLayer extends Outputs {
  kind: 'pointwise'
  inputs: number
}

export type ReadLayer = FirstLayer | DepthwiseLayer | PointwiseLayer

/** A network as its file has it: layers, the mean over all positions, and one more layer of scores. */
export interface ReadNetwork {
  layers: ReadLayer[]
  head: PointwiseLayer
}

/** Frames and bands of what a network hears at a time. */
export const PATCH = { frames: 96, bands: 64 } as const

/** The names of fields and codes in the schema of TensorFlow Lite, version 3. */
const MODEL = { version: 0, codes: 1, graphs: 2, buffers: 4 }
const GRAPH = { tensors: 0, inputs: 1, outputs: 2, operators: 3 }
const TENSOR = { shape: 0, type: 1, buffer: 2, quantization: 4 }
const QUANTIZATION = { scales: 2, zeros: 3, dimension: 6 }
const OPERATOR = { code: 0, inputs: 1, outputs: 2, options: 4 }
const CODE = { early: 0, late: 3 }
const CONVOLUTION = { padding: 0, strideX: 1, strideY: 2, activation: 3, dilations: [4, 5] }
const DEPTHWISE = { padding: 0, strideX: 1, strideY: 2, activation: 4, dilations: [5, 6] }
const RELU_6 = 3
const INT_8 = 9
const INT_32 = 2
const OPERATIONS = {
  convolution: 3,
  depthwise: 4,
  dequantize: 6,
  dense: 9,
  logistic: 14,
  expand: 22,
  mean: 40,
  split: 49,
  quantize: 114,
} as const

const LIMITS = { layers: 64, outputs: 2_048 } as const
/** Channels between layers are a multiple of it. */
const CHANNEL_GROUP = 8

interface Tensor {
  shape: number[]
  type: number
  data: Uint8Array
  scales: number[]
  isCentred: boolean
  dimension: number
}

interface Step {
  code: number
  inputs: number[]
  outputs: number[]
  options: FlatTable | undefined
}

/**
 * Reads a network of TensorFlow Lite that hears patches of {@link PATCH}: a convolution, pairs of
 * depthwise and pointwise convolutions, the mean, a dense layer, logistic scores; all of 8 bits.
 *
 * @throws {DamagedFile} when the file is cut or damaged, or another network
 */
export function readNetwork(bytes: Uint8Array): ReadNetwork {
  const mark = String.fromCharCode(...bytes.subarray(4, 8))
  if (mark !== 'TFL3') throw new DamagedFile('another format than TensorFlow Lite')
  const model = FlatTable.rootOf(bytes)
  requireThat(model.int(MODEL.version) === 3, 'another version of the format')
  const codes = model
    .tables(MODEL.codes)
    .map((code) => Math.max(code.byte(CODE.early), code.int(CODE.late)))
  const graphs = model.tables(MODEL.graphs)
  const [graph] = graphs
  if (!graph || graphs.length > 1) throw new DamagedFile(`${graphs.length} graphs instead of one`)
  const buffers = model.tables(MODEL.buffers)
  const tensors = graph.tables(GRAPH.tensors).map((table) => tensorOf(table, buffers))
  const steps = graph.tables(GRAPH.operators).map((table) => stepOf(table, codes))
  return new GraphReader(tensors, steps, bytes.length).read(
    graph.ints(GRAPH.inputs),
    graph.ints(GRAPH.outputs),
  )
}

class GraphReader {
  readonly #layers: ReadLayer[] = []
  #head: PointwiseLayer | undefined
  #channels = 0
  /** Bytes of weights that may still be read: a file may name the same ones again and again. */
  #left: number

  constructor(
    private readonly tensors: readonly Tensor[],
    private readonly steps: readonly Step[],
    bytes: number,
  ) {
    this.#left = bytes
  }

  read([input, ...more]: number[], [output]: number[]): ReadNetwork {
    const shape = this.#tensor(input).shape
    const isPatch = shape.at(-2) === PATCH.frames && shape.at(-1) === PATCH.bands
    requireThat(more.length === 0 && isPatch, `inputs of the shape ${shape.join(' × ')}`)
    requireThat(this.steps.length <= LIMITS.layers, `${this.steps.length} operations`)
    let current = input
    for (const step of this.steps) {
      requireThat(step.inputs.includes(current as number), 'operations that do not follow in a row')
      this.#take(step)
      requireThat(step.outputs.length === 1, 'an operation of several outputs')
      current = step.outputs[0]
    }
    if (!this.#head || current !== output) throw new DamagedFile('no scores at its end')
    return { layers: this.#layers, head: this.#head }
  }

  #take(step: Step): void {
    const { code } = step
    const { convolution, depthwise, dense, expand, split, quantize, ...ends } = OPERATIONS
    const begins = this.#layers.length === 0
    if (code === convolution) this.#layers.push(this.#convolution(step))
    else if (code === depthwise) this.#layers.push(this.#depthwise(step))
    else if (code === dense) this.#head = this.#dense(step)
    else {
      const known: number[] = begins ? [expand, split, quantize] : Object.values(ends)
      requireThat(known.includes(code), `the operation ${code}`)
    }
    requireThat(this.#head !== undefined || code !== ends.logistic, 'scores before their layer')
  }

  #convolution(step: Step): ReadLayer {
    const [outputs = 0, height, width, inputs = 0] = this.#weightsOf(step).shape
    const isFirst = this.#layers.length === 0
    const size = isFirst ? 3 : 1
    const fits = height === size && width === size && inputs === (isFirst ? 1 : this.#channels)
    requireThat(fits && !this.#head, `a convolution of ${this.#weightsOf(step).shape.join(' × ')}`)
    const stride = strideOf(step, CONVOLUTION)
    requireThat(outputs % CHANNEL_GROUP === 0, `${outputs} channels of a layer`)
    this.#channels = outputs
    const layer = this.#outputsOf(step, outputs, size * size * inputs, 0)
    if (isFirst) return { kind: 'first', stride, ...layer }
    requireThat(stride === 1, 'a stride of a pointwise convolution')
    return { kind: 'pointwise', inputs, ...layer }
  }

  #depthwise(step: Step): ReadLayer {
    const [one, height, width, outputs = 0] = this.#weightsOf(step).shape
    const fits = one === 1 && height === 3 && width === 3 && outputs === this.#channels
    requireThat(fits && !this.#head, `a convolution of ${this.#weightsOf(step).shape.join(' × ')}`)
    const layer = this.#outputsOf(step, outputs, 9, 3)
    return { kind: 'depthwise', stride: strideOf(step, DEPTHWISE), ...layer }
  }

  #dense(step: Step): PointwiseLayer {
    const [outputs = 0, inputs = 0] = this.#weightsOf(step).shape
    requireThat(
      inputs === this.#channels && inputs > 0 && !this.#head,
      `${inputs} inputs of scores`,
    )
    return { kind: 'pointwise', inputs, ...this.#outputsOf(step, outputs, inputs, 0) }
  }

  #outputsOf(step: Step, outputs: number, weightsEach: number, dimension: number): Outputs {
    const weights = this.#weightsOf(step)
    const biases = this.#tensor(step.inputs[2])
    const isChannels = outputs > 0 && outputs <= LIMITS.outputs
    requireThat(isChannels, `${outputs} outputs of a layer`)
    this.#left -= weights.data.length
    requireThat(this.#left >= 0, 'more weights than bytes')
    const isOfBytes = weights.type === INT_8 && weights.data.length === outputs * weightsEach
    requireThat(isOfBytes, `${weights.data.length} weights instead of ${outputs * weightsEach}`)
    const isWhole = biases.type === INT_32 && biases.data.length === 4 * outputs
    requireThat(isWhole, `${biases.data.length} bytes of biases for ${outputs} outputs`)
    requireThat(weights.isCentred && biases.isCentred, 'weights that are not centred')
    const isAcross = weights.scales.length === 1 || weights.dimension === dimension
    requireThat(isAcross, 'scales along another dimension')
    const view = new DataView(biases.data.buffer, biases.data.byteOffset, biases.data.length)
    const biasScales = scalesOf(biases, outputs)
    return {
      outputs,
      weights: new Int8Array(weights.data.buffer, weights.data.byteOffset, weights.data.length),
      scales: scalesOf(weights, outputs),
      biases: biasScales.map((scale, i) => scale * view.getInt32(4 * i, true)),
    }
  }

  #weightsOf(step: Step): Tensor {
    return this.#tensor(step.inputs[1])
  }

  #tensor(index: number | undefined): Tensor {
    const tensor = index === undefined ? undefined : this.tensors[index]
    if (!tensor) throw new DamagedFile(`no tensor ${index}`)
    return tensor
  }
}

function scalesOf({ scales }: Tensor, outputs: number): number[] {
  const all = scales.length === 1 ? new Array<number>(outputs).fill(scales[0]!) : scales
  requireThat(all.length === outputs, `${scales.length} scales for ${outputs} outputs`)
  requireThat(
    all.every((scale) => scale > 0 && scale < 1_000),
    'a scale out of range',
  )
  return all
}

function strideOf({ options }: Step, fields: typeof CONVOLUTION): number {
  if (!options) throw new DamagedFile('a convolution without its options')
  const [stride, other] = [options.int(fields.strideX), options.int(fields.strideY)]
  requireThat(stride === other && (stride === 1 || stride === 2), `a stride of ${stride}`)
  requireThat(options.byte(fields.padding) === 0, 'a convolution without padding')
  requireThat(options.byte(fields.activation) === RELU_6, 'another activation than ReLU6')
  const isDense = fields.dilations.every((field) => options.int(field, 1) === 1)
  requireThat(isDense, 'a dilated convolution')
  return stride
}

function tensorOf(table: FlatTable, buffers: readonly FlatTable[]): Tensor {
  const quantization = table.table(TENSOR.quantization)
  const buffer = buffers[table.int(TENSOR.buffer)]
  if (!buffer) throw new DamagedFile(`no buffer ${table.int(TENSOR.buffer)}`)
  return {
    shape: table.ints(TENSOR.shape),
    type: table.byte(TENSOR.type),
    data: buffer.bytes(0),
    scales: quantization?.floats(QUANTIZATION.scales) ?? [],
    isCentred: quantization?.isZero(QUANTIZATION.zeros) ?? true,
    dimension: quantization?.int(QUANTIZATION.dimension) ?? 0,
  }
}

function stepOf(table: FlatTable, codes: readonly number[]): Step {
  const code = codes[table.int(OPERATOR.code)]
  if (code === undefined) throw new DamagedFile(`no operation ${table.int(OPERATOR.code)}`)
  const [inputs, outputs] = [table.ints(OPERATOR.inputs), table.ints(OPERATOR.outputs)]
  return { code, inputs, outputs, options: table.table(OPERATOR.options) }
}

function requireThat(is: boolean, otherwise: string): void {
  if (!is) throw new DamagedFile(otherwise)
}
