import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ParameterError } from '../errors.ts'
import { decodeCode } from '../fingerprint/codec.ts'
import { isId, newId, parseForeignId } from '../ids.ts'
import { type Fingerprints, ingest } from '../recording/ingest.ts'
import { needsPacking, PACK_JOB } from '../recording/pack-job.ts'
import { parse } from '../validate.ts'
import type { SongContext } from './context.ts'
import { IMPORTED } from './find.ts'

const name = z.string().trim().min(1)

/** A song of a reference collection. All but `title` and `artistName` can be left out. */
const record = z.strictObject({
  /** An id of the service's form, or any other, which is kept as a foreign id. */
  id: name.optional(),
  title: name,
  artistId: name.optional(),
  artistName: name,
  release: name.optional(),
  year: z.int().optional(),
  /** Seconds. */
  duration: z.number().nonnegative().optional(),
  foreignIds: z.array(z.strictObject({ catalog: name, foreignId: name })).optional(),
  fingerprints: z
    .array(z.strictObject({ version: z.union([z.number(), name]), code: z.string() }))
    .optional(),
})

/** A song of a reference collection, as `songs.import` takes it. */
export type SongRecord = z.input<typeof record>

export const parameters = z.strictObject({
  // Each is checked by itself: one that is bad must not cost the others.
  records: z.array(z.custom<SongRecord>(() => true)).max(1000),
})

/** What became of a batch of records. */
export interface ImportResult {
  imported: number
  updated: number
  /** Records that were not taken, by their place in the batch, and why. */
  rejected: { index: number; info: string }[]
}

/**
 * `song/import` (ours): takes in a batch of reference songs, in one transaction. A song that is
 * known by its id or a foreign id is updated; a record that is bad is told and passed over.
 */
export function importSongs(
  context: SongContext,
  given: z.output<typeof parameters>,
): ImportResult {
  const result: ImportResult = { imported: 0, updated: 0, rejected: [] }
  context.store.atomically(() => {
    for (const [index, input] of given.records.entries()) {
      try {
        const updated = importOne(context, parse(record, input))
        if (updated) result.updated++
        else result.imported++
      } catch (error) {
        if (!(error instanceof Error) || error.name === 'SqliteError') throw error
        result.rejected.push({ index, info: error.message })
      }
    }
    if (needsPacking(context.recordings)) context.enqueue({ kind: PACK_JOB, subject: 'index' })
  })
  return result
}

/** Takes in one record; whether its song was known. */
function importOne(context: SongContext, given: z.output<typeof record>): boolean {
  // All that can be refused comes before the first write.
  const prints = (given.fingerprints ?? []).map(printOf)
  const { store, now } = context
  const ids = foreignIdsOf(given)
  const native = given.id !== undefined && isId('song', given.id) ? given.id : undefined
  const known =
    (native && store.byId(native) ? native : undefined) ??
    ids.map(({ catalog, id }) => store.byForeignId(catalog, id)).find((id) => id !== undefined)
  const id = known ?? native ?? newId('song', now())
  const facts = {
    id,
    title: given.title,
    artistId: artistOf(context, given),
    release: given.release ?? null,
    // 0 and the like mean that it is not known.
    duration: given.duration || null,
    year: given.year !== undefined && given.year > 0 ? given.year : null,
  }
  if (known === undefined) store.add({ ...facts, imported: true, now: now() })
  else store.update(facts)
  for (const { catalog, id: foreignId } of ids) store.addForeignId(id, catalog, foreignId)
  for (const { version, md5, fingerprints } of prints) {
    if (context.recordings.holds(id, md5)) continue
    const recording = {
      songId: id,
      trackId: null,
      duration: facts.duration,
      fingerprintVersion: version,
      codeMd5: md5,
    }
    ingest(context.recordings, recording, fingerprints)
  }
  return known !== undefined
}

interface Print {
  version: string
  /** Of the code string: the same one twice is one recording. */
  md5: string
  fingerprints: Fingerprints
}

function printOf({ version, code }: { version: string | number; code: string }): Print {
  const decoded = decodeCode(code, version)
  if (decoded.codes === undefined) {
    const message = `fingerprints - Invalid parameter: ${decoded.message}`
    throw new ParameterError('invalid_parameter', message)
  }
  const { family, codes } = decoded
  const md5 = createHash('md5').update(code).digest('hex')
  return { version: String(version), md5, fingerprints: { [family]: codes } }
}

function foreignIdsOf({ id, foreignIds = [] }: z.output<typeof record>) {
  const found = foreignIds.map(({ catalog, foreignId }) => ({ catalog, id: foreignId }))
  if (id === undefined || isId('song', id)) return found
  const foreign = parseForeignId(id)
  found.push(foreign ?? { catalog: IMPORTED, id })
  return found
}

function artistOf(
  { artists, now }: Pick<SongContext, 'artists' | 'now'>,
  { artistId, artistName }: z.output<typeof record>,
): string {
  const native = artistId !== undefined && isId('artist', artistId) ? artistId : undefined
  const known = native === undefined ? artists.byName(artistName) : artists.byId(native)
  if (known) return known.id
  const id = native ?? newId('artist', now())
  artists.add({ id, name: artistName, imported: true, now: now() })
  return id
}
