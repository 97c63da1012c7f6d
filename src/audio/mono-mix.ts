import { MIXING_MODULE } from './mixing/simd-module.ts'
import { instantiate, ofThread, type WasmMemory } from './web-assembly.ts'

/** Samples of a channel that are mixed at a time. */
const BLOCK = 8_192
/** 120 dB over full scale; a larger value is no sound. */
const MOST = 1e6

/** When channels cancel each other out. */
const CANCELLING = {
  /** A channel is heard from its first sample above this magnitude (-60 dBFS). */
  audible: 1e-3,
  /** Seconds from there that decide. */
  seconds: 1,
  /** The power of the mean is less than this share of the channels' power. */
  share: 0.01,
}

/**
 * Mixes channels to mono as they stream by: their mean. If they cancel each other out in the first
 * second of sound, as with one inverted channel, the mean would be silence: then the first
 * channel is added to it. The other channels stay in the mix, in case they differ later.
 *
 * Values that are not finite count as 0, larger ones as ±{@link MOST}: one of them would spoil
 * every filter for good.
 */
export class MonoMix {
  readonly #mono = new Float32Array(BLOCK)
  /** Samples of sound that decide. */
  readonly #telling: number
  /** The blocks held until the decision, each a list of channels; `undefined` afterwards. */
  #held: Float32Array[][] | undefined = []
  #heard = 0
  #cancels = false

  /**
   * @param sampleRate - Hz
   * @param take - receives each block of the mix and of its channels, valid until it returns
   */
  constructor(
    sampleRate: number,
    private readonly take: (mono: Float32Array, channels: readonly Float32Array[]) => void,
  ) {
    this.#telling = Math.ceil(CANCELLING.seconds * sampleRate)
  }

  /** Takes the next samples of all channels, equally long; they are neither kept nor changed. */
  push(channels: readonly Float32Array[]): void {
    if (channels.length < 2) this.#held = undefined
    const length = channels[0]?.length ?? 0
    let from = 0
    if (this.#held?.length === 0) {
      from = firstAudible(channels)
      this.#mix(channels.map((samples) => samples.subarray(0, from)))
    }
    if (this.#held !== undefined && from < length) {
      const to = Math.min(length, from + this.#telling - this.#heard)
      this.#held.push(channels.map((samples) => samples.slice(from, to)))
      this.#heard += to - from
      from = to
      if (this.#heard === this.#telling) this.#tell()
    }
    if (this.#held === undefined) this.#mix(channels.map((samples) => samples.subarray(from)))
  }

  /** Call this after the last samples: it mixes those that are still held. */
  finish(): void {
    this.#tell()
  }

  #tell(): void {
    const held = this.#held ?? []
    this.#held = undefined
    this.#cancels = doCancel(held)
    for (const channels of held) this.#mix(channels)
  }

  #mix(channels: readonly Float32Array[]): void {
    const end = channels[0]?.length ?? 0
    for (let from = 0; from < end; from += BLOCK) {
      const length = Math.min(BLOCK, end - from)
      const mono = this.#mono.subarray(0, length)
      let block = channels.map((samples) => samples.subarray(from, from + length))
      if (!this.#mixTo(mono, block)) {
        block = block.map((samples) => samples.map(soundOf))
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
    let valid = true
    for (let i = 0; i < mono.length; i++) {
      mono[i] = mono[i]! / channels.length + (first?.[i] ?? 0)
      valid &&= Math.abs(mono[i]!) <= MOST
    }
    return valid
  }
}

/** The loop of kernel.as, which names the arguments. */
interface Kernel {
  readonly memory: WasmMemory
  mean(...values: number[]): number
}

/** Where the channels and the mix lie in the kernel's memory. */
const [LEFT_AT, RIGHT_AT, MONO_AT] = [1, 2, 3].map((n) => 4 * BLOCK * n) as [number, number, number]

const kernelOfThread = ofThread(() => instantiate<Kernel>(MIXING_MODULE))

function meanOfTwo(mono: Float32Array, left: Float32Array, right: Float32Array, cancels: boolean) {
  const { memory, mean } = kernelOfThread()
  const all = new Float32Array(memory.buffer)
  all.set(left, LEFT_AT / 4)
  all.set(right, RIGHT_AT / 4)
  const { length } = mono
  // Up to three samples behind the last may count as invalid: then the block is mixed twice.
  const valid = mean(LEFT_AT, RIGHT_AT, MONO_AT, length, Number(cancels), MOST)
  mono.set(all.subarray(MONO_AT / 4, MONO_AT / 4 + length))
  return valid !== 0
}

/** The first sample at which a channel is audible; the length of the channels if none is. */
function firstAudible(channels: readonly Float32Array[]): number {
  const length = channels[0]?.length ?? 0
  for (let i = 0; i < length; i++)
    for (const samples of channels) if (Math.abs(samples[i]!) > CANCELLING.audible) return i
  return length
}

function doCancel(blocks: readonly (readonly Float32Array[])[]): boolean {
  let [ofMean, ofChannels] = [0, 0]
  for (const channels of blocks)
    for (let i = 0; i < channels[0]!.length; i++) {
      let sum = 0
      for (const samples of channels) {
        const sample = soundOf(samples[i]!)
        sum += sample
        ofChannels += sample * sample
      }
      ofMean += (sum * sum) / channels.length
    }
  return ofMean < CANCELLING.share * ofChannels
}

function soundOf(sample: number): number {
  return Number.isFinite(sample) ? Math.max(-MOST, Math.min(MOST, sample)) : 0
}
