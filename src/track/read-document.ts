import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import type { AnalysisDocument } from '../analysis/document.ts'
import { parsingDocument } from '../analysis/parse-document.ts'
import { inTurns } from '../kernel/scheduler.ts'

export const inflate = promisify(inflateRaw)

/** Six hours of dense music have less than a third. */
export const MAX_DOCUMENT_BYTES = 2 ** 28

/** In steps of a few milliseconds. */
export async function readDocument(
  stored: Uint8Array | undefined,
  signal: AbortSignal,
): Promise<AnalysisDocument> {
  if (!stored) throw new Error('There is no stored analysis.')
  const text = await inflate(stored, { maxOutputLength: MAX_DOCUMENT_BYTES })
  return inTurns(parsingDocument(text.toString('utf8')), signal)
}
