import { chmodSync, cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { seeded, whole } from '../../support/chance.ts'
import type { Allowed, Cycle, Staging } from './faults/fault.ts'
import { readJournal } from './journal.ts'
import type { PackageCopy } from './package-copy.ts'
import type { Plan } from './plan.ts'
import type { Tally } from './report.ts'
import type { Stage } from './stage.ts'
import { type Ending, Working } from './working.ts'

/** Clients of one process. */
const CLIENTS = 3

/** What all cycles of a run have. */
export interface Surroundings {
  folder: string
  /** Where the databases and journals of cycles that failed are left. */
  kept: string
  /** Address of the web server. */
  web: string
  built: PackageCopy
}

/** One cycle, and what it adds to the tally of its class. */
export class OneCycle implements Cycle {
  readonly number: number
  readonly random
  readonly stage: Stage
  readonly #around: Surroundings
  readonly #tally: Tally
  readonly #copies: Stage[] = []
  readonly #work: string
  #processes = 0
  #answered = 0
  #complaints = 0

  constructor(
    around: Surroundings,
    tally: Tally,
    stage: Stage,
    { number, seed }: { number: number; seed: number },
  ) {
    this.#around = around
    this.#tally = tally
    this.number = number
    this.random = seeded(seed)
    this.stage = stage
    this.#work = join(around.folder, `work-${number}`)
    mkdirSync(this.#work)
    // Processes that run as somebody else write their journals here too.
    chmodSync(this.#work, 0o777)
    tally.cycles++
  }

  get summary(): string {
    return `${this.#answered} answered, ${this.#complaints === 0 ? 'sound' : 'FAILED'}`
  }

  copy(name: string): Stage {
    const copy = this.stage.copy(join(this.stage.folder, name))
    this.#copies.push(copy)
    return copy
  }

  start(stage: Stage, { options, ordeal = 'none', ...start }: Staging = {}): Working {
    const name = `${this.number}-${this.#processes++}`
    // Not on the disk that is full.
    const clips = join(this.stage.folder, 'clips', name)
    mkdirSync(clips, { recursive: true })
    chmodSync(clips, 0o777)
    const plan: Plan = {
      name,
      seed: whole(this.random, 0, 2 ** 31),
      entry: this.#around.built.entry,
      options: { database: stage.database, ...options },
      journal: join(this.#work, `${name}.jsonl`),
      ground: {
        clips,
        web: this.#around.web,
        catalogs: stage.catalogs,
        cutImports: stage.ledger.cutImports().slice(0, 3),
      },
      clients: CLIENTS,
      ordeal,
    }
    const env = { ...start.env, TORTURE_SEED: `${plan.seed}` }
    return new Working(this.#around.built.workProcess, plan, { ...start, env })
  }

  async someMoment(working: Working): Promise<void> {
    const { random } = this
    if (random() < 0.08) return void (await pause(400 * random()))
    await working.opened
    // By what is done rather than by the clock: a busy machine is to be as hard a test.
    await working.answered(whole(random, 0, 35))
    if (random() < 0.7) await Promise.race([pause(150 * random()), working.ended])
  }

  pause(milliseconds: number): Promise<void> {
    return pause(milliseconds)
  }

  take(working: Working, ending: Ending, stage: Stage, allowed: Allowed = {}): void {
    const { errors = [], frail = false } = allowed
    const { name, journal } = working.plan
    const { answered, failures } = stage.ledger.take(readJournal(journal), { frail })
    this.#answered += answered
    this.#tally.answered += answered
    for (const { kind, code, message, stack } of failures) {
      this.#tally.refused.set(kind, (this.#tally.refused.get(kind) ?? 0) + 1)
      if (kind === 'Stopped' || errors.includes(kind)) continue
      this.complain(`${name} met ${kind} ${code ?? ''}: ${message}${stack ? `\n${stack}` : ''}`)
    }
    const { code, signal, stderr, hung } = ending
    if (hung) this.complain(`${name} hung and had to be killed`)
    else if (signal !== 'SIGKILL' && code !== 0)
      this.complain(`${name} ended with ${code ?? signal}`)
    if (stderr !== '') this.complain(`${name} said: ${stderr.slice(0, 2000)}`)
  }

  async check(stage: Stage, cut?: string): Promise<void> {
    const { checked, wrong } = await stage.check(cut)
    this.#tally.checked += checked
    for (const what of wrong) this.complain(what)
  }

  complain(what: string): void {
    this.#complaints++
    this.#tally.failures.push({ cycle: this.number, what })
  }

  /** Removes all that is the cycle's own; of one that failed a copy is kept. */
  cleanUp(): void {
    if (this.#complaints > 0) {
      const kept = join(this.#around.kept, `cycle-${this.number}`)
      cpSync(this.#work, kept, { recursive: true })
      this.stage.copy(kept)
      this.#tally.failures.push({ cycle: this.number, what: `its database is kept in ${kept}` })
    }
    for (const copy of this.#copies) copy.remove()
    rmSync(this.#work, { recursive: true, force: true })
  }
}
