import { once } from 'node:events'
import { DecodeError, messageOf } from '../values/errors.ts'
import { auHeader } from './au.ts'
import { type FileSource, openFile } from './bytes.ts'
import { checkLength, loadMp4Package, mp4Stream, noMp4Decoder, openMp4Stream } from './mp4.ts'
import { readMp4 } from './mp4-movie.ts'
import { ProcessFailure, startPcmProcess } from './pcm-process.ts'
import { framesIn, type PcmBlock, type PcmStream } from './pcm-stream.ts'

const DECODER_ARGUMENT = 'audile-decode'

const HEAP_MEGABYTES = 512

/**
 * A crafted file can make the decoder abort its process. Where no process may start, this thread
 * decodes.
 */
export async function openIsolatedMp4(
  source: FileSource,
  script: string,
  signal?: AbortSignal,
): Promise<PcmStream> {
  const layout = await readMp4(source)
  if (!(await loadMp4Package())) throw noMp4Decoder(layout)
  const args = [`--max-old-space-size=${HEAP_MEGABYTES}`, script, DECODER_ARGUMENT, source.path]
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' }
  const explainFailure = (failure: ProcessFailure) =>
    failure.started
      ? new DecodeError(`The decoder of this MP4 file failed: ${failure.message}`, {
          cause: failure,
        })
      : failure
  try {
    const child = await startPcmProcess(process.execPath, args, env, {
      signal,
      explain: explainFailure,
    })
    return { ...mp4Stream(layout), ...child, blocks: checkLength(layout, child.blocks) }
  } catch (error) {
    if (error instanceof ProcessFailure) return openMp4Stream(source)
    throw error
  }
}

/**
 * Decodes an MP4 file to standard output as AU of 32-bit floats; ".snd" comes first, as a sign of
 * life.
 */
export async function runDecoderProcess(args: readonly string[]): Promise<void> {
  const [word, path] = args
  if (word !== DECODER_ARGUMENT || path === undefined) {
    process.stderr.write(`Expected: ${DECODER_ARGUMENT} FILE\n`)
    process.exitCode = 2
    return
  }
  // The parent has ended, or stopped reading.
  process.stdout.on('error', () => process.exit(0))
  process.stdout.write('.snd')
  try {
    await writeDecoded(path)
  } catch (error) {
    process.stderr.write(messageOf(error))
    process.exitCode = 1
  }
}

async function writeDecoded(path: string): Promise<void> {
  const source = await openFile(path)
  try {
    let started = false
    for await (const { channels, sampleRate } of withOneFormat(await openMp4Stream(source))
      .blocks) {
      if (!started) await writeOutput(auHeader(channels.length, sampleRate).subarray(4))
      started = true
      await writeOutput(interleave(channels))
    }
  } finally {
    await source.close()
  }
}

async function writeOutput(bytes: Uint8Array): Promise<void> {
  if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')
}

function interleave(channels: Float32Array[]): Uint8Array {
  const frames = channels[0]?.length ?? 0
  const fields = new DataView(new ArrayBuffer(4 * frames * channels.length))
  for (const [c, samples] of channels.entries()) {
    const step = 4 * channels.length
    for (let i = 0, offset = 4 * c; i < frames; i++, offset += step)
      fields.setFloat32(offset, samples[i]!)
  }
  return new Uint8Array(fields.buffer)
}

async function* mapBlocks(
  blocks: PcmStream['blocks'],
  change: (block: PcmBlock) => PcmBlock,
): PcmStream['blocks'] {
  try {
    let next = await blocks.next()
    for (; !next.done; next = await blocks.next()) yield change(next.value)
    return next.value
  } finally {
    await blocks.return(false)
  }
}

/** Fails if the format changes or there is no sound. */
export function withOneFormat(stream: PcmStream): PcmStream {
  return { ...stream, blocks: blocksOfOneFormat(stream) }
}

async function* blocksOfOneFormat({ blocks, codec, container }: PcmStream): PcmStream['blocks'] {
  let first: { channels: number; sampleRate: number } | undefined
  let frames = 0
  const truncated = yield* mapBlocks(blocks, (block) => {
    const length = framesIn(block)
    if (length === 0) return block
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
    return block
  })
  if (frames > 0) return truncated
  throw new DecodeError(
    `This file (${codec} in ${container}) holds no sound: 0 samples were decoded.`,
  )
}

/** Continues with a second decoder where the first fails, skipping the length that was decoded. */
export function withSecondDecoder(
  stream: PcmStream,
  open: (error: unknown) => Promise<PcmStream>,
): PcmStream {
  let current = stream
  const joined: PcmStream = { ...stream, blocks: blocks(), close: () => current.close?.() }
  return joined

  async function* blocks(): PcmStream['blocks'] {
    let passedFrames = 0
    let last: PcmBlock | undefined
    try {
      return yield* mapBlocks(stream.blocks, (block) => {
        passedFrames += framesIn(block)
        if (framesIn(block) > 0) last = block
        return block
      })
    } catch (error) {
      stream.close?.()
      current = withOneFormat(await open(error))
      joined.decoder = current.decoder
      return yield* mapBlocks(current.blocks, ({ channels, sampleRate }) => {
        const same = channels.length === last?.channels.length && sampleRate === last.sampleRate
        if (last && !same) throw error
        const skipped = Math.min(passedFrames, channels[0]?.length ?? 0)
        passedFrames -= skipped
        return { channels: channels.map((samples) => samples.subarray(skipped)), sampleRate }
      })
    }
  }
}
