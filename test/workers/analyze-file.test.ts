import { inflateRawSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { analyzeFile } from '../../src/workers/tasks.ts'
import { clip, waveBytes } from '../support/clips.ts'
import { written } from '../support/decoded.ts'

it('says in the document whether a part of the file is missing', async () => {
  const bytes = await waveBytes(clip({ seconds: 2 }))
  const meta = async (given: Uint8Array) => {
    const task = { path: written(given), decode: {}, meta: {} }
    const { document, summary } = await analyzeFile(task, () => {})
    const { detailed_status } = JSON.parse(inflateRawSync(document).toString()).meta
    return { detailed_status, duration: summary.duration }
  }
  expect(await meta(bytes)).toEqual({ detailed_status: 'OK', duration: 2 })
  expect(await meta(bytes.subarray(0, bytes.length - 22_050 * 4))).toEqual({
    detailed_status: expect.stringContaining('truncated or damaged'),
    duration: expect.closeTo(1, 3),
  })
})
