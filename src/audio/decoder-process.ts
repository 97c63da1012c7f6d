import { once } from 'node:events'
import { DecodeError } from '../errors.ts'
import { FileSource } from './byte-source.ts'
import { counted, hasMp4Package, mp4Stream, noMp4Decoder, openMp4 } from './mp4.ts'
import { checkMp4 } from './mp4-atoms.ts'
import { ProcessFailure, startPcmProcess } from './pcm-process.ts'
import type { PcmStream } from './pcm-stream.ts'

/** The first argument of a decoder process, which nothing else is started with. */
export const DECODER_ARGUMENT = 'audile-decode'

/** Heap of a decoder process, megabytes. */
const HEAP = 512

/**
 * MP4 in a process of its own: a crafted file can make the decoder abort the whole process, which
 * no thread contains. Where the host forbids processes, or the script does not come up (an Electron
 * application may forbid to run as Node), decodes in this thread.
 *
 * @param script a file that passes its arguments to `runDecoderProcess`
 */
export async function openMp4Isolated(
  source: FileSource,
  script: string,
  signal?: AbortSignal,
): Promise<PcmStream> {
  const layout = await checkMp4(source)
  if (!(await hasMp4Package())) throw noMp4Decoder(layout)
  const args = [`--max-old-space-size=${HEAP}`, script, DECODER_ARGUMENT, source.path]
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' }
  try {
    const child = await startPcmProcess(process.execPath, args, env, { signal })
    return {
      ...mp4Stream(layout),
      decoder: '@audio/decode-mp4',
      sampleRate: child.sampleRate,
      channels: child.channels,
      close: child.close,
      blocks: (async function* () {
        try {
          return yield* counted(layout, child.blocks)
        } catch (error) {
          throw error instanceof ProcessFailure ? died(error) : error
        }
      })(),
    }
  } catch (error) {
    if (!(error instanceof ProcessFailure)) throw error
    if (error.started) throw died(error)
    return openMp4(source)
  }
}

/**
 * The other end: decodes the MP4 file that the arguments name and writes it to standard output as
 * AU of 32-bit floats. ".snd" is written before anything else, as a sign of life. A failure goes to
 * standard error, with exit code 1.
 *
 * @param args the arguments behind the script's name (process.argv.slice(2))
 */
export async function runDecoderProcess(args: readonly string[]): Promise<void> {
  const [word, path] = args
  if (word !== DECODER_ARGUMENT || path === undefined) {
    process.stderr.write(`Expected: ${DECODER_ARGUMENT} FILE\n`)
    process.exitCode = 2
    return
  }
  // The parent is gone, or wants no more.
  process.stdout.on('error', () => process.exit(0))
  process.stdout.write('.snd')
  try {
    await writeAll(path)
  } catch (error) {
    process.stderr.write(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}

async function writeAll(path: string): Promise<void> {
  const source = await FileSource.open(path)
  try {
    const { blocks } = await openMp4(source)
    let format: { channels: number; sampleRate: number } | undefined
    for await (const { channels, sampleRate } of blocks) {
      if (!format) {
        format = { channels: channels.length, sampleRate }
        await write(header(format))
      } else if (format.channels !== channels.length || format.sampleRate !== sampleRate) {
        throw new DecodeError(
          `This file changes from ${format.channels} channels at ${format.sampleRate} Hz to ` +
            `${channels.length} at ${sampleRate} Hz; convert it first.`,
        )
      }
      await write(interleaved(channels))
    }
    if (!format) throw new DecodeError('This file holds no sound: 0 samples were decoded.')
  } finally {
    await source.close()
  }
}

async function write(bytes: Uint8Array): Promise<void> {
  if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')
}

/** The rest of an AU header behind ".snd": size unknown, 32-bit floats. */
function header({ channels, sampleRate }: { channels: number; sampleRate: number }): Uint8Array {
  const fields = new DataView(new ArrayBuffer(20))
  for (const [i, value] of [24, 0xffffffff, 6, sampleRate, channels].entries()) {
    fields.setUint32(4 * i, value)
  }
  return new Uint8Array(fields.buffer)
}

function interleaved(channels: Float32Array[]): Uint8Array {
  const frames = channels[0]!.length
  const fields = new DataView(new ArrayBuffer(4 * frames * channels.length))
  for (const [c, samples] of channels.entries()) {
    const step = 4 * channels.length
    for (let i = 0, at = 4 * c; i < frames; i++, at += step) fields.setFloat32(at, samples[i]!)
  }
  return new Uint8Array(fields.buffer)
}

function died(error: ProcessFailure): DecodeError {
  return new DecodeError(`The decoder of this MP4 file failed: ${error.message}`, { cause: error })
}
