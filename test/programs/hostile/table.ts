import type { Trial } from './run.ts'

const HEAD = ['format', 'mutation', 'files', 'whole', 'truncated', 'errors', 'slowest', 'peak RSS']

/** A table of what came of the files, a row for each format and mutation. */
export function tableOf(trials: readonly Trial[]): string {
  const groups = new Map<string, Trial[]>()
  for (const trial of trials) {
    const key = `${trial.format}\t${trial.mutation}`
    groups.set(key, [...(groups.get(key) ?? []), trial])
  }
  const rows = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, of]) => row(key.split('\t'), of))
  const all = [HEAD, ...rows, row(['all', ''], trials)]
  const widths = HEAD.map((_, i) => Math.max(...all.map((cells) => cells[i]?.length ?? 0)))
  return all
    .map((cells) =>
      cells
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function row(names: readonly string[], trials: readonly Trial[]): string[] {
  const count = (kind: string) => trials.filter(({ verdict }) => verdict.kind === kind).length
  const codes = new Map<string, number>()
  for (const { outcome, verdict } of trials) {
    if (verdict.kind === 'died') codes.set('died', (codes.get('died') ?? 0) + 1)
    const code =
      outcome.error?.code ??
      outcome.error?.name ??
      (outcome.failed !== undefined ? 'failed' : undefined) ??
      (outcome.status ? `status ${outcome.status}` : undefined)
    if (code !== undefined) codes.set(code, (codes.get(code) ?? 0) + 1)
  }
  const most = (of: (trial: Trial) => number) =>
    trials.reduce((max, trial) => Math.max(max, of(trial)), 0)
  return [
    ...names,
    String(trials.length),
    String(count('whole')),
    String(count('truncated')),
    [...codes].map(([code, times]) => `${code} ${times}`).join(', ') || '–',
    `${(most(({ outcome }) => outcome.ms) / 1000).toFixed(1)} s`,
    `${Math.round(most(({ outcome }) => outcome.megabytes))} MB`,
  ]
}
