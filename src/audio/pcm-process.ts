import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { onAbort, unlessAborted, withDeadline } from '../kernel/abort.ts'
import { DecodeError, messageOf } from '../values/errors.ts'
import { AU_HEADER_BYTES, readAuHeader } from './au.ts'
import { type Container, FORMATS } from './formats.ts'
import { createPlanarReader, frameBytes } from './pcm.ts'
import { NoDecoder, type PcmStream } from './pcm-stream.ts'

/**
 * Formats of sound or video for unknown files; playlists are not among them, as they name other
 * files.
 */
const OTHER_DEMUXERS = [
  'aa,aac,ac3,adp,adx,aea,aiff,amr,amrnb,amrwb,ape,asf,ast,au,avi,brstm,caf,dff,dsf,dts,dtshd,eac3',
  'flac,flv,g722,gsm,hca,iff,ircam,loas,matroska,mlp,mmf,mov,mp3,mpc,mpc8,mpeg,mpegts,nistsphere',
  'nut,ogg,oma,paf,pvf,qcp,rm,rso,sbc,shn,smjpeg,sol,sox,spdif,tak,truehd,tta,voc,vqf,w64,wav,wsd',
  'wtv,wv,wve,xa,xwma',
].join(',')

/**
 * ffmpeg can open nothing but this file: its demuxer is chosen, other protocols are closed. Its AU
 * header states rate and channels.
 */
export async function openFfmpeg(
  ffmpegPath: string,
  path: string,
  container: Container | undefined,
  error: unknown,
  signal?: AbortSignal,
): Promise<PcmStream> {
  const format = container && FORMATS[container]
  const seeks = !format || format.seeks === true
  const output = ['-map', '0:a:0', '-vn', '-sn', '-dn', '-c:a', 'pcm_f32be', '-f', 'au', 'pipe:1']
  const args = [
    ...['-v', 'error', '-nostdin'],
    ...(format ? ['-f', format.ffmpeg] : ['-format_whitelist', OTHER_DEMUXERS]),
    ...['-protocol_whitelist', seeks ? 'file' : 'pipe', '-i', seeks ? `file:${path}` : 'pipe:0'],
    ...output,
  ]
  const child = await startPcmProcess(ffmpegPath, args, process.env, {
    ...(!seeks && { input: path }),
    signal,
    explain: (failure) => {
      const ownReason =
        error instanceof NoDecoder ? `This file is ${error.message}.` : messageOf(error)
      return new DecodeError(
        `${ownReason} ${ffmpegPath} (option ffmpegPath) failed on it too: ${failure.message}`,
        { cause: failure },
      )
    },
  })
  const codec = error instanceof NoDecoder ? error.codec : 'unknown'
  return { container: container ?? 'unknown', codec, decoder: 'ffmpeg', ...child }
}

const SILENCE_MILLISECONDS = 60_000
const SILENCE_ERROR = new Error('silence')
const MAX_ERROR_CHARACTERS = 4096
const MAX_HEADER_LENGTH = 65_536
/** Bytes of a block; the pipe gives as many at a time. */
const PIPE_BLOCK_BYTES = 65_536

/** A process that writes AU to its standard output could not be started, or failed. */
export class ProcessFailure extends Error {
  /** Set if something else killed the process. */
  code?: 'ERR_PROCESS_KILLED'

