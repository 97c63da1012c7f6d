import { type Convolution, type ConvolutionKernel, simdKernel } from './kernel.ts'
import { type Layer, type NetworkForm, networkLayers, SCORES } from './network.ts'

/** A layer of several taps, and the layer of one tap whose result is added to its input. */
interface LayerStage {
  layer: Layer
  added: Layer | undefined
  /** Frames after a frame that influence the result. */
  reach: number
  /** Ages, in frames, of results that each frame computes anew; one of age `reach` is final. */
  ages: readonly number[]
}

/** Final results, by frame modulo `frames`. Places are indices into the kernel's memory. */
interface ResultRing {
  at: number
  frames: number
  width: number
}

/** Where a stage lies in the kernel's memory. */
interface StagePlan {
  stage: LayerStage
  /** What the taps of each age read. */
  gathered: number
  results: number
  ring: ResultRing
  convolve: Convolution
  add: Convolution | undefined
}

/**
 * The network on a stream, to the bit as if the music ended `ahead` frames later. Final results are
 * kept; the few younger ones that are read are computed anew.
 */
export class LiveNetwork {
  readonly #kernel: ConvolutionKernel
  readonly #memory: Float32Array
  readonly #plans: readonly StagePlan[]
  readonly #input: ResultRing
  readonly #head: Convolution
  readonly #ahead: number
  #frame = 0

