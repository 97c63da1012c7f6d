import { ARTISTS } from './artists.ts'
import { CATALOGS } from './catalogs.ts'
import { ENGINE } from './engine.ts'
import { FEEDS } from './feeds.ts'
import { LIBRARY } from './library.ts'
import { RECORDINGS } from './recordings.ts'
import { SONGS } from './songs.ts'
import { TRACKS } from './tracks.ts'

/** The schema of version 0.1. */
export const schema = {
  version: 1,
  name: 'schema',
  sql: [ENGINE, TRACKS, ARTISTS, SONGS, RECORDINGS, CATALOGS, FEEDS, LIBRARY].join(''),
} as const
