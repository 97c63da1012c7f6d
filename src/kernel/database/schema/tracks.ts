/** Tracks, with their files, analyses, corrections and sound descriptors. */
export const TRACKS_SCHEMA = `
CREATE TABLE tracks (
  id TEXT PRIMARY KEY,
  md5 TEXT UNIQUE,
  status TEXT NOT NULL CHECK (status IN ('unknown', 'pending', 'complete', 'error')),
  error TEXT,
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
  updated_at INTEGER NOT NULL,
  song_id TEXT REFERENCES songs (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX tracks_created ON tracks (created_at, id);
CREATE INDEX tracks_song ON tracks (song_id) WHERE song_id IS NOT NULL;
-- By the sound, a file is known again that was renamed and retagged at once.
CREATE INDEX tracks_sound ON tracks (audio_md5) WHERE audio_md5 IS NOT NULL;
CREATE TRIGGER tracks_added AFTER INSERT ON tracks BEGIN
  INSERT OR IGNORE INTO track_changes VALUES (NEW.id);
END;
CREATE TRIGGER tracks_changed
AFTER UPDATE OF status, title, artist, release, tags, song_id ON tracks BEGIN
  INSERT OR IGNORE INTO track_changes VALUES (NEW.id);
END;
CREATE TRIGGER tracks_removed AFTER DELETE ON tracks BEGIN
  INSERT OR IGNORE INTO track_changes VALUES (OLD.id);
END;
CREATE INDEX tracks_title ON tracks (title COLLATE NOCASE, created_at, id);
CREATE INDEX tracks_artist ON tracks (artist COLLATE NOCASE, created_at, id);

CREATE TABLE track_foreign_ids (
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  catalog TEXT NOT NULL,
  type TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  PRIMARY KEY (track_id, catalog, type, foreign_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX track_foreign_ids_lookup ON track_foreign_ids (catalog, type, foreign_id);

-- The same bytes may lie at several paths.
CREATE TABLE track_files (
  path TEXT PRIMARY KEY,
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  -- Bytes, and milliseconds since 1970, when the bytes were those of the track.
  size INTEGER,
  modified REAL,
  present INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;
CREATE INDEX track_files_track ON track_files (track_id);
-- Tracks without an album are grouped by their folders. An upsert fires these and the triggers of
-- analyses, in which an OR IGNORE of theirs is not obeyed.
CREATE TRIGGER track_files_added AFTER INSERT ON track_files BEGIN
  INSERT INTO track_changes SELECT id FROM tracks
    WHERE id = NEW.track_id AND release IS NULL AND id NOT IN track_changes;
END;
CREATE TRIGGER track_files_removed AFTER DELETE ON track_files BEGIN
  INSERT INTO track_changes SELECT id FROM tracks
    WHERE id = OLD.track_id AND release IS NULL AND id NOT IN track_changes;
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
  loudness REAL,
  energy REAL,
  danceability REAL,
  speechiness REAL,
  tempo_confidence REAL,
  key_confidence REAL,
  mode_confidence REAL,
  time_signature_confidence REAL,
  beats_steady INTEGER,
  first_downbeat REAL,
  loudness_range REAL,
  max_momentary_loudness REAL,
  max_short_term_loudness REAL,
  true_peak REAL,
  track_gain REAL,
  acousticness REAL,
  valence REAL,
  -- Only imports tell these two; another analysis leaves them as they are.
  instrumentalness REAL,
  liveness REAL,
  -- What a network heard; another analysis leaves it as it is, as the sound of a track never changes.
  heard_speechiness REAL,
  heard_instrumentalness REAL,
  heard_liveness REAL,
  heard_voice REAL,
  -- 1: it came as a document, without audio: another version of the analyser cannot replace it.
  imported INTEGER NOT NULL DEFAULT 0,
  -- 1: others published the impressions, and they are kept where the document gives others.
  published INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TRIGGER analyses_added AFTER INSERT ON analyses WHEN NEW.track_id NOT IN track_changes BEGIN
  INSERT INTO track_changes VALUES (NEW.track_id);
END;
CREATE TRIGGER analyses_changed AFTER UPDATE ON analyses WHEN NEW.track_id NOT IN track_changes BEGIN
  INSERT INTO track_changes VALUES (NEW.track_id);
END;

-- The analysis document, as raw deflate of its text. In a table of its own: SQLite reads a column
-- behind a document of 100 kB by way of all its pages.
CREATE TABLE analysis_documents (
  track_id TEXT PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE,
  document BLOB NOT NULL
) STRICT;

-- What audile measured itself, and no document has.
CREATE TABLE track_waveforms (
  track_id TEXT PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE,
  -- Of the file, Hz; and samples in a channel.
  sample_rate INTEGER NOT NULL,
  samples INTEGER NOT NULL,
  -- Blocks of 400 ms by loudness, pairs of 32 bits; see analysis/loudness-measures.ts. Before the
  -- peaks, so that SQLite reads them without these.
  blocks BLOB NOT NULL,
  -- See analysis/waveform.ts.
  peaks BLOB NOT NULL
) STRICT;

-- What users corrected, and what the analysis says without it, as JSON.
CREATE TABLE track_corrections (
  track_id TEXT PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE,
  corrections TEXT NOT NULL,
  heard TEXT
) STRICT;

-- Hot cues and loops that users set, by the numbers of their pads; seconds.
CREATE TABLE track_cues (
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  time REAL NOT NULL,
  "end" REAL,
  name TEXT,
  colour TEXT,
  PRIMARY KEY (track_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE track_sounds (
  track_id TEXT PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE,
  -- 32-bit floats; see analysis/descriptor.ts.
  descriptor BLOB NOT NULL
) STRICT;
CREATE TRIGGER track_sounds_added AFTER INSERT ON track_sounds
  WHEN NEW.track_id NOT IN track_changes
BEGIN
  INSERT INTO track_changes VALUES (NEW.track_id);
END;

-- What a network heard in a track beside its summary.
CREATE TABLE track_hearings (
  track_id TEXT PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE,
  -- SHA-256 of the network's file.
  network TEXT NOT NULL,
  -- Patches from one that was heard to the next; 0 where it could not be heard, with the reason.
  every INTEGER NOT NULL,
  error TEXT,
  -- Of each patch that was heard the confidences of what is told, 0 to 255; see sounds/timeline.ts.
  moments BLOB NOT NULL,
  -- Names and confidences, as JSON.
  instruments TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`
