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
    'Fleet',
    'KeyError',
    'Keys',
    'Mix',
    'Mixes',
    'ParameterError',
    'Recordings',
    'Scan',
    'Song',
    'Songs',
    'Ticket',
    'Track',
    'TrackLibrary',
    'Tracks',
    'addSoundModel',
    'camelot',
    'compatibleKeys',
    'keyName',
    'openKey',
    'parseKey',
    'personalFolder',
    'removeSoundModel',
    'serveEngine',
    'soundModels',
    'stringifyAnalysis',
  ],
  'audile/analysis': [
    'ANALYZER_VERSION',
    'Analyzer',
    'SUMMARY_VERSION',
    'analyze',
    'camelot',
    'compatibleKeys',
    'correct',
    'cues',
    'gainOf',
    'hearSounds',
    'keyName',
    'moodsOf',
    'openKey',
    'openSoundNetwork',
    'parseKey',
    'stringifyAnalysis',
    'summarize',
    'toAudiowaveformDat',
    'toAudiowaveformJson',
    'transition',
  ],
  'audile/export': [
    'toAudacity',
    'toCsv',
    'toJams',
    'toM3u',
    'toMidi',
    'toMixxx',
    'toRekordbox',
    'toSerato',
    'toTraktor',
    'toXspf',
  ],
  'audile/fleet': ['fleet', 'serveFleet'],
  'audile/import': [
    'artistsFromMillionSong',
    'fromCsv',
    'fromEchoprintDump',
    'fromITunes',
    'fromLastFm',
    'fromListenBrainz',
    'fromMillionSong',
    'fromMixxx',
    'fromMusicBrainz',
    'fromPlaylist',
    'fromRekordbox',
    'fromRhythmbox',
    'fromSerato',
    'fromSpotify',
    'fromSpotifyData',
    'fromTasteProfile',
    'fromTraktor',
    'spotifyPlaylists',
    'tasteProfiles',
  ],
  'audile/live': ['LiveRhythm'],
  'audile/wire': ['createHandler'],
}

/**
 * Fleets are ES modules only, which `require` loads too. Node warns of that where the call is in no
 * folder of packages, as here.
 */
const unwarned = (name: string) =>
  name === 'audile/fleet' ? "process.removeAllListeners('warning'); " : ''

describe.each(Object.entries(NAMES))('the package %s', (name, names) => {
  it.each([
    ['ES module', `await import('${name}')`],
    ['CommonJS', `(await import('node:module')).createRequire(process.cwd() + '/x.js')('${name}')`],
  ])('exports exactly the public names as %s', async (_, load) => {
    const print = `${unwarned(name)}const m = ${load}; console.log(JSON.stringify(Object.keys(m).filter((k) => k !== 'default' && k !== 'module.exports').sort()))`
    const { stdout, stderr } = await run(print)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(names)
  })
})
