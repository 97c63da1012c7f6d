import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const PROGRAMS = new URL('../programs/', import.meta.url)

/** What a part of a program measured when it last ran with `--record`. */
interface Recorded {
  /** The day, as 2026-11-23. */
  date: string
  command: string
  figures: Record<string, number>
}

/**
 * Writes what a part of a program measured to `figures.json` beside it, if the program runs with
 * `--record`. The documents take their figures from there: `npm run figures`.
 *
 * @param program - its folder, which is also the name of its npm script
 */
export function record(
  program: string,
  part: string,
  figures: Readonly<Record<string, number>>,
): void {
  const args = process.argv.slice(2)
  if (!args.includes('--record')) return
  const given = args.filter((arg) => arg !== '--record').map((arg) => ` ${arg}`)
  const command = `npm run ${program}${given.length > 0 ? ' --' : ''}${given.join('')}`
  const date = new Date().toISOString().slice(0, 10)
  const rounded = Object.entries(figures).map(([name, value]) => [
    name,
    Number(value.toPrecision(4)),
  ])
  const before = recorded(program)
  // Another part may have been measured at another size.
  const all = { ...before[part]?.figures, ...Object.fromEntries(rounded) }
  const after = { ...before, [part]: { date, command, figures: all } satisfies Recorded }
  writeFileSync(fileOf(program), `${JSON.stringify(after, null, 2)}\n`)
}

/** What a program has recorded, by part. */
export function recorded(program: string): Record<string, Recorded> {
  const file = fileOf(program)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

const fileOf = (program: string) => new URL(`${program}/figures.json`, PROGRAMS)
