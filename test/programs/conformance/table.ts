import type { Row } from './compare.ts'

const OUTCOMES = [
  'same',
  'refused by both',
  'refused as documented',
  'not judged',
  'differs',
] as const

/** The rows that differ, or all, then the sums by format. */
export function tableOf(rows: readonly Row[], all: boolean): string {
  const shown = rows.filter(({ verdict }) => all || verdict.outcome === 'differs')
  const parts = shown.length > 0 ? [aligned([['file', 'format', ''], ...shown.map(line)]), ''] : []
  return [...parts, sums(rows)].join('\n')
}

function line({ name, reference, verdict }: Row): string[] {
  const { outcome, differences } = verdict
  const told = outcome === 'not judged' ? `not judged: ${reference.complaint ?? ''}` : outcome
  return [name, reference.format, differences.length > 0 ? differences.join('; ') : told]
}

function sums(rows: readonly Row[]): string {
  const formats = [...new Set(rows.map(({ reference }) => reference.format))].sort()
  const row = (name: string, of: readonly Row[]) => [
    name,
    `${of.length}`,
    ...OUTCOMES.map((o) => `${of.filter(({ verdict }) => verdict.outcome === o).length || '–'}`),
  ]
  return aligned([
    ['format', 'files', ...OUTCOMES],
    ...formats.map((name) =>
      row(
        name,
        rows.filter(({ reference }) => reference.format === name),
      ),
    ),
    row('all', rows),
  ])
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  const padded = (row: readonly string[]) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0))
  return rows.map((row) => padded(row).join('  ').trimEnd()).join('\n')
}
