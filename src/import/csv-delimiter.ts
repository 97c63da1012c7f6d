const DELIMITERS = [',', ';', '\t', '|']

const COMPARED_LINES = 5

/** Excel writes `sep=;` before the names of the columns. */
export function separatorLineIn(text: string): { delimiter: string; length: number } | undefined {
  const [line, delimiter] = /^"?sep=(.)"?[,;\t|]*(?:\r?\n|\r)/i.exec(text) ?? []
  return line === undefined || delimiter === undefined
    ? undefined
    : { delimiter, length: line.length }
}

/** It cuts the first lines into equally many fields, and into the most. */
export function delimiterIn(text: string): string {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '')
  const firstLines = lines.slice(0, COMPARED_LINES)
  const scores = DELIMITERS.map((delimiter) => {
    const counts = firstLines.map((line) => countDelimiters(line, delimiter))
    const [firstCount = 0] = counts
    const isEven = counts.every((count) => count === firstCount)
    return firstCount === 0 ? 0 : firstCount + (isEven ? EVEN_SCORE : 0)
  })
  const bestScore = Math.max(...scores)
  return bestScore === 0 ? ',' : (DELIMITERS[scores.indexOf(bestScore)] as string)
}

const EVEN_SCORE = 1 << 20

function countDelimiters(line: string, delimiter: string): number {
  return line.replace(/"[^"]*"/g, '').split(delimiter).length - 1
}
