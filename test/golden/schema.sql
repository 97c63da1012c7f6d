CREATE TRIGGER recordings_added AFTER INSERT ON recordings BEGIN
  UPDATE index_state SET generation = generation + 1;
END;
CREATE TRIGGER recordings_removed AFTER DELETE ON recordings BEGIN
  DELETE FROM recording_codes WHERE recording_id = OLD.id;
  INSERT OR IGNORE INTO removed_recordings (id) VALUES (OLD.id);
  UPDATE index_state SET generation = generation + 1;
END;
CREATE TABLE analyses (
  track_id TEXT PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE,
  analyzer_version TEXT NOT NULL,
  analyzed_at INTEGER NOT NULL,
  duration REAL NOT NULL,
  tempo REAL NOT NULL,
  "key" INTEGER NOT NULL,
  mode INTEGER NOT NULL,
  time_signature INTEGER NOT NULL,
  loudness REAL NOT NULL,
  energy REAL,
  danceability REAL,
  speechiness REAL,
  document BLOB NOT NULL
) STRICT;
CREATE TABLE artist_columns (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
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
CREATE TABLE artist_foreign_ids (
  catalog TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  artist INTEGER NOT NULL REFERENCES artists (num) ON DELETE CASCADE,
  PRIMARY KEY (catalog, foreign_id, artist)
) STRICT, WITHOUT ROWID;
CREATE TABLE artist_names (
  name_key TEXT NOT NULL,
  artist INTEGER NOT NULL REFERENCES artists (num) ON DELETE CASCADE,
  squashed_key TEXT NOT NULL,
  alias TEXT,
  PRIMARY KEY (name_key, artist)
) STRICT, WITHOUT ROWID;
CREATE TABLE artist_terms (
  artist INTEGER NOT NULL REFERENCES artists (num) ON DELETE CASCADE,
  term INTEGER NOT NULL REFERENCES terms (num),
  kinds INTEGER NOT NULL,
  weight REAL NOT NULL,
  frequency REAL NOT NULL,
  PRIMARY KEY (artist, term)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE artist_words USING fts5 (
  name, content = '', contentless_delete = 1, detail = column,
  tokenize = 'unicode61 remove_diacritics 0'
);
CREATE TABLE 'artist_words_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE 'artist_words_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE 'artist_words_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);
CREATE TABLE 'artist_words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TABLE artist_years (
  artist INTEGER NOT NULL REFERENCES artists (num) ON DELETE CASCADE,
  start_year INTEGER NOT NULL,
  end_year INTEGER,
  PRIMARY KEY (artist, start_year)
) STRICT, WITHOUT ROWID;
CREATE TABLE "artists" (
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
CREATE TABLE code_frequencies (
  id INTEGER PRIMARY KEY,
  counts BLOB NOT NULL
) STRICT;
CREATE TABLE engines (
  id TEXT PRIMARY KEY,
  pid INTEGER NOT NULL,
  process_started INTEGER NOT NULL,
  host TEXT NOT NULL,
  heartbeat INTEGER NOT NULL
) STRICT;
CREATE TABLE index_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  generation INTEGER NOT NULL,
  packs INTEGER NOT NULL,
  task TEXT CHECK (task IN ('pack', 'purge')),
  upto INTEGER,
  step INTEGER
) STRICT;
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  payload TEXT NOT NULL,
  priority INTEGER NOT NULL,
  run_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  crashes INTEGER NOT NULL DEFAULT 0,
  claimed_by TEXT,
  claimed_at INTEGER,
  failed_at INTEGER,
  error TEXT
) STRICT;
CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  commercial INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE TABLE postings (
  id INTEGER PRIMARY KEY,
  postings BLOB NOT NULL
) STRICT;
CREATE TABLE recording_codes (
  recording_id INTEGER NOT NULL,
  family INTEGER NOT NULL,
  codes BLOB NOT NULL,
  PRIMARY KEY (recording_id, family)
) STRICT;
CREATE TABLE recordings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  song_id TEXT NOT NULL REFERENCES songs (id) ON DELETE CASCADE,
  track_id TEXT REFERENCES tracks (id) ON DELETE CASCADE,
  duration REAL,
  fingerprint_version TEXT NOT NULL,
  -- Of an imported code string: the same one twice is one recording.
  code_md5 TEXT
) STRICT;
CREATE TABLE removed_recordings (
  id INTEGER PRIMARY KEY,
  purging INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE song_columns (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE TABLE "song_foreign_ids" (
  catalog TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  song INTEGER NOT NULL REFERENCES songs (num) ON DELETE CASCADE,
  PRIMARY KEY (catalog, foreign_id, song)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE song_terms (
  song INTEGER NOT NULL REFERENCES songs (num) ON DELETE CASCADE,
  term INTEGER NOT NULL REFERENCES terms (num),
  kinds INTEGER NOT NULL,
  weight REAL NOT NULL,
  PRIMARY KEY (song, term)
) STRICT, WITHOUT ROWID;
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
CREATE VIRTUAL TABLE song_words USING fts5 (
  title, artist, content = '', contentless_delete = 1, detail = column,
  tokenize = 'unicode61 remove_diacritics 0'
);
CREATE TABLE 'song_words_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE 'song_words_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE 'song_words_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);
CREATE TABLE 'song_words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TABLE "songs" (
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
CREATE TABLE sqlite_sequence(name,seq);
CREATE TABLE terms (
  num INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE track_foreign_ids (
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  catalog TEXT NOT NULL,
  type TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  PRIMARY KEY (track_id, catalog, type, foreign_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE tracks (
  id TEXT PRIMARY KEY,
  md5 TEXT UNIQUE,
  status TEXT NOT NULL CHECK (status IN ('unknown', 'pending', 'complete', 'error')),
  error TEXT,
  path TEXT,
  spooled INTEGER NOT NULL DEFAULT 0,
  url TEXT,
  title TEXT,
  artist TEXT,
  release TEXT,
  bitrate INTEGER,
  samplerate INTEGER,
  audio_md5 TEXT,
  tags TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, song_id TEXT REFERENCES songs (id) ON DELETE SET NULL) STRICT;
CREATE INDEX artist_columns_revision ON artist_columns (revision);
CREATE INDEX artist_foreign_ids_artist ON artist_foreign_ids (artist);
CREATE INDEX artist_names_artist ON artist_names (artist);
CREATE INDEX artist_names_squashed ON artist_names (squashed_key);
CREATE INDEX artist_terms_term ON artist_terms (term, kinds, artist, weight);
CREATE INDEX jobs_claimed ON jobs (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE UNIQUE INDEX jobs_once ON jobs (kind, subject) WHERE failed_at IS NULL;
CREATE INDEX jobs_ready ON jobs (kind, priority DESC, run_at, id)
  WHERE claimed_by IS NULL AND failed_at IS NULL;
CREATE INDEX recordings_imported ON recordings (id) WHERE track_id IS NULL;
CREATE INDEX recordings_song ON recordings (song_id);
CREATE INDEX recordings_track ON recordings (track_id) WHERE track_id IS NOT NULL;
CREATE INDEX song_columns_revision ON song_columns (revision);
CREATE INDEX song_foreign_ids_song ON song_foreign_ids (song);
CREATE INDEX song_terms_term ON song_terms (term, kinds, song, weight);
CREATE INDEX song_tracks_foreign ON song_tracks (catalog, foreign_id);
CREATE INDEX song_tracks_track ON song_tracks (track_id) WHERE track_id IS NOT NULL;
CREATE INDEX songs_artist ON songs (artist, title_key);
CREATE INDEX songs_title ON songs (title_key);
CREATE INDEX track_foreign_ids_lookup ON track_foreign_ids (catalog, type, foreign_id);
CREATE INDEX tracks_created ON tracks (created_at, id);
CREATE INDEX tracks_song ON tracks (song_id) WHERE song_id IS NOT NULL;
