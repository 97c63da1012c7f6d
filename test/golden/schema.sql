CREATE TRIGGER analyses_added AFTER INSERT ON analyses WHEN NEW.track_id NOT IN track_changes BEGIN
  INSERT INTO track_changes VALUES (NEW.track_id);
END;
CREATE TRIGGER analyses_changed AFTER UPDATE ON analyses WHEN NEW.track_id NOT IN track_changes BEGIN
  INSERT INTO track_changes VALUES (NEW.track_id);
END;
CREATE TRIGGER catalog_items_song_gone AFTER UPDATE OF song ON catalog_items
  WHEN old.song IS NOT NULL AND new.song IS NULL AND new.artist IS NOT NULL
BEGIN
  UPDATE catalog_items SET artist = NULL, tried = 0 WHERE num = new.num;
END;
CREATE TRIGGER recordings_added AFTER INSERT ON recordings BEGIN
  UPDATE index_state SET generation = generation + 1;
END;
CREATE TRIGGER recordings_removed AFTER DELETE ON recordings BEGIN
  DELETE FROM recording_codes WHERE recording_id = OLD.id;
  INSERT OR IGNORE INTO removed_recordings (id) VALUES (OLD.id);
  UPDATE index_state SET generation = generation + 1;
END;
CREATE TRIGGER songs_renamed AFTER UPDATE OF title, artist, credit, release ON songs BEGIN
  INSERT OR IGNORE INTO track_changes SELECT id FROM tracks WHERE song_id = NEW.id;
END;
CREATE TRIGGER track_files_added AFTER INSERT ON track_files BEGIN
  INSERT INTO track_changes SELECT id FROM tracks
    WHERE id = NEW.track_id AND release IS NULL AND id NOT IN track_changes;
END;
CREATE TRIGGER track_files_removed AFTER DELETE ON track_files BEGIN
  INSERT INTO track_changes SELECT id FROM tracks
    WHERE id = OLD.track_id AND release IS NULL AND id NOT IN track_changes;
END;
CREATE TRIGGER track_sounds_added AFTER INSERT ON track_sounds
  WHEN NEW.track_id NOT IN track_changes
BEGIN
  INSERT INTO track_changes VALUES (NEW.track_id);
