import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedOf } from '../../support/chance.ts'
import { FeedServer } from '../../support/feed-server.ts'
import type { Fault } from './faults/fault.ts'
import { faultsOf } from './faults/faults.ts'
import { OneCycle, type Surroundings } from './one-cycle.ts'
import { copyPackage } from './package-copy.ts'
import { Report } from './report.ts'
import { SmallDisk } from './small-disk.ts'
import { type Package, Stage } from './stage.ts'

/** What is done. */
export interface TortureOptions {
  cycles: number
  seed: number
  /** Only classes of faults whose name holds this. */
  only?: string
  /** Databases that are tortured side by side. */
  lanes?: number
  /** Told after each cycle. */
  onCycle?: (line: string) => void
}

/** Cycles that one database goes through. */
const LIFE = 20

/** Does faults to databases of the built package, one after another, and checks them after each. */
export async function torture(options: TortureOptions): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'audile-torture-'))
  const kept = `${folder}-failed`
  const cleanUp = () => {
    SmallDisk.removeAll()
    rmSync(folder, { recursive: true, force: true })
  }
  // Also when somebody ends it before its time.
  process.once('exit', cleanUp)
  // Some processes run as somebody else.
  chmodSync(folder, 0o755)
  const server = await FeedServer.start()
  try {
    const built = await copyPackage(folder)
    const audile = (await import(/* @vite-ignore */ built.entry)) as Package
    const run = new Run(options, { folder, kept, web: server.url(''), built }, audile)
    const lanes = Array.from({ length: options.lanes ?? 2 }, (_, lane) => run.lane(lane))
    await Promise.all(lanes)
    return run.report
  } finally {
    server.close()
    process.off('exit', cleanUp)
    cleanUp()
  }
}

/** One run of the torture: which cycles there are, and what came of them. */
class Run {
  readonly report: Report
  readonly #options: TortureOptions
  readonly #around: Surroundings
  readonly #audile: Package
  readonly #round: readonly Fault[]
  #next = 0

  constructor(options: TortureOptions, around: Surroundings, audile: Package) {
    this.#options = options
    this.#around = around
    this.#audile = audile
    const { mortalEngine, mortalWorker } = around.built
    const faults = faultsOf({ mortalEngine, mortalWorker }).filter(({ name }) =>
      name.includes(options.only ?? ''),
    )
    if (faults.length === 0) throw new Error(`No class of faults is called ${options.only}.`)
    // Interleaved: the first of each class, then the second of those that have one, and so on.
    const most = Math.max(...faults.map(({ share }) => share))
    this.#round = Array.from({ length: most }, (_, i) =>
      faults.filter(({ share }) => share > i),
    ).flat()
    this.report = new Report(options.seed, faults)
  }

  /** Goes through cycles with one database after another, until all are done. */
  async lane(lane: number): Promise<void> {
    for (let life = 0; this.#next < this.#options.cycles; life++) {
      const place = join(this.#around.folder, `lane-${lane}-${life}`)
      const stage = await Stage.make(place, this.#audile)
      for (let age = 0; age < LIFE && this.#next < this.#options.cycles; age++) {
        const number = this.#next++
        await this.#cycle(stage, number)
      }
      const { checked, wrong } = await stage.finish()
      this.report.finished(checked, wrong, `lane ${lane}, database ${life}`)
      stage.remove()
    }
  }

  async #cycle(stage: Stage, number: number): Promise<void> {
    const fault = this.#round[number % this.#round.length] as Fault
    const cycle = new OneCycle(this.#around, this.report.of(fault.name), stage, {
      number,
      seed: seedOf(`${this.#options.seed} ${number}`),
    })
    const started = performance.now()
    try {
      await fault.run(cycle)
    } catch (error) {
      cycle.complain(`the driver failed: ${(error as Error).stack}`)
    } finally {
      cycle.cleanUp()
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    this.#options.onCycle?.(`${number} ${fault.name}: ${cycle.summary}, ${seconds} s`)
  }
}
