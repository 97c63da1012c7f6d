/** Artists: names, facts, terms, documents, and the words and numbers that searches read. */
export const ARTISTS_SCHEMA = `
CREATE TABLE artists (
  num INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  -- As imported; what listening shows of it stands beside.
  familiarity REAL,
  hotttnesss REAL,
  heard_familiarity REAL,
  heard_hotttnesss REAL,
  latitude REAL,
  longitude REAL,
  location TEXT,
  city TEXT,
  region TEXT,
  country TEXT,
  -- Of all years of activity: the first start and the last end, 9999 while it goes on.
  start_year INTEGER,
  end_year INTEGER,
  urls TEXT NOT NULL DEFAULT '{}',
  -- Digest of what song records last said of the artist: they say the same with each song.
  said TEXT,
  imported INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
-- Those of whom something is known from catalogs.
CREATE INDEX artists_heard ON artists (num) WHERE heard_familiarity IS NOT NULL;

-- Every name of an artist, in the forms that are looked up. Its own name stands in \`artists\`.
CREATE TABLE artist_names (
  name_key TEXT NOT NULL,
  artist INTEGER NOT NULL REFERENCES artists (num) ON DELETE CASCADE,
  squashed_key TEXT NOT NULL,
  alias TEXT,
  PRIMARY KEY (name_key, artist)
) STRICT, WITHOUT ROWID;
CREATE INDEX artist_names_squashed ON artist_names (squashed_key);
CREATE INDEX artist_names_artist ON artist_names (artist);

-- The consonants of names, by which those of another script are looked up.
CREATE TABLE artist_sounds (
  sound_key TEXT NOT NULL,
  -- 1: the name is in Latin letters.
  latin INTEGER NOT NULL,
  artist INTEGER NOT NULL REFERENCES artists (num) ON DELETE CASCADE,
  PRIMARY KEY (sound_key, latin, artist)
) STRICT, WITHOUT ROWID;
CREATE INDEX artist_sounds_artist ON artist_sounds (artist);

CREATE TABLE artist_foreign_ids (
  catalog TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  artist INTEGER NOT NULL REFERENCES artists (num) ON DELETE CASCADE,
  PRIMARY KEY (catalog, foreign_id, artist)
) STRICT, WITHOUT ROWID;
CREATE INDEX artist_foreign_ids_artist ON artist_foreign_ids (artist);

CREATE TABLE artist_years (
  artist INTEGER NOT NULL REFERENCES artists (num) ON DELETE CASCADE,
  start_year INTEGER NOT NULL,
  end_year INTEGER,
  PRIMARY KEY (artist, start_year)
) STRICT, WITHOUT ROWID;

CREATE TABLE terms (
  num INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- \`kinds\` are bits: 1 style, 2 mood, 4 description. \`imported\` 0: from the tags of one's own tracks.
CREATE TABLE artist_terms (
  artist INTEGER NOT NULL REFERENCES artists (num) ON DELETE CASCADE,
  term INTEGER NOT NULL REFERENCES terms (num),
  kinds INTEGER NOT NULL,
  weight REAL NOT NULL,
  frequency REAL NOT NULL,
  PRIMARY KEY (artist, term)
) STRICT, WITHOUT ROWID;
CREATE INDEX artist_terms_term ON artist_terms (term, kinds, artist, weight);

-- The documents of artists, imported or of feeds: those are in \`feed_items\`, and each artist whom
-- one names has a row here. The number is never used again: it tells what came after a first page.
CREATE TABLE artist_documents (
  num INTEGER PRIMARY KEY AUTOINCREMENT,
  artist INTEGER NOT NULL REFERENCES artists (num) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  -- Tells one document from another, and the same one that comes again.
  id TEXT NOT NULL,
  document TEXT,
  item INTEGER REFERENCES feed_items (num) ON DELETE CASCADE,
  date_found TEXT,
  date_posted TEXT,
  -- How much it is about the artist, 0 to 1.
  relevance REAL NOT NULL DEFAULT 0,
  -- The date of sorting: when it was posted; when it was found where that is not known, no date as
  -- others are, or would be later.
  date TEXT GENERATED ALWAYS AS (
    CASE WHEN date_posted GLOB '[0-9][0-9][0-9][0-9]*' AND date_posted <= coalesce(date_found, date_posted)
      THEN date_posted ELSE date_found END
  ) VIRTUAL,
  UNIQUE (artist, kind, id),
  CHECK ((document IS NULL) <> (item IS NULL))
) STRICT;
CREATE INDEX artist_documents_item ON artist_documents (item) WHERE item IS NOT NULL;
CREATE INDEX artist_documents_id ON artist_documents (id, kind, artist);
CREATE INDEX artist_documents_newest ON artist_documents
  (date DESC, id, kind, artist, num, relevance);

CREATE VIRTUAL TABLE artist_words USING fts5 (
  name, content = '', contentless_delete = 1, detail = column,
  tokenize = 'unicode61 remove_diacritics 0'
);

-- Fed with the keys of all names of an artist, a space before and after each.
CREATE VIRTUAL TABLE artist_grams USING fts5 (
  names, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
);

CREATE VIRTUAL TABLE artist_gram_counts USING fts5vocab (artist_grams, row);

CREATE TABLE artist_columns (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE INDEX artist_columns_revision ON artist_columns (revision);
`
