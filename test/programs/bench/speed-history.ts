import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Ratios of speed at a commit: one line of speed-history.jsonl. */
export interface Measured {
  /** Abbreviated; with a `+` if files were changed after it. */
  commit: string
  /** The day, as 2026-11-23. */
  date: string
  /** The version, where the commit is that of a release. */
  release?: string
  /** System, processor and version of Node: ratios of others are not comparable. */
  on: string
  /** How many times as fast as a peer. */
  ratios: Record<string, number>
}

/** The gate fails when a ratio falls below this share of that of the last release. */
const LEAST_SHARE = 0.65

const FILE = fileURLToPath(new URL('speed-history.jsonl', import.meta.url))
const HERE = `${platform()} ${arch()} node ${process.versions.node.split('.')[0]}`

/** Appends a line of this commit, or replaces it. @param release - whether the commit is a release */
export function keepSpeed(ratios: Record<string, number>, release: boolean): void {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain', '--untracked-files=no') !== ''
  const manifest = new URL('../../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  const line: Measured = {
    commit: git('rev-parse', '--short', 'HEAD') + (changed ? '+' : ''),
    date: new Date().toISOString().slice(0, 10),
    ...(release ? { release: version } : {}),
    on: HERE,
    ratios: Object.fromEntries(
      Object.entries(ratios).map(([name, ratio]) => [name, Number(ratio.toFixed(2))]),
    ),
  }
  const others = history().filter(({ commit, on }) => commit !== line.commit || on !== HERE)
  const lines = [...others, line].map((each) => `${JSON.stringify(each)}\n`)
  writeFileSync(FILE, lines.join(''))
  console.log(`\nspeed-history.jsonl: ${JSON.stringify(line)}`)
}

/** Prints the ratios beside those of the last release here; the process fails if one fell too far. */
export function checkSpeed(ratios: Record<string, number>): void {
  const { lines, failed } = compared(ratios, history(), HERE)
  console.log(`\n${lines.join('\n')}`)
  if (failed) process.exitCode = 1
}

/** @param on - of which machine's lines the last release is taken */
export function compared(
  ratios: Readonly<Record<string, number>>,
  history: readonly Measured[],
  on: string,
): { lines: string[]; failed: boolean } {
  const last = history.findLast((line) => line.release !== undefined && line.on === on)
  const lines = [
    last
      ? `Speed beside that of release ${last.release} (${last.commit}, ${last.date}); at least ${LEAST_SHARE}`
      : `Speed; the history has no release on ${on}`,
  ]
  let failed = false
  for (const [name, ratio] of Object.entries(ratios)) {
    const before = last?.ratios[name]
    const share = before === undefined ? 1 : ratio / before
    const told = before === undefined ? '' : `  of ${before.toFixed(2)}: ${share.toFixed(2)}`
    lines.push(
      `  ${name.padEnd(30)} ${ratio.toFixed(2).padStart(6)}${told}${share < LEAST_SHARE ? '  TOO SLOW' : ''}`,
    )
    failed ||= share < LEAST_SHARE
  }
  return { lines, failed }
}

function history(): Measured[] {
  if (!existsSync(FILE)) return []
  const lines = readFileSync(FILE, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Measured)
}
