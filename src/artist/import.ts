import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { md5 } from '../md5.ts'
import { parse } from '../validate.ts'
import { artistOf, storedTerms } from './apply-record.ts'
import { type ArtistRecord, artistRecord, type CheckedArtist } from './record.ts'
import type { ArtistRoom } from './room.ts'

const parameters = z.strictObject({
  /** At most 1,000. Each is checked by itself, so that a bad one does not affect the others. */
  records: z.array(z.custom<ArtistRecord>(() => true)).max(1000),
})

/** The result of a batch of records. */
export interface ImportResult {
  imported: number
  updated: number
  /** Records that were not imported: their index in the batch, and why. */
  rejected: { index: number; info: string }[]
}

/**
 * `artist/import` (ours): imports a batch of reference artists in one transaction. An artist with a
 * known id, foreign id or name is updated. A bad record is rejected.
 */
export const importArtists = method({
  name: 'artist/import',
  parameters,
  run(context: ArtistRoom, given): ImportResult {
    const result: ImportResult = { imported: 0, updated: 0, rejected: [] }
    context.store.atomically(() => {
      const touched = new Set<number>()
      for (const [index, input] of given.records.entries()) {
        try {
          if (importOne(context, parse(artistRecord, input, 'record'), touched)) result.imported++
          else result.updated++
        } catch (error) {
          if (!(error instanceof Error) || error.name === 'SqliteError') throw error
          result.rejected.push({ index, info: error.message })
        }
      }
      context.store.index([...touched])
      context.domain.publish('artists.changed', {})
    })
    return result
  },
})

/** Imports one record; true if its artist is new. */
function importOne(context: ArtistRoom, given: CheckedArtist, touched: Set<number>): boolean {
  const { store } = context
  const { artist, made } = artistOf(context, { ...given, own: true }, true)
  const { num } = artist
  touched.add(num)
  const { name, hotttnesss, familiarity, location = {}, urls } = given
  store.update(num, { name, hotttnesss, familiarity, ...location, urls })
  for (const alias of given.aliases ?? []) store.addName(num, alias, true)
  if (given.yearsActive) store.setYears(num, given.yearsActive)
  if (given.terms) store.terms.setOfArtist(num, storedTerms(given.terms))
  for (const kind of DOCUMENTS) {
    for (const document of given[kind] ?? []) putDocument(context, { num, name }, kind, document)
  }
  if (!made && artist.name !== name) context.domain.publish('artists.renamed', { artists: [num] })
  return made
}

/** The kinds of documents about artists. */
const DOCUMENTS = ['biographies', 'blogs', 'news', 'reviews', 'images', 'video'] as const

interface AnyDocument {
  id?: string | undefined
  name?: string | undefined
  title?: string | undefined
  url?: string | undefined
  summary?: string | undefined
  dateFound?: string | undefined
  datePosted?: string | undefined
}

function putDocument(
  { store, relevanceOf }: ArtistRoom,
  artist: { num: number; name: string },
  kind: (typeof DOCUMENTS)[number],
  given: AnyDocument,
): void {
  const id = given.id ?? md5(given.url ?? JSON.stringify(given))
  // Answers show no id of biographies and images.
  const named = kind === 'biographies' || kind === 'images' ? given : { ...given, id }
  const { dateFound = null, datePosted = null, name, title, summary = '' } = given
  const relevance = relevanceOf({ headline: name ?? title ?? '', text: summary }, artist.name)
  const document = JSON.stringify(named)
  store.documents.put({ artist: artist.num, kind, id, document, dateFound, datePosted, relevance })
}
