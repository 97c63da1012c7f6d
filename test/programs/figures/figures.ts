import { recorded } from '../../support/figures.ts'

const ROOT = new URL('../../../', import.meta.url)
/** The documents that have figures. */
export const PAGES = ['examples/figures.md'].map((name) => new URL(name, ROOT))

/** A template in a comment, and what it was filled in to. */
const BLOCK = /(<!-- figures\n([\s\S]*?)\n-->\n\n)[\s\S]*?(\n\n<!-- \/figures -->)/g
/** {program/part/figure}, or with the number of decimals: {program/part/figure|2}. */
const FIGURE = /\{([\w-]+)\/([\w-]+)\/([^{}|]+)(?:\|(\d))?\}/g

/**
 * A text in which the figures of each template are those that the programs have recorded.
 *
 * @throws {Error} for a figure that no program has recorded
 */
export function withFigures(text: string): string {
  return text.replace(BLOCK, (_, head: string, template: string, end: string) => {
    return head + template.replace(FIGURE, (_, ...place: string[]) => figureOf(place)) + end
  })
}

function figureOf([program = '', part = '', name = '', decimals]: readonly string[]): string {
  const found = recorded(program)[part]
  if (found && (name === 'date' || name === 'command')) return found[name]
  const value = found?.figures[name]
  if (value === undefined) {
    throw new Error(
      `A template asks for {${program}/${part}/${name}}, but test/programs/${program}/figures.json has no such figure: run npm run ${program} -- --record, or take it out of the template.`,
    )
  }
  const digits = decimals === undefined ? 20 : Number(decimals)
  return value.toLocaleString('en-US', {
    minimumFractionDigits: decimals === undefined ? 0 : digits,
    maximumFractionDigits: digits,
  })
}
