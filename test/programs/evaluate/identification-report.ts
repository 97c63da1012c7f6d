import { record } from '../../support/figures.ts'
import { isHeldOut, isOurs, isWhole, type Query } from './excerpts.ts'

/** What was answered to a query, in one way of asking. */
export interface Answer {
  /** The piece named. */
  piece: string
  /** What the program knows of it, for the list of mistakes. */
  note: string
}

/** How often queries were answered rightly and wrongly. */
class Tally {
  asked = 0
  right = 0
  wrong = 0
  /** Queries of music that is not in the index, and how many got an answer all the same. */
  unknown = 0
  mistaken = 0

  add(truth: string | null, answer: string | undefined): void {
    if (truth === null) {
      this.unknown++
      if (answer !== undefined) this.mistaken++
      return
    }
    this.asked++
    if (answer === truth) this.right++
    else if (answer !== undefined) this.wrong++
  }

  get percent(): number {
    return (100 * this.right) / this.asked
  }

  get text(): string {
    const share = this.asked === 0 ? '–' : this.percent.toFixed(1)
    return `${share.padStart(6)}${String(this.wrong).padStart(4)}${String(this.mistaken).padStart(4)}`
  }
}

/** Queries of about this many seconds have their work compared. */
const COMPARED = { least: 18.5, most: 21.5 }

/** Counts answers by kind, by group of kinds and by way of asking, and the work of the first way. */
export class IdentificationReport {
  readonly #ways: readonly string[]
  readonly #rows = new Map<string, Map<string, Tally>>()
  readonly #groups = new Map<string, Map<string, Tally>>()
  readonly #mistakes: string[] = []
  readonly #work = { known: new Work(), unknown: new Work() }
  readonly #all = new Work()

  constructor(ways: readonly string[]) {
    this.#ways = ways
  }

  /** @param sparse - the query is of a piece that says little */
  add(way: string, query: Query, sparse: boolean, answer: Answer | undefined): void {
    const rows = [
      [this.#rows, sparse ? `sparse ${query.kind}` : query.kind],
      [this.#groups, sparse ? `sparse: ${groupOf(query.kind)}` : groupOf(query.kind)],
      [this.#groups, 'all'],
    ] as const
    for (const [table, name] of rows) {
      const row = table.get(name) ?? new Map(this.#ways.map((each) => [each, new Tally()]))
      table.set(name, row)
      row.get(way)?.add(query.truth, answer?.piece)
    }
    if (answer === undefined || answer.piece === query.truth) return
    const what = query.truth === null ? 'unknown' : query.truth
    this.#mistakes.push(`${way}: ${query.id} (${what}) named ${answer.piece}, ${answer.note}`)
  }

  /** Milliseconds of CPU that a query took: its fingerprints, and the search for them. */
  addWork(query: Query, fingerprints: number, search: number): void {
    this.#all.add(fingerprints, search)
    if (query.duration < COMPARED.least || query.duration > COMPARED.most) return
    this.#work[query.truth === null ? 'unknown' : 'known'].add(fingerprints, search)
  }

  print(): void {
    console.log('  each: % right, wrong piece named, unknown piece named')
    console.log(
      `  ${''.padEnd(30)}${this.#ways.map((way) => way.padStart(14)).join('  ')}   queries`,
    )
    const first = this.#ways[0]!
    for (const table of [this.#rows, this.#groups]) {
      const rows = [...table].sort(([a], [b]) => Number(isSparse(a)) - Number(isSparse(b)))
      for (const [name, row] of rows) {
        const { asked, unknown } = row.get(first) as Tally
        for (const [way, tally] of row) {
          const right = asked > 0 && { [`${name}: ${way}`]: tally.percent }
          const named = { [`${name}: ${way} unknown named`]: tally.mistaken }
          const figures = { ...right, ...named, [`${name}: unknown asked`]: unknown }
          record('evaluate', 'identification', figures)
        }
        const cells = this.#ways.map((way) => (row.get(way) as Tally).text)
        console.log(`  ${name.padEnd(30)}${cells.join('  ')}   ${asked} + ${unknown} unknown`)
      }
      console.log('')
    }
    const { known, unknown } = this.#work
    console.log(`  search, ms of CPU, all queries: ${this.#all.text}`)
    console.log(`  of 20 s, known: ${known.text}`)
    console.log(`  of 20 s, unknown: ${unknown.text}`)
    const ratio = (of: (work: Work) => number) => (of(unknown) / of(known)).toFixed(2)
    const both = ratio((work) => work.mean + work.fingerprints)
    console.log(
      `  unknown / known: ${ratio((work) => work.mean)} of the search, ` +
        `${both} with the fingerprints of the excerpt`,
    )
    for (const mistake of this.#mistakes) console.log(`  ${mistake}`)
  }
}

class Work {
  readonly #searches: number[] = []
  #fingerprints = 0

  add(fingerprints: number, search: number): void {
    this.#fingerprints += fingerprints
    this.#searches.push(search)
  }

  get mean(): number {
    return this.#searches.reduce((sum, each) => sum + each, 0) / this.#searches.length
  }

  /** Mean of the fingerprints' work. */
  get fingerprints(): number {
    return this.#fingerprints / this.#searches.length
  }

  get text(): string {
    const sorted = [...this.#searches].sort((a, b) => a - b)
    const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1)
    const mean = `mean ${this.mean.toFixed(1)}, p50 ${at(0.5)}, p99 ${at(0.99)}`
    return `${mean}; fingerprints ${this.fingerprints.toFixed(0)} (${sorted.length} queries)`
  }
}

function groupOf(kind: string): string {
  if (isHeldOut(kind)) return 'nothing tuned on'
  if (isWhole(kind)) return 'whole files'
  return isOurs(kind) ? 'added kinds' : "the README's 18 kinds"
}

function isSparse(name: string): boolean {
  return name.startsWith('sparse')
}
