/** A room of the source, and the tests that a mutant of it has to get past. */
export interface Room {
  name: string
  /** Globs, as vitest takes them. Short ones: each mutant runs those that reach it. */
  tests: readonly string[]
  /** Tests that take seconds each: only what the others do not notice is shown to them. */
  late?: readonly string[]
}

/** What is measured: a wrong line here is a wrong answer, not an error. */
export const ROOMS: readonly Room[] = [
  {
    name: 'analysis',
    tests: ['test/analysis/!(accuracy|analyze|beats).test.ts'],
    late: ['test/analysis/{accuracy,analyze,beats}.test.ts', 'test/golden/*.test.ts'],
  },
  { name: 'artist', tests: ['test/artist/*.test.ts', 'test/client/search.test.ts'] },
  {
    name: 'catalog',
    tests: [
      'test/catalog/*.test.ts',
      'test/client/{catalog,catalogs,limits,ticket}.test.ts',
      'test/kernel/scheduler.test.ts',
    ],
    late: ['test/properties/catalog.test.ts'],
  },
  { name: 'kernel', tests: ['test/kernel/**/*.test.ts'] },
  {
    name: 'naming',
    tests: ['test/naming/*.test.ts', 'test/song/match.test.ts', 'test/artist/match.test.ts'],
  },
  {
    name: 'recognition',
    tests: ['test/recognition/*.test.ts', 'test/kernel/scheduler.test.ts'],
    late: ['test/song/from-track.test.ts', 'test/client/songs.test.ts'],
  },
  {
    name: 'song',
    tests: ['test/song/*.test.ts', 'test/client/{search,songs}.test.ts'],
    late: ['test/properties/search.test.ts', 'test/track/similar.test.ts'],
  },
  {
    name: 'track',
    tests: ['test/track/!(duplicates|similar).test.ts'],
    late: ['test/track/{duplicates,similar}.test.ts', 'test/client/tracks.test.ts'],
  },
]

/** Tables and generated code: a changed figure is another model, not a fault. */
export const TABLES =
  /(-weights|-constants|timbre-basis|chroma-book|kernel-bytes|\/version|\/room|columns)\.ts$/
