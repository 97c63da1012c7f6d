import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { onAbort, unlessAborted, withDeadline } from '../kernel/abort.ts'
import { DecodeError, messageOf } from '../values/errors.ts'
import { AU_HEADER_BYTES, readAuHeader } from './au.ts'
import { type Container, FORMATS } from './formats.ts'
import { frameBytes, planar } from './pcm.ts'
import { NoDecoder, type PcmStream } from './pcm-stream.ts'

/**
 * The demuxers that ffmpeg may choose for a file that audile does not know: formats of sound, or of
 * sound and picture. Playlists (hls, concat, dash, sdp …) are not among them: they name other files.
 */
const OTHERS = [
  'aa,aac,ac3,adp,adx,aea,aiff,amr,amrnb,amrwb,ape,asf,ast,au,avi,brstm,caf,dff,dsf,dts,dtshd,eac3',
  'flac,flv,g722,gsm,hca,iff,ircam,loas,matroska,mlp,mmf,mov,mp3,mpc,mpc8,mpeg,mpegts,nistsphere',
  'nut,ogg,oma,paf,pvf,qcp,rm,rso,sbc,shn,smjpeg,sol,sox,spdif,tak,truehd,tta,voc,vqf,w64,wav,wsd',
  'wtv,wv,wve,xa,xwma',
].join(',')

/**
 * Decodes with the ffmpeg program that the host names. Its output is AU, whose header states rate
 * and channels, so no second program has to find them first.
 *
 * ffmpeg can open nothing but this file: its demuxer is chosen by audile, or is one of `OTHERS`; network
 * and other protocols are closed; and the file comes through a pipe where the format allows it.
 *
 * @param container the file's format, if its content shows it
 * @param error why audile does not decode the file itself
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
    ...(format ? ['-f', format.ffmpeg] : ['-format_whitelist', OTHERS]),
    ...['-protocol_whitelist', seeks ? 'file' : 'pipe', '-i', seeks ? `file:${path}` : 'pipe:0'],
    ...output,
  ]
  const child = await startPcmProcess(ffmpegPath, args, process.env, {
    ...(!seeks && { input: path }),
    signal,
    explain: (failure) => {
      const own = error instanceof NoDecoder ? `This file is ${error.message}.` : messageOf(error)
      return new DecodeError(
        `${own} ${ffmpegPath} (option ffmpegPath) failed on it too: ${failure.message}`,
        { cause: failure },
      )
    },
  })
  const codec = error instanceof NoDecoder ? error.codec : 'unknown'
  return { container: container ?? 'unknown', codec, decoder: 'ffmpeg', ...child }
}

/** How long a process may write nothing, milliseconds. */
const PATIENCE = 60_000
const SILENCE = new Error('silence')
/** Most characters kept of its standard error. */
const MOST_ERRORS = 4096
/** The longest header of a stream, bytes. */
const MAX_HEADER = 65_536
/** Bytes of a block; the pipe gives as many at a time. */
const BLOCK_BYTES = 65_536

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

/**
 * Starts a program that writes an AU file to its standard output, and reads the header. The process
 * lives until `blocks` ends or `close` is called.
 */
