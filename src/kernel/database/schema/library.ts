/**
 * The tables that track searches read. They are derived from tracks, analyses and songs; triggers
 * record which tracks changed, whichever code changed them.
 */
export const LIBRARY_SCHEMA = `
-- The numbers by which the tables below name tracks.
CREATE TABLE track_nums (
  num INTEGER PRIMARY KEY AUTOINCREMENT,
  track_id TEXT NOT NULL UNIQUE
) STRICT;

-- Tracks that changed since they were indexed.
CREATE TABLE track_changes (
  track_id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Albums and artists of tracks, in the spelling of the track that was indexed first.
CREATE TABLE track_albums (
  num INTEGER PRIMARY KEY AUTOINCREMENT,
  artist_key TEXT NOT NULL,
  title_key TEXT NOT NULL,
  artist TEXT,
  title TEXT NOT NULL,
  UNIQUE (artist_key, title_key)
) STRICT;

CREATE TABLE track_artists (
  num INTEGER PRIMARY KEY AUTOINCREMENT,
  name_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL
) STRICT;

-- The numbers by which tracks are filtered and sorted, in blocks.
CREATE TABLE track_columns (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE INDEX track_columns_revision ON track_columns (revision);

-- The vectors by which similar tracks are found, in blocks.
CREATE TABLE track_vectors (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE INDEX track_vectors_revision ON track_vectors (revision);

-- The words of names, and for each track and song the numbers of its words, in blocks.
CREATE TABLE track_texts_words (
  block INTEGER PRIMARY KEY,
  data BLOB NOT NULL
) STRICT;

CREATE TABLE track_texts (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE INDEX track_texts_revision ON track_texts (revision);

-- For each word, the texts that have it.
CREATE TABLE track_texts_postings (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE INDEX track_texts_postings_revision ON track_texts_postings (revision);
`
