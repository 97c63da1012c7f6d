import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { version } from '../../package.json'
import { Audile, AudileError } from '../index.ts'
import { analyseFiles, findFiles } from './analyse-files.ts'
import { type AnalyseRequest, defaultDatabase, HELP, parseArguments, USAGE } from './arguments.ts'
import {
  csvFormat,
  type Finding,
  formatClock,
  jsonFormat,
  tableFormat,
  visibleText,
} from './format.ts'
import { IDENTIFY_HELP, isIdentifyCall, parseIdentify, runIdentify } from './identify.ts'
import { INDEX_HELP, isIndexCall, parseIndex } from './index-arguments.ts'
import { runIndexTask, type Voice } from './index-tasks.ts'
import { isModelCall, MODEL_HELP, parseModel, runModelTask } from './model.ts'
import { UsageError } from './options.ts'
import { Progress } from './progress.ts'
import { isWorkerCall, parseWorker, runWorker, WORKER_HELP, type WorkerRequest } from './worker.ts'

/** The exit status that shells use for each signal. */
const SIGNAL_STATUSES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
/** The program that reads the output has ended, as `head` does. */
const READER_GONE_STATUS = 141

/** @returns the exit status */
export async function runCommand(args: string[]): Promise<number> {
  // A failed write rejects the promise of `print`; an unhandled event would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    if (isIndexCall(args))
      return await answerArguments(parseIndex(args.slice(1)), INDEX_HELP, withVoice(runIndexTask))
    if (isIdentifyCall(args))
      return await answerArguments(
        parseIdentify(args.slice(1)),
        IDENTIFY_HELP,
        withVoice(runIdentify),
      )
    if (isModelCall(args))
      return await answerArguments(parseModel(args.slice(1)), MODEL_HELP, withVoice(runModelTask))
    if (isWorkerCall(args))
      return await answerArguments(parseWorker(args.slice(1)), WORKER_HELP, workForFleet)
    const request = parseArguments(args)
    if (request !== 'version') return await answerArguments(request, HELP, analyseRequest)
    await printText(process.stdout, `${version}\n`)
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      await printError(error.message)
      await printText(process.stderr, USAGE)
      return 2
    }
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return READER_GONE_STATUS
    // An unknown error is a bug of audile, and its stack helps to find it.
    const isExpected = error instanceof AudileError || 'syscall' in (error as object)
    await printError(
      isExpected ? nameOptions((error as Error).message) : String((error as Error).stack),
    )
    return 2
  }
}

