import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  IDENTIFY_HELP,
  isIdentifyCall,
  parseIdentify,
  runIdentify,
} from '../../src/cli/identify.ts'
import { UsageError } from '../../src/cli/options.ts'
import { waveFile } from '../support/clips.ts'
import { mp3Bytes } from '../support/encode.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import { taggedMp3 } from '../support/tagged-mp3.ts'
import { tune } from '../support/tune.ts'

async function run(...args: string[]) {
  const request = parseIdentify(args)
  if (request === 'help') throw new Error('It is no task.')
  const printed: string[] = []
  const told: string[] = []
  const status = await runIdentify(request, {
    signal: new AbortController().signal,
    options: { engine: 'inline' },
    print: async (line) => void printed.push(line),
    tell: async (line) => void told.push(line),
    say: () => {},
  })
  return { status, printed, told }
}

/** A database of one song, its file, and an excerpt of it from second 4 on. */
async function library() {
  const folder = scratch()
  const database = join(folder, 'music.db')
  const song = tune({ seed: 1 })
  const path = join(folder, 'song.mp3')
  const tags = taggedMp3({ TIT2: 'Some\nSong', TPE1: 'Some Artist' }, 0)
  writeFileSync(path, Buffer.concat([tags, await mp3Bytes(song, 128)]))
  const music = await openInline({ database })
  await music.tracks.upload({ file: path, wait: true })
  await music.close()
  const { sampleRate } = song
  const samples = song.samples.map((channel) => channel.subarray(4 * sampleRate, 16 * sampleRate))
  const heard = await waveFile(folder, 'heard.wav', { samples, sampleRate })
  const other = await waveFile(folder, 'other.wav', tune({ seed: 2 }))
  return { folder, database, path, heard, other }
}

describe('audile identify', () => {
  it('is called by its name; a file of that name is given with its folder', () => {
    expect(isIdentifyCall(['identify', 'heard.wav'])).toBe(true)
    expect(isIdentifyCall(['identify'])).toBe(true)
    expect(isIdentifyCall(['./identify'])).toBe(false)
    expect(isIdentifyCall(['a.wav', 'identify'])).toBe(false)
    expect(parseIdentify(['-h'])).toBe('help')
    expect(parseIdentify(['a', '--json', '--database', 'b.db', '--ffmpeg=c'])).toEqual({
      ...{ files: ['a'], json: true, database: 'b.db', ffmpegPath: 'c' },
    })
  })

  it.each([
    [[], 'needs a file'],
    [[''], 'A path is empty'],
    [['--csv', 'a'], "Unknown option '--csv'"],
    [['--ffmpeg=', 'a'], '--ffmpeg needs a path'],
  ])('%j is refused, and why is told', (args, message) => {
    expect(() => parseIdentify(args)).toThrow(UsageError)
    expect(() => parseIdentify(args)).toThrow(message)
  })

  it('has a help whose lines no terminal breaks', () => {
    const lines = IDENTIFY_HELP.split('\n').filter((line) => !line.includes('(default: '))
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  })

  it('prints the song, where the excerpt lies and the files, or that nothing matches', async () => {
    const { folder, database, path, heard, other } = await library()
    const found = await run('--database', database, heard)
    expect(found).toMatchObject({ status: 0, told: [] })
    expect(found.printed.join('')).toMatch(
      /^.*heard\.wav: Some Artist – Some\\nSong\n {4}The excerpt begins at 0:04 of the recording; \d+ codes agree\n {4}.*song\.mp3\n$/,
    )
    expect(found.printed.join('')).toContain(`    ${path}\n`)

    const mixed = join(folder, 'folder')
    mkdirSync(mixed)
    writeFileSync(join(folder, 'bad.flac'), 'fLaC and no more')
    const gone = join(folder, 'gone.wav')
    const rest = await run('--database', database, other, mixed, gone, join(folder, 'bad.flac'))
    expect(rest.status).toBe(1)
    expect(rest.printed).toEqual([`${other}: No song of this database matches.\n`])
    expect(rest.told).toEqual([
      `${mixed}: It is a folder; name a file in it.`,
      `${gone}: There is no such file or folder.`,
      expect.stringContaining('bad.flac'),
    ])
  })

  it('prints the same as JSON lines', async () => {
    const { database, heard, other } = await library()
    const { status, printed } = await run('--json', '--database', database, heard, other, 'gone')
    expect(status).toBe(1)
    const [first, second, third] = printed.map((line) => JSON.parse(line))
    expect(first).toMatchObject({ file: heard, songs: [{ artistName: 'Some Artist' }] })
    expect(first.songs[0].evidence.offset).toBeCloseTo(4, 0)
    expect(first.songs[0].ownTracks[0].files[0].path).toMatch(/song\.mp3$/)
    expect(second).toEqual({ file: other, songs: [] })
    expect(third).toMatchObject({ error: 'There is no such file or folder.' })
  })

  it('names the command that makes a database where there is none', async () => {
    const database = join(scratch(), 'none.db')
    await expect(run('--database', database, 'a.wav')).rejects.toThrow(UsageError)
    await expect(run('--database', database, 'a.wav')).rejects.toThrow(
      `There is no database ${database}; first analyse your music: audile FOLDER.`,
    )
  })
})