END;
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
CREATE TABLE analysis_documents (
  track_id TEXT PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE,
  document BLOB NOT NULL
) STRICT;
CREATE TABLE artist_columns (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
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
CREATE TABLE artist_foreign_ids (
  catalog TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  artist INTEGER NOT NULL REFERENCES artists (num) ON DELETE CASCADE,
  PRIMARY KEY (catalog, foreign_id, artist)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE artist_gram_counts USING fts5vocab (artist_grams, row);
CREATE VIRTUAL TABLE artist_grams USING fts5 (
  names, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
);
CREATE TABLE 'artist_grams_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE 'artist_grams_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE 'artist_grams_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);
CREATE TABLE 'artist_grams_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TABLE artist_names (
  name_key TEXT NOT NULL,
  artist INTEGER NOT NULL REFERENCES artists (num) ON DELETE CASCADE,
  squashed_key TEXT NOT NULL,
  alias TEXT,
  PRIMARY KEY (name_key, artist)
) STRICT, WITHOUT ROWID;
CREATE TABLE artist_sounds (
  sound_key TEXT NOT NULL,
  -- 1: the name is in Latin letters.
  latin INTEGER NOT NULL,
  artist INTEGER NOT NULL REFERENCES artists (num) ON DELETE CASCADE,
  PRIMARY KEY (sound_key, latin, artist)
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
CREATE TABLE catalog_items (
  num INTEGER PRIMARY KEY AUTOINCREMENT,
  catalog INTEGER NOT NULL REFERENCES catalogs (num) ON DELETE CASCADE,
  item_id TEXT NOT NULL,
  -- As submitted, in JSON: what names the song or artist, and what else is said of it.
  identity TEXT NOT NULL DEFAULT '{}',
  details TEXT NOT NULL DEFAULT '{}',
  keyvalues TEXT NOT NULL DEFAULT '{}',
  favorite INTEGER,
  banned INTEGER,
  play_count INTEGER,
  skip_count INTEGER,
  -- The last of its times in `catalog_plays`, in seconds since 1970.
  last_played INTEGER,
  rating INTEGER,
  -- Plays, each worth less the longer it is ago, as it stood at `heat_at`.
  heat REAL NOT NULL DEFAULT 0,
  heat_at INTEGER NOT NULL DEFAULT 0,
  song INTEGER REFERENCES songs (num) ON DELETE SET NULL,
  artist INTEGER REFERENCES artists (num) ON DELETE SET NULL,
  -- A track of one's own that is being analysed for it: the item is the song of that track.
  track_id TEXT REFERENCES tracks (id) ON DELETE SET NULL,
  -- The ticket whose resolution is still to come.
  ticket INTEGER,
  -- The state of the songs and artists when resolution was last tried.
  tried INTEGER NOT NULL DEFAULT 0,
  date_added INTEGER NOT NULL,
  last_modified INTEGER NOT NULL,
  UNIQUE (catalog, item_id)
) STRICT;
CREATE TABLE catalog_plays (
  item INTEGER PRIMARY KEY REFERENCES catalog_items (num) ON DELETE CASCADE,
  times BLOB NOT NULL
) STRICT;
CREATE TABLE catalog_searches (
  catalog INTEGER NOT NULL REFERENCES catalogs (num) ON DELETE CASCADE,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (catalog, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE catalogs (
  num INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  key_id TEXT NOT NULL REFERENCES keys (id),
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('artist', 'song')),
  total INTEGER NOT NULL DEFAULT 0,
  keyvalues TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  -- Deleted: nobody finds it by this name and id; its rows are removed in steps.
  gone INTEGER NOT NULL DEFAULT 0,
  UNIQUE (key_id, name)
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
CREATE TABLE feed_entries (
  feed INTEGER NOT NULL REFERENCES feeds (num) ON DELETE CASCADE,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  item INTEGER NOT NULL REFERENCES feed_items (num) ON DELETE CASCADE,
  PRIMARY KEY (feed, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE feed_items (
  num INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  document TEXT NOT NULL,
  -- Of audio and video, whose documents have none.
  summary TEXT,
  text TEXT NOT NULL,
  date_found TEXT NOT NULL,
  date_posted TEXT,
  -- So many names were known when names were looked for in it.
  spotted INTEGER NOT NULL,
  UNIQUE (type, id)
) STRICT;
CREATE TABLE feeds (
  num INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  url TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('news', 'blogs', 'reviews', 'audio', 'video')),
  -- Whom it is about; without one each item is about those whom it names.
  artist INTEGER REFERENCES artists (num) ON DELETE CASCADE,
  title TEXT,
  link TEXT,
  -- 1 while a refresh is asked for; 2 while the feed and its items are being removed.
  state INTEGER NOT NULL DEFAULT 1,
  -- What the server is asked with whether the feed changed, and the digest of its last body.
  etag TEXT,
  last_modified TEXT,
  body TEXT,
  checked_at INTEGER,
  due_at INTEGER NOT NULL,
  -- Refreshes in a row that failed, and why the last one did.
  failures INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  -- New items of the last refresh, and whether there was anything to read in it.
  found INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
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
  error TEXT,
  -- Attempts that failed for what will pass, which do not count against the job.
  waits INTEGER NOT NULL DEFAULT 0
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
CREATE TABLE song_foreign_ids (
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
CREATE TABLE song_texts (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE TABLE song_texts_postings (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE TABLE song_texts_words (
  block INTEGER PRIMARY KEY,
  data BLOB NOT NULL
) STRICT;
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
CREATE VIRTUAL TABLE song_word_counts USING fts5vocab (song_words, row);
CREATE VIRTUAL TABLE song_words USING fts5 (
  title, artist, content = '', contentless_delete = 1, detail = column,
  tokenize = 'unicode61 remove_diacritics 0'
);
CREATE TABLE 'song_words_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE 'song_words_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE 'song_words_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);
CREATE TABLE 'song_words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
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
CREATE TABLE sqlite_sequence(name,seq);
CREATE TABLE terms (
  num INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE ticket_batches (
  ticket INTEGER NOT NULL REFERENCES tickets (num) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  entries TEXT NOT NULL,
  -- So many of them were applied in steps before.
  applied INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (ticket, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE ticket_infos (
  num INTEGER PRIMARY KEY,
  ticket INTEGER NOT NULL REFERENCES tickets (num) ON DELETE CASCADE,
  item_id TEXT,
  info TEXT NOT NULL
) STRICT;
CREATE TABLE tickets (
  num INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  catalog INTEGER NOT NULL REFERENCES catalogs (num) ON DELETE CASCADE,
  -- open: its entries are still coming in; checked: it is known to fit; then applied, and resolved.
  state TEXT NOT NULL
    CHECK (state IN ('open', 'accepted', 'checked', 'applied', 'complete', 'error')),
  analyze INTEGER NOT NULL DEFAULT 0,
  total_items INTEGER NOT NULL DEFAULT 0,
  applied INTEGER NOT NULL DEFAULT 0,
  updated INTEGER NOT NULL DEFAULT 0,
  to_resolve INTEGER NOT NULL DEFAULT 0,
  resolved INTEGER NOT NULL DEFAULT 0,
  details TEXT,
  created_at INTEGER NOT NULL,
  accepted_at INTEGER,
  -- Its place among the updates of the catalog that were accepted and not at their end by then: a
  -- clock may be set back.
  turn INTEGER
) STRICT;
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
CREATE TABLE track_changes (
  track_id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TABLE track_columns (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE TABLE track_corrections (
  track_id TEXT PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE,
  corrections TEXT NOT NULL,
  heard TEXT
) STRICT;
CREATE TABLE track_cues (
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  time REAL NOT NULL,
  "end" REAL,
  name TEXT,
  colour TEXT,
  PRIMARY KEY (track_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE track_files (
  path TEXT PRIMARY KEY,
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  -- Bytes, and milliseconds since 1970, when the bytes were those of the track.
  size INTEGER,
  modified REAL,
  present INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;
CREATE TABLE track_foreign_ids (
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  catalog TEXT NOT NULL,
  type TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  PRIMARY KEY (track_id, catalog, type, foreign_id)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE track_nums (
  num INTEGER PRIMARY KEY AUTOINCREMENT,
  track_id TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE track_sounds (
  track_id TEXT PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE,
  -- 32-bit floats; see analysis/descriptor.ts.
  descriptor BLOB NOT NULL
) STRICT;
CREATE TABLE track_texts (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE TABLE track_texts_postings (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE TABLE track_texts_words (
  block INTEGER PRIMARY KEY,
  data BLOB NOT NULL
) STRICT;
CREATE TABLE track_vectors (
  block INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
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
CREATE INDEX artist_columns_revision ON artist_columns (revision);
CREATE INDEX artist_documents_id ON artist_documents (id, kind, artist);
CREATE INDEX artist_documents_item ON artist_documents (item) WHERE item IS NOT NULL;
CREATE INDEX artist_documents_newest ON artist_documents
  (date DESC, id, kind, artist, num, relevance);
CREATE INDEX artist_foreign_ids_artist ON artist_foreign_ids (artist);
CREATE INDEX artist_names_artist ON artist_names (artist);
CREATE INDEX artist_names_squashed ON artist_names (squashed_key);
CREATE INDEX artist_sounds_artist ON artist_sounds (artist);
CREATE INDEX artist_terms_term ON artist_terms (term, kinds, artist, weight);
CREATE INDEX artists_heard ON artists (num) WHERE heard_familiarity IS NOT NULL;
CREATE INDEX catalog_items_artist ON catalog_items (artist) WHERE artist IS NOT NULL;
CREATE INDEX catalog_items_catalog ON catalog_items (catalog);
CREATE INDEX catalog_items_song ON catalog_items (song) WHERE song IS NOT NULL;
CREATE INDEX catalog_items_ticket ON catalog_items (ticket) WHERE ticket IS NOT NULL;
CREATE INDEX catalog_items_track ON catalog_items (track_id) WHERE track_id IS NOT NULL;
CREATE INDEX catalog_items_unresolved ON catalog_items (tried, num)
  WHERE song IS NULL AND artist IS NULL AND ticket IS NULL AND identity <> '{}';
CREATE INDEX catalogs_gone ON catalogs (num) WHERE gone = 1;
CREATE INDEX feed_entries_item ON feed_entries (item);
CREATE INDEX feed_items_spotted ON feed_items (spotted);
CREATE INDEX feeds_artist ON feeds (artist) WHERE artist IS NOT NULL;
CREATE INDEX feeds_due ON feeds (due_at) WHERE state = 0;
CREATE UNIQUE INDEX feeds_once ON feeds (url, type, coalesce(artist, 0)) WHERE state < 2;
CREATE INDEX jobs_claimed ON jobs (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX jobs_failed ON jobs (kind, subject) WHERE failed_at IS NOT NULL;
CREATE UNIQUE INDEX jobs_once ON jobs (kind, subject) WHERE failed_at IS NULL;
CREATE INDEX jobs_ready ON jobs (kind, priority DESC, run_at, id)
  WHERE claimed_by IS NULL AND failed_at IS NULL;
CREATE INDEX recordings_imported ON recordings (id) WHERE track_id IS NULL;
CREATE INDEX recordings_song ON recordings (song_id);
CREATE INDEX recordings_track ON recordings (track_id) WHERE track_id IS NOT NULL;
CREATE INDEX song_columns_revision ON song_columns (revision);
CREATE INDEX song_foreign_ids_song ON song_foreign_ids (song);
CREATE INDEX song_terms_term ON song_terms (term, kinds, song, weight);
CREATE INDEX song_texts_postings_revision ON song_texts_postings (revision);
CREATE INDEX song_texts_revision ON song_texts (revision);
CREATE INDEX song_tracks_foreign ON song_tracks (catalog, foreign_id);
CREATE INDEX song_tracks_track ON song_tracks (track_id) WHERE track_id IS NOT NULL;
CREATE INDEX songs_artist ON songs (artist, title_key);
CREATE INDEX songs_heard ON songs (num) WHERE heard_hotttnesss IS NOT NULL;
CREATE INDEX songs_title ON songs (title_key);
CREATE INDEX ticket_infos_ticket ON ticket_infos (ticket, num);
CREATE INDEX tickets_catalog ON tickets (catalog, num);
CREATE INDEX tickets_unfinished ON tickets (catalog, turn)
  WHERE state NOT IN ('complete', 'error');
CREATE INDEX track_columns_revision ON track_columns (revision);
CREATE INDEX track_files_track ON track_files (track_id);
CREATE INDEX track_foreign_ids_lookup ON track_foreign_ids (catalog, type, foreign_id);
CREATE INDEX track_texts_postings_revision ON track_texts_postings (revision);
CREATE INDEX track_texts_revision ON track_texts (revision);
CREATE INDEX track_vectors_revision ON track_vectors (revision);
CREATE INDEX tracks_artist ON tracks (artist COLLATE NOCASE, created_at, id);
CREATE INDEX tracks_created ON tracks (created_at, id);
CREATE INDEX tracks_song ON tracks (song_id) WHERE song_id IS NOT NULL;
CREATE INDEX tracks_sound ON tracks (audio_md5) WHERE audio_md5 IS NOT NULL;
CREATE INDEX tracks_title ON tracks (title COLLATE NOCASE, created_at, id);
