const DELIMITERS = [',', ';', '\t', '|']

/** The lines at the start that must have the same number of fields. */
const COMPARED = 5

/** The line `sep=;` that Excel writes before the names of the columns, with delimiters after it. */
export function separatorLineIn(text: string): { delimiter: string; length: number } | undefined {
  const [line, delimiter] = /^"?sep=(.)"?[,;\t|]*(?:\r?\n|\r)/i.exec(text) ?? []
  return line === undefined || delimiter === undefined
    ? undefined
    : { delimiter, length: line.length }
}

/**
 * The delimiter of a CSV: the one that cuts the first lines into equally many fields, and into the
 * most. A comma if none does.
 */
export function delimiterIn(text: string): string {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '')
  const compared = lines.slice(0, COMPARED)
  const scores = DELIMITERS.map((delimiter) => {
    const counts = compared.map((line) => delimitersIn(line, delimiter))
    const [first = 0] = counts
    const isEven = counts.every((count) => count === first)
    return first === 0 ? 0 : first + (isEven ? EVEN : 0)
  })
  const best = Math.max(...scores)
  return best === 0 ? ',' : (DELIMITERS[scores.indexOf(best)] as string)
}

/** More than any number of fields. */
const EVEN = 1 << 20

/** How often a delimiter stands outside of quotes. */
function delimitersIn(line: string, delimiter: string): number {
  return line.replace(/"[^"]*"/g, '').split(delimiter).length - 1
}
