import { decodeFile } from '../../src/audio/decode.ts'
import type { Samples } from '../../src/client/audio-input.ts'

/** The samples of a whole file. */
export async function samplesOf(file: string): Promise<Samples> {
  const blocks: Float32Array[][] = []
  let sampleRate = 0
  for await (const block of decodeFile(file)) {
    blocks.push(block.channels.map((channel) => channel.slice()))
    sampleRate = block.sampleRate
  }
  const length = blocks.reduce((sum, block) => sum + (block[0]?.length ?? 0), 0)
  const samples = (blocks[0] ?? []).map((_, c) => {
    const whole = new Float32Array(length)
    let at = 0
    for (const block of blocks) {
      whole.set(block[c] as Float32Array, at)
      at += block[c]?.length ?? 0
    }
    return whole
  })
  return { samples, sampleRate }
}
