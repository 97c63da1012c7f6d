import { describe, expect, it } from 'vitest'
import type { SongRecord } from '../../src/index.ts'
import { PACK_THRESHOLD } from '../../src/recognition/index/pack-job.ts'
import { decodeCode } from '../../src/recognition/systems/decode-code.ts'
import { decodeLandmarks } from '../../src/recognition/systems/landmark-string.ts'
import { hearOnce } from '../support/heard-once.ts'
import { listOf } from '../support/list.ts'
import { madeSongs } from '../support/made-songs.ts'
import { openInline } from '../support/open.ts'
import { tune } from '../support/tune.ts'

hearOnce()

/** The codes of a record's fingerprints with their times, in order. */
const pairsOf = ({ fingerprints = [] }: SongRecord) =>
  fingerprints.map(({ version, code }) => {
    const { codes } = decodeCode(code, version)
    return [...(codes?.codes ?? [])].map((one, i) => `${one} ${codes?.times[i]}`).sort()
  })

describe('recordings.export', () => {
  it('gives other databases what identifies a song by its sound, without the sound', async () => {
    const music = await openInline()
    const other = await openInline()
    await music.tracks.upload({ ...tune({ seed: 1 }), wait: true })
    const track = await music.tracks.upload({ ...tune({ seed: 2 }), wait: true })
    const { songId } = await track.profile()
    const records = await listOf(music.recordings.export())
    expect(records).toHaveLength(2)
    expect(records[1]).toMatchObject({
      id: songId,
      artistName: '[unknown]',
      duration: expect.closeTo(20, 1),
    })
    const versions = records[1]?.fingerprints?.map(({ version }) => version)
    expect(versions?.sort()).toEqual(['4.12', 'landmarks-2'])
    expect(await other.songs.import(records)).toMatchObject({ imported: 2, rejected: [] })
    const { samples, sampleRate } = tune({ seed: 2 })
    const piece = samples.map((channel) => channel.subarray(5 * sampleRate, 15 * sampleRate))
    const [heard, ...rest] = await other.songs.identify({ samples: piece, sampleRate })
    expect(heard?.id).toBe(songId)
    expect(rest).toEqual([])
    expect(await other.songs.identify(tune({ seed: 3 }))).toEqual([])
  })

  it('gives every code that was imported, packed or not, once', async () => {
    const music = await openInline()
    const packed = new Promise<void>((resolve) => {
      music.on('job', ({ kind, state }) => {
        if (kind === 'recording/pack' && state === 'complete') resolve()
      })
    })
    const given = madeSongs(PACK_THRESHOLD + 20)
    await music.songs.import(given.slice(0, PACK_THRESHOLD))
    await packed
    await music.songs.import(given.slice(PACK_THRESHOLD))
    const progress: number[] = []
    const records = await listOf(
      music.recordings.export({ onProgress: ({ done, total }) => progress.push(done, total) }),
    )
    const due = given.flatMap((record) =>
      pairsOf(record).map((pairs) => ({ title: record.title, pairs })),
    )
    const found = records.flatMap((record) =>
      pairsOf(record).map((pairs) => ({ title: record.title, pairs })),
    )
    expect(found).toEqual(due)
    expect(records[3]).toMatchObject({
      artistName: 'Artist 2',
      duration: 102,
      foreignIds: [{ catalog: 'isrc', foreignId: 'GBAYE3100002' }],
    })
    expect(progress.slice(-2)).toEqual([due.length, due.length])
    expect(progress.length).toBeGreaterThan(4)
    // What was exported can be imported again and again: it is the same.
    const other = await openInline()
    expect(await other.songs.import(records)).toMatchObject({
      imported: given.length,
      rejected: [],
    })
    expect(await listOf(other.recordings.export())).toEqual(records)
    await other.songs.import(records)
    expect(await listOf(other.recordings.export())).toHaveLength(records.length)
  })

  it('ends when its signal aborts', async () => {
    const music = await openInline()
    await music.songs.import(madeSongs(200))
    const leave = new AbortController()
    const steps = music.recordings.export({ signal: leave.signal })
    expect((await steps.next()).done).toBe(false)
    leave.abort(new Error('enough'))
    await expect(listOf(steps)).rejects.toThrow('enough')
  })
})

describe('landmarks as text', () => {
  const text = 'AwUHAgEJAQ=='

  it('are codes by ascending code, then time', () => {
    expect(decodeLandmarks(text, 'landmarks-2')).toEqual({
      family: 'triplets',
      codes: { codes: Uint32Array.of(5, 7, 16), times: Uint32Array.of(7, 1, 1) },
    })
  })

  it.each([
    ['', 'landmarks-2', 'no landmarks in the text'],
    ['!', 'landmarks-2', 'no base64'],
    [text.slice(0, 8), 'landmarks-2', 'damaged'],
    ['AwUHAgEJAQA=', 'landmarks-2', 'damaged'],
    [
      Buffer.from([1, 0x80, 0x80, 0x80, 0x80, 4, 1]).toString('base64'),
      'landmarks-2',
      'more than 30 bits',
    ],
    [text, 'landmarks-99', 'The version of the landmarks is "landmarks-99", not landmarks-2'],
  ])('%j of version %s is refused', async (code, version, message) => {
    const music = await openInline()
    const names = { title: 'A', artistName: 'B' }
    const { rejected } = await music.songs.import([
      { ...names, fingerprints: [{ version, code }] },
      names,
    ])
    expect(rejected).toEqual([{ index: 0, info: expect.stringContaining(message) }])
  })
})
