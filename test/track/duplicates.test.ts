import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { Samples } from '../../src/client/audio-input.ts'
import type { Audile, Track } from '../../src/index.ts'
import { chunk } from '../support/audio-files.ts'
import { clip, joined, waveBytes } from '../support/clips.ts'
import { mp3Bytes, oggBytes } from '../support/encode.ts'
import { hearOnce } from '../support/heard-once.ts'
import { type SongPlan, seeded, song } from '../support/music.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

hearOnce()

const PLAN: SongPlan = {
  seconds: 20,
  tempo: 104,
  key: 2,
  mode: 0,
  chords: 'strings',
  lead: 'flute',
}

const made = new Map<string, Samples>()

function piece(seed: number, changed: Partial<SongPlan> = {}): Samples {
  const name = `${seed} ${JSON.stringify(changed)}`
  const known = made.get(name)
  if (known) return known
  const { samples, sampleRate } = song({ ...PLAN, ...changed }, seeded(seed))
  const audio = { samples: [samples], sampleRate }
  made.set(name, audio)
  return audio
}

/** A part of a piece, in seconds, louder or softer. */
function part({ samples, sampleRate }: Samples, from: number, to = 1e9, gain = 1): Samples {
  return {
    sampleRate,
    samples: samples.map((channel) =>
      channel.slice(from * sampleRate, to * sampleRate).map((sample) => gain * sample),
    ),
  }
}

/** A loop of two seconds, over and over. */
function loop(seed: number): Samples {
  const bar = song({ seconds: 2, tempo: 120, chords: 'bell', lead: 'bell' }, seeded(seed)).samples
  const samples = new Float32Array(20 * 22_050)
  for (let i = 0; i < samples.length; i++) samples[i] = bar[i % bar.length] as number
  return { samples: [samples], sampleRate: 22_050 }
}

async function add(music: Audile, bytes: Uint8Array): Promise<Track> {
  return music.tracks.upload({ bytes, wait: true })
}

const idsOf = (tracks: readonly Track[]) => tracks.map(({ id }) => id)

describe('tracks.duplicates', () => {
  it('finds every copy, whatever became of it, and nothing else', async () => {
    const music = await openInline()
    const copiesOf = (original: Samples) => [
      waveBytes(original),
      mp3Bytes(part(original, 3), 128),
      mp3Bytes(original, 64),
      oggBytes(part(original, 0, 18, 0.5), 1),
    ]
    const groups: string[][] = []
    for (const copies of [
      copiesOf(piece(1)),
      copiesOf(piece(2)).slice(0, 2),
      copiesOf(loop(3)).slice(0, 3),
    ]) {
      const tracks: Track[] = []
      for (const bytes of copies) tracks.push(await add(music, await bytes))
      expect(new Set(tracks.map(({ answer }) => answer.status))).toEqual(new Set(['complete']))
      groups.push(idsOf(tracks))
    }
    const others = [
      // The same players, tempo and key; another tune. So are pieces 1 and 2.
      piece(5),
      // Played again a little faster, in another key, on another instrument, without drums.
      piece(1, { tempo: 105 }),
      piece(1, { key: 3 }),
      piece(1, { lead: 'clarinet' }),
      piece(1, { drums: false }),
      // An excerpt, an edit with its middle cut out, a medley.
      part(piece(1), 0, 10),
      joined(part(piece(1), 0, 7), part(piece(1), 13)),
      joined(part(piece(2), 0, 5), part(piece(2), 9)),
      joined(piece(1), piece(2)),
      // Another loop of the same band.
      loop(6),
    ]
    for (const other of others) await add(music, await waveBytes(other))
    const found = await music.tracks.duplicates()
    expect(found.map(({ tracks }) => idsOf(tracks))).toEqual(groups)
    expect(found[0]?.tracks[2]?.answer).toMatchObject({ status: 'complete', bitrate: 64 })
  })

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
