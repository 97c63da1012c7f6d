import type { Convolution, ConvolutionKernel } from '../../src/analysis/activation/kernel.ts'

const { fround } = Math

/** The kernel of the network in plain TypeScript: the reference for the one in WebAssembly. */
export function plainKernel(): ConvolutionKernel {
  let memory = new Float32Array(0)
  return {
    memory(length) {
      if (length > memory.length) {
        const more = new Float32Array(length)
        more.set(memory)
        memory = more
      }
      return memory
    },
    convolve: (layer) => convolve(memory, layer),
  }
}

function convolve(memory: Float32Array, layer: Convolution): void {
  const { input, output, bias, frames, inputs, outputs, taps, dilation, added } = layer
  const sums = new Float32Array(outputs)
  for (let frame = 0; frame < frames; frame++) {
    for (let o = 0; o < outputs; o++) sums[o] = memory[bias + o]!
    let weight = layer.weights
    for (let tap = 0; tap < taps; tap++) {
      const from = input + (frame + (tap - (taps >> 1)) * dilation) * inputs
      for (let x = from; x < from + inputs; x++) {
        const value = memory[x]!
        for (let o = 0; o < outputs; o++) sums[o] = sums[o]! + fround(value * memory[weight++]!)
      }
    }
    const at = output + frame * outputs
    for (let o = 0; o < outputs; o++) {
      const sum = sums[o]!
      memory[at + o] = added ? memory[at + o]! + sum : sum > 0 ? sum : 0
    }
  }
}
