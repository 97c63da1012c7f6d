import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import {
  type Audile,
  ClosedError,
  DecodeError,
  type FileChange,
  ParameterError,
  type ScanOptions,
  type Track,
} from '../../src/index.ts'
import { clip, waveBytes, waveFile } from '../support/clips.ts'
import { failure } from '../support/failure.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import { id3Tag } from '../support/tagged-mp3.ts'

const short = (seed: number) => clip({ seconds: 1, seed, bpm: 100 + 7 * seed })

/** A folder with a, b and deep/c.wav, each of another sound. */
async function library(): Promise<string> {
  const folder = scratch()
  mkdirSync(join(folder, 'deep'))
  await waveFile(folder, 'a.wav', short(1))
  await waveFile(folder, 'b.wav', short(2))
  await waveFile(join(folder, 'deep'), 'c.wav', short(3))
  return folder
}

/** A clip with tags. */
async function tagged(seed: number, title: string, artist = 'Nora Vale', more = {}) {
  const tags = id3Tag({ TIT2: title, TPE1: artist, ...more })
  return Buffer.concat([tags, await waveBytes(short(seed))])
}

async function changes(
  music: Audile,
  folders: string | string[],
  options?: ScanOptions,
): Promise<FileChange[]> {
  const all: FileChange[] = []
  for await (const change of music.tracks.scan(folders, options)) all.push(change)
  return all
}

/** The changes but the unchanged, as `kind name`, sorted. */
const told = (all: FileChange[]) =>
  all
    .filter(({ kind }) => kind !== 'unchanged')
    .map(({ kind, file, from }) => [kind, basename(file), from && basename(from)].filter(Boolean))
    .map((words) => words.join(' '))
    .sort()

/** Writes a file whose time of change differs from that of the one before. */
function rewrite(path: string, bytes: Uint8Array): void {
  writeFileSync(path, bytes)
  const later = new Date(Date.now() + 60_000)
  utimesSync(path, later, later)
}

describe('the program of a player', () => {
  it('keeps a table of a folder by what the scan tells, and plays what it heard', async () => {
    const music = await openInline()
    const folder = await library()
    await waveFile(folder, 'a.wav', clip({ seconds: 12, seed: 7 }))
    const table = new Map<string, string>()
    const follow = async () => {
      const scan = music.tracks.scan(folder)
      for await (const { kind, file, from, track } of scan) {
        if (kind === 'missing') table.delete(file)
        else if (track) table.set(file, track.id)
        if (from !== undefined) table.delete(from)
      }
      return scan
    }
    const first = await follow()
    expect(first).toMatchObject({ total: 3, done: 3, sum: { added: 3 } })
    renameSync(join(folder, 'a.wav'), join(folder, 'A song.wav'))
    rmSync(join(folder, 'b.wav'))
    const { sum, total, done } = await follow()
    expect(sum).toEqual({ added: 0, changed: 0, moved: 1, unchanged: 1, missing: 1, failed: 0 })
    expect(done).toBe(total)
    expect([...table.keys()].map((path) => relative(folder, path)).sort()).toEqual([
      'A song.wav',
      join('deep', 'c.wav'),
    ])
    const heard = await music.songs.identify({ file: join(folder, 'A song.wav') })
    const [track] = (await heard[0]?.tracks()) ?? []
    expect(track?.files.map(({ path }) => path)).toEqual([join(folder, 'A song.wav')])
  })
})

