import { basename, dirname } from 'node:path'
import Database from 'better-sqlite3'
import { soundDistance } from '../../../src/analysis/sound-distance.ts'
import type { Audile } from '../../../src/index.ts'

/** A track shorter than this counts as an effect, seconds. */
const LEAST_MUSIC = 30

/** A track of the measured library. */
export interface Heard {
  id: string
  title: string
  /** The name of its file's folder: the package that it came in. */
  group: string
  isEffect: boolean
  tempo: number
  key: number
  mode: number
  energy: number
  descriptor: Float32Array
}

/** All tracks that were analysed, with what a listener would compare. */
export async function heardTracks(music: Audile, database: string): Promise<Heard[]> {
  const db = new Database(database, { readonly: true })
  const descriptors = new Map(
    db
      .prepare<[], { id: string; descriptor: Buffer }>(
        'SELECT track_id AS id, descriptor FROM track_sounds',
      )
      .all()
      .map(({ id, descriptor }) => [id, new Float32Array(new Uint8Array(descriptor).buffer)]),
  )
  db.close()
  const heard: Heard[] = []
  for await (const { id, answer, files } of music.tracks.all({ bucket: 'audio_summary' })) {
    const [descriptor, path, facts] = [descriptors.get(id), files[0]?.path, answer.audioSummary]
    if (!descriptor || path === undefined || !facts) continue
    heard.push({
      id,
      title: answer.title ?? basename(path),
      group: basename(dirname(path)),
      isEffect: (facts.duration ?? 0) < LEAST_MUSIC,
      tempo: facts.tempo ?? 0,
      key: (facts.keyConfidence ?? 1) > 0 ? (facts.key ?? -1) : -1,
      mode: facts.mode ?? 0,
      energy: facts.energy ?? Number.NaN,
      descriptor,
    })
  }
  return heard
}

/** The distance of two sounds. */
export function distance(one: Heard, other: Heard): number {
  return soundDistance(one.descriptor, 0, other.descriptor, 0)
}
