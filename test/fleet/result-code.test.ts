import { join } from 'node:path'
import { deflateRawSync, gzipSync, inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { AnalysisDocument } from '../../src/analysis/document.ts'
import { decodeAnswer, encodeAnswer } from '../../src/fleet/result-code.ts'
import { md5 } from '../../src/values/md5.ts'
import { analyzeFile, fingerprintFile } from '../../src/workers/tasks.ts'
import { clip, waveFile } from '../support/clips.ts'
import { scratch } from '../support/scratch.ts'

const noise = (length: number) => {
  let seed = 1
  return Float32Array.from({ length }, () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647 - 0.5
  })
}

const analysed = async (seconds = 3) => {
  const path = await waveFile(scratch(), 'a.wav', clip({ seconds }))
  return analyzeFile({ path, decode: {}, meta: {}, corrections: { key: 3 } }, () => {})
}

let first: ReturnType<typeof analysed> | undefined
/** The same analysis for many tests. */
const once = () => {
  first ??= analysed()
  return first
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

  it.each([
    ['silence', { samples: [new Float32Array(44_100)], sampleRate: 22_050 }],
    ['less than a beat', clip({ seconds: 0.3 })],
    ['two channels of 96 kHz', { samples: [0, 1].map(() => noise(96_000)), sampleRate: 96_000 }],
  ])('of %s is read exactly as it was', async (_, sound) => {
    const path = await waveFile(scratch(), 'a.wav', sound)
    const result = await analyzeFile({ path, decode: {}, meta: { title: '[{,' } }, () => {})
    expect(await decodeAnswer('analyze', await encodeAnswer({ result }))).toEqual({ result })
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

  type Result = Awaited<ReturnType<typeof analysed>>
  const documentOf = ({ document }: Result): AnalysisDocument =>
    JSON.parse(String(inflateRawSync(document)))
  const packed = (text: string | Uint8Array) => new Uint8Array(deflateRawSync(text))
  const withDocument = (result: Result, change: (document: AnalysisDocument) => unknown) => {
    const document = documentOf(result)
    change(document)
    return { ...result, document: packed(JSON.stringify(document)) }
  }
  const withPrint = (result: Result, print: object) => ({
    ...result,
    prints: { ...result.prints, triplets: { ...result.prints.triplets, ...print } },
  })

  it.each<[string, (result: Result) => object]>([
    ['a descriptor with NaN', (r) => ({ ...r, descriptor: r.descriptor.map(() => Number.NaN) })],
    ['a descriptor of another length', (r) => ({ ...r, descriptor: r.descriptor.slice(1) })],
    ['a number that is not finite', (r) => ({ ...r, summary: { ...r.summary, tempo: Infinity } })],
    ['a corrected NaN', (r) => ({ ...r, corrected: { ...r.summary, loudness: Number.NaN } })],
    ['a fraction as the key', (r) => ({ ...r, summary: { ...r.summary, key: 1.5 } })],
    ['a tempo out of range', (r) => ({ ...r, summary: { ...r.summary, tempo: -1 } })],
    ['another duration', (r) => ({ ...r, summary: { ...r.summary, duration: 300 } })],
    [
      'more sound than the limit',
      (r) => ({
        ...{ ...r, report: { ...r.report, frames: 1e12 } },
        waveform: { ...r.waveform, samples: 1e12 },
      }),
    ],
    ['more channels than the limit', (r) => ({ ...r, report: { ...r.report, channels: 1000 } })],
    ['a long name', (r) => ({ ...r, report: { ...r.report, codec: 'x'.repeat(1000) } })],
    ['codes without times', (r) => withPrint(r, { times: new Uint32Array(1) })],
    [
      'codes of too many bits',
      (r) => withPrint(r, { codes: r.prints.triplets.codes.map(() => 2 ** 32 - 1) }),
    ],
    [
      'codes in another order',
      (r) => withPrint(r, { codes: r.prints.triplets.codes.toReversed() }),
    ],
    [
      'millions of codes',
      (r) => withPrint(r, { codes: new Uint32Array(5e6), times: new Uint32Array(5e6) }),
    ],
    [
      'blocks that are no pairs',
      (r) => ({
        ...r,
        waveform: { ...r.waveform, blocks: new Uint32Array(3) },
      }),
    ],
    [
      'a waveform of other sound',
      (r) => ({
        ...r,
        waveform: { ...r.waveform, samples: r.waveform.samples + 4096 },
      }),
    ],
    ['short peaks', (r) => ({ ...r, waveform: { ...r.waveform, peaks: packed('short') } })],
    [
      'peaks that inflate to 64 MB',
      (r) => ({
        ...r,
        waveform: { ...r.waveform, peaks: packed(new Uint8Array(2 ** 26)) },
      }),
    ],
    [
      'peaks that are not packed',
      (r) => ({
        ...r,
        waveform: { ...r.waveform, peaks: new Uint8Array([1, 2, 3]) },
      }),
    ],
    [
      'a document that inflates to 64 MB',
      (r) => ({
        ...r,
        document: packed(new Uint8Array(2 ** 26).fill(0x20)),
      }),
    ],
    [
      'a document of empty lists',
      (r) =>
        withDocument(r, (d) => Object.assign(d, { more: Array.from({ length: 1e5 }, () => []) })),
    ],
    ['a document that is no JSON', (r) => ({ ...r, document: packed('{') })],
    ['a document that is null', (r) => ({ ...r, document: packed('null') })],
    [
      'a document without a track',
      (r) => withDocument(r, (d) => Reflect.deleteProperty(d, 'track')),
    ],
    [
      'a document without segments',
      (r) => withDocument(r, (d) => Reflect.deleteProperty(d, 'segments')),
    ],
    [
      'a document of another length',
      (r) => withDocument(r, (d) => Object.assign(d.track, { duration: 9 })),
    ],
    [
      'a segment without pitches',
      (r) => withDocument(r, (d) => Reflect.deleteProperty(d.segments[0]!, 'pitches')),
    ],
    [
      'a beat that is a text',
      (r) => withDocument(r, (d) => Object.assign(d.beats[0]!, { start: '1' })),
    ],
    [
      'a level that is infinite',
      (r) => ({
        ...r,
        document: packed(
          String(inflateRawSync(r.document)).replace(
            /"loudness_max":[^,]+/,
            '"loudness_max":1e999',
          ),
        ),
      }),
    ],
  ])('is refused when it has %s', async (_, change) => {
    const result = await once()
    const bytes = await encodeAnswer({ result: change(result) as never })
    await expect(decodeAnswer('analyze', bytes)).rejects.toThrow()
  })

  it('is taken when its document is written otherwise', async () => {
    const result = withDocument(await once(), (document) => Object.assign(document, { more: 1 }))
    const read = await decodeAnswer('analyze', await encodeAnswer({ result }))
    expect(read).toEqual({ result })
  })

  it('is refused when it has fingerprints of other sizes', async () => {
    const path = await waveFile(scratch(), 'a.wav', clip({ seconds: 4 }))
    const { traces, ...rest } = await fingerprintFile({ path, decode: {} }, () => {})
    const { echoprint, landmarks } = traces
    for (const change of [
      { traces: { echoprint: { ...echoprint, onsets: [] }, landmarks } },
      { traces: { echoprint, landmarks: { ...landmarks, times: new Float32Array(0) } } },
      { traces: { echoprint, landmarks: { ...landmarks, times: landmarks.times.map(() => NaN) } } },
      {
        traces: {
          echoprint: { ...echoprint, onsets: echoprint.onsets.map((o) => o.toReversed()) },
          landmarks,
        },
      },
      { traces, duration: 1e9 },
      { traces, duration: -1 },
    ]) {
      const bytes = await encodeAnswer({ result: { ...rest, ...change } as never })
      await expect(decodeAnswer('fingerprint', bytes)).rejects.toThrow()
    }
  })

  it('is refused when it is many small lists', async () => {
    const lists = written({ result: Array.from({ length: 20_000 }, () => []) })
    await expect(decodeAnswer('analyze', lists)).rejects.toThrow('more than 10000 parts')
  })

  it('is refused when a field has another type', async () => {
    const result = await analysed()
    const wrong = { ...result, summary: { ...result.summary, tempo: 'fast' } }
    const bytes = await encodeAnswer({ result: wrong as never })
    await expect(decodeAnswer('analyze', bytes)).rejects.toThrow(/tempo/)
  })
})
