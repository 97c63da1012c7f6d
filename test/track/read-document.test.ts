import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type AnalysisDocument, stringifyAnalysis } from '../../src/analysis/document.ts'
import { analyze } from '../../src/analyzer/analyzer.ts'
import { readDocument } from '../../src/track/read-document.ts'
import { clip } from '../support/clips.ts'

const { signal } = new AbortController()

function copies<T>(list: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, i) => list[i % list.length] as T)
}

async function check(document: AnalysisDocument): Promise<void> {
  const text = stringifyAnalysis(document)
  expect(await readDocument(deflateRawSync(text), signal)).toEqual(JSON.parse(text))
}

describe('readDocument', () => {
  it('reads what a parser reads at once', async () => {
    const document = analyze(clip({ seconds: 6 }))
    await check(document)
    // Of an hour and more, in many pieces.
    await check({
      ...document,
      segments: copies(document.segments, 12_000),
      tatums: copies(document.tatums, 20_000),
    })
    await check({ ...document, bars: [], beats: [], tatums: [], segments: [] })
    await check({ ...document, segments: document.segments.slice(0, 1) })
  })

  it('is not misled by a title', async () => {
    const document = analyze(clip({ seconds: 2 }))
    const title = '"segments":[{"start":0}],"beats":[{}] \\" }] \u2028'
    await check({ ...document, meta: { ...document.meta, title, album: '\\"bars":[' } })
  })

  it('rejects what is damaged, and stops when told to', async () => {
    const text = stringifyAnalysis(analyze(clip({ seconds: 2 })))
    await expect(readDocument(Buffer.from('nonsense'), signal)).rejects.toThrow()
    await expect(readDocument(deflateRawSync(text.slice(0, -9)), signal)).rejects.toThrow()
    const stopped = AbortSignal.abort(new Error('enough'))
    await expect(readDocument(deflateRawSync(text), stopped)).rejects.toThrow('enough')
  })
})
