/** The index of fingerprints by which songs are recognised. */
export const RECORDINGS_SCHEMA = `
-- What fingerprints were taken of: a track of one's own, or a code string that was imported. The
-- number stands in the postings and is never used again.
CREATE TABLE recordings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  song_id TEXT NOT NULL REFERENCES songs (id) ON DELETE CASCADE,
  track_id TEXT REFERENCES tracks (id) ON DELETE CASCADE,
  duration REAL,
  fingerprint_version TEXT NOT NULL,
  -- Of an imported code string: the same one twice is one recording.
  code_md5 TEXT
) STRICT;
CREATE INDEX recordings_song ON recordings (song_id);
CREATE INDEX recordings_imported ON recordings (id) WHERE track_id IS NULL;
CREATE INDEX recordings_track ON recordings (track_id) WHERE track_id IS NOT NULL;
CREATE TRIGGER recordings_added AFTER INSERT ON recordings BEGIN
  UPDATE index_state SET generation = generation + 1;
END;
CREATE TRIGGER recordings_removed AFTER DELETE ON recordings BEGIN
  DELETE FROM recording_codes WHERE recording_id = OLD.id;
  INSERT OR IGNORE INTO removed_recordings (id) VALUES (OLD.id);
  UPDATE index_state SET generation = generation + 1;
END;

-- The newest recordings, not yet in postings: their codes as one run, sorted by slot.
CREATE TABLE recording_codes (
  recording_id INTEGER NOT NULL,
  family INTEGER NOT NULL,
  codes BLOB NOT NULL,
  PRIMARY KEY (recording_id, family)
) STRICT;

-- Where a code occurs. The id is family, slot of the code and segment of recordings in one number.
CREATE TABLE postings (
  id INTEGER PRIMARY KEY,
  postings BLOB NOT NULL
) STRICT;

-- How often codes occur: 32-bit counts of neighbouring slots. The id is family and chunk.
CREATE TABLE code_frequencies (
  id INTEGER PRIMARY KEY,
  counts BLOB NOT NULL
) STRICT;

-- Recordings that are gone while postings still name them.
CREATE TABLE removed_recordings (
  id INTEGER PRIMARY KEY,
  purging INTEGER NOT NULL DEFAULT 0
) STRICT;

-- One row: numbers that grow with every change, and with every change of the postings; and how far
-- packing and purging have come.
CREATE TABLE index_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  generation INTEGER NOT NULL,
  packs INTEGER NOT NULL,
  task TEXT CHECK (task IN ('pack', 'purge')),
  upto INTEGER,
  step INTEGER,
  -- The layout; see recognition/index/layout.ts.
  slot_bits INTEGER NOT NULL DEFAULT 20,
  segment_bits INTEGER NOT NULL DEFAULT 13,
  -- Of a database that others are merged into: the steps that are done.
  merge_step INTEGER
) STRICT;
INSERT INTO index_state (id, generation, packs) VALUES (1, 0, 0);
`
