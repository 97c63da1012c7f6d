/**
 * What searches of tracks and of typed words read. It is made from the tables of tracks, analyses and
 * songs; triggers note which tracks changed, whoever changes them.
 */
export const library = {
  version: 15,
  name: 'library',
  sql: `
-- The numbers by which the tables below name tracks.
CREATE TABLE track_nums (
  num INTEGER PRIMARY KEY AUTOINCREMENT,
  track_id TEXT NOT NULL UNIQUE
) STRICT;

-- Tracks that changed since they were indexed.
CREATE TABLE track_changes (
  track_id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
INSERT INTO track_changes SELECT id FROM tracks;
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
CREATE TRIGGER analyses_added AFTER INSERT ON analyses BEGIN
  INSERT OR IGNORE INTO track_changes VALUES (NEW.track_id);
END;
CREATE TRIGGER analyses_changed AFTER UPDATE ON analyses BEGIN
  INSERT OR IGNORE INTO track_changes VALUES (NEW.track_id);
END;
-- A track without tags has the names of its song.
CREATE TRIGGER songs_renamed AFTER UPDATE OF title, artist, credit, release ON songs BEGIN
  INSERT OR IGNORE INTO track_changes SELECT id FROM tracks WHERE song_id = NEW.id;
END;

-- Albums and artists of tracks, in the spelling of the track that was indexed last.
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

-- The words of names, and for each track and song the numbers of its words, in blocks.
CREATE TABLE track_texts_words (
  num INTEGER PRIMARY KEY AUTOINCREMENT,
  word TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE track_texts (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE INDEX track_texts_revision ON track_texts (revision);
CREATE TABLE song_texts_words (
  num INTEGER PRIMARY KEY AUTOINCREMENT,
  word TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE song_texts (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE INDEX song_texts_revision ON song_texts (revision);

CREATE INDEX tracks_title ON tracks (title COLLATE NOCASE, created_at, id);
CREATE INDEX tracks_artist ON tracks (artist COLLATE NOCASE, created_at, id);
`,
} as const
