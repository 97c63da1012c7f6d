/** Taste profiles: catalogs, their items, and the tickets of their updates. */
export const CATALOGS_SCHEMA = `
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
CREATE INDEX catalogs_gone ON catalogs (num) WHERE gone = 1;

-- Searches and mixes that are kept, as JSON.
CREATE TABLE catalog_searches (
  catalog INTEGER NOT NULL REFERENCES catalogs (num) ON DELETE CASCADE,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (catalog, name)
) STRICT, WITHOUT ROWID;

-- The number is never used again: it orders the items of a catalog by when they came.
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
  -- The last of its times in \`catalog_plays\`, in seconds since 1970.
  last_played INTEGER,
  rating INTEGER,
  -- Plays, each worth less the longer it is ago, as it stood at \`heat_at\`.
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
CREATE INDEX catalog_items_catalog ON catalog_items (catalog);
CREATE INDEX catalog_items_song ON catalog_items (song) WHERE song IS NOT NULL;
CREATE INDEX catalog_items_artist ON catalog_items (artist) WHERE artist IS NOT NULL;
CREATE INDEX catalog_items_ticket ON catalog_items (ticket) WHERE ticket IS NOT NULL;
CREATE INDEX catalog_items_track ON catalog_items (track_id) WHERE track_id IS NOT NULL;
CREATE INDEX catalog_items_unresolved ON catalog_items (tried, num)
  WHERE song IS NULL AND artist IS NULL AND ticket IS NULL AND identity <> '{}';
-- An item whose song is gone is unresolved again, and not its artist's any more.
CREATE TRIGGER catalog_items_song_gone AFTER UPDATE OF song ON catalog_items
  WHEN old.song IS NOT NULL AND new.song IS NULL AND new.artist IS NOT NULL
BEGIN
  UPDATE catalog_items SET artist = NULL, tried = 0 WHERE num = new.num;
END;

-- When an item was played, as far as that is known: ascending seconds since 1970, each as the
-- difference to the one before in groups of seven bits.
CREATE TABLE catalog_plays (
  item INTEGER PRIMARY KEY REFERENCES catalog_items (num) ON DELETE CASCADE,
  times BLOB NOT NULL
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
CREATE INDEX tickets_catalog ON tickets (catalog, num);
CREATE INDEX tickets_unfinished ON tickets (catalog, turn)
  WHERE state NOT IN ('complete', 'error');

-- The entries of an update that was accepted and not yet applied, in their order.
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
CREATE INDEX ticket_infos_ticket ON ticket_infos (ticket, num);
`
