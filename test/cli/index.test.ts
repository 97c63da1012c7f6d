import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isIndexCall, parseIndex } from '../../src/cli/index-arguments.ts'
import { runIndexTask } from '../../src/cli/index-tasks.ts'
import { UsageError } from '../../src/cli/options.ts'
import { waveFile } from '../support/clips.ts'
import { madeSongs } from '../support/made-songs.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import { tune } from '../support/tune.ts'

/** Runs a task and keeps what it says. */
async function run(args: readonly string[], signal = new AbortController().signal) {
  const request = parseIndex(args)
  if (request === 'help') throw new Error('It is no task.')
  const printed: string[] = []
  const told: string[] = []
  // Without the built scripts there are no threads.
  const own = request.task === 'build' ? { ...request, workers: 0 } : request
  const status = await runIndexTask(own, {
    signal,
    options: { engine: 'inline' },
    print: async (line) => void printed.push(line),
    tell: async (line) => void told.push(line),
    say: () => {},
  })
  return { status, printed, told }
}

function linesIn(folder: string, name: string, count: number, seed: number): string {
  const file = join(folder, name)
  const lines = madeSongs(count, seed).map((record) => JSON.stringify(record))
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

describe('audile index', () => {
  it('is told from a folder of that name', () => {
    expect(isIndexCall(['index', 'build', 'a', 'b'])).toBe(true)
    expect(isIndexCall(['index', '--help'])).toBe(true)
    expect(isIndexCall(['index'])).toBe(true)
    expect(isIndexCall(['index', 'other-folder'])).toBe(false)
    expect(isIndexCall(['./index'])).toBe(false)
    expect(parseIndex(['merge', 'a.db', 'b.db', 'out.db'])).toEqual({
      task: 'merge',
      sources: ['a.db', 'b.db'],
      out: 'out.db',
    })
    expect(parseIndex(['-h'])).toBe('help')
  })

  it.each<[string[], RegExp]>([
    [[], /needs one of build, merge, stat/],
    [['other'], /needs one of build, merge, stat/],
    [['stat'], /needs the path of a database/],
    [['merge', 'a.db'], /needs what to read, and last the database to write/],
    [['build', 'a', 'b', 'out.db'], /"b" is another one/],
    [['merge', '--workers', '2', 'a.db', 'out.db'], /are for index build/],
    [['build', '--workers', '65', 'a', 'out.db'], /from 1 to 64, not "65"/],
    [['build', '--ffmpeg=', 'a', 'out.db'], /--ffmpeg needs a path/],
    [['build', '', 'out.db'], /A path is empty/],
    [['build', '--other', 'a', 'out.db'], /--other/],
  ])('refuses %j', (args, message) => {
    expect(() => parseIndex(args)).toThrow(UsageError)
    expect(() => parseIndex(args)).toThrow(message)
  })

  it('builds of audio and of records, merges, and tells what there is', async () => {
    const folder = scratch()
    const music = join(folder, 'music')
    mkdirSync(music)
    await waveFile(music, 'one.wav', tune({ seed: 1 }))
    writeFileSync(join(music, 'bad.flac'), 'fLaC and no more')
    const audio = join(folder, 'audio.db')
    const built = await run(['build', music, audio])
    expect(built.status).toBe(1)
    expect(built.told).toEqual([expect.stringContaining('bad.flac')])
    expect(built.printed).toEqual([`${audio}: 1 recordings\n`])
    expect(existsSync(`${audio}.building`)).toBe(false)

    const records = join(folder, 'records.db')
    await run(['build', linesIn(folder, 'records.jsonl', 12, 1), records])
    const all = join(folder, 'all.db')
    const merged = await run(['merge', audio, records, all])
    expect(merged).toEqual({ status: 0, printed: [`${all}: 17 recordings\n`], told: [] })
    const { printed } = await run(['stat', audio, all])
    expect(printed.map((line) => JSON.parse(line))).toMatchObject([
      { reference: audio, recordings: 1 },
      { reference: all, recordings: 17 },
    ])
    const reader = await openInline({ references: [all] })
    expect(await reader.songs.identify(tune({ seed: 1 }))).toMatchObject([{ reference: all }])
    await expect(run(['build', music, all])).rejects.toThrow('is there already')
    await expect(run(['build', join(folder, 'none'), `${all}2`])).rejects.toThrow('no such file')
  })

  it('goes on where it was stopped', async () => {
    const folder = scratch()
    const out = join(folder, 'out.db')
    const file = linesIn(folder, 'records.jsonl', 300, 2)
    const leave = new AbortController()
    leave.abort(new Error('enough'))
    await expect(run(['build', file, out], leave.signal)).rejects.toThrow('enough')
    expect(existsSync(out)).toBe(false)
    expect(existsSync(`${out}.building`)).toBe(true)
    expect((await run(['build', file, out])).printed).toEqual([`${out}: 400 recordings\n`])
  })

  it('names the line that is no JSON, and the record that is no song', async () => {
    const folder = scratch()
    const file = join(folder, 'bad.jsonl')
    writeFileSync(file, '{"title":"A","artistName":"B"}\n\n{"title":')
    await expect(run(['build', file, join(folder, 'a.db')])).rejects.toThrow(
      /bad\.jsonl: line 3 is/,
    )
    writeFileSync(file, '{"title":"A","artistName":"B"}\n{"title":"A"}\n')
    const { status, told } = await run(['build', file, join(folder, 'b.db')])
    expect(status).toBe(1)
    expect(told).toEqual([expect.stringMatching(/bad\.jsonl: record 2: artistName/)])
  })
})
