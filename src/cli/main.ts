import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { version } from '../../package.json'
import { Audile, AudileError } from '../index.ts'
import { analyseFiles, findFiles } from './analyse-files.ts'
import { defaultDatabase, HELP, parse, type Request, USAGE } from './arguments.ts'
import { clock, csv, type Finding, json, table, visible } from './format.ts'
import { IDENTIFY_HELP, isIdentifyCall, parseIdentify, runIdentify } from './identify.ts'
import { INDEX_HELP, isIndexCall, parseIndex } from './index-arguments.ts'
import { runIndexTask, type Voice } from './index-tasks.ts'
import { isModelCall, MODEL_HELP, parseModel, runModelTask } from './model.ts'
import { UsageError } from './options.ts'
import { Progress } from './progress.ts'
import { isWorkerCall, parseWorker, runWorker, WORKER_HELP, type WorkerRequest } from './worker.ts'

/** Signals that stop a run cleanly, with the exit status that shells use for each. */
const ENDINGS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
/** The exit status when the program that reads the output has ended, as `head` does. */
const READER_GONE = 141

/**
 * Runs the command.
 *
 * @returns the exit status
 */
export async function main(args: string[]): Promise<number> {
  // A failed write rejects the promise of `print`; an unhandled event would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    if (isIndexCall(args))
      return await answer(parseIndex(args.slice(1)), INDEX_HELP, voiced(runIndexTask))
    if (isIdentifyCall(args))
      return await answer(parseIdentify(args.slice(1)), IDENTIFY_HELP, voiced(runIdentify))
    if (isModelCall(args))
      return await answer(parseModel(args.slice(1)), MODEL_HELP, voiced(runModelTask))
    if (isWorkerCall(args)) return await answer(parseWorker(args.slice(1)), WORKER_HELP, worked)
    const request = parse(args)
    if (request !== 'version') return await answer(request, HELP, run)
    await print(process.stdout, `${version}\n`)
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      await tell(error.message)
      await print(process.stderr, USAGE)
      return 2
    }
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return READER_GONE
    // An unknown error is a bug of audile, and its stack helps to find it.
    const known = error instanceof AudileError || 'syscall' in (error as object)
    await tell(known ? inOptions((error as Error).message) : String((error as Error).stack))
    return 2
  }
}