export async function startPcmProcess(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { input, signal, explain }: ProcessOptions,
): Promise<PcmProcess> {
  const explained = (error: unknown) => (error instanceof ProcessFailure ? explain(error) : error)
  const file = input === undefined ? undefined : await open(input, 'r')
  let pipe: ReturnType<typeof pipeOf>
  try {
    const stdio: StdioOptions = [file?.fd ?? 'ignore', 'pipe', 'pipe']
    pipe = pipeOf(spawn(command, args, { env, stdio, windowsHide: true }), signal)
  } finally {
    // The process has its own copy of the descriptor now.
    await file?.close()
  }
  try {
    const magic = await pipe.take(4)
    if (magic?.toString('latin1') !== '.snd') throw await pipe.failure('wrote no AU header')
    pipe.started = true
    const rest = await pipe.take(AU_HEADER_BYTES - magic.length)
    if (!rest) throw await pipe.failure('stopped')
    const { layout, start } = readAuHeader(Buffer.concat([magic, rest]))
    if (start > MAX_HEADER) throw await pipe.failure(`wrote a header of ${start} bytes`)
    if (!(await pipe.take(start - AU_HEADER_BYTES))) throw await pipe.failure('stopped')
    const { channels, sampleRate } = layout
    const convert = planar(layout)
    const size = Math.max(1, frameBytes(layout))
    return {
      channels,
      sampleRate,
      close: pipe.end,
      blocks: (async function* () {
        try {
          for (;;) {
            const bytes = await pipe.some(size)
            if (!bytes) break
            yield convert(bytes)
          }
          await pipe.succeed()
          return false
        } catch (error) {
          throw explained(error)
        } finally {
          pipe.end()
        }
      })(),
    }
  } catch (error) {
    pipe.end()
    throw explained(error)
  }
}

/** Reads the output of a process on demand, so that the process waits when nobody reads. */
function pipeOf(child: ChildProcess, signal: AbortSignal | undefined) {
  const exited = new Promise<{ code: number | null; signal: string | null } | Error>((resolve) => {
    child.once('error', resolve)
    child.once('close', (code, signalName) => resolve({ code, signal: signalName }))
  })
  // A process that could not be started, because file descriptors are short, has neither stream.
  const chunks: AsyncIterator<Buffer> = (child.stdout ?? Readable.from([]))[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (errors.length < MOST_ERRORS) errors += text
  })
  let release = () => {}
  const pipe = {
    started: false,

    /** Exactly `count` bytes; undefined when the output ends before. */
    async take(count: number): Promise<Buffer | undefined> {
      while (held.length < count) if (!(await more())) return undefined
      const taken = held.subarray(0, count)
      held = held.subarray(count)
      return taken
    },

    /** A multiple of `unit` bytes, about {@link BLOCK_BYTES} before the end; undefined at the end. */
    async some(unit: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
      while (held.length < Math.max(unit, BLOCK_BYTES)) if (!(await more())) break
      const bytes = await pipe.take(held.length - (held.length % unit))
      return bytes?.length ? new Uint8Array(bytes) : undefined
    },

    /** Waits for the process to end; throws unless it succeeded. */
    async succeed(): Promise<void> {
      const exit = await exited
      if (exit instanceof Error || exit.code !== 0) throw await pipe.failure('stopped')
    },

    async failure(what: string): Promise<unknown> {
      signal?.throwIfAborted()
      const { killed } = child
      pipe.end()
      const exit = await exited
      signal?.throwIfAborted()
      if (exit instanceof Error) {
        const why = `it could not be started: ${exit.message}`
        return new ProcessFailure(why, false, { cause: exit })
      }
      const how =
        killed || exit.code === null ? `ended by ${exit.signal}` : `exit code ${exit.code}`
      const failure = new ProcessFailure(errors.trim() || `it ${what} (${how})`, pipe.started)
      // Killed by the system, when memory is short, or by hand: the file may be fine.
      if (!killed && exit.signal === 'SIGKILL') failure.code = 'ERR_PROCESS_KILLED'
      return failure
    },

    /** Ends the process if it still runs. */
    end(): void {
      release()
      child.kill('SIGKILL')
      child.stdout?.destroy()
    },
  }
  if (signal) release = onAbort(signal, pipe.end)
  return pipe

  async function more(): Promise<boolean> {
    try {
      const next = await withDeadline(
        signal,
        PATIENCE,
        () => SILENCE,
        (until) => unlessAborted(chunks.next(), until),
      )
      if (next.done) return false
      held = held.length ? Buffer.concat([held, next.value]) : next.value
      return true
    } catch (error) {
      signal?.throwIfAborted()
      if (error === SILENCE) throw await pipe.failure(`wrote nothing for ${PATIENCE / 1000} s`)
      // The output was destroyed: the exit says why.
      return false
    }
  }
}
