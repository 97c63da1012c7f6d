import { closeSync, openSync, readSync, statSync, truncateSync, writeSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { pick, type Random, whole } from '../../../support/chance.ts'
import { type Fault, REFUSED } from './fault.ts'

/** A page of the file holds something else than what was written. */
export const corruptedPage: Fault = {
  name: 'corrupted page',
  what: 'one to three pages overwritten: nothing, noise, or a few bytes; then the copy restored',
  share: 3,
  async run(cycle) {
    const { random } = cycle
    const damaged = cycle.copy('damaged')
    const pages = somePages(damaged.database, random)
    const how = pick(random, ['nothing', 'noise', 'bytes'] as const)
    for (const page of pages) damage(damaged.database, page, how, random)
    // Where a whole page of a tree is gone SQLite can tell; of what stands in the rows it knows nothing.
    const tellable = how !== 'bytes' && pages.every(({ isOfTree }) => isOfTree)
    const working = cycle.start(damaged)
    await working.opened
    const enough = whole(random, 10, 60)
    await Promise.race([working.answered(enough), working.failed(enough)])
    // An update or a feed may tell of it too: its job met the damage.
    const errors = [...REFUSED, 'Misfortune', ...(tellable ? [] : ['WrongAnswer'])]
    cycle.take(working, await working.stop(), damaged, { errors, frail: true })
    // The damaged file is nothing to go on with: with a copy of before, all is there as it was.
    await cycle.check(cycle.copy('restored'))
  },
}

/** The log of what was written last ends too early, or holds something else. */
export const truncatedLog: Fault = {
  name: 'truncated log',
  what: 'kill -9, then the write-ahead log cut, emptied or flipped at a random byte',
  share: 3,
  async run(cycle) {
    const { random, stage } = cycle
    const working = cycle.start(stage)
    await cycle.someMoment(working)
    const ending = await working.kill()
    cycle.take(working, ending, stage)
    const cut = cycle.copy('cut')
    cutLog(`${cut.database}-wal`, random)
    await cycle.check(cut, working.plan.name)
    // With the whole log all of it is there.
    await cycle.check(stage)
  },
}

interface Page {
  number: number
  size: number
  /** Whether SQLite reads it as a part of a tree, not as the rest of a long row or as spare. */
  isOfTree: boolean
}

/** One to three pages of a file, the first one rather often. */
function somePages(path: string, random: Random): Page[] {
  const database = new Sqlite(path, { readonly: true })
  const size = database.pragma('page_size', { simple: true }) as number
  const count = database.pragma('page_count', { simple: true }) as number
  const typeOf = database
    .prepare<[number], string>('SELECT pagetype FROM dbstat WHERE pageno = ?')
    .pluck()
  const pages = Array.from({ length: whole(random, 1, 4) }, () => {
    const number = random() < 1 / 6 ? 1 : whole(random, 1, count + 1)
    const type = typeOf.get(number)
    return { number, size, isOfTree: type === 'leaf' || type === 'internal' }
  })
  database.close()
  return pages
}

function damage(
  path: string,
  { number, size }: Page,
  how: 'nothing' | 'noise' | 'bytes',
  random: Random,
): void {
  const bytes = Buffer.alloc(size)
  const file = openSync(path, 'r+')
  readSync(file, bytes, 0, size, (number - 1) * size)
  if (how === 'nothing') bytes.fill(0)
  else if (how === 'noise') {
    // The first byte says what a page is; this one says nothing SQLite knows.
    for (let i = 0; i < size; i++) bytes[i] = i === 0 ? 255 : whole(random, 0, 256)
  } else {
    for (let i = 0; i < 8; i++) bytes[whole(random, 0, size)] = whole(random, 0, 256)
  }
  writeSync(file, bytes, 0, size, (number - 1) * size)
  closeSync(file)
}

function cutLog(path: string, random: Random): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return
  const at = random() < 0.15 ? 0 : whole(random, 0, size)
  if (random() < 0.7) {
    truncateSync(path, at)
    return
  }
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.from([whole(random, 0, 256)]), 0, 1, at)
  closeSync(file)
}
