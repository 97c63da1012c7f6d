import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seeded } from './music.ts'
import { scratch } from './scratch.ts'

/** A field of a table in the FlatBuffers encoding. */
type Field =
  | { byte: number }
  | { int: number }
  | { table: Table }
  | { tables: Table[] }
  | { ints: number[] }
  | { floats: number[] }
  | { longs: number[] }
  | { bytes: Uint8Array }

/** By number of the field. */
export type Table = (Field | undefined)[]

/** Writes tables as FlatBuffers: each part behind the one that refers to it. */
class TableWriter {
  #bytes = Buffer.alloc(1 << 20)
  length = 8

  file(root: Table, mark: string): Buffer {
    this.#bytes.write(mark, 4, 'latin1')
    this.#refer(0, () => this.#table(root))
    return Buffer.from(this.#bytes.subarray(0, this.length))
  }

  #room(bytes: number): number {
    const place = (this.length + 7) & ~7
    this.length = place + bytes
    while (this.length > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)])
    return place
  }

  #refer(from: number, write: () => number): void {
    const to = write()
    this.#bytes.writeUInt32LE(to - from, from)
  }

  #table(fields: Table): number {
    const offsets = this.#room(4 + 2 * fields.length)
    const table = this.#room(4 + 4 * fields.length)
    this.#bytes.writeUInt16LE(4 + 2 * fields.length, offsets)
    this.#bytes.writeUInt16LE(4 + 4 * fields.length, offsets + 2)
    this.#bytes.writeInt32LE(table - offsets, table)
    for (const [i, field] of fields.entries()) {
      if (!field) continue
      const place = table + 4 + 4 * i
      this.#bytes.writeUInt16LE(place - table, offsets + 4 + 2 * i)
      if ('byte' in field) this.#bytes.writeInt8(field.byte, place)
      else if ('int' in field) this.#bytes.writeInt32LE(field.int, place)
      else this.#refer(place, () => this.#part(field))
    }
    return table
  }

  #part(field: Exclude<Field, { byte: number } | { int: number }>): number {
    if ('table' in field) return this.#table(field.table)
    if ('tables' in field) {
      const list = this.#list(field.tables.length, 4)
      for (const [i, table] of field.tables.entries())
        this.#refer(list + 4 + 4 * i, () => this.#table(table))
      return list
    }
    if ('bytes' in field) {
      const list = this.#list(field.bytes.length, 1)
      this.#bytes.set(field.bytes, list + 4)
      return list
    }
    if ('longs' in field) {
      const list = this.#list(field.longs.length, 8)
      for (const [i, long] of field.longs.entries())
        this.#bytes.writeBigInt64LE(BigInt(long), list + 4 + 8 * i)
      return list
    }
    const values = 'ints' in field ? field.ints : field.floats
    const list = this.#list(values.length, 4)
    for (const [i, value] of values.entries()) {
      if ('ints' in field) this.#bytes.writeInt32LE(value, list + 4 + 4 * i)
      else this.#bytes.writeFloatLE(value, list + 4 + 4 * i)
    }
    return list
  }

  #list(count: number, size: number): number {
    const list = this.#room(4 + size * count)
    this.#bytes.writeUInt32LE(count, list)
    return list
  }
}

/** A made network of YAMNet's form, with few channels, and parts that a test may change. */
export interface MadeNetwork {
  version: number
  /** Operation codes. */
  codes: number[]
  buffers: Table[]
  tensors: Table[]
  operators: Table[]
  inputs: number[]
  outputs: number[]
}

interface LayerForm {
  kind: 'first' | 'depthwise' | 'pointwise'
  outputs: number
  stride: number
}

const LAYERS: LayerForm[] = [
  { kind: 'first', outputs: 8, stride: 2 },
  { kind: 'depthwise', outputs: 8, stride: 1 },
  { kind: 'pointwise', outputs: 16, stride: 1 },
  { kind: 'depthwise', outputs: 16, stride: 2 },
  { kind: 'pointwise', outputs: 24, stride: 1 },
  { kind: 'pointwise', outputs: 24, stride: 1 },
]
/** Operation codes of TensorFlow Lite, in the order in which they are listed here. */
const CODES = { quantize: 114, expand: 22, split: 49, first: 3, depthwise: 4, mean: 40 }
const ENDS = { dense: 9, logistic: 14, dequantize: 6 }

