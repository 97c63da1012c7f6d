import { DecodeError } from '../errors.ts'
import { framesIn, type PcmBlock, type PcmStream } from './pcm-stream.ts'

/** The stream, which now fails where its format changes (no reader can follow that) or without sound. */
export function withOneFormat(stream: PcmStream): PcmStream {
  return { ...stream, blocks: blocksOfOneFormat(stream) }
}

async function* blocksOfOneFormat(stream: PcmStream): AsyncGenerator<PcmBlock, boolean, void> {
  let first: { channels: number; sampleRate: number } | undefined
  let frames = 0
  try {
    let next = await stream.blocks.next()
    for (; !next.done; next = await stream.blocks.next()) {
      const block = next.value
      const length = framesIn(block)
      if (length > 0) {
        const format = { channels: block.channels.length, sampleRate: block.sampleRate }
        first ??= format
        if (first.channels !== format.channels || first.sampleRate !== format.sampleRate) {
          const at = (frames / first.sampleRate).toFixed(1)
          throw new DecodeError(
            `This file changes from ${first.channels} channels at ${first.sampleRate} Hz to ` +
              `${format.channels} at ${format.sampleRate} Hz after ${at} s; convert it first.`,
          )
        }
        frames += length
      }
      yield block
    }
    if (first) return next.value
  } finally {
    await stream.blocks.return(false)
  }
  throw new DecodeError(
    `This file (${stream.codec} in ${stream.container}) holds no sound: 0 samples were decoded.`,
  )
}

/**
 * A stream that a second decoder continues where the first one fails. The sound of the first one up to
 * there is kept, and as much of the second one's is skipped.
 *
 * @param open opens the second decoder; gets the error of the first
 */
export function withSecondDecoder(
  stream: PcmStream,
  open: (error: unknown) => Promise<PcmStream>,
): PcmStream {
  const joined: PcmStream = { ...stream, blocks: blocks(), close: () => void 0 }
  let current = stream
  joined.close = () => current.close?.()
  return joined

  async function* blocks(): AsyncGenerator<PcmBlock, boolean, void> {
    let given = 0
    let last: PcmBlock | undefined
    try {
      let next = await stream.blocks.next()
      for (; !next.done; next = await stream.blocks.next()) {
        given += framesIn(next.value)
        if (framesIn(next.value) > 0) last = next.value
        yield next.value
      }
      return next.value
    } catch (error) {
      stream.close?.()
      current = withOneFormat(await open(error))
      joined.decoder = current.decoder
      return yield* continuation(current, given, last, error)
    } finally {
      await current.blocks.return(false)
    }
  }
}

/** The second decoder's sound behind the frames already given, if it has the same format. */
async function* continuation(
  stream: PcmStream,
  given: number,
  last: PcmBlock | undefined,
  error: unknown,
): AsyncGenerator<PcmBlock, boolean, void> {
  let left = given
  let next = await stream.blocks.next()
  for (; !next.done; next = await stream.blocks.next()) {
    const { channels, sampleRate } = next.value
    const same = channels.length === last?.channels.length && sampleRate === last.sampleRate
    if (last && !same) throw error
    const skipped = Math.min(left, framesIn(next.value))
    left -= skipped
    yield { channels: channels.map((samples) => samples.subarray(skipped)), sampleRate }
  }
  return next.value
}
