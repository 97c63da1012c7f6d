import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** What mutagen reads in a file. */
export interface MutagenView {
  kinds: string[]
  /** Kind of tag, name, and a sum of each value that nobody asked for. */
  others: [kind: string, name: string, sum: string][]
  /** The values that can be asked for, by their names in Vorbis comments. */
  asked: Record<string, string[]>
  errors: string[]
}

/** Python with mutagen, in a process of its own. */
export class MutagenReader {
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>

  private constructor(child: ChildProcess, lines: Interface) {
    this.#child = child
    this.#lines = lines[Symbol.asyncIterator]()
  }

  /** `undefined`: no Python here has mutagen. */
  static start(): MutagenReader | undefined {
    const script = fileURLToPath(new URL('mutagen-reader.py', import.meta.url))
    for (const program of ['/usr/bin/python3', 'python3']) {
      if (spawnSync(program, ['-c', 'import mutagen']).status !== 0) continue
      const child = spawn(program, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
      return new MutagenReader(child, createInterface({ input: child.stdout }))
    }
    return undefined
  }

  async read(path: string): Promise<MutagenView> {
    this.#child.stdin?.write(`${path}\n`)
    const { value, done } = await this.#lines.next()
    if (done) throw new Error('The process with mutagen has ended.')
    return JSON.parse(value) as MutagenView
  }

  async end(): Promise<void> {
    this.#child.stdin?.end()
    if (this.#child.exitCode === null) await once(this.#child, 'exit')
  }
}

/** What ffmpeg reads in a file. */
export interface FfmpegView {
  /** MD5 of the decoded sound; an error: it cannot be decoded. */
  sound: string
  /** Its lines on metadata, chapters and streams, without values that can be asked for. */
  lines: string[]
}

const ASKED_LINE =
  /^(?:TBPM?|TKEY?|TMOO|tmpo|bpm|initialkey|mood|comment|replaygain_.*|r128_.*)\s*:|Side data|replaygain|^Duration:/i

function linesOf(section: string): string[] {
  const [format = '', ...lines] = section.split('\n')
  const kept = [format]
  for (const line of lines) {
    // What ffmpeg says of its own work is not indented.
    if (!/^ {2}/.test(line) || /^ *\[|^ *Last message/.test(line)) continue
    if (ASKED_LINE.test(line.trim())) continue
    kept.push(
      line
        .trim()
        .replace(/#\d+:/, '#:')
        .replace(/, \d+ kb\/s/, ''),
    )
  }
  return kept.filter((line) => line !== '')
}

/** Runs ffmpeg once for many files, and again for parts of them when one of them is unreadable. */
export function readByFfmpeg(paths: readonly string[], folder: string): FfmpegView[] {
  if (paths.length === 0) return []
  const sums = paths.map((_, i) => join(folder, `sum-${i}.txt`))
  const { status, stderr } = spawnSync(
    'ffmpeg',
    [
      ...['-nostdin', '-hide_banner', '-y', '-threads', '1'],
      ...paths.flatMap((path) => ['-i', path]),
      ...sums.flatMap((sum, i) => ['-map', `${i}:a:0`, '-threads', '1', '-f', 'md5', sum]),
    ],
    { encoding: 'latin1', maxBuffer: 2 ** 28 },
  )
  if (status !== 0 && paths.length > 1) {
    const half = Math.ceil(paths.length / 2)
    return [paths.slice(0, half), paths.slice(half)].flatMap((part) => readByFfmpeg(part, folder))
  }
  if (status !== 0)
    return [
      { sound: `unreadable: ${stderr.trim().split('\n').at(-1)?.replace(/.*: /, '')}`, lines: [] },
    ]
  const [, ...sections] = stderr.split(/^Input #\d+, /m)
  const views = sums.map((sum, i) => ({
    sound: readFileSync(sum, 'utf8').trim(),
    lines: linesOf(
      (sections[i] ?? '').split(/^(?:Output #|Stream mapping)/m)[0]?.replace(/, from '.*$/m, '') ??
        '',
    ),
  }))
  for (const sum of sums) rmSync(sum, { force: true })
  return views
}

/** What metaflac reads of blocks that hold neither comments nor nothing. */
export function readByMetaflac(path: string): string {
  const { stdout, status } = spawnSync(
    'metaflac',
    ['--list', '--except-block-type=VORBIS_COMMENT,PADDING', path],
    { encoding: 'latin1', maxBuffer: 2 ** 28 },
  )
  return status === 0
    ? stdout.replace(/METADATA block #\d+$|^ {2}is last: .*$/gm, '')
    : 'unreadable'
}

/** Whether a program can be started. */
export function hasProgram(name: string, option: string): boolean {
  try {
    execFileSync(name, [option], { stdio: 'ignore' })
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}
