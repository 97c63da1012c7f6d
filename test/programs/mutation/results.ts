import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Stryker } from '@stryker-mutator/core'

/** What Stryker tells of a mutant. */
export type Told = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

/** One small change, and what became of it. */
export interface Mutant {
  /** File, line and column from … to, as Stryker takes it. */
  place: string
  mutator: string
  original: string
  replacement: string
  status: Told['status']
}

/** A mutant as it is kept; none for what is not tried: types, and what runs at loading only. */
export function mutantOf(result: Told, root: string): Mutant | undefined {
  const { fileName, status, location, mutatorName, replacement = '' } = result
  if (status === 'Ignored' || status === 'CompileError' || status === 'RuntimeError') return
  const file = fileName.replaceAll('\\', '/').replace(/^.*\/(?=src\/)/, '')
  const { start, end } = location
  // Stryker counts columns from 1 in what it returns, and from 0 in what it takes.
  const at = ({ line, column }: Position) => `${line}:${column - 1}`
  return {
    place: `${file}:${at(start)}-${at(end)}`,
    mutator: mutatorName,
    original: textOf(join(root, file), start, end),
    replacement,
    status,
  }
}

type Position = Told['location']['start']

function textOf(file: string, start: Position, end: Position): string {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line)
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column - 1)
  lines[0] = lines[0]!.slice(start.column - 1)
  return lines.join('\n')
}

/** One line a room: what was noticed, by a test that failed or as it did not end. */
export function table(rooms: ReadonlyMap<string, readonly Mutant[]>): string[] {
  const rows = [...rooms].map(([name, mutants]) => rowOf(name, mutants))
  rows.push(rowOf('all', [...rooms.values()].flat()))
  return ['room          mutants  noticed       %  not ended  not reached', ...rows]
}

function rowOf(name: string, mutants: readonly Mutant[]): string {
  const count = (status: string) => mutants.filter((one) => one.status === status).length
  const noticed = count('Killed')
  const ended = mutants.length - count('Timeout')
  const percent = ended === 0 ? '-' : ((100 * noticed) / ended).toFixed(1)
  return [
    name.padEnd(12),
    String(mutants.length).padStart(8),
    String(noticed).padStart(8),
    percent.padStart(7),
    String(count('Timeout')).padStart(10),
    String(count('NoCoverage')).padStart(12),
  ].join(' ')
}

/** What no test noticed, file by file, to be read and judged. */
export function survivors(rooms: ReadonlyMap<string, readonly Mutant[]>): string {
  return [...rooms]
    .flatMap(([, mutants]) => mutants)
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ place, mutator, original, replacement, status }) => {
      const where = place.replace(/:\d+-.*$/, '')
      const note = status === 'NoCoverage' ? ' (no test reaches it)' : ''
      return `${where}  ${mutator}${note}\n  - ${short(original)}\n  + ${short(replacement)}\n`
    })
    .join('')
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 160 ? `${line.slice(0, 157)}...` : line
}
