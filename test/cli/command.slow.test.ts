import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Ended, ended, PACKAGE } from '../support/built.ts'
import { clip, waveFile } from '../support/clips.ts'
import { scratch } from '../support/scratch.ts'

const COMMAND = join(PACKAGE, 'dist/cli.js')

let home: string
let folder: string

beforeEach(async () => {
  home = scratch()
  folder = scratch()
  await waveFile(folder, 'good.wav', clip({ seconds: 6 }))
  writeFileSync(join(folder, 'bad.flac'), 'fLaC and no more')
  writeFileSync(join(folder, 'notes.txt'), 'Nothing to hear.')
})

/** The command as a user calls it, with a home of its own. */
function begin(...args: string[]): ChildProcess {
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, LOCALAPPDATA: home, COLUMNS: '20' }
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd: home, env })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

const audile = (...args: string[]): Promise<Ended> => ended(begin(...args))
const recordsOf = ({ stdout }: Ended) =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** As many different recordings as are asked for, each of some seconds. */
async function recordings(count: number, seconds: number): Promise<string> {
  const many = scratch()
  for (let seed = 1; seed <= count; seed++) {
    await waveFile(many, `${seed}.wav`, clip({ seconds, seed }))
  }
  return many
}

describe('audile FOLDER', () => {
  it('prints a table of what it read, names what it could not, and does nothing twice', async () => {
    const first = await audile(folder)
    expect(first.stdout).toMatch(
      /^ {2}BPM {2}key .* title\n1[12]\d\.\d {2}\S+ (major|minor) .* 0:06 {2}good\.wav\n$/,
    )
    const [kept, error] = first.stderr.split('\n')
    expect(kept).toMatch(/^Results are kept in .*audile\.db$/)
    expect(error).toBe(
      `audile: ${join(folder, 'bad.flac')}: ${error?.split(': ').slice(2).join(': ')}`,
    )
    expect(error).toContain('--ffmpeg')
    expect(first.stderr).not.toContain('ffmpegPath')
    expect(first.stderr).toMatch(/^1 file, 0:06 of audio, in [\d.]+ s; 1 file not read\.$/m)
    expect(first.stderr).not.toContain('notes.txt')
    expect(first.code).toBe(1)

    // On a terminal, where both are seen, the errors come behind the table.
    const seen: string[] = []
    const both = begin(folder)
    for (const stream of [both.stdout, both.stderr])
      stream?.on('data', (piece) => seen.push(String(piece)))
    await ended(both)
    expect(seen.join('')).toMatch(
      /^Results are kept.*\n +BPM.*\n.*good\.wav\n.*bad\.flac.*\n\n1 file,/,
    )

    const second = await audile(folder)
    expect(second.stdout).toBe(first.stdout)
    expect(second.stderr).toMatch(/; 1 known from before; 1 file not read\.$/m)

    const none = await audile('identify', join(folder, 'bad.flac'))
    expect(none).toMatchObject({ code: 1, stdout: '' })
    expect(none.stderr).toMatch(/^audile: .*bad\.flac: /)
  })

  it('prints the same to programs, with errors in their place and nothing else on the output', async () => {
    const lines = await audile('--json', '--analysis', '-q', folder)
    expect(lines.code).toBe(1)
    expect(lines.stderr).toMatch(/^audile: .*bad\.flac: .*\n$/)
    const [bad, good, ...others] = recordsOf(lines)
    expect(others).toEqual([])
    expect(bad).toMatchObject({ file: join(folder, 'bad.flac'), status: 'error' })
    expect(good).toMatchObject({ file: join(folder, 'good.wav'), status: 'complete' })
    expect(good.analysis.beats.length).toBeGreaterThan(8)
    expect(good.analysis.track.tempo).toBeCloseTo(good.audioSummary.tempo, 2)

    const rows = (await audile('--csv', '-q', join(folder, 'good.wav'))).stdout.split('\r\n')
    expect(rows[0]).toMatch(/^file,status,error,title,/)
    expect(rows[1]).toContain(`${join(folder, 'good.wav')},complete,,`)
    expect(rows.slice(2)).toEqual([''])
  })

  it('keeps results in the database that is named, and elsewhere nothing', async () => {
    const database = join(scratch(), 'mine.db')
    expect((await audile('--database', database, join(folder, 'good.wav'))).code).toBe(0)
    expect(existsSync(database)).toBe(true)
    expect(existsSync(join(home, 'audile'))).toBe(false)
  })

  it('takes files of any name', async () => {
    const odd = ['-dash.wav', 'two\nlines.wav', '夜 "q".wav']
    for (const name of odd) copyFileSync(join(folder, 'good.wav'), join(home, name))
    const all = await audile('--json', '--', ...odd)
    expect(all.code).toBe(0)
    expect(recordsOf(all).map(({ file }) => file)).toEqual(odd.map((name) => join(home, name)))
  })

  it.skipIf(process.platform !== 'linux')('tells of a file whose name is no text', async () => {
    const name = Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9])])
    writeFileSync(name, readFileSync(join(folder, 'good.wav')))
    const { stderr, code } = await audile(folder)
    expect(stderr).toContain('Is its name not UTF-8? Then rename it.')
    expect(code).toBe(1)
  })
})

