import type { SampleDifference } from './facts.ts'

/** Reads little-endian 32-bit floats from a stream of bytes of any division. */
class Floats {
  readonly #chunks: AsyncIterator<Uint8Array>
  #held = Buffer.alloc(0)
  read = 0

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#chunks = bytes[Symbol.asyncIterator]()
  }

  /** The next `count` values, fewer at the end. */
  async next(count: number): Promise<Float32Array> {
    const parts = [this.#held]
    let length = this.#held.length
    while (length < 4 * count) {
      const { done, value } = await this.#chunks.next()
      if (done) break
      parts.push(Buffer.from(value))
      length += value.length
    }
    const all = Buffer.concat(parts, length)
    const values = Math.min(count, Math.floor(length / 4))
    this.#held = all.subarray(4 * values)
    this.read += values
    return Float32Array.from({ length: values }, (_, i) => all.readFloatLE(4 * i))
  }
}

/** How many frames each decoder gave, and where their samples differ. */
export interface SampleComparison {
  ours: number
  theirs: number
  channels: number
  sampleRate: number
  difference?: SampleDifference
}

/**
 * Compares what audile decodes with interleaved little-endian floats, sample by sample. Equal means
 * equal to the last bit; both sides scale integers by 2^(bits-1), and neither can hold more than 24
 * bits. What is no finite number counts as 0, as audile documents.
 *
 * @param channels of the other side; where audile has another number, only frames are counted
 */
export async function compareSamples(
  blocks: AsyncIterable<{ channels: readonly Float32Array[]; sampleRate: number }>,
  bytes: AsyncIterable<Uint8Array>,
  channels: number,
): Promise<SampleComparison> {
  const floats = new Floats(bytes)
  const result: SampleComparison = { ours: 0, theirs: 0, channels: 0, sampleRate: 0 }
  for await (const block of blocks) {
    const length = block.channels[0]?.length ?? 0
    const theirs = await floats.next(length * channels)
    result.channels = block.channels.length
    result.sampleRate = block.sampleRate
    if (result.channels === channels) compareBlock(block.channels, theirs, result)
    result.ours += length
  }
  while ((await floats.next(65_536)).length > 0);
  result.theirs = floats.read / channels
  return result
}

function compareBlock(
  ours: readonly Float32Array[],
  theirs: Float32Array,
  result: SampleComparison,
): void {
  for (const [c, samples] of ours.entries()) {
    for (let i = 0, j = c; i < samples.length && j < theirs.length; i++, j += ours.length) {
      const expected = Number.isFinite(theirs[j]) ? (theirs[j] as number) : 0
      const sample = samples[i] as number
      if (sample === expected) continue
      const frame = result.ours + i
      const known = result.difference
      const count = (known?.count ?? 0) + 1
      result.difference =
        known && known.frame <= frame
          ? { ...known, count }
          : { count, frame, channel: c, ours: sample, theirs: expected }
    }
  }
}
