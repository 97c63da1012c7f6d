import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchCatalogs } from './catalogs.ts'
import { benchFeeds } from './feeds.ts'
import { benchFingerprints } from './fingerprints.ts'
import { benchIdentify } from './identify.ts'
import { benchLibrary } from './library.ts'
import { benchReferences } from './references.ts'
import { benchRemote } from './remote.ts'
import { benchRescan } from './rescan.ts'
import { benchSearch } from './search.ts'
import { gateSearch } from './search-gate.ts'
import { benchShards } from './shards.ts'
import { sized } from './sized.ts'
import { benchSpeed } from './speed.ts'
import { benchWaiting } from './waiting.ts'

// npm run bench: every figure of speed that README states, printed in one run.
// npm run bench -- [--songs N,…] [--only TEXT] [--data DIR]
const { values } = parseArgs({
  options: {
    /** Sizes of the collections that are searched and identified in. */
    songs: { type: 'string', default: '10000' },
    only: { type: 'string', default: '' },
    data: { type: 'string', default: '../shared' },
    /** Where the shards are made. */
    folder: { type: 'string', default: join(tmpdir(), 'audile-shards') },
    /** Leaves the shards there. */
    keep: { type: 'boolean', default: false },
    /** A folder of music that `speed` analyses in place of a made clip. */
    pieces: { type: 'string' },
    /** A little of each: see sized.ts. */
    small: { type: 'boolean', default: false },
    /** Writes the figures into figures.json: see test/support/figures.ts. */
    record: { type: 'boolean', default: false },
    /** Of `speed` and `search` the short forms, which fail when they are too slow. */
    gate: { type: 'boolean', default: false },
    /** Marks the line of the history of speed as that of a release. */
    release: { type: 'boolean', default: false },
  },
})
const sizes = values.songs.split(',').map(Number)
const large = sizes.map((size) => Math.max(size, sized(100_000, 300)))
const parts: [string, () => Promise<void>][] = [
  ['waiting', benchWaiting],
  ['speed', () => benchSpeed(values)],
  ['fingerprints', benchFingerprints],
  ['identify', () => benchIdentify(sizes)],
  ['shards', () => benchShards(sizes, values.folder, values.keep)],
  ['catalogs', () => benchCatalogs(values.data)],
  ['library', () => benchLibrary(large)],
  ['remote', benchRemote],
  ['remote-references', () => benchReferences(sizes, values.folder)],
  ['rescan', () => benchRescan(large)],
  ['feeds', () => benchFeeds(values.data)],
  ['search', () => (values.gate ? gateSearch() : benchSearch(large, values.data))],
]
for (const [name, run] of parts) if (name.includes(values.only)) await run()
