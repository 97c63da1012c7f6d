import { MIXING_MODULE } from './mixing/simd-module.ts'
import { instantiateModule, oncePerThread, type WasmMemory } from './web-assembly.ts'

const MIX_BLOCK = 8_192
/** 120 dB over full scale is no sound. */
const MAX_SAMPLE_VALUE = 1e6

/** When channels cancel each other out. */
const CANCELLING = {
  /** A channel is heard from its first sample above -60 dBFS. */
  audible: 1e-3,
  /** Seconds from there that decide. */
  seconds: 1,
  /** The power of the mean is less than this share of the channels' power. */
  share: 0.01,
}

/** The mean of the channels. If they cancel each other out at first, the first channel is added. */
export class MonoMix {
  readonly #mono = new Float32Array(MIX_BLOCK)
  /** Samples that decide whether channels cancel. */
  readonly #decidingSamples: number
  /** Held until the decision; `undefined` afterwards. */
  #heldBlocks: Float32Array[][] | undefined = []
  #heardSamples = 0
  #cancels = false

  /** The blocks that `take` receives are valid until it returns. */
  constructor(
    sampleRate: number,
    private readonly take: (mono: Float32Array, channels: readonly Float32Array[]) => void,
  ) {
    this.#decidingSamples = Math.ceil(CANCELLING.seconds * sampleRate)
  }

  /** The samples are neither kept nor changed. */
  push(channels: readonly Float32Array[]): void {
    if (channels.length < 2) this.#heldBlocks = undefined
    const length = channels[0]?.length ?? 0
    let start = 0
    if (this.#heldBlocks?.length === 0) {
      start = firstAudible(channels)
      this.#mixBlocks(channels.map((samples) => samples.subarray(0, start)))
    }
    if (this.#heldBlocks !== undefined && start < length) {
      const end = Math.min(length, start + this.#decidingSamples - this.#heardSamples)
      this.#heldBlocks.push(channels.map((samples) => samples.slice(start, end)))
      this.#heardSamples += end - start
      start = end
      if (this.#heardSamples === this.#decidingSamples) this.#decideMix()
    }
    if (this.#heldBlocks === undefined)
      this.#mixBlocks(channels.map((samples) => samples.subarray(start)))
  }

  finish(): void {
    this.#decideMix()
  }

  #decideMix(): void {
    const heldBlocks = this.#heldBlocks ?? []
    this.#heldBlocks = undefined
    this.#cancels = channelsCancel(heldBlocks)
    for (const channels of heldBlocks) this.#mixBlocks(channels)
  }

  #mixBlocks(channels: readonly Float32Array[]): void {
    const end = channels[0]?.length ?? 0
    for (let start = 0; start < end; start += MIX_BLOCK) {
      const length = Math.min(MIX_BLOCK, end - start)
      const mono = this.#mono.subarray(0, length)
      let block = channels.map((samples) => samples.subarray(start, start + length))
      if (!this.#mixTo(mono, block)) {
        block = block.map((samples) => samples.map(clampSample))
        this.#mixTo(mono, block)
      }
      this.take(mono, block)
    }
  }

  /** @returns whether every value is valid */
  #mixTo(mono: Float32Array, channels: readonly Float32Array[]): boolean {
    const [left, right = left] = channels
    if (channels.length <= 2) return meanOfTwo(mono, left!, right!, this.#cancels)
    mono.set(left!)
    for (const samples of channels.slice(1))
      for (let i = 0; i < mono.length; i++) mono[i] = mono[i]! + samples[i]!
    const first = this.#cancels ? left : undefined
    let isValid = true
    for (let i = 0; i < mono.length; i++) {
      mono[i] = mono[i]! / channels.length + (first?.[i] ?? 0)
      isValid &&= Math.abs(mono[i]!) <= MAX_SAMPLE_VALUE
    }
    return isValid
  }
}

interface MixingKernel {
  readonly memory: WasmMemory
  mean(...values: number[]): number
}

const [LEFT_AT, RIGHT_AT, MONO_AT] = [1, 2, 3].map((n) => 4 * MIX_BLOCK * n) as [
  number,
  number,
  number,
]

const mixingKernelOfThread = oncePerThread(() => instantiateModule<MixingKernel>(MIXING_MODULE))

function meanOfTwo(mono: Float32Array, left: Float32Array, right: Float32Array, cancels: boolean) {
  const { memory, mean } = mixingKernelOfThread()
  const memoryFloats = new Float32Array(memory.buffer)
  memoryFloats.set(left, LEFT_AT / 4)
  memoryFloats.set(right, RIGHT_AT / 4)
  const { length } = mono
  // Up to three samples behind the last may count as invalid; then the block is mixed twice.
  const isValid = mean(LEFT_AT, RIGHT_AT, MONO_AT, length, Number(cancels), MAX_SAMPLE_VALUE)
  mono.set(memoryFloats.subarray(MONO_AT / 4, MONO_AT / 4 + length))
  return isValid !== 0
}

/** The length of the channels if none is audible. */
function firstAudible(channels: readonly Float32Array[]): number {
  const length = channels[0]?.length ?? 0
  for (let i = 0; i < length; i++)
    for (const samples of channels) if (Math.abs(samples[i]!) > CANCELLING.audible) return i
  return length
}

function channelsCancel(blocks: readonly (readonly Float32Array[])[]): boolean {
  let [ofMean, ofChannels] = [0, 0]
  for (const channels of blocks)
    for (let i = 0; i < channels[0]!.length; i++) {
      let sum = 0
      for (const samples of channels) {
        const sample = clampSample(samples[i]!)
        sum += sample
        ofChannels += sample * sample
      }
      ofMean += (sum * sum) / channels.length
    }
  return ofMean < CANCELLING.share * ofChannels
}

function clampSample(sample: number): number {
  return Number.isFinite(sample)
    ? Math.max(-MAX_SAMPLE_VALUE, Math.min(MAX_SAMPLE_VALUE, sample))
    : 0
}