  constructor(
    message: string,
    /** Whether the process started: it has written the first four bytes. */
    readonly started: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** A running process whose standard output is AU. */
type PcmProcess = Required<Pick<PcmStream, 'channels' | 'sampleRate' | 'blocks' | 'close'>>

interface ProcessOptions {
  /** A file for its standard input. */
  input?: string
  signal: AbortSignal | undefined
  /** The error to throw where it cannot be started, dies, or is silent for a minute. */
  explain(failure: ProcessFailure): Error
}

/** The process lives until `blocks` ends or `close` is called. */
export async function startPcmProcess(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { input, signal, explain }: ProcessOptions,
): Promise<PcmProcess> {
  const explainError = (error: unknown) =>
    error instanceof ProcessFailure ? explain(error) : error
  const file = input === undefined ? undefined : await open(input, 'r')
  let pipe: ReturnType<typeof openPipe>
  try {
    const stdio: StdioOptions = [file?.fd ?? 'ignore', 'pipe', 'pipe']
    pipe = openPipe(spawn(command, args, { env, stdio, windowsHide: true }), signal)
  } finally {
    // The process has its own copy of the descriptor now.
    await file?.close()
  }
  try {
    const magic = await pipe.takeBytes(4)
    if (magic?.toString('latin1') !== '.snd') throw await pipe.describeFailure('wrote no AU header')
    pipe.started = true
    const headerRest = await pipe.takeBytes(AU_HEADER_BYTES - magic.length)
    if (!headerRest) throw await pipe.describeFailure('stopped')
    const { layout, start } = readAuHeader(Buffer.concat([magic, headerRest]))
    if (start > MAX_HEADER_LENGTH)
      throw await pipe.describeFailure(`wrote a header of ${start} bytes`)
    if (!(await pipe.takeBytes(start - AU_HEADER_BYTES)))
      throw await pipe.describeFailure('stopped')
    const { channels, sampleRate } = layout
    const convert = createPlanarReader(layout)
    const size = Math.max(1, frameBytes(layout))
    return {
      channels,
      sampleRate,
      close: pipe.endProcess,
      blocks: (async function* () {
        try {
          for (;;) {
            const bytes = await pipe.takeBlock(size)
            if (!bytes) break
            yield convert(bytes)
          }
          await pipe.requireSuccess()
          return false
        } catch (error) {
          throw explainError(error)
        } finally {
          pipe.endProcess()
        }
      })(),
    }
  } catch (error) {
    pipe.endProcess()
    throw explainError(error)
  }
}

/** Reads on demand, so that the process waits when nobody reads. */
function openPipe(child: ChildProcess, signal: AbortSignal | undefined) {
  const exitOf = new Promise<{ code: number | null; signal: string | null } | Error>((resolve) => {
    child.once('error', resolve)
    child.once('close', (code, signalName) => resolve({ code, signal: signalName }))
  })
  // A process that could not be started has neither stream.
  const chunks: AsyncIterator<Buffer> = (child.stdout ?? Readable.from([]))[Symbol.asyncIterator]()
  let heldBytes: Buffer = Buffer.alloc(0)
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (errors.length < MAX_ERROR_CHARACTERS) errors += text
  })
  let release = () => {}
  const pipe = {
    started: false,

    /** Exactly `count` bytes; undefined when the output ends before. */
    async takeBytes(count: number): Promise<Buffer | undefined> {
      while (heldBytes.length < count) if (!(await readMore())) return undefined
      const bytes = heldBytes.subarray(0, count)
      heldBytes = heldBytes.subarray(count)
      return bytes
    },

    /** A multiple of `unit` bytes, about {@link PIPE_BLOCK_BYTES} before the end; undefined at the end. */
    async takeBlock(unit: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
      while (heldBytes.length < Math.max(unit, PIPE_BLOCK_BYTES)) if (!(await readMore())) break
      const bytes = await pipe.takeBytes(heldBytes.length - (heldBytes.length % unit))
      return bytes?.length ? new Uint8Array(bytes) : undefined
    },

    /** Waits for the process to end; throws unless it succeeded. */
    async requireSuccess(): Promise<void> {
      const exit = await exitOf
      if (exit instanceof Error || exit.code !== 0) throw await pipe.describeFailure('stopped')
    },

    async describeFailure(what: string): Promise<unknown> {
      signal?.throwIfAborted()
      const { killed } = child
      pipe.endProcess()
      const exit = await exitOf
      signal?.throwIfAborted()
      if (exit instanceof Error) {
        const why = `it could not be started: ${exit.message}`
        return new ProcessFailure(why, false, { cause: exit })
      }
      const how =
        killed || exit.code === null ? `ended by ${exit.signal}` : `exit code ${exit.code}`
      const failure = new ProcessFailure(errors.trim() || `it ${what} (${how})`, pipe.started)
      // Killed by the system or by hand: the file may be fine.
      if (!killed && exit.signal === 'SIGKILL') failure.code = 'ERR_PROCESS_KILLED'
      return failure
    },

    /** Ends the process if it still runs. */
    endProcess(): void {
      release()
      child.kill('SIGKILL')
      child.stdout?.destroy()
    },
  }
  if (signal) release = onAbort(signal, pipe.endProcess)
  return pipe

  async function readMore(): Promise<boolean> {
    try {
      const next = await withDeadline(
        signal,
        SILENCE_MILLISECONDS,
        () => SILENCE_ERROR,
        (until) => unlessAborted(chunks.next(), until),
      )
      if (next.done) return false
      heldBytes = heldBytes.length ? Buffer.concat([heldBytes, next.value]) : next.value
      return true
    } catch (error) {
      signal?.throwIfAborted()
      if (error === SILENCE_ERROR)
        throw await pipe.describeFailure(`wrote nothing for ${SILENCE_MILLISECONDS / 1000} s`)
      // The output was destroyed: the exit says why.
      return false
    }
  }
}
