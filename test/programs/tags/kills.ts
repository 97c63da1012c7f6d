import { type ChildProcess, fork } from 'node:child_process'
import { on, once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { Audile, type Track } from '../../../src/index.ts'
import { Dice } from '../hostile/dice.ts'
import { type OddFile, oddFiles } from './odd-files.ts'
import type { Sounds } from './sounds.ts'
import { analyzeSound, registerFiles } from './trial.ts'

const KINDS = ['mp3 ID3v2.3', 'wav', 'flac', 'ogg vorbis', 'opus', 'm4a', 'aiff']
/** Tries to find a file of a kind that can be written. */
const TRIES = 25

/** What a process of `killed-writer.mjs` says. */
interface Told {
  opened?: {
    ok: boolean
    problems: { message: string }[]
    sum: Record<string, number>
    tracks: { id: string; paths: string[]; corrections: object }[]
  }
  finished?: string[]
  done?: string[]
}

/** A library whose writes nothing interrupts. */
interface Control {
  music: Audile
  tracks: Track[]
  paths: string[]
}

const commentOf = (round: number) => `round ${String(round).padStart(5, '0')}`

async function writeRound({ tracks }: Control, round: number): Promise<string[]> {
  const query = {
    dryRun: false,
    fields: ['bpm' as const, 'key' as const],
    comment: commentOf(round),
  }
  const answers = []
  for (const track of tracks) answers.push(...(await track.writeTags(query)).files)
  return answers.flatMap(({ error }) => (error === undefined ? [] : [error]))
}

/** For each kind the first file that can be written. */
async function writableFiles(
  sounds: Sounds,
  seed: number,
  { folder, wav }: { folder: string; wav: string },
): Promise<OddFile[]> {
  mkdirSync(folder, { recursive: true })
  const chosen: OddFile[] = []
  const music = await Audile.open({ database: ':memory:', engine: 'inline', workers: 0 })
  const analysis = await analyzeSound(music, wav)
  for (const only of KINDS) {
    for (const file of oddFiles(seed, { count: TRIES, only, sounds })) {
      const path = join(folder, file.name)
      await registerFiles(music, [{ file, path }], analysis)
      const control = { music, tracks: [await music.tracks.get({ file: path })], paths: [path] }
      const errors = [...(await writeRound(control, 0)), ...(await writeRound(control, 1))]
      if (errors.length > 0) continue
      chosen.push(file)
      break
    }
  }
  await music.close()
  return chosen
}

async function openControl(
  files: readonly OddFile[],
  { database, folder }: { database: string; folder: string },
): Promise<Control> {
  mkdirSync(folder, { recursive: true })
  const music = await Audile.open({ database, engine: 'inline', workers: 0 })
  const paths = files.map(({ name }) => join(folder, name))
  const tracks: Track[] = []
  for (const [i, { bytes }] of files.entries()) {
    const file = paths[i] as string
    writeFileSync(file, bytes)
    // With its own analysis, by whose sound a scan knows it again.
    const track = await music.tracks.upload({ file, wait: true })
    await track.correct({ tempo: 121, key: 6, mode: 0 })
    tracks.push(track)
  }
  return { music, tracks, paths }
}

const bytesOf = (paths: readonly string[]) => paths.map((path) => readFileSync(path))

/** A process that writes tags; what it says waits until it is asked for. */
class KilledWriter {
  readonly #child: ChildProcess
  readonly #messages: AsyncIterator<[Told]>

  constructor(given: { database: string; folder: string; round: number }) {
    const script = fileURLToPath(new URL('killed-writer.mjs', import.meta.url))
    this.#child = fork(script, [JSON.stringify(given)], { execArgv: [] })
    const messages = on(this.#child, 'message', { close: ['exit'] })
    this.#messages = messages as AsyncIterator<[Told]>
  }

  /** What it says next. */
  async told<K extends keyof Told>(field: K): Promise<Required<Told>[K]> {
    const { value, done } = await this.#messages.next()
    const said = done ? undefined : (value as [Told])[0][field]
    if (said === undefined) throw new Error(`the writer ended by itself before it said "${field}"`)
    return said as Required<Told>[K]
  }

  write(round: number): void {
    this.#child.send({ round })
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exit = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exit
  }
}

/** Kills a process that writes tags, at moments of chance, and looks at files and library. */
export async function judgeKills({
  sounds,
  seed,
  kills,
  folder,
}: {
  sounds: Sounds
  seed: number
  kills: number
  folder: string
}): Promise<{ done: string; flaws: string[] }> {
  const wav = join(folder, 'sounds', 'sound.wav')
  const files = await writableFiles(sounds, seed, { folder: join(folder, 'tries'), wav })
  const control = await openControl(files, {
    database: ':memory:',
    folder: join(folder, 'control'),
  })
  const database = join(folder, 'killed.db')
  const killed = await openControl(files, { database, folder: join(folder, 'killed') })
  const { paths } = killed
  const ids = killed.tracks.map(({ id }) => id)
  const first = [...(await writeRound(control, 0)), ...(await writeRound(killed, 0))]
  await killed.music.close()
  const flaws: string[] = first.map((error) => `before the kills: ${error}`)
  const dice = new Dice(seed)
  let before = bytesOf(control.paths)
  let early = 0
  for (let round = 1; round <= kills; round++) {
    const say = (flaw: string) => flaws.push(`kill ${round}: ${flaw}`)
    const started = performance.now()
    for (const error of await writeRound(control, round)) say(`without a kill: ${error}`)
    // A kill may come at any moment of a round, which takes as long in the other process.
    const roundTime = performance.now() - started
    const after = bytesOf(control.paths)
    const writer = new KilledWriter({ database, folder: join(folder, 'killed'), round: round - 1 })
    try {
      judgeOpened(await writer.told('opened'), { ids, paths, say })
      for (const error of await writer.told('finished')) say(`a write after it: ${error}`)
      judgeFinished(paths, before, say)
      writer.write(round)
      const done = writer.told('done').then(() => true)
      const isDone = await Promise.race([done, sleep(dice.unit() * roundTime).then(() => false)])
      if (isDone) early++
      // The end of the process ends the waiting, too.
      else done.catch(() => {})
    } catch (error) {
      say(String(error))
    } finally {
      await writer.kill()
    }
    for (const [i, path] of paths.entries()) {
      const now = readFileSync(path)
      if (now.equals(before[i] as Buffer) || now.equals(after[i] as Buffer)) continue
      say(`${path} is neither the old file nor the new one (${now.length} bytes)`)
      writeFileSync(`${path}.broken`, now)
    }
    before = after
  }
  await control.music.close()
  const done = `${kills} of a process that wrote ${files.length} files, ${kills - early} of them during a write`
  return { done, flaws }
}

function judgeOpened(
  opened: Required<Told>['opened'],
  {
    ids,
    paths,
    say,
  }: { ids: readonly string[]; paths: readonly string[]; say: (flaw: string) => void },
): void {
  const { ok, problems, sum, tracks } = opened
  if (!ok) say(`check(): ${problems.map(({ message }) => message).join('; ')}`)
  for (const kind of ['added', 'moved', 'missing', 'failed'])
    if (sum[kind]) say(`a scan reports ${sum[kind]} ${kind}`)
  for (const [i, path] of paths.entries()) {
    const track = tracks.find((one) => one.paths.includes(path))
    if (!track || track.id !== ids[i]) say(`${path} is ${track?.id ?? 'no track'}, was ${ids[i]}`)
    else if (!isDeepStrictEqual(track.corrections, { tempo: 121, key: 6, mode: 0 }))
      say(`${path} has the corrections ${JSON.stringify(track.corrections)}`)
  }
}

function judgeFinished(
  paths: readonly string[],
  expected: readonly Buffer[],
  say: (flaw: string) => void,
): void {
  for (const [i, path] of paths.entries())
    if (!readFileSync(path).equals(expected[i] as Buffer))
      say(`${path} is not what a write without a kill makes`)
  const left = readdirSync(join(paths[0] as string, '..')).filter((name) =>
    name.startsWith('.audile-'),
  )
  if (left.length > 0) say(`${left.length} copies are left after the next write`)
}
