/** Songs: names, facts and terms, and the words and numbers that searches read. */
export const SONGS_SCHEMA = `
CREATE TABLE songs (
  num INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  title_key TEXT NOT NULL,
  artist INTEGER REFERENCES artists (num),
  -- The artists as the song credits them, where that is not just the artist's name.
  credit TEXT,
  release TEXT,
  duration REAL,
  year INTEGER,
  hotttnesss REAL,
  heard_hotttnesss REAL,
  song_type TEXT,
  -- 0: made from a track of one's own, and gone with the last of them. Else which fields an import
  -- has set, as bits: 1 names, 2 release, 4 duration, 8 year.
  imported INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX songs_artist ON songs (artist, title_key);
CREATE INDEX songs_title ON songs (title_key);
CREATE INDEX songs_heard ON songs (num) WHERE heard_hotttnesss IS NOT NULL;
-- A track without tags has the names of its song.
CREATE TRIGGER songs_renamed AFTER UPDATE OF title, artist, credit, release ON songs BEGIN
  INSERT OR IGNORE INTO track_changes SELECT id FROM tracks WHERE song_id = NEW.id;
END;

CREATE TABLE song_foreign_ids (
  catalog TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  song INTEGER NOT NULL REFERENCES songs (num) ON DELETE CASCADE,
  PRIMARY KEY (catalog, foreign_id, song)
) STRICT, WITHOUT ROWID;
CREATE INDEX song_foreign_ids_song ON song_foreign_ids (song);

-- What imports say of a song's sound; what audile's own analyses say goes before it.
CREATE TABLE song_summaries (
  song INTEGER PRIMARY KEY REFERENCES songs (num) ON DELETE CASCADE,
  tempo REAL,
  "key" INTEGER,
  mode INTEGER,
  time_signature INTEGER,
  loudness REAL,
  energy REAL,
  danceability REAL,
  speechiness REAL,
  acousticness REAL,
  instrumentalness REAL,
  liveness REAL,
  valence REAL,
  audio_md5 TEXT
) STRICT;

-- Tracks in other id spaces.
CREATE TABLE song_tracks (
  song INTEGER NOT NULL REFERENCES songs (num) ON DELETE CASCADE,
  catalog TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  track_id TEXT,
  foreign_release_id TEXT,
  preview_url TEXT,
  release_image TEXT,
  PRIMARY KEY (song, catalog, foreign_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX song_tracks_foreign ON song_tracks (catalog, foreign_id);
CREATE INDEX song_tracks_track ON song_tracks (track_id) WHERE track_id IS NOT NULL;

CREATE TABLE song_terms (
  song INTEGER NOT NULL REFERENCES songs (num) ON DELETE CASCADE,
  term INTEGER NOT NULL REFERENCES terms (num),
  kinds INTEGER NOT NULL,
  weight REAL NOT NULL,
  PRIMARY KEY (song, term)
) STRICT, WITHOUT ROWID;
CREATE INDEX song_terms_term ON song_terms (term, kinds, song, weight);

-- The words of titles and of the artists as credited; of the names of artists. Fed with words that
-- are normalised already.
CREATE VIRTUAL TABLE song_words USING fts5 (
  title, artist, content = '', contentless_delete = 1, detail = column,
  tokenize = 'unicode61 remove_diacritics 0'
);

CREATE VIRTUAL TABLE song_word_counts USING fts5vocab (song_words, row);

-- The numbers by which songs and artists are filtered and sorted, side by side in blocks: search
-- reads them as arrays. Made from the tables above, in the transaction that changes them.
CREATE TABLE song_columns (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE INDEX song_columns_revision ON song_columns (revision);

CREATE TABLE song_texts_words (
  block INTEGER PRIMARY KEY,
  data BLOB NOT NULL
) STRICT;

CREATE TABLE song_texts (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE INDEX song_texts_revision ON song_texts (revision);

-- For each word, the texts that have it.
CREATE TABLE song_texts_postings (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE INDEX song_texts_postings_revision ON song_texts_postings (revision);
`