/** Prints the help, or does what is asked until a signal interrupts it. */
async function answer<R>(
  request: R | 'help',
  help: string,
  work: (request: R, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  if (request !== 'help') return interruptible((signal) => work(request, signal))
  await print(process.stdout, help)
  return 0
}

/** A task that prints to the standard streams. */
function voiced<R>(task: (request: R, voice: Voice) => Promise<number>) {
  return async (request: R, signal: AbortSignal): Promise<number> => {
    const progress = new Progress(terminalOf(false))
    const cleared =
      (write: (line: string) => Promise<void>) =>
      (line: string): Promise<void> => {
        progress.clear()
        return write(line)
      }
    try {
      return await task(request, {
        signal,
        print: cleared((line) => print(process.stdout, line)),
        tell: cleared(tell),
        say: (line) => progress.say(line),
      })
    } finally {
      progress.stop()
    }
  }
}

function worked(request: WorkerRequest, signal: AbortSignal): Promise<number> {
  return runWorker(request, signal, (line) => void tell(line))
}

/** The stream that shows progress; `undefined` for none. */
function terminalOf(quiet: boolean) {
  const shows = !quiet && process.stderr.isTTY && process.env.TERM !== 'dumb'
  return shows ? process.stderr : undefined
}

/** Runs work until a signal interrupts it; a second signal ends the process at once. */
async function interruptible(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const interrupted = new AbortController()
  const listeners = Object.entries(ENDINGS).map(([name, status]) => {
    const listener = () => interrupted.abort(status)
    process.once(name, listener)
    return () => process.off(name, listener)
  })
  try {
    return await work(interrupted.signal)
  } catch (error) {
    if (!interrupted.signal.aborted) throw error
    return interrupted.signal.reason as number
  } finally {
    for (const remove of listeners) remove()
  }
}

async function run(request: Request, signal: AbortSignal): Promise<number> {
  const database = request.database ?? (await ownDatabase())
  const music = await Audile.open({
    database,
    ffmpegPath: request.ffmpegPath,
    workers: request.workers,
  })
  const progress = new Progress(terminalOf(request.quiet))
  const report = new Report(request, progress)
  try {
    signal.throwIfAborted()
    await report.keep(database, 'before')
    const { files, missing, empty } = await findFiles(music, request.paths, { signal, progress })
    for (const finding of missing) await report.add(finding)
    for (const folder of empty) await report.note(noAudioIn(folder, request))
    const newly = new Set<string>()
    music.on('track', ({ id, status }) => {
      if (status === 'complete') newly.add(id)
    })
    const options = { analysis: request.analysis, signal, progress }
    for await (const finding of analyseFiles(music, files, options)) await report.add(finding)
    progress.stop()
    await report.end(newly)
    await report.keep(database, 'after')
    if (missing.length > 0 || files.length === 0) return 2
    return report.failed > 0 ? 1 : 0
  } catch (error) {
    progress.stop()
    await report.tellErrors()
    if (signal.aborted) await report.interrupted(database)
    throw error
  } finally {
    await music.close()
  }
}

/** The output of a run: results, errors, and a summary. */
class Report {
  failed = 0
  readonly #request: Request
  readonly #progress: Progress
  readonly #started = performance.now()
  readonly #tracks: string[] = []
  #seconds = 0
  #headed = false
  #forFfmpeg = false
  /** Errors that are printed after a table; between its rows they would be lost. */
  readonly #errors: string[] = []

  constructor(request: Request, progress: Progress) {
    this.#request = request
    this.#progress = progress
  }

  /** Prints where results are kept: before a table, but after JSON or CSV. */
  async keep(database: string, when: 'before' | 'after'): Promise<void> {
    const { quiet, format } = this.#request
    if (quiet || database === ':memory:' || (format === 'table') !== (when === 'before')) return
    await print(process.stderr, `Results are kept in ${database}\n`)
  }

  async add(finding: Finding): Promise<void> {
    const { file, track, error } = finding
    this.#progress.clear()
    if (error === undefined) {
      this.#tracks.push(track?.id ?? '')
      this.#seconds += track?.audioSummary?.duration ?? 0
    } else {
      this.failed++
      this.#forFfmpeg ||= error.includes('ffmpegPath')
      await this.note(reasonOf(file, error))
    }
    const { head, lines } = this.#format()
    const text = lines(finding)
    if (text === '') return
    await print(process.stdout, this.#headed ? text : head + text)
    this.#headed = true
  }

  async note(text: string): Promise<void> {
    this.#progress.clear()
    this.#errors.push(text)
    if (this.#request.format !== 'table') await this.tellErrors()
  }

  /** Prints the errors that were not printed yet. */
  async tellErrors(): Promise<void> {
    for (const text of this.#errors.splice(0)) await tell(text)
  }

  async end(newly: ReadonlySet<string>): Promise<void> {
    await this.tellErrors()
    if (this.#request.quiet) return
    const lines: string[] = []
    if (this.#tracks.length > 0) {
      const known = this.#tracks.filter((id) => !newly.has(id)).length
      const took = (performance.now() - this.#started) / 1000
      const parts = [
        `${files(this.#tracks.length)}, ${clock(this.#seconds)} of audio, in ${took.toFixed(1)} s`,
        known > 0 && `${known} known from before`,
        this.failed > 0 && `${files(this.failed)} not read`,
      ]
      lines.push(`${parts.filter(Boolean).join('; ')}.`)
    }
    if (this.#forFfmpeg && this.#request.ffmpegPath === undefined) {
      lines.push('Where ffmpeg is installed, "--ffmpeg ffmpeg" may read more.')
    }
    if (lines.length > 0) await print(process.stderr, `\n${lines.join('\n')}\n`)
  }

  async interrupted(database: string): Promise<void> {
    const { quiet } = this.#request
    if (quiet) return
    const rest = database === ':memory:' ? '' : ' The same command goes on where this one stopped.'
    await tell(`Interrupted.${rest}`)
  }

  #format() {
    const { format } = this.#request
    if (format === 'json') return json
    // Without a terminal, no line is cut.
    return format === 'csv' ? csv : table(process.stdout.columns || undefined)
  }
}

const files = (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`

/** Replaces names of library options by names of the command's options. */
function inOptions(message: string): string {
  return message.replaceAll(/(the option )?ffmpegPath/g, '--ffmpeg')
}

function reasonOf(file: string, error: string): string {
  const reason = inOptions(error)
  // Node replaces bytes that are not UTF-8 by U+FFFD; that path names another file.
  const name = file.includes('\ufffd') ? ' Is its name not UTF-8? Then rename it.' : ''
  return `${reason.includes(file) ? reason : `${file}: ${reason}`}${name}`
}

function noAudioIn(folder: string, { ffmpegPath }: Request): string {
  const foreign = ffmpegPath === undefined ? ' that audile reads without --ffmpeg' : ''
  return `${folder}: There is no audio in this folder${foreign}.`
}

async function ownDatabase(): Promise<string> {
  const file = defaultDatabase()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  return file
}

function tell(text: string): Promise<void> {
  return print(process.stderr, `audile: ${visible(text)}\n`)
}

/** Resolves when the text is written, so results are not produced faster than they are read. */
function print(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
