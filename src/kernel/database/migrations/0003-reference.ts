/**
 * Reference data: what is known of songs and artists besides their names, in numbers that tables
 * and postings can share; the words of their names; and the columns that search reads.
 */
export const reference = {
  version: 3,
  name: 'reference',
  sql: `
CREATE TABLE new_artists (
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
INSERT INTO new_artists (id, name, imported, created_at)
  SELECT id, name, imported, created_at FROM artists ORDER BY rowid;

-- Every name of an artist, in the forms that are looked up. Its own name stands in \`artists\`.
CREATE TABLE artist_names (
  name_key TEXT NOT NULL,
  artist INTEGER NOT NULL REFERENCES artists (num) ON DELETE CASCADE,
  squashed_key TEXT NOT NULL,
  alias TEXT,
  PRIMARY KEY (name_key, artist)
) STRICT, WITHOUT ROWID;
INSERT INTO artist_names (name_key, artist, squashed_key)
  SELECT a.name_key, n.num, replace(a.name_key, ' ', '') FROM artists a JOIN new_artists n USING (id);
CREATE INDEX artist_names_squashed ON artist_names (squashed_key);
CREATE INDEX artist_names_artist ON artist_names (artist);

CREATE TABLE new_songs (
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
INSERT INTO new_songs (id, title, title_key, artist, release, duration, year, imported, created_at)
  SELECT s.id, s.title, s.title_key, n.num, s.release, s.duration, s.year,
    iif(s.imported, 1 + 2 * (s.release IS NOT NULL) + 4 * (s.duration IS NOT NULL)
      + 8 * (s.year IS NOT NULL), 0), s.created_at
  FROM songs s LEFT JOIN new_artists n ON n.id = s.artist_id ORDER BY s.rowid;

CREATE TABLE new_song_foreign_ids (
  catalog TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  song INTEGER NOT NULL REFERENCES songs (num) ON DELETE CASCADE,
  PRIMARY KEY (catalog, foreign_id, song)
) STRICT, WITHOUT ROWID;
INSERT INTO new_song_foreign_ids (catalog, foreign_id, song)
  SELECT f.catalog, f.foreign_id, n.num FROM song_foreign_ids f JOIN new_songs n ON n.id = f.song_id;

DROP TABLE song_foreign_ids;
DROP TABLE songs;
DROP TABLE artists;
ALTER TABLE new_artists RENAME TO artists;
ALTER TABLE new_songs RENAME TO songs;
ALTER TABLE new_song_foreign_ids RENAME TO song_foreign_ids;
CREATE INDEX songs_artist ON songs (artist, title_key);
CREATE INDEX songs_title ON songs (title_key);
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

-- Biographies, blogs, news, reviews, images, video: each as it is answered, in JSON.
CREATE TABLE artist_documents (
  num INTEGER PRIMARY KEY,
  artist INTEGER NOT NULL REFERENCES artists (num) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  -- Tells one document from another, and the same one that comes again.
  id TEXT NOT NULL,
  document TEXT NOT NULL,
  date_found TEXT,
  date_posted TEXT,
  UNIQUE (artist, kind, id)
) STRICT;

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
CREATE VIRTUAL TABLE artist_words USING fts5 (
  name, content = '', contentless_delete = 1, detail = column,
  tokenize = 'unicode61 remove_diacritics 0'
);

-- The numbers by which songs and artists are filtered and sorted, side by side in blocks: search
-- reads them as arrays. Made from the tables above, in the transaction that changes them.
CREATE TABLE song_columns (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE INDEX song_columns_revision ON song_columns (revision);
CREATE TABLE artist_columns (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE INDEX artist_columns_revision ON artist_columns (revision);
`,
} as const
