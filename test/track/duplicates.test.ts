import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { Audile, Track } from '../../src/index.ts'
import { chunk } from '../support/audio-files.ts'
import { part, piece } from '../support/changed-pieces.ts'
import { clip, waveBytes } from '../support/clips.ts'
import { mp3Bytes, oggBytes } from '../support/encode.ts'
import { hearOnce } from '../support/heard-once.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

hearOnce()

async function add(music: Audile, bytes: Uint8Array): Promise<Track> {
  return music.tracks.upload({ bytes, wait: true })
}

const idsOf = (tracks: readonly Track[]) => tracks.map(({ id }) => id)

describe('tracks.duplicates', () => {
  it('knows the same samples in another file, though too short for anything else', async () => {
    const music = await openInline()
    const bytes = await waveBytes(clip({ seconds: 1 }))
    const more = chunk('LIST', Buffer.from('INFO'))
    const header = Buffer.from([...bytes, ...more])
    header.writeUInt32LE(header.length - 8, 4)
    const one = await add(music, bytes)
    const other = await add(music, header)
    await add(music, await waveBytes(clip({ seconds: 1, seed: 2 })))
    expect((await other.profile()).audioMd5).toBe((await one.profile()).audioMd5)
    const [group, ...rest] = await music.tracks.duplicates()
    expect(idsOf(group?.tracks ?? [])).toEqual([one.id, other.id])
    expect(rest).toEqual([])
    const [{ tracks } = { tracks: [] }] = await music.tracks.duplicates({ evidence: true })
    expect(tracks[1]?.answer.evidence).toMatchObject({ of: one.id, identical: true, overlap: 1 })
  })

  it('is not led by a song that two performances share', async () => {
    const database = join(scratch(), 'music.db')
    const music = await openInline({ database })
    const studio = await add(music, await waveBytes(piece(1)))
    const live = await add(music, await waveBytes(piece(1, { tempo: 106, lead: 'clarinet' })))
    const { songId } = await studio.profile()
    const db = new Sqlite(database)
    db.prepare('UPDATE tracks SET song_id = ?').run(songId)
    db.close()
    expect((await live.profile()).songId).toBe(songId)
    expect(await music.tracks.duplicates()).toEqual([])
  })

  it('follows what comes and goes', async () => {
    const music = await openInline()
    const original = piece(1)
    const first = await add(music, await waveBytes(original))
    await add(music, await waveBytes(piece(2)))
    const second = await add(music, await mp3Bytes(original, 128))
    expect((await music.tracks.duplicates()).map(({ tracks }) => idsOf(tracks))).toEqual([
      [first.id, second.id],
    ])
    const third = await add(music, await oggBytes(original, 3))
    await music.tracks.remove(second.id)
    expect((await music.tracks.duplicates()).map(({ tracks }) => idsOf(tracks))).toEqual([
      [first.id, third.id],
    ])
    await music.tracks.remove(first.id)
    expect(await music.tracks.duplicates()).toEqual([])
  })

  it('passes over an analysis that is damaged', async () => {
    const database = join(scratch(), 'music.db')
    const music = await openInline({ database })
    const original = piece(1)
    const ids = [
      await add(music, await waveBytes(original)),
      await add(music, await mp3Bytes(original, 128)),
      await add(music, await mp3Bytes(original, 64)),
    ].map(({ id }) => id)
    const db = new Sqlite(database)
    db.prepare("UPDATE analysis_documents SET document = x'00' WHERE track_id = ?").run(ids[1])
    db.close()
    expect((await music.tracks.duplicates()).map(({ tracks }) => idsOf(tracks))).toEqual([
      [ids[0], ids[2]],
    ])
  })

  it('says why, when asked to', async () => {
    const music = await openInline()
    const original = piece(1)
    const first = await add(music, await waveBytes(original))
    await add(music, await mp3Bytes(part(original, 3), 128))
    await add(music, await oggBytes(part(original, 0, 18, 0.5), 1))
    const [group] = await music.tracks.duplicates({ evidence: true })
    const [none, trimmed, softer] = group?.tracks.map(({ answer }) => answer.evidence) ?? []
    expect(none).toBeUndefined()
    expect(trimmed).toMatchObject({ of: first.id, identical: false })
    // The encoder adds 50 ms.
    expect(trimmed?.offset).toBeCloseTo(-2.95, 1)
    expect(trimmed?.overlap).toBeCloseTo(0.85, 1)
    expect(trimmed?.speed).toBeCloseTo(1, 2)
    expect(trimmed?.lengths.other).toBeCloseTo(20, 1)
    expect(trimmed?.lengths.file).toBeCloseTo(17, 0)
    for (const { codes, weakest, pitches } of [trimmed!, softer!]) {
      expect(weakest).toBeGreaterThan(0.1)
      expect(codes).toBeGreaterThanOrEqual(weakest)
      expect(pitches).toBeLessThan(0.08)
    }
    const [plain] = await music.tracks.duplicates()
    expect(plain?.tracks.map(({ answer }) => answer.evidence)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('tells how far it is, and stops when told to', async () => {
    const music = await openInline()
    expect(await music.tracks.duplicates()).toEqual([])
    for (const seed of [1, 2]) await add(music, await waveBytes(clip({ seed })))
    const told: { done: number; total: number }[] = []
    await music.tracks.duplicates({ onProgress: (progress) => told.push(progress) })
    expect(told.at(-1)).toEqual({ done: 2, total: 2 })
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(music.tracks.duplicates({ signal })).rejects.toThrow('enough')
  })
})
