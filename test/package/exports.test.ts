import { describe, expect, it } from 'vitest'
import { run } from '../support/built.ts'

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
    'Recordings',
    'Scan',
    'Song',
    'Songs',
    'Ticket',
    'Track',
    'TrackLibrary',
    'Tracks',
    'camelot',
    'compatibleKeys',
    'keyName',
    'openKey',
    'parseKey',
    'stringifyAnalysis',
  ],
  'audile/analysis': [
    'ANALYZER_VERSION',
    'Analyzer',
    'analyze',
    'camelot',
    'compatibleKeys',
    'correct',
    'keyName',
    'moodsOf',
    'openKey',
    'parseKey',
    'stringifyAnalysis',
    'summarize',
  ],
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
