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
CREATE TABLE artists (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
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
CREATE TABLE song_foreign_ids (
  song_id TEXT NOT NULL REFERENCES songs (id) ON DELETE CASCADE,
  catalog TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  PRIMARY KEY (catalog, foreign_id, song_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE songs (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  title_key TEXT NOT NULL,
  artist_id TEXT REFERENCES artists (id),
  release TEXT,
  duration REAL,
  year INTEGER,
  -- 0: made from a track of one's own, and gone with the last of them.
  imported INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE sqlite_sequence(name,seq);
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
CREATE INDEX artists_name ON artists (name_key);
CREATE INDEX jobs_claimed ON jobs (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE UNIQUE INDEX jobs_once ON jobs (kind, subject) WHERE failed_at IS NULL;
CREATE INDEX jobs_ready ON jobs (kind, priority DESC, run_at, id)
  WHERE claimed_by IS NULL AND failed_at IS NULL;
CREATE INDEX recordings_imported ON recordings (id) WHERE track_id IS NULL;
CREATE INDEX recordings_song ON recordings (song_id);
CREATE INDEX recordings_track ON recordings (track_id) WHERE track_id IS NOT NULL;
CREATE INDEX song_foreign_ids_song ON song_foreign_ids (song_id);
CREATE INDEX songs_artist ON songs (artist_id, title_key);
CREATE INDEX songs_title ON songs (title_key);
CREATE INDEX track_foreign_ids_lookup ON track_foreign_ids (catalog, type, foreign_id);
CREATE INDEX tracks_created ON tracks (created_at, id);
CREATE INDEX tracks_song ON tracks (song_id) WHERE song_id IS NOT NULL;
