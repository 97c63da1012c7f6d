import { method } from '../kernel/method.ts'
import { md5 } from '../values/md5.ts'
import { findOrAddArtist, storedTerms } from './apply-record.ts'
import { type BatchResult, batchParameters, importBatch } from './import-batch.ts'
import {
  type ArtistRecord,
  artistRecordSchema,
  type CheckedArtist,
  DOCUMENT_KINDS,
} from './record.ts'
import type { ArtistRoom } from './room.ts'

/** `artist/import` (ours): imports a batch in one transaction; known artists are updated. */
export const importArtists = method({
  name: 'artist/import',
  parameters: batchParameters<ArtistRecord>(),
  run(context: ArtistRoom, { records }): BatchResult {
    return context.store.atomically(() => {
      const importedNums = new Set<number>()
      const result = importBatch(records, artistRecordSchema, (record) =>
        importArtist(context, record, importedNums),
      )
      context.store.updateIndex([...importedNums])
      context.domain.publishEvent('artists.changed', {})
      return result
    })
  },
})

function importArtist(
  context: ArtistRoom,
  record: CheckedArtist,
  importedNums: Set<number>,
): boolean {
  const { store } = context
  const { artist, made: isNew } = findOrAddArtist(context, { ...record, own: true }, true)
  const { num } = artist
  importedNums.add(num)
  const { name, hotttnesss, familiarity, location = {}, urls } = record
  store.updateFacts(num, { name, hotttnesss, familiarity, ...location, urls })
  for (const alias of record.aliases ?? []) store.addName(num, alias, true)
  if (record.yearsActive) store.setYears(num, record.yearsActive)
  if (record.terms) store.terms.setOfArtist(num, storedTerms(record.terms))
  for (const kind of DOCUMENT_KINDS) {
    for (const document of record[kind] ?? []) putDocument(context, { num, name }, kind, document)
  }
  if (!isNew && artist.name !== name)
    context.domain.publishEvent('artists.renamed', { artists: [num] })
  return isNew
}

type DocumentField = 'id' | 'name' | 'title' | 'url' | 'summary' | 'dateFound' | 'datePosted'
type AnyDocument = { [F in DocumentField]?: string | undefined }

function putDocument(
  { store, relevanceOf }: ArtistRoom,
  artist: { num: number; name: string },
  kind: (typeof DOCUMENT_KINDS)[number],
  document: AnyDocument,
): void {
  const id = document.id ?? md5(document.url ?? JSON.stringify(document))
  // Answers show no id of biographies and images.
  const stored = kind === 'biographies' || kind === 'images' ? document : { ...document, id }
  const { dateFound = null, datePosted = null, name, title, summary = '' } = document
  const relevance = relevanceOf({ headline: name ?? title ?? '', text: summary }, artist.name)
  const json = JSON.stringify(stored)
  store.documents.put({
    artist: artist.num,
    kind,
    id,
    document: json,
    dateFound,
    datePosted,
    relevance,
  })
}
