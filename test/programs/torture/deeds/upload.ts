import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seedOf, whole } from '../../../support/chance.ts'
import { clip, waveBytes } from '../../../support/clips.ts'
import { type Kind, takeBack, type Undoing, WrongAnswer } from './deed.ts'

/** A clip that is uploaded; no two are alike. */
export interface Upload {
  op: string
  /** As a file of one's own, or as bytes, of which audile keeps a copy. */
  how: 'file' | 'bytes'
  seconds: number
  md5: string
}

export const upload: Kind<Upload, { id: string }> = {
  name: 'upload',
  weight: 3,
  async draw(op, random) {
    const how = random() < 0.5 ? 'file' : 'bytes'
    const seconds = whole(random, 1, 3)
    return { op, how, seconds, md5: md5Of(await bytesOf({ op, seconds })) }
  },
  async perform(music, deed, signal, { clips }) {
    const bytes = await bytesOf(deed)
    const file = join(clips, `${deed.op}.wav`)
    if (deed.how === 'file') writeFileSync(file, bytes)
    const { id, answer } = await music.tracks.upload(
      deed.how === 'file' ? { file, signal } : { bytes, signal },
    )
    if (answer.md5 === deed.md5) return { id }
    throw new WrongAnswer(`the md5 is told as ${answer.md5}, not ${deed.md5}`)
  },
  atOnce: () => true,
  find(database, deed, answer) {
    const row = database
      .prepare<[string], TrackFound>(
        `SELECT t.id, t.status, t.error, t.spooled,
           t.song_id IS NOT NULL AND EXISTS (SELECT 1 FROM songs s WHERE s.id = t.song_id) AS song,
           (SELECT count(*) FROM analyses a WHERE a.track_id = t.id) AS analyses,
           (SELECT count(*) FROM recordings r WHERE r.track_id = t.id) AS recordings,
           (SELECT count(*) FROM track_sounds s WHERE s.track_id = t.id) AS sounds
         FROM tracks t WHERE t.md5 = ?`,
      )
      .get(deed.md5)
    if (!row) return 'absent'
    const { id, status, error, spooled, song, analyses, recordings, sounds } = row
    if (answer && answer.id !== id) return { broken: `is track ${id}, not ${answer.id}` }
    if (spooled === 1) {
      const kept = join(`${database.name}-audio`, deed.md5)
      if (!existsSync(kept)) return { broken: 'its bytes are not kept' }
      if (md5Of(readFileSync(kept)) !== deed.md5) return { broken: 'other bytes are kept' }
    }
    if (status === 'error') return { unfinished: `its analysis failed: ${error}` }
    if (status !== 'complete') return { broken: `its track is ${status}` }
    if (song === 1 && analyses === 1 && recordings === 1 && sounds === 1) return 'present'
    return {
      broken: `${analyses} analyses, ${recordings} recordings, ${sounds} sounds, song: ${song}`,
    }
  },
}

interface TrackFound {
  id: string
  status: string
  error: string | null
  spooled: 0 | 1
  song: 0 | 1
  analyses: number
  recordings: number
  sounds: number
}

/** Takes one of its own uploads back. */
export const removal: Kind<{ id: string } & Undoing, object> = {
  name: 'removal',
  weight: 0.7,
  draw: (_op, _random, memory) => takeBack(memory, 'upload'),
  async perform(music, { id }) {
    return music.tracks.remove(id)
  },
  atOnce: () => true,
  find(database, { id }) {
    const there = database.prepare('SELECT 1 FROM tracks WHERE id = ?').get(id)
    return there === undefined ? 'present' : 'absent'
  },
}

function bytesOf({ op, seconds }: Pick<Upload, 'op' | 'seconds'>): Promise<Uint8Array> {
  const seed = seedOf(op)
  return waveBytes(clip({ seconds, seed, bpm: 90 + (seed % 60), sampleRate: 11_025 }))
}

function md5Of(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex')
}
