/** Feeds of news, blogs, reviews, audio and video, and their items. */
export const FEEDS_SCHEMA = `
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
CREATE UNIQUE INDEX feeds_once ON feeds (url, type, coalesce(artist, 0)) WHERE state < 2;
CREATE INDEX feeds_due ON feeds (due_at) WHERE state = 0;
CREATE INDEX feeds_artist ON feeds (artist) WHERE artist IS NOT NULL;

-- What feeds said, each thing once, in the shape in which it is answered; and its text, in which
-- names are looked for again when artists become known.
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
CREATE INDEX feed_items_spotted ON feed_items (spotted);

-- The entries of feeds, each by what tells it from the feed's others. Two feeds may have one item.
CREATE TABLE feed_entries (
  feed INTEGER NOT NULL REFERENCES feeds (num) ON DELETE CASCADE,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  item INTEGER NOT NULL REFERENCES feed_items (num) ON DELETE CASCADE,
  PRIMARY KEY (feed, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX feed_entries_item ON feed_entries (item);
`
