import type { AnalysisDocument } from './document.ts'

/** The long lists of a document; their objects hold only numbers and lists of numbers. */
const LISTS = ['bars', 'beats', 'tatums', 'segments'] as const
const PIECE = 100_000

/** Parses the text of an analysis in steps of a few milliseconds. */
export function* parsingDocument(text: string): Generator<void, AnalysisDocument> {
  try {
    return yield* inPieces(text)
  } catch {
    // An imported document may have lists inside the items of a list.
    return JSON.parse(text) as AnalysisDocument
  }
}

function* inPieces(text: string): Generator<void, AnalysisDocument> {
  let rest = text
  const lists: Partial<Record<(typeof LISTS)[number], unknown[]>> = {}
  for (const name of LISTS) {
    // No string contains this: a quotation mark inside a string has a backslash before it.
    const opening = `"${name}":[`
    const from = rest.indexOf(opening) + opening.length
    const to = rest.indexOf('}]', from) + 1
    if (from < opening.length || to < 1 || rest[from] !== '{') continue
    const list: unknown[] = []
    for (let at = from; at < to; ) {
      yield
      const boundary = rest.indexOf('},{', at + PIECE)
      const end = boundary < 0 || boundary > to ? to : boundary + 1
      for (const item of JSON.parse(`[${rest.slice(at, end)}]`)) list.push(item)
      at = end + 1
    }
    lists[name] = list
    rest = rest.slice(0, from) + rest.slice(to)
  }
  yield
  return { ...JSON.parse(rest), ...lists } as AnalysisDocument
}
