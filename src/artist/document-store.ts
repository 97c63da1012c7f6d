import { all, run, statements, values } from '../kernel/database/statements.ts'

/** A document about an artist, as it is answered, in JSON. */
export interface ArtistDocument {
  kind: string
  id: string
  document: string
  dateFound: string | null
  datePosted: string | null
  /** How much it is about the artist, 0…1. */
  relevance: number
}

/** The documents about artists. */
export const artistDocuments = statements({
  /** Adds a document, or overwrites the one with its id. */
  put: run<ArtistDocument & { artist: number }>(
    `INSERT INTO artist_documents
       (artist, kind, id, document, date_found, date_posted, relevance)
     VALUES (@artist, @kind, @id, @document, @dateFound, @datePosted, @relevance)
     ON CONFLICT (artist, kind, id) DO UPDATE SET document = excluded.document,
       date_found = excluded.date_found, date_posted = excluded.date_posted,
       relevance = excluded.relevance, item = NULL`,
  ),
  newest: values<[artist: number, kind: string, results: number], string>(
    `SELECT coalesce(i.document, d.document)
     FROM artist_documents d LEFT JOIN feed_items i ON i.num = d.item
     WHERE d.artist = ? AND d.kind = ?
     ORDER BY d.date DESC, d.num LIMIT ?`,
  ),
  counts: all<[artist: number], { kind: string; count: number }>(
    'SELECT kind, count(*) AS count FROM artist_documents WHERE artist = ? GROUP BY kind',
  ),
})
