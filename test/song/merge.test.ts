import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Audile, type SongRecord } from '../../src/index.ts'
import { openReference } from '../../src/kernel/database/open-reference.ts'
import { PACK_THRESHOLD } from '../../src/recognition/index/pack-job.ts'
import { hearOnce } from '../support/heard-once.ts'
import { listOf } from '../support/list.ts'
import { madeSongs } from '../support/made-songs.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import { tune } from '../support/tune.ts'

hearOnce()

const INLINE = { engine: 'inline', workers: 0 } as const

/** A database with made songs, some of them packed. */
async function made(database: string, seed: number): Promise<SongRecord[]> {
  const music = await Audile.open({ database, ...INLINE })
  const packed = new Promise<void>((resolve) => {
    music.on('job', ({ kind, state }) => {
      if (kind === 'recording/pack' && state === 'complete') resolve()
    })
  })
  const songs = madeSongs(PACK_THRESHOLD + 20, seed)
  await music.songs.import(songs.slice(0, PACK_THRESHOLD))
  await packed
  await music.songs.import(songs.slice(PACK_THRESHOLD))
  const records = await listOf(music.recordings.export())
  await music.close()
  return records
}

/** A song without an artist has one afterwards, whose name is [unknown]. */
const byText = (records: readonly SongRecord[]) =>
  records.map(({ artistId: _, ...record }) => JSON.stringify(Object.entries(record).sort())).sort()

describe('recordings.merge', () => {
  it('makes one reference of several, with all that identifies their songs', async () => {
    const folder = scratch()
    const references = [join(folder, 'a.db'), join(folder, 'b.db'), join(folder, 'c.db')]
    const due = [await made(references[0]!, 1), await made(references[1]!, 2)].flat()
    const own = await Audile.open({ database: references[2]!, ...INLINE })
    await own.tracks.upload({ ...tune({ seed: 1 }), wait: true })
    const removed = await own.tracks.upload({ ...tune({ seed: 2 }), wait: true })
    await own.tracks.remove(removed.id)
    const [known] = await listOf(own.recordings.export())
    await own.close()
    const database = join(folder, 'all.db')

    // Interrupted, it goes on where it was.
    const before = await Audile.open({ database, references, ...INLINE })
    const leave = new AbortController()
    const steps: number[] = []
    const interrupted = before.recordings.merge({
      signal: leave.signal,
      onProgress: ({ done, total }) => {
        steps.push(done)
        if (done > total / 3) leave.abort(new Error('enough'))
      },
    })
    await expect(interrupted).rejects.toThrow('enough')
    await before.close()
    const music = await openInline({ database, references })
    const answer = await music.recordings.merge({ onProgress: ({ done }) => steps.push(done) })
    expect(answer).toEqual({ recordings: due.length + 1 })
    expect(steps).toEqual([...steps].sort((x, y) => x - y))
    expect(await music.recordings.merge()).toEqual(answer)
    await music.close()

    const merged = await openInline({ database })
    const records = await listOf(merged.recordings.export())
    expect(byText(records)).toEqual(byText([...due, known!]))
    const { samples, sampleRate } = tune({ seed: 1 })
    const piece = { samples: samples.map((all) => all.subarray(0, 12 * sampleRate)), sampleRate }
    expect(await merged.songs.identify(piece)).toMatchObject([{ id: known?.id }])
    expect(await merged.songs.identify(tune({ seed: 2 }))).toEqual([])
    await merged.close()

    const reader = await openInline({ references: [database] })
    expect(await reader.songs.identify(piece)).toMatchObject([
      { id: known?.id, reference: database },
    ])
    const [ownSize, size] = await reader.recordings.stat()
    expect(ownSize).toMatchObject({ recordings: 0, systems: {} })
    expect(size).toMatchObject({ reference: database, recordings: due.length + 1 })
    expect(size?.bytes).toBe(statSync(database).size)
    expect(Object.keys(size?.systems ?? {}).sort()).toEqual(['chroma', 'echoprint', 'triplets'])
  })

  it('leaves a file that can be read where nothing can be written', async () => {
    const folder = scratch()
    await made(join(folder, 'a.db'), 3)
    const database = join(folder, 'all.db')
    const references = [join(folder, 'a.db')]
    const music = await Audile.open({ database, references, ...INLINE })
    await music.recordings.merge()
    await music.close()
    const db = openReference(database)
    expect(db.pragma('journal_mode', { simple: true })).toBe('delete')
    db.close()
    chmodSync(database, 0o444)
    const reader = await openInline({ references: [database] })
    expect((await reader.recordings.stat())[1]?.recordings).toBeGreaterThan(PACK_THRESHOLD)
  })

  it('refuses a database with recordings of its own, and no references', async () => {
    const folder = scratch()
    await made(join(folder, 'a.db'), 4)
    const own = await openInline()
    await expect(own.recordings.merge()).rejects.toThrow('references')
    const full = await openInline({ references: [join(folder, 'a.db')] })
    await full.songs.import(madeSongs(1, 5))
    await expect(full.recordings.merge()).rejects.toThrow('has recordings of its own')
  })
})
