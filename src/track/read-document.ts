import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import type { AnalysisDocument } from '../analysis/document.ts'
import { parsingDocument } from '../analysis/parse-document.ts'
import { inTurns } from '../kernel/scheduler.ts'

const inflate = promisify(inflateRaw)

/** The most bytes of a document's text; six hours of dense music have less than a third. */
export const MOST_DOCUMENT_BYTES = 2 ** 28

/** Parses a stored analysis in steps of a few milliseconds; a long recording takes 0.1 s in all. */
export async function readDocument(
  stored: Uint8Array | undefined,
  signal: AbortSignal,
): Promise<AnalysisDocument> {
  if (!stored) throw new Error('There is no stored analysis.')
  const text = await inflate(stored, { maxOutputLength: MOST_DOCUMENT_BYTES })
  return inTurns(parsingDocument(text.toString('utf8')), signal)
}
