import { type Convolution, type Kernel, simdKernel } from './kernel.ts'
import { type Form, type Layer, networkLayers, SCORES } from './network.ts'

/** A layer of several taps, with the layer of one tap whose result is added to what it reads. */
interface Stage {
  layer: Layer
  added: Layer | undefined
  /** Frames after a frame that influence the result of this stage. */
  reach: number
  /** Ages, in frames, of the results that each frame computes anew; a result of age `reach` is final. */
  ages: readonly number[]
}

/** Final results, by frame modulo `frames`. Places are indices into the kernel's memory. */
interface Ring {
  at: number
  frames: number
  width: number
}

/** Where a stage lies in the kernel's memory. */
interface Plan {
  stage: Stage
  /** What the taps of each age read. */
  gathered: number
  results: number
  ring: Ring
  convolve: Convolution
  add: Convolution | undefined
}

/**
 * The network of the analysis on a stream: the scores of a frame, to the bit as if the music ended some
 * frames after it.
 *
 * The result of a layer for a frame is final, and kept, once all frames that influence it have come. Of
 * younger frames two or three a layer are ever read, as the dilation doubles: each frame computes those
 * anew.
 */
export class LiveNetwork {
  readonly #kernel: Kernel
  readonly #memory: Float32Array
  readonly #plans: readonly Plan[]
  readonly #input: Ring
  readonly #head: Convolution
  readonly #ahead: number
  #frame = 0

