import { createReadStream, existsSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Audile, type AudileOptions, type SongRecord } from '../index.ts'
import type { IndexRequest } from './index-arguments.ts'
import { UsageError } from './options.ts'

export interface Voice {
  signal: AbortSignal
  /** For every database that the task opens. */
  options?: Pick<AudileOptions, 'engine'>
  print(line: string): Promise<void>
  /** An error does not end the task. */
  tell(line: string): Promise<void>
  /** The current step, on a terminal. */
  say(line: string): void
}

/** @returns the exit status: 1 when a part could not be read */
export async function runIndexTask(request: IndexRequest, voice: Voice): Promise<number> {
  if (request.task === 'stat') return printSizes(request.files, voice)
  if (request.task === 'merge') {
    await mergeDatabases(request.sources, request.out, voice)
    return 0
  }
  const { task: _, source, out, ...options } = request
  const building = `${out}.building`
  if (existsSync(out) && !existsSync(building)) {
    throw new UsageError(`${out} is there already: name another file, or remove it.`)
  }
  if (!existsSync(source)) throw new UsageError(`${source}: there is no such file or folder.`)
  const music = await Audile.open({
    database: building,
    keepAudio: false,
    ...options,
    ...voice.options,
  })
  let failed: number
  try {
    failed = statSync(source).isDirectory()
      ? await addFolder(music, source, voice)
      : await addRecords(music, source, voice)
  } finally {
    await music.close()
  }
  await mergeDatabases([building], out, voice)
  for (const suffix of ['', '-wal', '-shm', '-audio']) {
    await rm(building + suffix, { recursive: true, force: true })
  }
  return failed > 0 ? 1 : 0
}

async function addFolder(music: Audile, folder: string, voice: Voice): Promise<number> {
  const { signal } = voice
  const errors: string[] = []
  const upload = music.tracks.uploadFolder(folder, {
    signal,
    onProgress: ({ file, done, total, track, error }) => {
      voice.say(`${done}/${total}  ${file}`)
      const why = error?.message ?? track?.answer.error
      if (why !== undefined) errors.push(`${file}: ${why}`)
    },
  })
  let reportedErrors = 0
  const reportErrors = async () => {
    while (reportedErrors < errors.length) await voice.tell(errors[reportedErrors++]!)
  }
  for await (const _ of upload) await reportErrors()
  await reportErrors()
  return reportedErrors
}

async function addRecords(music: Audile, file: string, voice: Voice): Promise<number> {
  const { signal } = voice
  const { rejected } = await music.songs.import(readRecords(file), {
    signal,
    onProgress: ({ done }) => voice.say(`${done} records of ${file}`),
  })
  for (const { index, info } of rejected) await voice.tell(`${file}: record ${index + 1}: ${info}`)
  return rejected.length
}

async function* readRecords(file: string): AsyncGenerator<SongRecord> {
  let number = 0
  for await (const line of createInterface({ input: createReadStream(file) })) {
    number++
    if (line.trim() === '') continue
    let record: unknown
    try {
      record = JSON.parse(line)
    } catch (error) {
      throw new UsageError(`${file}: line ${number} is no JSON: ${(error as Error).message}.`)
    }
    // The import validates the record.
    yield record as SongRecord
  }
}

async function mergeDatabases(references: string[], out: string, voice: Voice): Promise<void> {
  const { signal, options } = voice
  const music = await Audile.open({ database: out, references, workers: 0, ...options })
  try {
    const { recordings } = await music.recordings.merge({
      signal,
      onProgress: ({ done, total }) => {
        voice.say(`${out}: ${Math.floor((100 * done) / total)} % merged`)
      },
    })
    await voice.print(`${out}: ${recordings} recordings\n`)
  } finally {
    await music.close()
  }
}

async function printSizes(references: string[], voice: Voice): Promise<number> {
  const music = await Audile.open({
    database: ':memory:',
    references,
    workers: 0,
    ...voice.options,
  })
  try {
    const [, ...sizes] = await music.recordings.stat({ signal: voice.signal })
    for (const size of sizes) await voice.print(`${JSON.stringify(size)}\n`)
    return 0
  } finally {
    await music.close()
  }
}
