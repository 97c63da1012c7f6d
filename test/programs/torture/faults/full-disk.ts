import { statSync } from 'node:fs'
import { join } from 'node:path'
import { whole } from '../../../support/chance.ts'
import { SmallDisk } from '../small-disk.ts'
import { type Cycle, type Fault, REFUSED } from './fault.ts'

const MEGABYTE = 2 ** 20
/** A part of the file is written to the log before it is written back: so much is room enough. */
const ENOUGH = 400 * MEGABYTE
/** Milliseconds in which a disk is to be full. */
const FULL_BY = 4_000

const ALLOWED = { errors: REFUSED }

/** There is no room left. */
export const fullDisk: Fault = {
  name: 'full disk',
  what: SmallDisk.possible
    ? 'a tmpfs with 1 to 5 MB left; later more room, a kill, or a stop'
    : 'RLIMIT_FSIZE (ulimit -f), for no tmpfs can be mounted',
  share: 2,
  run: (cycle) => (SmallDisk.possible ? onSmallDisk(cycle) : underLimit(cycle)),
}

async function onSmallDisk(cycle: Cycle): Promise<void> {
  const { random } = cycle
  const disk = new SmallDisk(join(cycle.stage.folder, 'disk'), ENOUGH)
  try {
    const stage = cycle.copy('disk')
    disk.resize(disk.used + whole(random, 1, 6) * MEGABYTE)
    const working = cycle.start(stage)
    await Promise.race([working.failed(whole(random, 1, 30)), cycle.pause(FULL_BY)])
    const then = random()
    let ending: Awaited<typeof working.ended>
    if (then < 0.4) {
      // The process must find out by itself that there is room again.
      disk.resize(ENOUGH)
      await Promise.race([working.answered(working.answers + 20), cycle.pause(FULL_BY)])
      ending = await working.stop()
    } else if (then < 0.7) ending = await working.stop()
    else ending = await working.kill()
    cycle.take(working, ending, stage, ALLOWED)
    disk.resize(ENOUGH)
    await cycle.check(stage)
  } finally {
    disk.remove()
  }
}

async function underLimit(cycle: Cycle): Promise<void> {
  const { random } = cycle
  const stage = cycle.copy('limited')
  const fileBlocks = Math.ceil(statSync(stage.database).size / 512) + whole(random, 100, 4_000)
  const working = cycle.start(stage, { fileBlocks })
  await Promise.race([working.failed(whole(random, 1, 30)), cycle.pause(FULL_BY)])
  const ending = await (random() < 0.5 ? working.stop() : working.kill())
  cycle.take(working, ending, stage, ALLOWED)
  await cycle.check(stage)
}