describe('audile', () => {
  it('answers with status 2, and on the standard error, what it cannot begin', async () => {
    const none = await audile()
    expect(none).toMatchObject({ code: 2, stdout: '' })
    expect(none.stderr).toMatch(/^audile: No file and no folder is named\.\nusage: audile /)

    const missing = await audile('--database', ':memory:', 'nowhere', join(folder, 'good.wav'))
    expect(missing.stderr).toContain(
      `audile: ${join(home, 'nowhere')}: There is no such file or folder.`,
    )
    expect(missing.stdout).toContain('good.wav')
    expect(missing.code).toBe(2)

    rmSync(join(folder, 'good.wav'))
    rmSync(join(folder, 'bad.flac'))
    const empty = await audile(folder)
    expect(empty).toMatchObject({ code: 2, stdout: '' })
    expect(empty.stderr).toContain(`audile: ${folder}: There is no audio in this folder`)

    const database = await audile('--database', folder, folder)
    expect(database).toMatchObject({ code: 2, stdout: '' })
    expect(database.stderr).toMatch(/^audile: .*\n$/)
  })

  it('prints its help and its version on the output', async () => {
    const help = await audile('--help')
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain(join(home, ''))
    const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
    expect(await audile('--version')).toMatchObject({ code: 0, stdout: `${version}\n` })
  })

  it('ends without a word when its reader has gone', async () => {
    const child = begin('--json', await recordings(4, 6))
    const end = ended(child)
    child.stdout?.once('data', () => child.stdout?.destroy())
    expect(await end).toMatchObject({ stderr: '', code: 141 })
  })

  it.skipIf(process.platform === 'win32')(
    'ends in order when it is interrupted, and goes on when it is called again',
    async () => {
      const many = await recordings(5, 12)
      // One at a time: on many cores all would be done at the same moment.
      const child = begin('--json', '--workers', '1', many)
      const end = ended(child)
      child.stdout?.once('data', () => child.kill('SIGINT'))
      const stopped = await end
      expect(stopped.code).toBe(130)
      expect(stopped.stderr).toBe(
        'audile: Interrupted. The same command goes on where this one stopped.\n',
      )
      const before = recordsOf(stopped)
      expect(before.length).toBeGreaterThan(0)
      expect(before.length).toBeLessThan(5)

      const rest = await audile('--json', many)
      expect(rest.code).toBe(0)
      expect(recordsOf(rest).slice(0, before.length)).toEqual(before)
      expect(recordsOf(rest)).toHaveLength(5)
      expect(rest.stderr).toMatch(/; [1-4] known from before\.$/m)
    },
  )
})

describe('npm start', () => {
  it('means paths from where the user stands, and analyses a clip where there is none', async () => {
    const start = (...args: string[]) => {
      const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, INIT_CWD: folder }
      const script = join(PACKAGE, 'examples/start.mjs')
      return ended(spawn(process.execPath, [script, ...args], { cwd: PACKAGE, env }))
    }
    mkdirSync(join(folder, 'below'))
    const clipped = await start()
    expect(clipped.stdout).toMatch(/^120\.0 {2}C major {3}8B {8}4\/4 .* a generated clip\.wav$/m)
    expect(clipped.code).toBe(0)
    expect(clipped.stderr).toMatch(/^No path is given.*Nothing is kept\.$/m)
    expect((await start('--csv', '--database', ':memory:', 'good.wav')).stdout).toContain(
      `${join(folder, 'good.wav')},complete`,
    )
  })
})