  /**
   * @param weights  those of {@link networkLayers}
   * @param ahead  frames after a frame that its scores take into account
   */
  constructor(form: Form, weights: string, ahead = 0) {
    const layers = networkLayers(form, weights)
    const stages = stagesOf(layers, ahead)
    this.#ahead = ahead
    let size = 0
    const take = (length: number): number => {
      size += length
      return size - length
    }
    const filled: [at: number, layer: Layer][] = []
    const convolutionOf = (
      layer: Layer,
      places: Pick<Convolution, 'input' | 'output' | 'frames' | 'added'>,
    ) => {
      const { weights, bias, inputs, outputs, taps } = layer
      const at = take(weights.length + bias.length)
      filled.push([at, layer])
      // What the taps read lies side by side: one tap of so many more inputs.
      const shape = { inputs: taps * inputs, outputs, taps: 1, dilation: 1 }
      return { ...shape, ...places, weights: at, bias: at + weights.length }
    }
    const ringOf = (width: number, next: Stage | undefined): Ring => {
      const frames = next ? next.reach + spanOf(next.layer) + 1 : 1
      return { at: take(frames * width), frames, width }
    }
    this.#input = ringOf(form.bands, stages[0])
    this.#plans = stages.map((stage, i) => {
      const { layer, added } = stage
      const frames = stage.ages.length
      const gathered = take(frames * layer.taps * layer.inputs)
      const results = take(frames * layer.outputs)
      const passed = added ? take(frames * layer.outputs) : results
      const places = { input: gathered, output: passed, frames, added: false }
      return {
        stage,
        gathered,
        results,
        ring: ringOf(layer.outputs, stages[i + 1]),
        convolve: convolutionOf(layer, places),
        add: added && convolutionOf(added, { input: passed, output: results, frames, added: true }),
      }
    })
    const head = layers.at(-1)!
    const places = { input: take(head.inputs), output: take(SCORES.count), frames: 1, added: true }
    this.#head = convolutionOf(head, places)
    this.#kernel = simdKernel()
    this.#memory = this.#kernel.memory(size)
    for (const [at, { weights, bias }] of filled) {
      this.#memory.set(weights, at)
      this.#memory.set(bias, at + weights.length)
    }
  }

  /** Forgets all frames. */
  reset(): void {
    for (const { at, frames, width } of [this.#input, ...this.#plans.map(({ ring }) => ring)])
      this.#memory.fill(0, at, at + frames * width)
    this.#frame = 0
  }

  /**
   * Takes the levels of the next frame, and writes the scores of the one `ahead` frames before it.
   *
   * @param scores  {@link SCORES} names the first three
   * @returns whether there is such a frame
   */
  hear(levels: ArrayLike<number>, scores: Float32Array): boolean {
    const memory = this.#memory
    const { at, frames, width } = this.#input
    const row = at + (this.#frame % frames) * width
    for (let band = 0; band < width; band++) memory[row + band] = levels[band]!
    for (let p = 0; p < this.#plans.length; p++) this.#pass(this.#plans[p]!, this.#plans[p - 1])
    const last = this.#plans[this.#plans.length - 1]!.results
    const { input, output, inputs, outputs } = this.#head
    for (let i = 0; i < inputs; i++) memory[input + i] = Math.max(0, memory[last + i]!)
    memory.fill(0, output, output + outputs)
    this.#kernel.convolve(this.#head)
    for (let i = 0; i < outputs; i++) scores[i] = memory[output + i]!
    this.#frame++
    return this.#frame > this.#ahead
  }

  /** Computes a stage for its ages. */
  #pass(plan: Plan, before: Plan | undefined): void {
    const memory = this.#memory
    const { stage, gathered, results, ring } = plan
    const { taps, dilation, inputs } = stage.layer
    const half = taps >> 1
    for (let i = 0; i < stage.ages.length; i++) {
      for (let tap = 0; tap < taps; tap++) {
        const age = stage.ages[i]! + (half - tap) * dilation
        this.#copy(age, before, gathered + (i * taps + tap) * inputs)
      }
      if (plan.add) this.#copy(stage.ages[i]!, before, results + i * inputs)
    }
    this.#kernel.convolve(plan.convolve)
    if (plan.add) this.#kernel.convolve(plan.add)
    const { width } = ring
    for (let i = 0; i < stage.ages.length; i++) {
      const age = stage.ages[i]!
      const result = results + i * width
      // Nothing sounds before the first frame, in any layer.
      if (age > this.#frame) memory.fill(0, result, result + width)
      if (age === stage.reach) {
        const frame = (this.#frame - age + 2 * ring.frames * stage.reach) % ring.frames
        memory.copyWithin(ring.at + frame * width, result, result + width)
      }
    }
  }

  /** Copies a result of the stage before, or of the input, of that age; nothing where the future is. */
  #copy(age: number, before: Plan | undefined, to: number): void {
    if (age < 0) return
    const memory = this.#memory
    const ring = before ? before.ring : this.#input
    const { width } = ring
    if (before && age < before.stage.reach) {
      const from = before.results + before.stage.ages.indexOf(age) * width
      memory.copyWithin(to, from, from + width)
      return
    }
    const frame = this.#frame - age
    if (frame < 0) memory.fill(0, to, to + width)
    else {
      const from = ring.at + (frame % ring.frames) * width
      memory.copyWithin(to, from, from + width)
    }
  }
}

function spanOf({ taps, dilation }: Layer): number {
  return (taps >> 1) * dilation
}

/** The stages of a network, each with the ages that the next one reads before they are final. */
function stagesOf(layers: readonly Layer[], ahead: number): Stage[] {
  const [lowest, next, ...rest] = layers.slice(0, -1)
  const pairs: [Layer, Layer | undefined][] = [
    [lowest!, undefined],
    [next!, undefined],
  ]
  for (let l = 0; l < rest.length; l += 2) pairs.push([rest[l]!, rest[l + 1]])
  let reach = 0
  const reaches = pairs.map(([layer]) => {
    reach += spanOf(layer)
    return reach
  })
  let ages = [Math.min(ahead, reach)]
  const stages: Stage[] = []
  for (let p = pairs.length - 1; p >= 0; p--) {
    const [layer, added] = pairs[p]!
    stages.unshift({ layer, added, reach: reaches[p]!, ages })
    const below = reaches[p - 1] ?? 0
    const half = layer.taps >> 1
    const read = new Set([below])
    for (const age of ages)
      for (let tap = -half; tap <= half; tap++) {
        const of = age + tap * layer.dilation
        if (of >= 0 && of < below) read.add(of)
      }
    ages = [...read].sort((a, b) => a - b)
  }
  return stages
}