  /**
   * @param weights - those of {@link networkLayers} @param ahead - frames after a frame that its
   * scores take into account
   */
  constructor(form: NetworkForm, weights: string, ahead = 0) {
    const layers = networkLayers(form, weights)
    const stages = layerStages(layers, ahead)
    this.#ahead = ahead
    let size = 0
    const reserveNumbers = (length: number): number => {
      size += length
      return size - length
    }
    const placedLayers: [at: number, layer: Layer][] = []
    const convolutionOf = (
      layer: Layer,
      places: Pick<Convolution, 'input' | 'output' | 'frames' | 'added'>,
    ) => {
      const { weights, bias, inputs, outputs, taps } = layer
      const at = reserveNumbers(weights.length + bias.length)
      placedLayers.push([at, layer])
      // What the taps read lies side by side: one tap of so many more inputs.
      const shape = { inputs: taps * inputs, outputs, taps: 1, dilation: 1 }
      return { ...shape, ...places, weights: at, bias: at + weights.length }
    }
    const ringOf = (width: number, next: LayerStage | undefined): ResultRing => {
      const frames = next ? next.reach + spanOf(next.layer) + 1 : 1
      return { at: reserveNumbers(frames * width), frames, width }
    }
    this.#input = ringOf(form.bands, stages[0])
    this.#plans = stages.map((stage, i) => {
      const { layer, added } = stage
      const frames = stage.ages.length
      const gathered = reserveNumbers(frames * layer.taps * layer.inputs)
      const results = reserveNumbers(frames * layer.outputs)
      const stageOutput = added ? reserveNumbers(frames * layer.outputs) : results
      const places = { input: gathered, output: stageOutput, frames, added: false }
      return {
        stage,
        gathered,
        results,
        ring: ringOf(layer.outputs, stages[i + 1]),
        convolve: convolutionOf(layer, places),
        add:
          added &&
          convolutionOf(added, { input: stageOutput, output: results, frames, added: true }),
      }
    })
    const head = layers.at(-1)!
    const places = {
      input: reserveNumbers(head.inputs),
      output: reserveNumbers(SCORES.count),
      frames: 1,
      added: true,
    }
    this.#head = convolutionOf(head, places)
    this.#kernel = simdKernel()
    this.#memory = this.#kernel.memory(size)
    for (const [at, { weights, bias }] of placedLayers) {
      this.#memory.set(weights, at)
      this.#memory.set(bias, at + weights.length)
    }
  }

  reset(): void {
    for (const { at, frames, width } of [this.#input, ...this.#plans.map(({ ring }) => ring)])
      this.#memory.fill(0, at, at + frames * width)
    this.#frame = 0
  }

  /**
   * Writes the scores of the frame `ahead` frames before.
   *
   * @returns whether there is such a frame
   */
  scoreFrame(levels: ArrayLike<number>, scores: Float32Array): boolean {
    const memory = this.#memory
    const { at, frames, width } = this.#input
    const row = at + (this.#frame % frames) * width
    for (let band = 0; band < width; band++) memory[row + band] = levels[band]!
    for (let p = 0; p < this.#plans.length; p++)
      this.#computeStage(this.#plans[p]!, this.#plans[p - 1])
    const lastResult = this.#plans[this.#plans.length - 1]!.results
    const { input, output, inputs, outputs } = this.#head
    for (let i = 0; i < inputs; i++) memory[input + i] = Math.max(0, memory[lastResult + i]!)
    memory.fill(0, output, output + outputs)
    this.#kernel.convolve(this.#head)
    for (let i = 0; i < outputs; i++) scores[i] = memory[output + i]!
    this.#frame++
    return this.#frame > this.#ahead
  }

  #computeStage(plan: StagePlan, previousPlan: StagePlan | undefined): void {
    const memory = this.#memory
    const { stage, gathered, results, ring } = plan
    const { taps, dilation, inputs } = stage.layer
    const half = taps >> 1
    for (let i = 0; i < stage.ages.length; i++) {
      for (let tap = 0; tap < taps; tap++) {
        const age = stage.ages[i]! + (half - tap) * dilation
        this.#copyResult(age, previousPlan, gathered + (i * taps + tap) * inputs)
      }
      if (plan.add) this.#copyResult(stage.ages[i]!, previousPlan, results + i * inputs)
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

  /** Copies nothing where the future is. */
  #copyResult(age: number, previousPlan: StagePlan | undefined, target: number): void {
    if (age < 0) return
    const memory = this.#memory
    const ring = previousPlan ? previousPlan.ring : this.#input
    const { width } = ring
    if (previousPlan && age < previousPlan.stage.reach) {
      const source = previousPlan.results + previousPlan.stage.ages.indexOf(age) * width
      memory.copyWithin(target, source, source + width)
      return
    }
    const frame = this.#frame - age
    if (frame < 0) memory.fill(0, target, target + width)
    else {
      const source = ring.at + (frame % ring.frames) * width
      memory.copyWithin(target, source, source + width)
    }
  }
}

function spanOf({ taps, dilation }: Layer): number {
  return (taps >> 1) * dilation
}

/** Each with the ages that the next stage reads before they are final. */
function layerStages(layers: readonly Layer[], ahead: number): LayerStage[] {
  const [lowest, next, ...dilatedLayers] = layers.slice(0, -1)
  const pairs: [Layer, Layer | undefined][] = [
    [lowest!, undefined],
    [next!, undefined],
  ]
  for (let l = 0; l < dilatedLayers.length; l += 2)
    pairs.push([dilatedLayers[l]!, dilatedLayers[l + 1]])
  let reach = 0
  const reaches = pairs.map(([layer]) => {
    reach += spanOf(layer)
    return reach
  })
  let ages = [Math.min(ahead, reach)]
  const stages: LayerStage[] = []
  for (let p = pairs.length - 1; p >= 0; p--) {
    const [layer, added] = pairs[p]!
    stages.unshift({ layer, added, reach: reaches[p]!, ages })
    const reachBelow = reaches[p - 1] ?? 0
    const half = layer.taps >> 1
    const readAges = new Set([reachBelow])
    for (const age of ages)
      for (let tap = -half; tap <= half; tap++) {
        const readAge = age + tap * layer.dilation
        if (readAge >= 0 && readAge < reachBelow) readAges.add(readAge)
      }
    ages = [...readAges].sort((a, b) => a - b)
  }
  return stages
}
