import { z } from 'zod'
import { settleFile } from '../kernel/database/open.ts'
import { method } from '../kernel/method.ts'
import { pause } from '../kernel/scheduler.ts'
import { performance } from '../kernel/timers.ts'
import { MAX_RECORDINGS, TASK_STEPS } from '../recognition/index/layout.ts'
import { chooseLayout, IndexMerge, type MergeSource } from '../recognition/index/merge.ts'
import { invalidParameter, ParameterError } from '../values/errors.ts'
import { songRecordOf } from './export.ts'
import { storesOf } from './find-song.ts'
import { SongImport } from './import.ts'
import type { SongRoom } from './room.ts'

/** The progress of a merge. */
export interface MergePage {
  /** The part of `total` that is done; the unit has no meaning. */
  done: number
  total: number
  /** Recordings that the database has now. */
  recordings: number
}

/** After which a page ends. */
const PAGE_MILLISECONDS = 250
/** In one transaction. */
const BATCH_RECORDINGS = 200

/**
 * `song/merge` (ours): takes the references' songs and fingerprints into a new database, in pages;
 * a stopped merge continues.
 */
export const mergeReferences = method({
  name: 'song/merge',
  parameters: z.strictObject({}),
  async run(room: SongRoom, _given, { signal }): Promise<MergePage> {
    const deadline = performance.now() + PAGE_MILLISECONDS
    const { recordings, merging } = room
    const sources = sourcesOf(room)
    const total = sources.reduce((sum, { count }) => sum + count, 0)
    beginMerge(room, total)
    const lastId = sources.reduce((sum, { recordings }) => sum + recordings.lastId(), 0)
    while (performance.now() < deadline && recordings.lastId() < lastId) {
      if (!room.store.atomically.step(() => mergeRecordings(room, sources))) break
      await pause(signal)
    }
    let step = recordings.index.mergeStep() ?? 0
    if (performance.now() < deadline && step < TASK_STEPS)
      merging.merge ??= new IndexMerge(recordings, sources)
    while (performance.now() < deadline && step < TASK_STEPS) {
      room.store.atomically.step(() => {
        merging.merge?.mergeStep(step)
        recordings.index.setMergeStep(++step)
      })
      await pause(signal)
    }
    if (step === TASK_STEPS) {
      merging.merge = undefined
      settleFile(room.db)
    }
    const count = recordings.count()
    const totalSteps = total + TASK_STEPS
    return {
      done: step === TASK_STEPS ? totalSteps : count + step,
      total: totalSteps,
      recordings: count,
    }
  },
})

type CountedSource = MergeSource & { name: string; count: number }

/** @throws {ParameterError} without references, for one that is no file, or too many recordings */
function sourcesOf({ references, served }: SongRoom): CountedSource[] {
  for (const name of served.keys()) {
    throw invalidParameter(
      'references',
      `"${name}" is served by another process, which gives no index away; name its file`,
    )
  }
  if (references.length === 0) {
    throw invalidParameter('references', 'the option names none; name the databases to merge')
  }
  let offset = 0
  const sources = references.map(({ name, recordings }) => {
    const source = { name, recordings, offset, count: recordings.count() }
    offset += recordings.lastId()
    return source
  })
  if (offset < MAX_RECORDINGS) return sources
  const maximum = (MAX_RECORDINGS - 1).toLocaleString('en')
  throw new ParameterError(
    'limit_exceeded',
    `The references have ${offset.toLocaleString('en')} recordings; a database has room for ${maximum}. Merge fewer, and name several in the option references.`,
  )
}

/** @throws {ParameterError} when the database has recordings of its own */
function beginMerge({ store, recordings }: SongRoom, count: number): void {
  const { index } = recordings
  if (index.mergeStep() !== null) return
  store.atomically(() => {
    if (recordings.lastUsed() > 0) {
      throw new ParameterError(
        'invalid_parameter',
        'The database has recordings of its own; merge into a new one, and name this one in the option references.',
      )
    }
    index.setLayout(chooseLayout(count))
    index.setMergeStep(0)
  })
}

/** False when there are none left. */
function mergeRecordings(room: SongRoom, sources: readonly CountedSource[]): boolean {
  const lastId = room.recordings.lastId()
  for (const { name, recordings, offset } of sources) {
    const rows = recordings.after(Math.max(0, lastId - offset), BATCH_RECORDINGS)
    if (rows.length === 0) continue
    const stores = storesOf(room, name)
    const songImport = new SongImport(room)
    for (const { id, ...row } of rows) {
      const record = songRecordOf(stores, row.songId, null)
      if (!record) continue
      const { songId } = songImport.importRecord(record)
      room.recordings.addAs({ ...row, songId, trackId: null, id: offset + id })
    }
    songImport.finish()
    return true
  }
  return false
}
