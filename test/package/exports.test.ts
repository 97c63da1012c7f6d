import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PACKAGE, run } from '../support/built.ts'

const NAMES = {
  audile: [
    'Artists',
    'Audile',
    'AudileError',
    'Catalog',
    'Catalogs',
    'ClosedError',
    'DatabaseError',
    'DecodeError',
    'Feeds',
    'KeyError',
    'Keys',
    'ParameterError',
    'Song',
    'Songs',
    'Ticket',
    'Track',
    'Tracks',
    'stringifyAnalysis',
  ],
  'audile/analysis': ['ANALYZER_VERSION', 'Analyzer', 'analyze', 'stringifyAnalysis'],
  'audile/import': [
    'artistsFromMillionSong',
    'fromCsv',
    'fromEchoprintDump',
    'fromITunes',
    'fromListenBrainz',
    'fromMillionSong',
    'fromMusicBrainz',
    'fromPlaylist',
    'fromRhythmbox',
    'fromTasteProfile',
    'tasteProfiles',
  ],
  'audile/wire': ['createHandler'],
}

describe.each(Object.entries(NAMES))('the package %s', (name, names) => {
  it.each([
    ['ES module', `await import('${name}')`],
    ['CommonJS', `(await import('node:module')).createRequire(process.cwd() + '/x.js')('${name}')`],
  ])('exports exactly the public names as %s', async (_, load) => {
    const print = `const m = ${load}; console.log(JSON.stringify(Object.keys(m).filter((k) => k !== 'default' && k !== 'module.exports').sort()))`
    const { stdout, stderr } = await run(print)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(names)
  })
})

describe('the declarations', () => {
  it('name no package that a consumer may not have', () => {
    // Without comments: the examples in them import the package itself.
    const text = readFileSync(join(PACKAGE, 'dist/index.d.ts'), 'utf8').replace(
      /\/\*[\s\S]*?\*\//g,
      '',
    )
    const packages = [...text.matchAll(/from '([^.'][^']*)'/g)].map(([, name]) => name)
    expect(packages.filter((name) => name !== 'zod' && !name?.startsWith('node:'))).toEqual([])
  })
})
