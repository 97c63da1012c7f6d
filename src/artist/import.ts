import { method } from '../kernel/method.ts'
import { md5 } from '../values/md5.ts'
import { artistOf, storedTerms } from './apply-record.ts'
import { type BatchResult, batchOf, importBatch } from './import-batch.ts'
import { type ArtistRecord, artistRecord, type CheckedArtist, DOCUMENT_KINDS } from './record.ts'
import type { ArtistRoom } from './room.ts'

/**
 * `artist/import` (ours): imports a batch of reference artists in one transaction. An artist with a
 * known id, foreign id or name is updated. A bad record is rejected.
 */
export const importArtists = method({
  name: 'artist/import',
  parameters: batchOf<ArtistRecord>(),
  run(context: ArtistRoom, { records }): BatchResult {
    return context.store.atomically(() => {
      const touched = new Set<number>()
      const result = importBatch(records, artistRecord, (one) => importOne(context, one, touched))
      context.store.index([...touched])
      context.domain.publishEvent('artists.changed', {})
      return result
    })
  },
})

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
  for (const kind of DOCUMENT_KINDS) {
    for (const document of given[kind] ?? []) putDocument(context, { num, name }, kind, document)
  }
  if (!made && artist.name !== name)
    context.domain.publishEvent('artists.renamed', { artists: [num] })
  return made
}

type Field = 'id' | 'name' | 'title' | 'url' | 'summary' | 'dateFound' | 'datePosted'
type AnyDocument = { [F in Field]?: string | undefined }

function putDocument(
  { store, relevanceOf }: ArtistRoom,
  artist: { num: number; name: string },
  kind: (typeof DOCUMENT_KINDS)[number],
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
