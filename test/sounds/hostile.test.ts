import { describe, expect, it } from 'vitest'
import { DamagedFile } from '../../src/sounds/flat-table.ts'
import { readNetwork } from '../../src/sounds/read-network.ts'
import { SoundNetwork } from '../../src/sounds/sound-network.ts'
import { type MadeNetwork, madeNetwork, networkFile, type Table } from '../support/made-network.ts'
import { seeded } from '../support/music.ts'

/** Reads a file; what it throws. Files that can still be read must make a network that hears. */
function refusal(file: Uint8Array): string | undefined {
  try {
    const network = new SoundNetwork(readNetwork(file))
    expect(network.hear(new Float32Array(96 * 64))).toHaveLength(network.classes)
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(DamagedFile)
    return (error as Error).message
  }
}

/** A made network, changed. */
function changed(change: (network: MadeNetwork) => void): Uint8Array {
  const network = madeNetwork()
  change(network)
  return networkFile(network)
}

/** Changes a field of a table. */
function put(table: Table, field: number, value: Table[number]): void {
  table[field] = value
}

const TENSOR = { first: { weights: 4, biases: 5 } }

describe('files of networks', () => {
  it('that are cut anywhere are refused', () => {
    const file = networkFile(madeNetwork())
    const random = seeded(5)
    for (let i = 0; i < 100; i++) {
      const length = Math.floor(random() * (file.length - 16))
      expect(refusal(file.subarray(0, length)), `cut to ${length}`).toBeDefined()
    }
  })

  it('with damaged bytes are refused in words, or hear nonsense', () => {
    const file = networkFile(madeNetwork())
    const random = seeded(6)
    let refused = 0
    for (let i = 0; i < 150; i++) {
      const damaged = Buffer.from(file)
      for (let n = 0; n < 20; n++)
        damaged[Math.floor(random() * 3_000)] = Math.floor(random() * 256)
      if (refusal(damaged) !== undefined) refused++
    }
    expect(refused).toBeGreaterThan(75)
  })

  it.each<[string, (network: MadeNetwork) => void, RegExp]>([
    ['another version', (n) => (n.version = 4), /another version/],
    ['an operation that is not known', (n) => (n.codes[3] = 7), /the operation 7/],
    ['no operations', (n) => (n.operators = []), /no scores/],
    [
      'operations that do not follow',
      (n) => n.operators.reverse(),
      /follow in a row|the operation/,
    ],
    ['another input', (n) => put(n.tensors[0]!, 0, { ints: [1, 96, 65] }), /96 × 65/],
    ['two inputs', (n) => n.inputs.push(1), /inputs of the shape/],
    ['another output', (n) => (n.outputs = [0]), /no scores/],
    [
      'weights of another shape',
      (n) => put(n.tensors[TENSOR.first.weights]!, 0, { ints: [8, 5, 5, 1] }),
      /a convolution of 8 × 5 × 5 × 1/,
    ],
    [
      'four thousand million outputs',
      (n) => put(n.tensors[TENSOR.first.weights]!, 0, { ints: [2 ** 31 - 8, 3, 3, 1] }),
      /outputs of a layer/,
    ],
    [
      'fewer weights than outputs',
      (n) => put(n.tensors[TENSOR.first.weights]!, 0, { ints: [16, 3, 3, 1] }),
      /72 weights instead of 144/,
    ],
    [
      'weights of 32 bits',
      (n) => put(n.tensors[TENSOR.first.weights]!, 1, { byte: 0 }),
      /weights instead of/,
    ],
    [
      'a buffer that is not there',
      (n) => put(n.tensors[TENSOR.first.weights]!, 2, { int: 999 }),
      /no buffer 999/,
    ],
    [
      'no scales',
      (n) => put(n.tensors[TENSOR.first.weights]!, 4, { table: [] }),
      /0 scales for 8 outputs/,
    ],
    [
      'a scale that is no number',
      (n) =>
        put(n.tensors[TENSOR.first.biases]!, 4, {
          table: [undefined, undefined, { floats: [Number.NaN] }],
        }),
      /scale out of range/,
    ],
    [
      'weights around another zero',
      (n) =>
        put(n.tensors[TENSOR.first.weights]!, 4, {
          table: [undefined, undefined, { floats: [0.1] }, { longs: [3] }],
        }),
      /not centred/,
    ],
    [
      'a stride of 3',
      (n) => put(n.operators[3]!, 4, { table: [{ byte: 0 }, { int: 3 }, { int: 3 }, { byte: 3 }] }),
      /a stride of 3/,
    ],
    [
      'no padding',
      (n) => put(n.operators[3]!, 4, { table: [{ byte: 1 }, { int: 2 }, { int: 2 }, { byte: 3 }] }),
      /without padding/,
    ],
    [
      'another activation',
      (n) => put(n.operators[3]!, 4, { table: [{ byte: 0 }, { int: 2 }, { int: 2 }, { byte: 1 }] }),
      /another activation/,
    ],
    [
      'a convolution without options',
      (n) => put(n.operators[3]!, 4, undefined),
      /without its options/,
    ],
    [
      'sixty-five operations',
      (n) => n.operators.push(...new Array<Table>(60).fill(n.operators[0]!)),
      /operations/,
    ],
  ])('with %s are refused in words', (_, change, message) => {
    expect(refusal(changed(change))).toMatch(message)
  })

  it('of another format are refused', () => {
    expect(refusal(networkFile(madeNetwork(), 'TFL2'))).toMatch(/another format/)
    expect(refusal(new TextEncoder().encode('<html>404: Not Found</html>'))).toMatch(
      /another format/,
    )
    expect(refusal(new Uint8Array(3))).toMatch(/another format/)
  })

  it('that name the same weights again and again are refused', () => {
    const again = (times: number) =>
      refusal(
        changed(({ operators }) => {
          const [code, ...fields] = operators[8]!
          const [input, output] = fields as [{ ints: number[] }, { ints: number[] }]
          const ints = [output.ints[0]!, ...input.ints.slice(1)]
          const copy: Table = [code, { ints }, output, undefined, operators[8]![4]]
          operators.splice(9, 0, ...new Array<Table>(times).fill(copy))
        }),
      )
    expect(again(3)).toBeUndefined()
    expect(again(51)).toMatch(/more weights than bytes/)
  })

  it('whose lists claim more than the file has are refused before anything is made', () => {
    const file = Buffer.from(networkFile(madeNetwork()))
    // Bytes of the weights and of the biases of the last layer.
    for (const bytes of [521 * 24, 521 * 4]) {
      const count = Buffer.alloc(4)
      count.writeUInt32LE(bytes)
      for (const claim of [bytes + 4_096, 2 ** 22, 0xffffffff]) {
        const crafted = Buffer.from(file)
        crafted.writeUInt32LE(claim, file.indexOf(count))
        expect(refusal(crafted)).toMatch(/outside of its|a list of|weights instead|bytes of biases/)
      }
    }
  })
})
