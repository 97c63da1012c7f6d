import type { AnalysisDocument } from './document.ts'

/** The long lists of a document; their objects hold only numbers and lists of numbers. */
const DOCUMENT_LISTS = ['bars', 'beats', 'tatums', 'segments'] as const
const PARSED_CHARACTERS = 100_000

export function* parsingDocument(text: string): Generator<void, AnalysisDocument> {
  try {
    return yield* parsingInPieces(text)
  } catch {
    // An imported document may have lists inside the items of a list.
    return JSON.parse(text) as AnalysisDocument
  }
}

function* parsingInPieces(text: string): Generator<void, AnalysisDocument> {
  let remainingText = text
  const lists: Partial<Record<(typeof DOCUMENT_LISTS)[number], unknown[]>> = {}
  for (const name of DOCUMENT_LISTS) {
    // No string contains this: a quotation mark inside a string has a backslash before it.
    const opening = `"${name}":[`
    const listStart = remainingText.indexOf(opening) + opening.length
    const listEnd = remainingText.indexOf('}]', listStart) + 1
    if (listStart < opening.length || listEnd < 1 || remainingText[listStart] !== '{') continue
    const list: unknown[] = []
    for (let pieceStart = listStart; pieceStart < listEnd; ) {
      yield
      const boundary = remainingText.indexOf('},{', pieceStart + PARSED_CHARACTERS)
      const pieceEnd = boundary < 0 || boundary > listEnd ? listEnd : boundary + 1
      for (const item of JSON.parse(`[${remainingText.slice(pieceStart, pieceEnd)}]`))
        list.push(item)
      pieceStart = pieceEnd + 1
    }
    lists[name] = list
    remainingText = remainingText.slice(0, listStart) + remainingText.slice(listEnd)
  }
  yield
  return { ...JSON.parse(remainingText), ...lists } as AnalysisDocument
}
