import { execFile } from 'node:child_process'
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { PACKAGE } from '../support/built.ts'
import { clip, waveFile } from '../support/clips.ts'
import { song } from '../support/music.ts'
import { scratch } from '../support/scratch.ts'

const EXAMPLES = join(PACKAGE, 'examples')

async function example(name: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(EXAMPLES, name), ...args])
  return stdout
}

describe('the examples', () => {
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

    const heard = await example('identify.mjs', database, other, '5', '15')
    expect(heard).toMatch(/^unknown artist – other \(SO\w+\), score \d+\n {2}\//)
    expect(heard.split('\n')[1]).toBe(`  ${other}`)
    rmSync(one)
    await example('find-duplicates.mjs', folder, database)
    expect(
      (await example('identify.mjs', database, join(folder, 'one again.wav'))).split('\n'),
    ).toEqual([
      expect.stringContaining('score'),
      `  ${join(folder, 'one again.wav')}`,
      `  ${one}, which is gone`,
      '',
    ])
    const unknown = await waveFile(scratch(), 'new.wav', clip({ seconds: 20, bpm: 93, seed: 77 }))
    expect(await example('identify.mjs', database, unknown)).toBe(
      'It is none of the songs in this database.\n',
    )

    const found = await example('search.mjs', database, '--min-tempo', '120')
    expect(found).toMatch(/^1[34]\d\.\d BPM, energy [01]\.\d\d: [^\n]+\n$/)
  })

  it('dj-table prints a table of a folder, and keeps a tempo that was put right', async () => {
    const folder = scratch()
    const database = join(scratch(), 'music.db')
    const plan = { seconds: 30, sampleRate: 44_100 }
    const slow = song({ ...plan, tempo: 90, key: 9, mode: 0 })
    const fast = song({ ...plan, tempo: 128, key: 0, mode: 1 })
    const one = await waveFile(folder, 'slow.wav', { ...slow, samples: [slow.samples] })
    await waveFile(folder, 'fast.wav', { ...fast, samples: [fast.samples] })
    await waveFile(folder, 'no beat.wav', {
      samples: [new Float32Array(99_999)],
      sampleRate: 22_050,
    })
    const elsewhere = scratch()
    await waveFile(elsewhere, 'other.wav', clip({ seconds: 12, bpm: 140, seed: 8 }))

    const table = async (...args: string[]) => {
      const text = await example('dj-table.mjs', '--database', database, ...args)
      const [head, ...rows] = text
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t'))
      expect(head).toHaveLength(10)
      for (const row of rows) expect(row).toHaveLength(10)
      return rows
    }
    await table(elsewhere)
    const [first, second, silent, ...none] = await table(folder)
    expect(none).toEqual([])
    expect(silent?.slice(0, 7)).toEqual(['', '', 'none', '', '', '', ''])
    expect(silent?.at(-1)).toBe(join(folder, 'no beat.wav'))
    expect(first?.at(-1)).toBe(one)
    expect(Number(first?.[0])).toBeCloseTo(90, -0.5)
    expect(first?.slice(2, 4)).toEqual(['steady', 'A minor'])
    expect(first?.slice(5, 7)).toEqual(['8A', '8A 8B 9A 7A'])
    expect(Number(first?.[1])).toBeGreaterThan(0)
    expect(second?.slice(2, 7)).toEqual([
      'steady',
      'C major',
      expect.any(String),
      '8B',
      '8B 8A 9B 7B',
    ])

    await table(folder, '--double', one)
    const again = await table(folder, '--double', one)
    const [, doubled] = await table(folder)
    expect(again[1]).toEqual(doubled)
    expect(Number(doubled?.[0])).toBeCloseTo(180, -1)
    expect(doubled?.at(-1)).toBe(one)
    const unknown = await table(folder, '--double', 'nowhere.wav').catch((e) => e)
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('nowhere.wav') })
  })

  it('play-next proposes what sounds like the liked, but not what was just played', async () => {
    const folder = scratch()
    const files: string[] = []
    for (const seed of [1, 2, 3, 4]) {
      files.push(
        await waveFile(folder, `${seed}.wav`, clip({ seconds: 12, bpm: 80 + 20 * seed, seed })),
      )
    }
    const [liked = '', played = '', banned = '', fourth = ''] = files
    const database = join(scratch(), 'music.db')
    const say = async (...args: string[]) =>
      (await example('play-next.mjs', database, ...args)).split('\n').filter(Boolean)
    await say('scan', folder)
    expect((await say('next')).sort()).toEqual(files)
    await say('favorite', liked)
    expect((await say('next'))[0]).toBe(liked)
    await say('play', played)
    await say('ban', banned)
    expect((await say()).sort()).toEqual([liked, fourth])
    rmSync(liked)
    await say('scan', folder)
    expect(await say()).toEqual([fourth])
  })

  it('from-spotify takes saved answers in, and finds tracks by tempo and key', async () => {
    const folder = scratch()
    const save = (name: string, answer: unknown) =>
      writeFileSync(join(folder, name), JSON.stringify(answer))
    const features = (id: string, tempo: number, key: number, mode: number) => ({
      ...{ id, tempo, key, mode, duration_ms: 200_000, time_signature: 4, loudness: -6 },
      ...{ energy: 0.8, danceability: 0.6, valence: 0.5, uri: `spotify:track:${id}` },
    })
    const [one, two, three] = [
      '1dFghVXANMlKmJXsNCbNlA',
      '2dFghVXANMlKmJXsNCbNlB',
      '3dFghVXANMlKmJXsNCbNlC',
    ]
    save('features.json', { audio_features: [features(one, 118, 0, 1), null] })
    save('one more.json', features(two, 124, 9, 0))
    const beats = [0, 0.48].map((start) => ({ start, duration: 0.48, confidence: 1 }))
    save(`${three}.json`, {
      track: { duration: 90, tempo: 125, key: 9, mode: 0, time_signature: 4, loudness: -7 },
      beats,
      segments: beats.map((beat) => ({
        ...beat,
        pitches: Array(12).fill(1),
        timbre: Array(12).fill(2),
      })),
    })
    const names = [one, three].map((id) => ({
      id,
      name: `Song ${id[0]}`,
      artists: [{ name: 'A' }, { name: 'B' }],
    }))
    save('tracks.json', { tracks: names })
    save('empty.json', null)
    const database = join(scratch(), 'music.db')
    const found = async (...args: string[]) =>
      (await example('from-spotify.mjs', folder, database, ...args)).split('\n').slice(0, -1)
    const rows = [
      '118.0 BPM, C major: A, B – Song 1',
      `124.0 BPM, A minor: unknown artist – spotify:track:${two}`,
      '125.0 BPM, A minor: A, B – Song 3',
    ]
    expect(await found()).toEqual(rows)
    expect(await found('--key', '8A', '--tempo', '124.5-130')).toEqual(rows.slice(2))
    expect(await found('--key', 'C')).toEqual(rows.slice(0, 1))
    expect(await found('--key', 'C,9A,8A', '--tempo', '118')).toEqual(rows.slice(0, 1))
  })

  it("seeded is a player's test suite, and passes", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...['--test', '--test-reporter=tap', join(EXAMPLES, 'seeded.test.mjs')],
    ])
    expect(stdout).toMatch(/^# pass 5$/m)
    expect(stdout).toMatch(/^# fail 0$/m)
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
