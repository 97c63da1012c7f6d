import { once } from 'node:events'
import { DecodeError, messageOf } from '../values/errors.ts'
import { auHeader } from './au.ts'
import { type FileSource, openFile } from './bytes.ts'
import { checkedLength, loadMp4Package, mp4Stream, noMp4Decoder, openMp4 } from './mp4.ts'
import { readMp4 } from './mp4-movie.ts'
import { ProcessFailure, startPcmProcess } from './pcm-process.ts'
import { framesIn, type PcmBlock, type PcmStream } from './pcm-stream.ts'

/** The first argument of a decoder process, and of no other process. */
const DECODER_ARGUMENT = 'audile-decode'

/** Heap of a decoder process, megabytes. */
const HEAP = 512

/**
 * Decodes MP4 in a separate process: a crafted file can make the decoder abort the process it runs
 * in, and no thread contains that. Decodes in this thread where the process does not start: the host
 * may forbid processes, and an Electron application may forbid running as Node.
 *
 * @param script a file that passes its arguments to `runDecoderProcess`
 */
export async function openMp4Isolated(
  source: FileSource,
  script: string,
  signal?: AbortSignal,
): Promise<PcmStream> {
  const layout = await readMp4(source)
  if (!(await loadMp4Package())) throw noMp4Decoder(layout)
  const args = [`--max-old-space-size=${HEAP}`, script, DECODER_ARGUMENT, source.path]
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' }
  const explain = (failure: ProcessFailure) =>
    failure.started
      ? new DecodeError(`The decoder of this MP4 file failed: ${failure.message}`, {
          cause: failure,
        })
      : failure
  try {
    const child = await startPcmProcess(process.execPath, args, env, { signal, explain })
    return { ...mp4Stream(layout), ...child, blocks: checkedLength(layout, child.blocks) }
  } catch (error) {
    if (error instanceof ProcessFailure) return openMp4(source)
    throw error
  }
}

/**
 * Runs in the decoder process: decodes the MP4 file that the arguments name and writes it to standard
 * output as AU of 32-bit floats. ".snd" is written before anything else, as a sign of life. A failure
 * goes to standard error, with exit code 1.
 *
 * @param args the arguments after the script's name (process.argv.slice(2))
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
    await writeAll(path)
  } catch (error) {
    process.stderr.write(messageOf(error))
    process.exitCode = 1
  }
}

async function writeAll(path: string): Promise<void> {
  const source = await openFile(path)
  try {
    let started = false
    for await (const { channels, sampleRate } of withOneFormat(await openMp4(source)).blocks) {
      if (!started) await write(auHeader(channels.length, sampleRate).subarray(4))
      started = true
      await write(interleaved(channels))
    }
  } finally {
    await source.close()
  }
}

async function write(bytes: Uint8Array): Promise<void> {
  if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')
}

function interleaved(channels: Float32Array[]): Uint8Array {
  const frames = channels[0]?.length ?? 0
  const fields = new DataView(new ArrayBuffer(4 * frames * channels.length))
  for (const [c, samples] of channels.entries()) {
    const step = 4 * channels.length
    for (let i = 0, at = 4 * c; i < frames; i++, at += step) fields.setFloat32(at, samples[i]!)
  }
  return new Uint8Array(fields.buffer)
}

/** The blocks, each passed through `change`. */
async function* mapped(
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

/** The stream; fails if its format changes (no reader can follow that) or it has no sound. */
export function withOneFormat(stream: PcmStream): PcmStream {
  return { ...stream, blocks: blocksOfOneFormat(stream) }
}

async function* blocksOfOneFormat({ blocks, codec, container }: PcmStream): PcmStream['blocks'] {
  let first: { channels: number; sampleRate: number } | undefined
  let frames = 0
  const truncated = yield* mapped(blocks, (block) => {
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

/**
 * A stream that a second decoder continues where the first one fails. The sound of the first up to
 * that point is kept, and the same length of the second's is skipped.
 *
 * @param open opens the second decoder; gets the error of the first
 */
export function withSecondDecoder(
  stream: PcmStream,
  open: (error: unknown) => Promise<PcmStream>,
): PcmStream {
  let current = stream
  const joined: PcmStream = { ...stream, blocks: blocks(), close: () => current.close?.() }
  return joined

  async function* blocks(): PcmStream['blocks'] {
    let given = 0
    let last: PcmBlock | undefined
    try {
      return yield* mapped(stream.blocks, (block) => {
        given += framesIn(block)
        if (framesIn(block) > 0) last = block
        return block
      })
    } catch (error) {
      stream.close?.()
      current = withOneFormat(await open(error))
      joined.decoder = current.decoder
      return yield* mapped(current.blocks, ({ channels, sampleRate }) => {
        const same = channels.length === last?.channels.length && sampleRate === last.sampleRate
        if (last && !same) throw error
        const skipped = Math.min(given, channels[0]?.length ?? 0)
        given -= skipped
        return { channels: channels.map((samples) => samples.subarray(skipped)), sampleRate }
      })
    }
  }
}