/** Until a signal interrupts it. */
async function answerArguments<R>(
  request: R | 'help',
  help: string,
  work: (request: R, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  if (request !== 'help') return runInterruptible((signal) => work(request, signal))
  await printText(process.stdout, help)
  return 0
}

function withVoice<R>(task: (request: R, voice: Voice) => Promise<number>) {
  return async (request: R, signal: AbortSignal): Promise<number> => {
    const progress = new Progress(terminalOf(false))
    const clearBefore =
      (write: (line: string) => Promise<void>) =>
      (line: string): Promise<void> => {
        progress.clearLine()
        return write(line)
      }
    try {
      return await task(request, {
        signal,
        print: clearBefore((line) => printText(process.stdout, line)),
        tell: clearBefore(printError),
        say: (line) => progress.showText(line),
      })
    } finally {
      progress.stopShowing()
    }
  }
}

function workForFleet(request: WorkerRequest, signal: AbortSignal): Promise<number> {
  return runWorker(request, signal, (line) => void printError(line))
}

/** `undefined` where no progress is shown. */
function terminalOf(quiet: boolean) {
  const shows = !quiet && process.stderr.isTTY && process.env.TERM !== 'dumb'
  return shows ? process.stderr : undefined
}

/** A second signal ends the process at once. */
async function runInterruptible(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const interrupted = new AbortController()
  const listeners = Object.entries(SIGNAL_STATUSES).map(([name, status]) => {
    const interrupt = () => interrupted.abort(status)
    process.once(name, interrupt)
    return () => process.off(name, interrupt)
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

async function analyseRequest(request: AnalyseRequest, signal: AbortSignal): Promise<number> {
  const database = request.database ?? (await ownDatabase())
  const music = await Audile.open({
    database,
    ffmpegPath: request.ffmpegPath,
    workers: request.workers,
  })
  const progress = new Progress(terminalOf(request.quiet))
  const report = new RunReport(request, progress)
  try {
    signal.throwIfAborted()
    await report.printDatabase(database, 'before')
    const { files, missing, empty } = await findFiles(music, request.paths, { signal, progress })
    for (const finding of missing) await report.addFinding(finding)
    for (const folder of empty) await report.noteError(noAudioIn(folder, request))
    const analysedIds = new Set<string>()
    music.on('track', ({ id, status }) => {
      if (status === 'complete') analysedIds.add(id)
    })
    const options = { analysis: request.analysis, signal, progress }
    for await (const finding of analyseFiles(music, files, options))
      await report.addFinding(finding)
    progress.stopShowing()
    await report.endReport(analysedIds)
    await report.printDatabase(database, 'after')
    if (missing.length > 0 || files.length === 0) return 2
    return report.failed > 0 ? 1 : 0
  } catch (error) {
    progress.stopShowing()
    await report.tellErrors()
    if (signal.aborted) await report.printInterruption(database)
    throw error
  } finally {
    await music.close()
  }
}

class RunReport {
  failed = 0
  readonly #request: AnalyseRequest
  readonly #progress: Progress
  readonly #started = performance.now()
  readonly #tracks: string[] = []
  #seconds = 0
  #headed = false
  #forFfmpeg = false
  /** Printed after a table: between its rows they would be lost. */
  readonly #errors: string[] = []

  constructor(request: AnalyseRequest, progress: Progress) {
    this.#request = request
    this.#progress = progress
  }

  /** Before a table, but after JSON or CSV. */
  async printDatabase(database: string, when: 'before' | 'after'): Promise<void> {
    const { quiet, format } = this.#request
    if (quiet || database === ':memory:' || (format === 'table') !== (when === 'before')) return
    await printText(process.stderr, `Results are kept in ${database}\n`)
  }

  async addFinding(finding: Finding): Promise<void> {
    const { file, track, error } = finding
    this.#progress.clearLine()
    if (error === undefined) {
      this.#tracks.push(track?.id ?? '')
      this.#seconds += track?.audioSummary?.duration ?? 0
    } else {
      this.failed++
      this.#forFfmpeg ||= error.includes('ffmpegPath')
      await this.noteError(reasonOf(file, error))
    }
    const { head, lines } = this.#chooseFormat()
    const text = lines(finding)
    if (text === '') return
    await printText(process.stdout, this.#headed ? text : head + text)
    this.#headed = true
  }

  async noteError(text: string): Promise<void> {
    this.#progress.clearLine()
    this.#errors.push(text)
    if (this.#request.format !== 'table') await this.tellErrors()
  }

  /** Those that were not printed yet. */
  async tellErrors(): Promise<void> {
    for (const text of this.#errors.splice(0)) await printError(text)
  }

  async endReport(newly: ReadonlySet<string>): Promise<void> {
    await this.tellErrors()
    if (this.#request.quiet) return
    const lines: string[] = []
    if (this.#tracks.length > 0) {
      const knownCount = this.#tracks.filter((id) => !newly.has(id)).length
      const tookSeconds = (performance.now() - this.#started) / 1000
      const parts = [
        `${countFiles(this.#tracks.length)}, ${formatClock(this.#seconds)} of audio, in ${tookSeconds.toFixed(1)} s`,
        knownCount > 0 && `${knownCount} known from before`,
        this.failed > 0 && `${countFiles(this.failed)} not read`,
      ]
      lines.push(`${parts.filter(Boolean).join('; ')}.`)
    }
    if (this.#forFfmpeg && this.#request.ffmpegPath === undefined) {
      lines.push('Where ffmpeg is installed, "--ffmpeg ffmpeg" may read more.')
    }
    if (lines.length > 0) await printText(process.stderr, `\n${lines.join('\n')}\n`)
  }

  async printInterruption(database: string): Promise<void> {
    const { quiet } = this.#request
    if (quiet) return
    const advice =
      database === ':memory:' ? '' : ' The same command goes on where this one stopped.'
    await printError(`Interrupted.${advice}`)
  }

  #chooseFormat() {
    const { format } = this.#request
    if (format === 'json') return jsonFormat
    // Without a terminal, no line is cut.
    return format === 'csv' ? csvFormat : tableFormat(process.stdout.columns || undefined)
  }
}

const countFiles = (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`

/** Messages name options of the library. */
function nameOptions(message: string): string {
  return message.replaceAll(/(the option )?ffmpegPath/g, '--ffmpeg')
}

function reasonOf(file: string, error: string): string {
  const reason = nameOptions(error)
  // Node replaces bytes that are not UTF-8 by U+FFFD; that path names another file.
  const name = file.includes('\ufffd') ? ' Is its name not UTF-8? Then rename it.' : ''
  return `${reason.includes(file) ? reason : `${file}: ${reason}`}${name}`
}

function noAudioIn(folder: string, { ffmpegPath }: AnalyseRequest): string {
  const foreign = ffmpegPath === undefined ? ' that audile reads without --ffmpeg' : ''
  return `${folder}: There is no audio in this folder${foreign}.`
}

async function ownDatabase(): Promise<string> {
  const file = defaultDatabase()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  return file
}

function printError(text: string): Promise<void> {
  return printText(process.stderr, `audile: ${visibleText(text)}\n`)
}

/**
 * Resolves when the text is written, so that results are not produced faster than they are read.
 */
function printText(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
