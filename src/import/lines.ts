import { bytesOf, type ImportInput, invalid } from './input.ts'

/** A line of a text. */
export interface Line {
  text: string
  /** From 1 on. */
  number: number
  /** Whether a line end follows; the last line may have none. */
  ended: boolean
}

/** Longer lines are none: the file is another. In characters. */
const LONGEST = 1 << 28

/**
 * The lines of a UTF-8 text, plain or gzipped, without their ends (LF or CRLF) and the BOM. Takes as
 * much memory as the longest line.
 */
export async function* linesOf(input: ImportInput): AsyncGenerator<Line, void> {
  const decoder = new TextDecoder()
  let rest = ''
  let number = 0
  for await (const piece of bytesOf(input)) {
    const text = decoder.decode(piece, { stream: true })
    // A line over many pieces is searched for its end only once.
    if (!text.includes('\n')) {
      rest += text
      if (rest.length > LONGEST) throw invalid(input, `line ${number + 1} has no end`)
      continue
    }
    const lines = (rest + text).split('\n')
    rest = lines.pop() as string
    for (const line of lines) yield { text: withoutCr(line), number: ++number, ended: true }
  }
  rest += decoder.decode()
  if (rest !== '') yield { text: withoutCr(rest), number: number + 1, ended: false }
}

function withoutCr(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