describe('tracks.scan', () => {
  it('tells each file once, with its track analysed', async () => {
    const music = await openInline()
    const folder = await library()
    writeFileSync(join(folder, 'cover.jpg'), 'no music')
    writeFileSync(join(folder, 'notes'), 'no music')
    writeFileSync(join(folder, 'sound'), readFileSync(join(folder, 'a.wav')))
    writeFileSync(join(folder, '.hidden.wav'), readFileSync(join(folder, 'a.wav')))
    const all = await changes(music, folder)
    expect(told(all)).toEqual(['added a.wav', 'added b.wav', 'added c.wav', 'added sound'])
    expect(all.every(({ track }) => track?.answer.status === 'complete')).toBe(true)
    const { track } = all.find(({ file }) => file.endsWith('a.wav')) as FileChange
    const { size, mtimeMs } = statSync(join(folder, 'a.wav'))
    const modified = new Date(mtimeMs).toISOString().slice(0, 19)
    const now = await track?.profile()
    expect(now?.files).toEqual([
      { path: join(folder, 'a.wav'), size, modified, present: true },
      { path: join(folder, 'sound'), size, modified: expect.any(String), present: true },
    ])
    const again = music.tracks.scan(folder)
    for await (const { kind, track } of again) {
      expect([kind, track?.answer.status]).toEqual(['unchanged', 'complete'])
    }
    expect(again.sum.unchanged).toBe(4)
  })

  it('reads no file that is as it was', async () => {
    const music = await openInline()
    const folder = await library()
    const path = join(folder, 'a.wav')
    const then = new Date(1_700_000_000_000)
    utimesSync(path, then, then)
    await changes(music, folder)
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0))
    utimesSync(path, then, then)
    expect(told(await changes(music, folder))).toEqual([])
    // Touched, it is read, and is no audio any more.
    rewrite(path, bytes)
    const [change] = (await changes(music, folder)).filter(({ kind }) => kind === 'failed')
    expect(change?.error?.message).toMatch(/no audio file/)
    const { tracks } = await music.tracks.list({ missing: true })
    expect(tracks.map(({ files }) => files.map(({ present }) => present))).toEqual([[false]])
  })

  it('takes a file that was only touched for unchanged', async () => {
    const music = await openInline()
    const folder = await library()
    await changes(music, folder)
    rewrite(join(folder, 'a.wav'), readFileSync(join(folder, 'a.wav')))
    expect(told(await changes(music, folder))).toEqual([])
    const { size, mtimeMs } = statSync(join(folder, 'a.wav'))
    const { files } = await music.tracks.get({ file: join(folder, 'a.wav') })
    expect(files[0]).toMatchObject({ size, modified: new Date(mtimeMs).toISOString().slice(0, 19) })
  })

  it('keeps track, analysis and plays of a file that moved between two folders', async () => {
    const music = await openInline()
    const [one, two] = [await library(), scratch()]
    const before = await changes(music, [one, two])
    const id = before.find(({ file }) => file.endsWith('a.wav'))?.track?.id as string
    const catalog = await music.catalogs.create({ name: 'Plays', type: 'song' })
    await (
      await catalog.update([{ item: { itemId: 'a', trackId: id, rating: 9, playCount: 1 } }])
    ).done()
    renameSync(join(one, 'a.wav'), join(two, 'ä.wav'))
    const all = await changes(music, [one, two])
    const moved = all.find(({ kind }) => kind === 'moved')
    expect(moved).toMatchObject({ file: join(two, 'ä.wav'), from: join(one, 'a.wav') })
    expect(moved?.track?.id).toBe(id)
    expect(moved?.track?.files.map(({ path }) => path)).toEqual([join(two, 'ä.wav')])
    expect(told(all)).toEqual(['moved ä.wav a.wav'])
    const { items } = await catalog.read()
    expect(items[0]).toMatchObject({ playCount: 1, rating: 9, trackId: id })
  })

  it('knows a retagged file again, and its song follows the tags', async () => {
    const music = await openInline()
    const folder = scratch()
    const path = join(folder, 'song.wav')
    const mb = { 'UFID:http://musicbrainz.org': 'b10bbbfc-cf9e-42e0-be17-e2c3e1d2600d' }
    writeFileSync(path, await tagged(1, 'Hoem', 'Nora Vail', { TCON: 'Rock', TALB: 'Out', ...mb }))
    const [added] = await changes(music, folder)
    const answer = added?.track?.answer
    const [id, songId] = [answer?.id as string, answer?.songId as string]
    const analysis = await added?.track?.analysis()
    const catalog = await music.catalogs.create({ name: 'Loved', type: 'song' })
    await (
      await catalog.update([{ item: { itemId: 'x', songId, rating: 7, playCount: 3 } }])
    ).done()

    rewrite(path, await tagged(1, 'Home', 'Nora Vale', { TCON: 'Jazz', TDRC: '1977' }))
    let jobs = 0
    music.on('job', ({ kind }) => {
      if (kind === 'track/analyze') jobs++
    })
    const [changed] = await changes(music, folder)
    expect(changed?.kind).toBe('changed')
    expect(changed?.track?.answer).toMatchObject({
      id,
      songId,
      title: 'Home',
      artist: 'Nora Vale',
      status: 'complete',
    })
    expect(changed?.track?.answer.release).toBeUndefined()
    expect(changed?.track?.answer.foreignId).toBeUndefined()
    expect(jobs).toBe(0)
    expect((await changed?.track?.analysis())?.segments).toEqual(analysis?.segments)
    const [song] = await music.songs.search({ title: 'home' })
    expect(song).toMatchObject({ id: songId, title: 'Home', artistName: 'Nora Vale' })
    expect(await music.songs.search({ style: 'jazz' })).toHaveLength(1)
    expect(await music.songs.search({ style: 'rock' })).toHaveLength(0)
    expect(await music.artists.search('Nora Vail')).not.toContainEqual(
      expect.objectContaining({ name: 'Nora Vail' }),
    )
    const byId = { id: 'musicbrainz:song:b10bbbfc-cf9e-42e0-be17-e2c3e1d2600d' }
    expect(await music.songs.profile(byId)).toEqual([])
    const { items } = await catalog.read()
    expect(items[0]).toMatchObject({ rating: 7, playCount: 3, songId, songName: 'Home' })
  })

  it('does not take an import’s names from a song for the tags of one’s file', async () => {
    const music = await openInline()
    const folder = scratch()
    const path = join(folder, 'song.wav')
    await music.songs.import([{ title: 'Home', artistName: 'Nora Vale', duration: 1 }])
    writeFileSync(path, await tagged(1, 'Home'))
    await changes(music, folder)
    rewrite(path, await tagged(1, 'hOME (my rip)'))
    const [changed] = await changes(music, folder)
    expect(changed?.track?.answer.title).toBe('hOME (my rip)')
    const [song] = await music.songs.profile({ trackId: changed?.track?.id as string })
    expect(song?.title).toBe('Home')
  })

  it('knows a file again that was renamed and retagged at once', async () => {
    const music = await openInline()
    const folder = scratch()
    writeFileSync(join(folder, '01.wav'), await tagged(1, 'Track 01'))
    const [added] = await changes(music, folder)
    rmSync(join(folder, '01.wav'))
    writeFileSync(join(folder, 'Home.wav'), await tagged(1, 'Home'))
    const all = await changes(music, folder)
    expect(told(all)).toEqual(['moved Home.wav 01.wav'])
    expect(all[0]?.track?.answer).toMatchObject({ id: added?.track?.id, title: 'Home' })
  })

  it('tries again what could not be analysed: a decoder or a higher limit may be there by now', async () => {
    const database = join(scratch(), 'music.db')
    const folder = await library()
    const strict = await openInline({ database, limits: { decodedSeconds: 0.5 } })
    for (let run = 0; run < 2; run++) {
      const found = await changes(strict, folder)
      expect(
        found.map(({ kind, error }) => [kind, error?.message.includes('decodedSeconds')]),
      ).toEqual(Array.from({ length: 3 }, () => ['failed', true]))
    }
    await strict.close()
    const music = await openInline({ database })
    const healed = await changes(music, folder)
    expect(healed.map(({ kind, track }) => [kind, track?.answer.status])).toEqual(
      Array.from({ length: 3 }, () => ['added', 'complete']),
    )
    expect((await changes(music, folder)).map(({ kind }) => kind)).toEqual(
      Array.from({ length: 3 }, () => 'unchanged'),
    )
  })

  it('makes another track of other sound at a path; the old one keeps its analysis', async () => {
    const music = await openInline()
    const folder = await library()
    const old = (await changes(music, folder)).find(({ file }) => file.endsWith('a.wav'))
    rewrite(join(folder, 'a.wav'), await waveBytes(short(5)))
    const [changed] = (await changes(music, folder)).filter(({ kind }) => kind !== 'unchanged')
    expect(changed?.kind).toBe('changed')
    expect(changed?.track?.id).not.toBe(old?.track?.id)
    expect(changed?.track?.answer.status).toBe('complete')
    const kept = await music.tracks.get(old?.track as Track)
    expect(kept.files).toEqual([])
    expect((await kept.analysis()).track.duration).toBe(1)
  })

  it('gives up a track without a file when it is told to prune', async () => {
    const music = await openInline()
    const folder = await library()
    const old = (await changes(music, folder)).find(({ file }) => file.endsWith('a.wav'))
    rewrite(join(folder, 'a.wav'), await waveBytes(short(5)))
    rmSync(join(folder, 'b.wav'))
    expect(told(await changes(music, folder, { prune: true }))).toEqual([
      'changed a.wav',
      'missing b.wav',
    ])
    expect((await music.tracks.list()).total).toBe(2)
    expect(await failure(music.tracks.get(old?.track?.id as string))).toMatchObject({
      code: 'unknown_identifier',
    })
  })

  it('keeps a copy that holds the old bytes apart from one that is retagged', async () => {
    const music = await openInline()
    const folder = scratch()
    const bytes = await tagged(1, 'Home')
    for (const name of ['a.wav', 'b.wav']) writeFileSync(join(folder, name), bytes)
    await changes(music, folder)
    expect((await music.tracks.list()).total).toBe(1)
    rewrite(join(folder, 'b.wav'), await tagged(1, 'Home (live)'))
    expect(told(await changes(music, folder))).toEqual(['changed b.wav'])
    const title = async (name: string) =>
      (await music.tracks.get({ file: join(folder, name) })).answer.title
    expect(await title('a.wav')).toBe('Home')
    expect(await title('b.wav')).toBe('Home (live)')
    // Both copies in one go are one track as before.
    const both = await tagged(1, 'Home (mono)')
    rewrite(join(folder, 'a.wav'), both)
    rewrite(join(folder, 'b.wav'), both)
    await changes(music, folder)
    const ids = await Promise.all(
      ['a.wav', 'b.wav'].map(async (name) => {
        const { id, answer } = await music.tracks.get({ file: join(folder, name) })
        expect(answer.title).toBe('Home (mono)')
        return id
      }),
    )
    expect(new Set(ids).size).toBe(1)
  })

  it('notes what is missing, tells it until it is back, and keeps its track', async () => {
    const music = await openInline()
    const folder = await library()
    await changes(music, folder)
    const away = join(scratch(), 'a.wav')
    renameSync(join(folder, 'a.wav'), away)
    for (const _ of [1, 2]) {
      const all = await changes(music, folder)
      expect(told(all)).toEqual(['missing a.wav'])
      const lost = all.find(({ kind }) => kind === 'missing')
      expect(lost?.track?.files).toMatchObject([{ present: false }])
    }
    const gone = await music.tracks.list({ missing: true })
    expect(gone).toMatchObject({ total: 1 })
    expect((await gone.tracks[0]?.analysis())?.track.duration).toBe(1)
    renameSync(away, join(folder, 'a.wav'))
    expect(told(await changes(music, folder))).toEqual(['added a.wav'])
    expect((await music.tracks.list({ missing: true })).total).toBe(0)
    expect((await music.tracks.list()).total).toBe(3)
  })

  it('prunes no track whose file changed its name with those of others', async () => {
    const music = await openInline()
    const folder = scratch()
    const at = (n: number) => join(folder, `0${n}.wav`)
    for (const n of [1, 2, 3]) {
      writeFileSync(at(n), await tagged(n, `Song ${n}`))
      // As files of one size and one tick of the clock, they would be taken for unchanged.
      utimesSync(at(n), 1_000_000 + n, 1_000_000 + n)
    }
    await changes(music, folder)
    const ids = await Promise.all(
      [1, 2, 3].map(async (n) => (await music.tracks.get({ file: at(n) })).id),
    )
    // A song comes in at the front, and the others get new numbers.
    for (const n of [3, 2, 1]) renameSync(at(n), at(n + 1))
    writeFileSync(at(1), await tagged(4, 'Song 0'))
    await changes(music, folder, { prune: true })
    for (const [i, id] of ids.entries()) {
      expect((await music.tracks.get({ file: at(i + 2) })).id).toBe(id)
    }
    expect((await music.tracks.list()).total).toBe(4)
  })

  it('prunes files, and tracks with no other file and no kept copy', async () => {
    const music = await openInline()
    const folder = await library()
    const copy = readFileSync(join(folder, 'b.wav'))
    writeFileSync(join(folder, 'deep', 'copy of b.wav'), copy)
    await music.tracks.upload({ bytes: readFileSync(join(folder, 'deep', 'c.wav')), wait: true })
    await changes(music, folder)
    for (const name of ['a.wav', 'b.wav', 'deep/c.wav']) rmSync(join(folder, name))
    const all = await changes(music, folder, { prune: true })
    expect(told(all)).toEqual(['missing a.wav', 'missing b.wav', 'missing c.wav'])
    const { tracks } = await music.tracks.list()
    const files = tracks.map((track) => track.files.map(({ path }) => basename(path)))
    expect(files.sort()).toEqual([[], ['copy of b.wav']])
    expect((await music.songs.search()).length).toBe(2)
  })

  describe('prunes nothing of a subfolder that holds none of its files any more', () => {
    /** A library of which a folder with two files, in folders of their own, is gone. */
    async function gone(leave: 'an empty folder' | 'nothing' | 'another file') {
      const music = await openInline()
      const folder = await library()
      const disk = join(folder, 'mnt', 'disk')
      for (const [i, name] of ['x', 'y'].entries()) {
        mkdirSync(join(disk, name), { recursive: true })
        writeFileSync(join(disk, name, `${name}.wav`), await waveBytes(short(20 + i)))
      }
      await changes(music, folder)
      const track = await music.tracks.get({ file: join(disk, 'x', 'x.wav') })
      await track.correct({ tempo: 90 })
      const away = `${scratch()}/away`
      renameSync(disk, away)
      if (leave !== 'nothing') mkdirSync(disk)
      if (leave === 'another file') writeFileSync(join(disk, 'not mounted'), 'No disk.')
      const back = () => {
        rmSync(disk, { recursive: true, force: true })
        renameSync(away, disk)
      }
      return { music, folder, disk, track, back }
    }

    it.each(['an empty folder', 'nothing', 'another file'] as const)(
      'where the disk leaves %s',
      async (leave) => {
        const { music, folder, disk, track, back } = await gone(leave)
        rmSync(join(folder, 'a.wav'))
        const scan = music.tracks.scan(folder, { prune: true })
        const all: FileChange[] = []
        for await (const change of scan) all.push(change)
        expect(told(all.filter(({ kind }) => kind === 'missing'))).toHaveLength(3)
        const failed = all.filter(({ kind }) => kind === 'failed')
        // The outermost folder without files.
        expect(failed.map(({ file }) => file)).toEqual([dirname(disk)])
        expect(failed[0]?.error?.message).toMatch(
          /holds none of its 2 files.*mounted.*prune: 'emptied'/s,
        )
        expect(scan.done).toBe(scan.total)
        // Of the folder that holds others, the missing file is gone.
        expect((await music.tracks.list()).total).toBe(4)
        back()
        await changes(music, folder, { prune: true })
        const now = await music.tracks.get({ file: join(disk, 'x', 'x.wav') })
        expect(now.id).toBe(track.id)
        expect(now.answer.corrections).toMatchObject({ tempo: 90 })
        expect((await music.tracks.list({ missing: true })).total).toBe(0)
      },
    )

    it('unless it is told to', async () => {
      const { music, folder, track } = await gone('nothing')
      const all = await changes(music, folder, { prune: 'emptied' })
      expect(all.filter(({ kind }) => kind === 'failed')).toEqual([])
      expect((await music.tracks.list()).total).toBe(3)
      expect(await failure(music.tracks.get(track.id))).toMatchObject({
        code: 'unknown_identifier',
      })
    })

    it('and all that a scanned folder held goes, too, when it is told to', async () => {
      const { music, folder } = await gone('an empty folder')
      for (const name of ['a.wav', 'b.wav', 'deep']) rmSync(join(folder, name), { recursive: true })
      expect(await failure(changes(music, folder, { prune: true }))).toBeInstanceOf(ParameterError)
      await changes(music, folder, { prune: 'emptied' })
      expect((await music.tracks.list()).total).toBe(0)
    })
  })

  it('prunes nothing where a folder holds nothing any more', async () => {
    const music = await openInline()
    const [disk, other] = [await library(), await library()]
    await changes(music, [disk, other])
    renameSync(disk, `${disk} away`)
    mkdirSync(disk)
    rmSync(join(other, 'a.wav'))
    const error = await failure(changes(music, [disk, other], { prune: true }))
    expect(error).toBeInstanceOf(ParameterError)
    expect(error.message).toMatch(/holds none of its 3 files.*mount.*prune: 'emptied'/s)
    const { tracks } = await music.tracks.list()
    expect(tracks.flatMap(({ files }) => files).every(({ present }) => present)).toBe(true)
    expect(told(await changes(music, [disk, other]))).toHaveLength(4)
    rmSync(disk, { recursive: true })
    renameSync(`${disk} away`, disk)
    expect(told(await changes(music, disk))).toEqual(['added a.wav', 'added b.wav', 'added c.wav'])
  })

  it('says which folder cannot be read', async () => {
    const music = await openInline()
    const folder = await library()
    const error = await failure(changes(music, [folder, join(folder, '..', 'not there')]))
    expect(error).toBeInstanceOf(DecodeError)
    expect(error.message).toMatch(/not there: there is no such file or folder/)
    expect((await failure(changes(music, join(folder, 'a.wav')))).message).toMatch(/not a folder/)
    expect((await failure(changes(music, []))).message).toMatch(/name at least one/)
    expect((await music.tracks.list()).total).toBe(0)
  })

  // Node cannot name what has such bytes in its name, so nobody can read it, root neither.
  it.runIf(process.platform === 'linux')('fails what it cannot read, and goes on', async () => {
    const music = await openInline()
    const folder = await library()
    mkdirSync(Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.of(0xff)]))
    writeFileSync(join(folder, 'empty.mp3'), '')
    writeFileSync(join(folder, 'cut.wav'), readFileSync(join(folder, 'a.wav')).subarray(0, 40))
    const all = await changes(music, folder)
    expect(told(all)).toEqual([
      'added a.wav',
      'added b.wav',
      'added c.wav',
      'failed bad\ufffd',
      'failed cut.wav',
      'failed empty.mp3',
    ])
    const of = (name: string) => all.find(({ file }) => file.endsWith(name))
    expect(of('empty.mp3')).toMatchObject({ error: expect.any(DecodeError) })
    expect(of('empty.mp3')?.track).toBeUndefined()
    expect(of('cut.wav')?.track?.answer.status).toBe('error')
    // What was damaged is whole now, and the same track.
    rewrite(join(folder, 'cut.wav'), await waveBytes(short(9)))
    const whole = (await changes(music, folder)).find(({ file }) => file.endsWith('cut.wav'))
    expect(whole?.kind).toBe('changed')
    expect(whole?.track?.id).toBe(of('cut.wav')?.track?.id)
    expect(whole?.track?.answer.status).toBe('complete')
  })

  it.runIf(process.getuid?.() !== 0 && process.platform !== 'win32')(
    'misses nothing below a folder that it cannot read',
    async () => {
      const music = await openInline()
      const folder = await library()
      await changes(music, folder)
      chmodSync(join(folder, 'deep'), 0)
      const all = await changes(music, folder, { prune: true })
      chmodSync(join(folder, 'deep'), 0o755)
      expect(told(all)).toEqual(['failed deep'])
      expect((await music.tracks.list()).total).toBe(3)
    },
  )

  it('scans a folder that may only be read', async () => {
    const music = await openInline()
    const folder = await library()
    chmodSync(folder, 0o555)
    expect(told(await changes(music, folder))).toHaveLength(3)
    chmodSync(folder, 0o755)
  })

  it.each<[string, ScanOptions, string[]]>([
    ['a pattern below the folder', { include: 'Jazz/**' }, ['jazz.wav', 'loud.WAV']],
    [
      'patterns for names anywhere',
      { include: ['*.wav'], exclude: 'loud*' },
      ['jazz.wav', 'x.wav'],
    ],
    ['a folder that is left out', { exclude: ['jazz'] }, ['x.mp3', 'x.wav']],
    ['a deep folder that is left out', { exclude: '**/live/**' }, ['jazz.wav', 'x.mp3', 'x.wav']],
    ['endings', { extensions: ['.MP3', 'flac'] }, ['x.mp3']],
  ])('chooses by %s', async (_, options, names) => {
    const music = await openInline()
    const folder = scratch()
    mkdirSync(join(folder, 'jazz', 'live'), { recursive: true })
    const bytes = await waveBytes(short(1))
    for (const name of ['x.wav', 'x.mp3', 'jazz/jazz.wav', 'jazz/live/loud.WAV']) {
      writeFileSync(join(folder, name), bytes)
    }
    const all = await changes(music, folder, options)
    expect(all.map(({ file }) => basename(file)).sort()).toEqual(names)
    // What the next scan leaves out is not missing.
    expect(told(await changes(music, folder, { extensions: ['flac'], prune: true }))).toEqual([])
    expect((await music.tracks.list()).total).toBe(1)
  })

  it('walks a folder inside another one once, and links to folders on request, loops included', async () => {
    const music = await openInline()
    const [folder, elsewhere] = [await library(), scratch()]
    await waveFile(elsewhere, 'd.wav', short(4))
    symlinkSync(folder, join(folder, 'deep', 'loop'))
    symlinkSync(elsewhere, join(folder, 'a link'))
    symlinkSync(join(folder, 'deep'), join(folder, '0 first'))
    symlinkSync(join(elsewhere, 'nothing'), join(folder, 'broken.wav'))
    symlinkSync(join(folder, 'a.wav'), join(folder, 'z.wav'))
    const plain = await changes(music, [join(folder, 'deep'), folder])
    expect(told(plain)).toEqual(['added a.wav', 'added b.wav', 'added c.wav', 'added z.wav'])
    const linked = await changes(music, folder, { followSymlinks: true })
    expect(told(linked)).toEqual(['added d.wav'])
    expect(linked).toHaveLength(5)
    // Without the option the file behind the link is not missing.
    expect(told(await changes(music, folder, { prune: true }))).toEqual([])
    expect((await music.tracks.get({ file: join(folder, 'deep', 'c.wav') })).files).toHaveLength(1)
  })

  it('takes hard links for two files of one track', async () => {
    const music = await openInline()
    const folder = await library()
    linkSync(join(folder, 'a.wav'), join(folder, 'A.wav'))
    await changes(music, folder)
    const { files } = await music.tracks.get({ file: join(folder, 'a.wav') })
    expect(files.map(({ path }) => basename(path))).toEqual(['A.wav', 'a.wav'])
    rmSync(join(folder, 'a.wav'))
    expect(told(await changes(music, folder))).toEqual(['missing a.wav'])
  })

  it('keeps a track whose name changes in case or in the form of its accents only', async () => {
    const music = await openInline()
    const folder = scratch()
    const [nfc, nfd] = ['Café.wav'.normalize('NFC'), 'Café.wav'.normalize('NFD')]
    await waveFile(folder, 'song.wav', short(1))
    await waveFile(folder, nfc, short(2))
    const ids = (await changes(music, folder)).map(({ track }) => track?.id)
    renameSync(join(folder, 'song.wav'), join(folder, 'Song.wav'))
    renameSync(join(folder, nfc), join(folder, nfd))
    const all = await changes(music, folder, { include: ['caf*', 'SONG*'] })
    expect(all.map(({ kind }) => kind)).toEqual(['moved', 'moved'])
    expect(all.map(({ track }) => track?.id).sort()).toEqual(ids.sort())
    expect((await music.tracks.list()).total).toBe(2)
  })

  it('takes two spellings of one path for one file, as where case does not matter', async () => {
    const music = await openInline()
    const folder = await library()
    symlinkSync(join(folder, 'deep'), join(folder, 'DEEP'))
    const path = join(folder, 'DEEP', 'c.wav')
    const { id } = await music.tracks.upload({ file: path, wait: true })
    const all = await changes(music, join(folder, 'deep'))
    expect(all).toMatchObject([{ kind: 'moved', from: path, track: { id } }])
    expect(all[0]?.track?.files.map((file) => file.path)).toEqual([join(folder, 'deep', 'c.wav')])
  })

  it('misses a file that a folder took the place of', async () => {
    const music = await openInline()
    const folder = await library()
    await changes(music, folder)
    rmSync(join(folder, 'a.wav'))
    mkdirSync(join(folder, 'a.wav'))
    rmSync(join(folder, 'deep'), { recursive: true })
    writeFileSync(join(folder, 'deep'), '')
    expect(told(await changes(music, folder))).toEqual(['missing a.wav', 'missing c.wav'])
  })

  it('is left early, or aborted, and goes on when it is run again', async () => {
    const database = join(scratch(), 'music.db')
    const folder = await library()
    const first = await openInline({ database })
    for await (const { kind } of first.tracks.scan(folder)) {
      expect(kind).toBe('added')
      break
    }
    const abort = new AbortController()
    const reason = new Error('enough')
    const run = async () => {
      await waveFile(folder, 'e.wav', clip({ seconds: 20 }))
      for await (const _ of first.tracks.scan(folder, { signal: abort.signal })) abort.abort(reason)
    }
    expect(await failure(run())).toBe(reason)
    await first.close()
    const music = await openInline({ database })
    const all = await changes(music, folder)
    expect(all).toHaveLength(4)
    expect(all.every(({ track }) => track?.answer.status === 'complete')).toBe(true)
    expect(told(all)).toContain('added e.wav')
    expect((await music.tracks.list()).total).toBe(4)
    expect(told(await changes(music, folder))).toEqual([])
  })

  it('makes no track of a file that is written while it is read', async () => {
    const music = await openInline()
    const folder = scratch()
    const path = join(folder, 'a.wav')
    writeFileSync(path, Buffer.concat([await waveBytes(short(1)), Buffer.alloc(200_000_000)]))
    const scan = changes(music, folder)
    const writing = setInterval(() => appendFileSync(path, 'more'), 5)
    const [change] = await scan
    clearInterval(writing)
    expect(change?.error?.message).toMatch(/changed while it was read/)
    expect((await music.tracks.list()).total).toBe(0)
    writeFileSync(path, await waveBytes(short(1)))
    expect(told(await changes(music, folder))).toEqual(['added a.wav'])
  })

  it('ends with the error when the engine is gone', async () => {
    const music = await openInline()
    const folder = await library()
    const run = async () => {
      for await (const _ of music.tracks.scan(folder)) await music.close()
    }
    expect(await failure(run())).toBeInstanceOf(ClosedError)
  })

  it('finds out the size and time of files that only an import named', async () => {
    const database = join(scratch(), 'music.db')
    const folder = await library()
    const first = await openInline({ database })
    await changes(first, folder)
    await first.close()
    const db = new Sqlite(database)
    db.exec('UPDATE track_files SET size = NULL, modified = NULL')
    db.close()
    const music = await openInline({ database })
    const file = join(folder, 'a.wav')
    expect((await music.tracks.get({ file })).files).toEqual([{ path: file, present: true }])
    expect(told(await changes(music, folder))).toEqual([])
    expect((await music.tracks.get({ file })).files[0]?.size).toBe(statSync(file).size)
  })

  it('takes file URLs', async () => {
    const music = await openInline()
    const folder = await library()
    expect(told(await changes(music, String(pathToFileURL(folder))))).toHaveLength(3)
    const scan = music.tracks.scan([pathToFileURL(folder)])
    for await (const { kind } of scan) expect(kind).toBe('unchanged')
    expect(scan.total).toBe(3)
  })
})
