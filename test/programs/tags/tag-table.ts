import type { Trial } from './trial.ts'

const COLUMNS = ['kind', 'files', 'written, all else kept', 'refused, untouched', 'BROKEN']

/** What came of the files, a row for each kind. */
export function tagTable(trials: readonly Pick<Trial, 'file' | 'outcome' | 'broken'>[]): string {
  const kinds = [...new Set(trials.map(({ file }) => file.kind))]
  const row = (name: string, of: typeof trials) => {
    const whole = of.filter(({ broken }) => broken.length === 0)
    const count = (outcome: Trial['outcome']) =>
      whole.filter((one) => one.outcome === outcome).length
    const counts = [of.length, count('written'), count('refused'), of.length - whole.length]
    return [name, ...counts.map(String)]
  }
  const rows = kinds.map((kind) =>
    row(
      kind,
      trials.filter(({ file }) => file.kind === kind),
    ),
  )
  const all = [COLUMNS, ...rows, row('all', trials)]
  const widths = COLUMNS.map((_, i) => Math.max(...all.map((cells) => cells[i]?.length ?? 0)))
  return all
    .map((cells) =>
      cells
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
    )
    .join('\n')
}

/** How often each reason occurs, the most frequent first; numbers and names do not tell them apart. */
export function reasonCounts(reasons: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const reason of reasons) {
    const alike = reason
      .replace(/(?<= as | sees | read it| reads ).*/, '…')
      .replace(/\d+/g, 'N')
      .slice(0, 110)
    counts.set(alike, (counts.get(alike) ?? 0) + 1)
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([reason, times]) => `${String(times).padStart(6)}  ${reason}`)
}
