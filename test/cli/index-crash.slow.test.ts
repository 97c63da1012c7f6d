import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ended, PACKAGE } from '../support/built.ts'
import { listOf } from '../support/list.ts'
import { madeSongs } from '../support/made-songs.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

const COMMAND = join(PACKAGE, 'dist/cli.js')
const SONGS = 3_000
/** Processes that are killed, one after the other, before one is left to its end. */
const KILLS = 6

function begin(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [COMMAND, 'index', ...args], { cwd: PACKAGE })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

/** Runs a task to its end; tells how long it took, in milliseconds. */
async function finish(args: readonly string[]): Promise<number> {
  const from = performance.now()
  const { code, stderr } = await ended(begin(args))
  expect([code, stderr]).toEqual([0, ''])
  return performance.now() - from
}

/** Waits until the file that a task makes is there. */
async function begun(file: string): Promise<void> {
  while (!existsSync(file) && !existsSync(`${file}.building`)) await setTimeout(5)
}

/**
 * Kills the task again and again, each process later in its run than the one before; the next one goes
 * on. Then lets one end.
 *
 * @param whole - milliseconds of a run that nothing interrupts
 * @returns how many were killed, and did not end before
 */
async function finishKilled(args: readonly string[], whole: number): Promise<number> {
  let killed = 0
  for (let i = 1; i <= KILLS; i++) {
    const child = begin(args)
    const end = ended(child)
    await Promise.race([begun(args.at(-1) as string), end])
    await Promise.race([setTimeout(((i - 1) * whole) / (3 * KILLS)), end])
    child.kill('SIGKILL')
    const { signal } = await end
    if (signal === null) return killed
    killed++
  }
  await finish(args)
  return killed
}

/** Every recording that an index has, but for the ids that it was given. */
async function recordingsOf(index: string): Promise<string[]> {
  const music = await openInline({ database: index })
  const records = await listOf(music.recordings.export())
  await music.close()
  return records
    .map(({ id: _, artistId: __, ...record }) => JSON.stringify(Object.entries(record).sort()))
    .sort()
}

describe('audile index, whose process is killed again and again', () => {
  it('builds and merges what it does when nothing stops it', async () => {
    const folder = scratch()
    const file = (name: string) => join(folder, name)
    for (const seed of [1, 2]) {
      const lines = madeSongs(SONGS, seed).map((record) => JSON.stringify(record))
      writeFileSync(file(`${seed}.jsonl`), lines.join('\n'))
    }
    const whole = await finish(['build', file('1.jsonl'), file('1.db')])
    const due = await recordingsOf(file('1.db'))
    expect(due).toHaveLength(SONGS + SONGS / 3)
    const built = file('killed.db')
    // How many were in the middle of it, and not at its end, depends on the machine.
    expect(await finishKilled(['build', file('1.jsonl'), built], whole)).toBeGreaterThan(0)
    expect(await recordingsOf(built)).toEqual(due)
    expect(existsSync(`${built}.building`)).toBe(false)

    await finish(['build', file('2.jsonl'), file('2.db')])
    const sources = [built, file('2.db')]
    const merging = await finish(['merge', ...sources, file('all.db')])
    const all = await recordingsOf(file('all.db'))
    expect(all).toEqual([...due, ...(await recordingsOf(file('2.db')))].sort())
    const merged = file('all-killed.db')
    expect(await finishKilled(['merge', ...sources, merged], merging)).toBeGreaterThan(0)
    expect(await recordingsOf(merged)).toEqual(all)
  })
})
