import type { FlacFrame } from './flac-frame.ts'
import type { PcmBlock } from './pcm-stream.ts'

/** Samples per channel that make a block; frames may have as few as one. */
const ENOUGH = 16_384
/** Room for an unfinished block and the longest frame. */
const CAPACITY = 2 * 65_536

/** Joins frames of FLAC into blocks of PCM. */
export class FlacBlocks {
  #channels: Float32Array[] = []
  #length = 0
  #sampleRate = 0

  /** Adds a frame. @returns the block that is ready now, if any */
  add({ channels, samples, sampleRate, bits }: FlacFrame): PcmBlock | undefined {
    const same = channels.length === this.#channels.length && sampleRate === this.#sampleRate
    const before = same ? undefined : this.end()
    if (!same) this.#channels = channels.map(() => new Float32Array(CAPACITY))
    this.#sampleRate = sampleRate
    const scale = 2 ** (1 - bits)
    for (const [c, from] of channels.entries()) {
      const to = this.#channels[c]!
      for (let i = 0, at = this.#length; i < samples; i++, at++) to[at] = from[i]! * scale
    }
    this.#length += samples
    return before ?? (this.#length >= ENOUGH ? this.end() : undefined)
  }

  /** The unfinished block. */
  end(): PcmBlock | undefined {
    if (this.#length === 0) return undefined
    const channels = this.#channels.map((samples) => samples.slice(0, this.#length))
    this.#length = 0
    return { channels, sampleRate: this.#sampleRate }
  }
}
