import { execFile } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { PACKAGE } from '../support/built.ts'
import { clip, waveFile } from '../support/clips.ts'
import { scratch } from '../support/scratch.ts'

const EXAMPLES = join(PACKAGE, 'examples')

async function example(name: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(EXAMPLES, name), ...args])
  return stdout
}

describe('the examples', () => {
  it.each(readdirSync(EXAMPLES).filter((name) => name.endsWith('.mjs')))(
    '%s begins with a sentence that says what it does',
    (name) => {
      const [first] = readFileSync(join(EXAMPLES, name), 'utf8').split('\n')
      expect(first).toMatch(/^\/\/ [A-Z].{30,}/)
    },
  )

  it('first-catalog resolves items and tells what was wrong with one', async () => {
    expect(await example('first-catalog.mjs')).toBe(`4 entries, 2 remarks
  c: rating - Invalid parameter: 77 must be <= 10; it was left out
  c: couldn't resolve item
a: The Example Trio – Evening Rain, 9 of 10, 1 plays, 84 BPM
b: Anna Beispiel – Sunday Market, 0 of 10, 0 plays, 122 BPM
c: not known, 0 of 10, 0 plays, ? BPM
`)
  })

  it('watch-progress tells how far an analysis is', async () => {
    const file = await waveFile(scratch(), 'clip.wav', clip({ seconds: 6 }))
    const lines = (await example('watch-progress.mjs', file)).trim().split('\n')
    expect(lines[0]).toMatch(/^TR\w{16} ░{20} pending$/)
    expect(lines.at(-2)).toMatch(/^TR\w{16} █{20} complete$/)
    expect(lines.at(-1)).toMatch(/^\d+ bars, 1[0-3] beats, \d+ segments$/)
  })

  it('watch-progress says in a sentence what is no file', async () => {
    const failed = await example('watch-progress.mjs', scratch()).catch((error) => error)
    expect(failed.stderr).toMatch(
      /^.* is not a file; to take in a folder use tracks\.uploadFolder\.\n$/,
    )
    expect(failed.code).toBe(1)
  })

  it('find-duplicates says that there are none', async () => {
    const folder = scratch()
    await waveFile(folder, 'one.wav')
    expect(await example('find-duplicates.mjs', folder)).toBe(
      'No recording is there more than once. Files: 1\n',
    )
  })

  it('find-duplicates, identify and search work on one database', async () => {
    const folder = scratch()
    const database = join(scratch(), 'music.db')
    const one = await waveFile(folder, 'one.wav', clip({ seconds: 30, bpm: 100, seed: 3 }))
    const other = await waveFile(folder, 'other.wav', clip({ seconds: 30, bpm: 140, seed: 8 }))
    copyFileSync(one, join(folder, 'one again.wav'))

    const duplicates = await example('find-duplicates.mjs', folder, database)
    expect(duplicates).toContain('Recordings that are there more than once: 1')
    expect(duplicates).toContain('one again.wav')
    expect(duplicates).not.toContain('other.wav')

    expect(await example('identify.mjs', database, other, '5', '15')).toMatch(
      /^unknown artist – other \(SO\w+\), score \d+\n$/,
    )
    const unknown = await waveFile(scratch(), 'new.wav', clip({ seconds: 20, bpm: 93, seed: 77 }))
    expect(await example('identify.mjs', database, unknown)).toBe(
      'It is none of the songs in this database.\n',
    )

    const found = await example('search.mjs', database, '--min-tempo', '120')
    expect(found).toMatch(/^1[34]\d\.\d BPM, energy [01]\.\d\d: [^\n]+\n$/)
  })

  it.each([
    ['Library.xml', LIBRARY()],
    ['rhythmdb.xml', RHYTHMBOX()],
  ])('import-library takes %s in', async (name, text) => {
    const file = join(scratch(), name)
    writeFileSync(file, text)
    const told = await example('import-library.mjs', file)
    expect(told).toContain('1 entries taken in, 1 of them with no song that is known')
    expect(told).toContain('Anna Beispiel – Sunday Market rated 8, 5 plays')
  })
})

function LIBRARY(): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
<key>Tracks</key><dict><key>7</key><dict>
<key>Track ID</key><integer>7</integer>
<key>Name</key><string>Sunday Market</string>
<key>Artist</key><string>Anna Beispiel</string>
<key>Play Count</key><integer>5</integer>
<key>Rating</key><integer>80</integer>
<key>Persistent ID</key><string>00000000000000AB</string>
</dict></dict></dict></plist>`
}

function RHYTHMBOX(): string {
  return `<?xml version="1.0" standalone="yes"?>
<rhythmdb version="2.0"><entry type="song">
<title>Sunday Market</title><artist>Anna Beispiel</artist>
<location>file:///music/market.mp3</location>
<rating>4</rating><play-count>5</play-count>
</entry></rhythmdb>`
}
