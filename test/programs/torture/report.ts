import type { Fault } from './faults/fault.ts'

/** What comes of one class of faults. */
export interface Tally {
  cycles: number
  answered: number
  checked: number
  refused: Map<string, number>
  failures: { cycle: number; what: string }[]
}

/** What came of a run: by class of faults, and all that was not as it must be. */
export class Report {
  readonly seed: number
  readonly #faults: readonly Fault[]
  readonly #tallies = new Map<string, Tally>()
  readonly #ends: Tally = emptyTally()

  constructor(seed: number, faults: readonly Fault[]) {
    this.seed = seed
    this.#faults = faults
    for (const { name } of faults) this.#tallies.set(name, emptyTally())
  }

  /** The tally of a class of faults, to be counted up. */
  of(name: string): Tally {
    const tally = this.#tallies.get(name)
    if (tally) return tally
    throw new Error(`There is no class of faults called ${name}.`)
  }

  /** Takes in the last check of a database, when its delayed jobs were done too. */
  finished(checked: number, wrong: readonly string[], where: string): void {
    this.#ends.cycles++
    this.#ends.checked += checked
    for (const what of wrong) this.#ends.failures.push({ cycle: -1, what: `${where}: ${what}` })
  }

  /** Cycles of each class. */
  get cycles(): Record<string, number> {
    return Object.fromEntries([...this.#tallies].map(([name, { cycles }]) => [name, cycles]))
  }

  /** Answers that were given, and that were looked for afterwards. */
  get answered(): number {
    return this.#sum(({ answered }) => answered)
  }

  get checked(): number {
    return this.#sum(({ checked }) => checked) + this.#ends.checked
  }

  /** Everything that was not as it must be. */
  get failures(): string[] {
    const failures = [...this.#tallies].flatMap(([name, tally]) =>
      tally.failures.map(
        ({ cycle, what }) => `${name}, cycle ${cycle} of --seed ${this.seed}: ${what}`,
      ),
    )
    return [...failures, ...this.#ends.failures.map(({ what }) => `at the end of ${what}`)]
  }

  toString(): string {
    const rows = this.#faults.map(({ name, what }) => rowOf(name, this.of(name), what))
    const ends = rowOf('ends', this.#ends, 'a database is left, when its delayed jobs are done too')
    const head = ['class', 'cycles', 'answered', 'checked', 'failed', 'rejected with; what is done']
    const lines = [head, ...rows, ends].map(([name = '', ...cells]) => {
      const what = cells.pop() ?? ''
      return [name.padEnd(22), ...cells.map((cell) => cell.padStart(9)), '  ', what].join('')
    })
    const total = `${this.answered} calls answered, ${this.checked} times looked for`
    const failures = this.failures
    const verdict = failures.length === 0 ? 'no failures' : `${failures.length} FAILURES`
    return [`seed ${this.seed}`, ...lines, `${total}; ${verdict}`, ...failures].join('\n')
  }

  #sum(of: (tally: Tally) => number): number {
    return [...this.#tallies.values()].reduce((sum, tally) => sum + of(tally), 0)
  }
}

function emptyTally(): Tally {
  return { cycles: 0, answered: 0, checked: 0, refused: new Map(), failures: [] }
}

function rowOf(name: string, tally: Tally, what: string): string[] {
  const { cycles, answered, checked, failures, refused } = tally
  const failed = new Set(failures.map(({ cycle }) => cycle)).size
  const kinds = [...refused].map(([kind, count]) => `${count} ${kind}`).join(', ')
  const told = kinds === '' ? what : `${kinds}; ${what}`
  return [name, ...[cycles, answered, checked, failed].map(String), told]
}
