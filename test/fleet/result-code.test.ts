import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodeAnswer, encodeAnswer } from '../../src/fleet/result-code.ts'
import { md5 } from '../../src/values/md5.ts'
import { analyzeFile, fingerprintFile } from '../../src/workers/tasks.ts'
import { clip, waveFile } from '../support/clips.ts'
import { scratch } from '../support/scratch.ts'

const analysed = async (seconds = 3) => {
  const path = await waveFile(scratch(), 'a.wav', clip({ seconds }))
  return analyzeFile({ path, decode: {}, meta: {}, corrections: { key: 3 } }, () => {})
}

describe('the result of an analysis', () => {
  it('is read exactly as it was', async () => {
    const result = await analysed()
    expect(await decodeAnswer('analyze', await encodeAnswer({ result }))).toEqual({ result })
  })

  it('is read with the numbers that JSON has not', async () => {
    const result = await analysed()
    const odd = { ...result, summary: { ...result.summary, loudness: -0, energy: null } }
    const read = await decodeAnswer('analyze', await encodeAnswer({ result: odd }))
    expect('result' in read && Object.is(read.result.summary.loudness, -0)).toBe(true)
  })

  it('of fingerprints is read exactly as it was', async () => {
    const path = await waveFile(join(scratch()), 'a.wav', clip({ seconds: 4 }))
    const result = await fingerprintFile({ path, decode: {}, chroma: 'codes' }, () => {})
    expect(await decodeAnswer('fingerprint', await encodeAnswer({ result }))).toEqual({ result })
  })

  it('may be an error', async () => {
    const error = {
      kind: 'DecodeError',
      code: 'decode',
      name: 'DecodeError',
      message: 'No.',
    } as const
    expect(await decodeAnswer('analyze', await encodeAnswer({ error }))).toEqual({ error })
  })
})

it('of an analysis that is too large is an error that says so', async () => {
  const result = await analysed()
  const read = await decodeAnswer('analyze', await encodeAnswer({ result }, 1000))
  const message = expect.stringMatching(/has \d+ bytes, more than the 1000 that a fleet passes on/)
  expect(read).toEqual({
    error: { kind: 'DecodeError', code: 'decode', name: 'DecodeError', message },
  })
})

describe('what another machine may have put there', () => {
  it('is refused when a byte is wrong', async () => {
    const bytes = await encodeAnswer({ result: await analysed() })
    const damaged = Uint8Array.from(bytes)
    damaged[100] = (damaged[100] ?? 0) ^ 1
    await expect(decodeAnswer('analyze', damaged)).rejects.toThrow('sum')
    await expect(decodeAnswer('analyze', bytes.subarray(0, 1000))).rejects.toThrow('sum')
  })

  const written = (value: unknown) => {
    const packed = gzipSync(JSON.stringify(value))
    return Buffer.concat([Buffer.from(md5(packed), 'latin1'), packed])
  }

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['a result without fields', { result: {} }],
    ['an array of a kind that no result has', { result: { $: 'BigInt64Array', value: '' } }],
    ['an error of no kind', { error: { kind: 'Evil', name: 'a', message: 'b' } }],
    ['fields of the prototype', { result: { ['__proto__']: { duration: 1 } } }],
  ])('is refused when it is %s', async (_, value) => {
    await expect(decodeAnswer('analyze', written(value))).rejects.toThrow()
  })

  it('is refused when a field has another type', async () => {
    const result = await analysed()
    const wrong = { ...result, summary: { ...result.summary, tempo: 'fast' } }
    const bytes = await encodeAnswer({ result: wrong as never })
    await expect(decodeAnswer('analyze', bytes)).rejects.toThrow(/tempo/)
  })
})