/** A network with random weights. @param classes - scores that it gives */
export function madeNetwork(seed = 1, classes = 521): MadeNetwork {
  const random = seeded(seed)
  const network: MadeNetwork = {
    version: 3,
    codes: [...Object.values(CODES), ...Object.values(ENDS)],
    buffers: [[]],
    tensors: [],
    operators: [],
    inputs: [0],
    outputs: [],
  }
  const tensor = (shape: number[], type: number, bytes?: Uint8Array, scales?: number[]) => {
    const buffer = bytes === undefined ? 0 : network.buffers.push([{ bytes }]) - 1
    const longs = scales?.map(() => 0) ?? []
    const dimension = shape.length === 4 && shape[0] === 1 ? 3 : 0
    network.tensors.push([
      { ints: shape },
      { byte: type },
      { int: buffer },
      undefined,
      scales && {
        table: [
          undefined,
          undefined,
          { floats: scales },
          { longs },
          undefined,
          undefined,
          { int: dimension },
        ],
      },
    ])
    return network.tensors.length - 1
  }
  const operate = (code: number, inputs: number[], output: number, options?: Table) =>
    network.operators.push([
      { int: network.codes.indexOf(code) },
      { ints: inputs },
      { ints: [output] },
      undefined,
      options && { table: options },
    ])
  const weights = (count: number) =>
    Uint8Array.from({ length: count }, () => Math.floor(random() * 255) - 127)
  const scales = (count: number) => Array.from({ length: count }, () => 0.001 + 0.004 * random())
  const biases = (count: number) =>
    new Uint8Array(
      Int32Array.from({ length: count }, () => Math.floor(random() * 2_000) - 900).buffer,
    )
  let current = tensor([1, 96, 64], 0)
  const next = (code: number, shape: number[], others: number[], options?: Table) => {
    const output = tensor(shape, 9)
    operate(code, [current, ...others], output, options)
    current = output
  }
  for (const code of [CODES.quantize, CODES.expand, CODES.split]) next(code, [1, 96, 64, 1], [])
  let channels = 1
  for (const { kind, outputs, stride } of LAYERS) {
    const isDepthwise = kind === 'depthwise'
    const size = kind === 'pointwise' ? 1 : 3
    const shape = isDepthwise ? [1, 3, 3, outputs] : [outputs, size, size, channels]
    const count = shape.reduce((product, one) => product * one, 1)
    const others = [
      tensor(shape, 9, weights(count), scales(outputs)),
      tensor([outputs], 2, biases(outputs), scales(outputs)),
    ]
    const strides: Table = [{ byte: 0 }, { int: stride }, { int: stride }]
    const options: Table = isDepthwise
      ? [...strides, { int: 1 }, { byte: 3 }]
      : [...strides, { byte: 3 }]
    next(isDepthwise ? CODES.depthwise : CODES.first, [1, 1, 1, outputs], others, options)
    channels = outputs
  }
  next(CODES.mean, [1, channels], [])
  const head = [
    tensor([classes, channels], 9, weights(classes * channels), [0.01]),
    tensor([classes], 2, biases(classes), [0.001]),
  ]
  next(ENDS.dense, [1, classes], head)
  next(ENDS.logistic, [1, classes], [])
  next(ENDS.dequantize, [1, classes], [])
  network.outputs = [current]
  return network
}

/** The file of a made network, as TensorFlow Lite writes it. */
export function networkFile(network: MadeNetwork, mark = 'TFL3'): Buffer {
  const { version, codes, buffers, tensors, operators, inputs, outputs } = network
  const graph: Table = [
    { tables: tensors },
    { ints: inputs },
    { ints: outputs },
    { tables: operators },
  ]
  const root: Table = [
    { int: version },
    { tables: codes.map((code): Table => [{ byte: code }, undefined, undefined, { int: code }]) },
    { tables: [graph] },
    undefined,
    { tables: buffers },
  ]
  return new TableWriter().file(root, mark)
}

/** The option `soundModel` for a made network, whose file is written into a folder of the test. */
export function madeSoundModel(seed = 1): { path: string; sha256: string } {
  const bytes = networkFile(madeNetwork(seed))
  const path = join(scratch(), `network-${seed}.tflite`)
  writeFileSync(path, bytes)
  return { path, sha256: createHash('sha256').update(bytes).digest('hex') }
}
