import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fromEchoprintDump } from '../../src/import/echoprint-dump.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import { tune } from '../support/tune.ts'

const all = async <T>(records: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const record of records) found.push(record)
  return found
}

async function* cut(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

const DUMP = JSON.stringify([
  {
    metadata: {
      artist: 'Björk',
      release: 'Début',
      title: 'A "quoted" [title]',
      duration: 231,
      version: 4.12,
    },
    code_count: 3,
    code: 'eJwAAA',
    tag: 0,
  },
  { error: 'could not decode', tag: 0, metadata: { filename: 'broken.mp3' } },
  {
    metadata: { filename: 'music/no tags.mp3', seconds: 12, version: '4.11', track_id: 'TRX' },
    code: 'eJx',
  },
  { metadata: { filename: 'silent.mp3', version: 4.12 }, code_count: 0, code: '' },
])

describe('fromEchoprintDump', () => {
  it.each([1, 7, 1 << 20])('reads entries as records, in pieces of %s bytes', async (size) => {
    expect(await all(fromEchoprintDump(cut(DUMP, size)))).toEqual([
      {
        title: 'A "quoted" [title]',
        artistName: 'Björk',
        release: 'Début',
        duration: 231,
        fingerprints: [{ version: 4.12, code: 'eJwAAA' }],
      },
      {
        id: 'TRX',
        title: 'no tags',
        artistName: '',
        duration: 12,
        fingerprints: [{ version: '4.11', code: 'eJx' }],
      },
    ])
  })

  it('yields what came before a fault, then names the fault', async () => {
    const found: string[] = []
    const reading = async (text: string) => {
      for await (const { title } of fromEchoprintDump(cut(text, 64))) found.push(title)
    }
    await expect(reading(`${DUMP.slice(0, -1)}, {"code": nonsense}]`)).rejects.toThrow(
      /nonsense|"n"|Unexpected/,
    )
    expect(found).toEqual(['A "quoted" [title]', 'no tags'])
    await expect(reading(DUMP.slice(0, -20))).rejects.toThrow('cut off')
  })

  it('yields all that came before a fault, also of the same piece', async () => {
    const found: string[] = []
    const reading = async () => {
      const text = `${DUMP.slice(0, -1)}, {"code": nonsense}]`
      for await (const { title } of fromEchoprintDump(cut(text, 1 << 20))) found.push(title)
    }
    await expect(reading()).rejects.toThrow('Unexpected "o"')
    expect(found).toEqual(['A "quoted" [title]', 'no tags'])
  })

  it('reads one entry without a list around it', async () => {
    const [entry] = JSON.parse(DUMP)
    const [record, ...others] = await all(fromEchoprintDump(cut(JSON.stringify(entry), 16)))
    expect(record).toMatchObject({ title: 'A "quoted" [title]', artistName: 'Björk' })
    expect(others).toEqual([])
  })

  it('takes what is null, or another kind of value, for what it means', async () => {
    const song_id = 'SOAAAAA1234567890A'
    const odd = [
      { code: 'eJx', error: null, metadata: { title: 1999, artist: 'Prince', track_id: 17 } },
      { code: 'eJx', metadata: null },
      null,
      7,
      { code: 'eJx', metadata: { title: 'Both', artist: 'A', song_id, track_id: 'TRX' } },
      { code: 'eJx', metadata: { title: 'Own', artist: 'A', song_id: 'one', track_id: 'TRX' } },
      { code: 'eJx', metadata: { title: 'Long', artist: 'A', duration: 'INFINITE' } },
    ]
    const text = JSON.stringify(odd).replace('"INFINITE"', '1e999')
    const fingerprints = [{ version: 4.12, code: 'eJx' }]
    expect(await all(fromEchoprintDump(cut(text, 1 << 20)))).toEqual([
      { id: '17', title: '1999', artistName: 'Prince', fingerprints },
      { title: '', artistName: '', fingerprints },
      { id: song_id, title: 'Both', artistName: 'A', tracks: [{ id: 'TRX' }], fingerprints },
      { id: 'TRX', title: 'Own', artistName: 'A', fingerprints },
      { title: 'Long', artistName: 'A', fingerprints },
    ])
  })

  it('fills a database that then knows the songs', async () => {
    const music = await openInline()
    const entries = await Promise.all(
      [1, 2].map(async (seed) => {
        const { code, metadata } = await music.songs.fingerprint(tune({ seed }))
        return { code, metadata: { ...metadata, title: `Tune ${seed}`, artist: 'Nobody' } }
      }),
    )
    const path = join(scratch(), 'dump.json')
    writeFileSync(path, JSON.stringify(entries))
    const result = await music.songs.import(fromEchoprintDump(path))
    expect(result).toMatchObject({ imported: 2, rejected: [] })
    const [song] = await music.songs.identify(tune({ seed: 2 }))
    expect(song).toMatchObject({ title: 'Tune 2', artistName: 'Nobody' })
  })
})
