import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type ITag, parseFile } from 'music-metadata'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Audile, Track } from '../../src/index.ts'
import { PROCESS_NAME } from '../../src/kernel/process-name.ts'
import { replaceFile } from '../../src/track/replace-file.ts'
import { TASK_RUNNERS } from '../../src/workers/tasks.ts'
import { aiff, au, encode, float } from '../support/audio-files.ts'
import { clip, waveBytes, waveFile } from '../support/clips.ts'
import { fixture } from '../support/decoded.ts'
import { mp3Bytes } from '../support/encode.ts'
import { failure } from '../support/failure.ts'
import { hearOnce } from '../support/heard-once.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import {
  apeTag,
  flacWith,
  freeformItem,
  id3Frame,
  id3v1,
  id3v2Of,
  m4aWith,
  opusWith,
} from '../support/tag-bytes.ts'
import { id3Tag } from '../support/tagged-mp3.ts'

hearOnce()

/** Whether the system has the tools, and the file system the attributes. */
function hasAttributes(): boolean {
  const file = join(scratch(), 'probe')
  writeFileSync(file, '')
  try {
    execFileSync('setfattr', ['-n', 'user.probe', '-v', '1', file], { stdio: 'ignore' })
    execFileSync('setfacl', ['-m', 'u:12345:r', file], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const ALL = ['bpm', 'key', 'trackGain', 'albumGain', 'mood'] as const
const bytes = (name: string) => readFileSync(fixture(name))
const latin1 = (text: string) => Buffer.from(`\0${text}`, 'latin1')
const frame = (id: string, text: string) => id3Frame(3, id, latin1(text))
const long = clip({ seconds: 12, seed: 5 })

/** A file in a folder of its own, as a track. */
async function trackOf(
  music: Audile,
  name: string,
  content: Uint8Array,
): Promise<{ track: Track; file: string }> {
  const file = join(scratch(), name)
  writeFileSync(file, content)
  return { track: await music.tracks.upload({ file, wait: true }), file }
}

/** All values in the tags of a file, as music-metadata reads them. */
async function valuesIn(file: string): Promise<Record<string, ITag[]>> {
  return (await parseFile(file)).native as Record<string, ITag[]>
}

async function valueIn(file: string, id: string): Promise<unknown> {
  return Object.values(await valuesIn(file))
    .flat()
    .find((one) => one.id === id)?.value
}

const soundOf = async (file: string) =>
  (await TASK_RUNNERS.sum({ path: file, decode: {} }, () => {})).audioMd5

const tones = encode(
  Array.from({ length: 22_050 }, (_, i) => Math.sin(i / 9) / 3),
  float(4, 'be'),
)
const PICTURED = { TIT2: 'El Scorcho', TPE1: 'Weezer', TSRC: 'USGF19642608', 'TXXX:mine': 'kept' }

/** Files whose tags hold something else, by format. */
const FORMATS: Record<string, () => Uint8Array | Promise<Uint8Array>> = {
  'id3v2.4.mp3': () =>
    Buffer.concat([id3Tag(PICTURED, [Buffer.from('\0image/png\0\x03\0png')]), bytes('stereo.mp3')]),
  'id3v2.2.mp3': () =>
    Buffer.concat([id3v2Of(2, [id3Frame(2, 'TT2', latin1('A'))]), bytes('no-header.mp3')]),
  'id3v2.3.mp3': () =>
    Buffer.concat([
      id3v2Of(3, [frame('TIT2', 'AC/DC'), frame('TYER', '1996'), frame('PRIV', 'x\0\x01\x02')]),
      bytes('no-header.mp3'),
    ]),
  'plain.mp3': () => bytes('no-header.mp3'),
  'song.flac': () => flacWith(bytes('stereo.flac'), ['TITLE=A', 'ARTIST=B', 'ARTIST=C', 'X=y']),
  'song.ogg': () => bytes('stereo.ogg'),
  'song.opus': () => bytes('mono.opus'),
  'song.m4a': () => bytes('stereo.m4a'),
  'song.wav': () => waveBytes(clip()),
  'song.aiff': () => aiff(tones, { bits: 32 }),
}

describe('track.writeTags', () => {
  it.each(Object.entries(FORMATS))('writes %s and changes nothing else', async (name, content) => {
    const music = await openInline()
    const { track, file } = await trackOf(music, name, await content())
    await track.correct({ key: 'F#m' })
    const [whole, sound, before] = [readFileSync(file), await soundOf(file), await valuesIn(file)]
    const query = { fields: [...ALL], comment: 'from audile' }
    const told = (await track.writeTags(query)).files
    expect(readFileSync(file).equals(whole)).toBe(true)
    expect(told).toMatchObject([{ path: file, written: false }])
    expect(told[0]?.changes).toContainEqual({ tag: 'INITIALKEY', from: null, to: 'F#m' })
    expect(told[0]?.changes).toContainEqual({ tag: 'COMMENT', from: null, to: 'from audile' })

    const done = (await track.writeTags({ ...query, dryRun: false })).files
    expect(done).toEqual([{ ...told[0], written: true }])
    expect(readdirSync(join(file, '..'))).toEqual([name])
    expect(await soundOf(file)).toBe(sound)
    const after = await valuesIn(file)
    const own = /BPM|tmpo|KEY|TKE|R128|REPLAYGAIN|TMOO|MOOD|COM|cmt|TXX$/i
    for (const [kind, values] of Object.entries(before)) {
      const left = after[kind]?.filter(({ id }) => !own.test(id))
      expect(left, kind).toEqual(values.filter(({ id }) => !own.test(id)))
    }
    expect(
      Object.values(after)
        .flat()
        .map(({ value }) => value),
    ).toContain('F#m')
    expect((await track.writeTags(query)).files).toEqual([
      { path: file, changes: [], written: false },
    ])
    const { taggedTrackGain, audioSummary } = await track.profile({ bucket: ['audio_summary'] })
    // music-metadata reads no gains of version 2.
    if (name !== 'id3v2.2.mp3')
      expect(taggedTrackGain).toBeCloseTo(audioSummary?.trackGain as number, 1)
  })

  it('leaves nothing to analyse for a scan, and the track is the same', async () => {
    const music = await openInline()
    const { track, file } = await trackOf(music, 'a.wav', await waveBytes(long))
    const copy = join(file, '..', 'b.wav')
    copyFileSync(file, copy)
    await music.tracks.upload({ file: copy })
    const heard: unknown[] = []
    const { files } = await track.writeTags({ dryRun: false })
    music.on('track', (event) => heard.push(event))
    expect(files.map(({ written }) => written)).toEqual([true, true])
    expect(readFileSync(file).equals(readFileSync(copy))).toBe(true)
    const found = []
    for await (const change of music.tracks.scan(join(file, '..'))) found.push(change)
    expect(found).toMatchObject([
      { kind: 'unchanged', track: { id: track.id } },
      { kind: 'unchanged', track: { id: track.id } },
    ])
    expect(heard).toEqual([])
  })

  it('writes corrected values, in the notation that is asked for', async () => {
    const music = await openInline()
    const { track, file } = await trackOf(music, 'a.wav', await waveBytes(long))
    await track.correct({ tempo: 120.4, key: 'Am' })
    await track.writeTags({ dryRun: false, keyNotation: 'camelot' })
    expect(await valueIn(file, 'TKEY')).toBe('8A')
    // The specification of the frame has whole numbers.
    expect(await valueIn(file, 'TBPM')).toBe('120')
    const [change] = (await track.writeTags({ fields: ['key'], keyNotation: 'open-key' })).files
    expect(change?.changes).toEqual([{ tag: 'INITIALKEY', from: '8A', to: '1m' }])
    expect(await valueIn(file, 'TXXX:MOOD')).toBeUndefined()
  })

  it('takes numbers that are written in another way for the same, and nothing else', async () => {
    const music = await openInline()
    const { track, file } = await trackOf(music, 'a.flac', flacWith(bytes('stereo.flac'), ['A=b']))
    await track.correct({ key: '8A' })
    await track.writeTags({ dryRun: false, keyNotation: 'camelot' })
    const gain = String(await valueIn(file, 'REPLAYGAIN_TRACK_GAIN'))
    const restated = [`REPLAYGAIN_TRACK_GAIN=${gain.replace(' dB', '0dB')}`, 'INITIALKEY=8A']
    const tempo = `BPM=${await valueIn(file, 'BPM')}`
    const peak = `REPLAYGAIN_TRACK_PEAK=${await valueIn(file, 'REPLAYGAIN_TRACK_PEAK')}`
    writeFileSync(file, flacWith(bytes('stereo.flac'), [...restated, tempo, peak]))
    for await (const _ of music.tracks.scan(join(file, '..')));
    await track.correct({ key: '8B' })
    const { files } = await track.writeTags({ keyNotation: 'camelot' })
    expect(files[0]?.changes).toEqual([{ tag: 'INITIALKEY', from: '8A', to: '8B' }])
  })

  it('writes the gains of EBU R 128 into Opus files, in place of those of ReplayGain', async () => {
    const music = await openInline()
    const gains = ['REPLAYGAIN_TRACK_GAIN=1 dB', 'REPLAYGAIN_TRACK_PEAK=1']
    const { track, file } = await trackOf(music, 'a.opus', opusWith(bytes('mono.opus'), gains))
    const { trackGain = 0 } =
      (await track.profile({ bucket: ['audio_summary'] })).audioSummary ?? {}
    await track.writeTags({ dryRun: false })
    expect(await valueIn(file, 'R128_TRACK_GAIN')).toBe(String(Math.round(256 * (trackGain - 5))))
    expect(await valueIn(file, 'REPLAYGAIN_TRACK_GAIN')).toBeUndefined()
    expect(await valueIn(file, 'REPLAYGAIN_TRACK_PEAK')).toBeUndefined()
    expect((await track.profile()).taggedTrackGain).toBeCloseTo(trackGain, 2)
  })

  it('writes the tags of FLAC in an Ogg file', async () => {
    const music = await openInline()
    const { track, file } = await trackOf(music, 'a.ogg', bytes('mono-flac.ogg'))
    const { trackGain = 0 } =
      (await track.profile({ bucket: ['audio_summary'] })).audioSummary ?? {}
    const sound = await soundOf(file)
    const { files } = await track.writeTags({ dryRun: false })
    expect(files).toMatchObject([{ written: true }])
    expect((await track.profile()).taggedTrackGain).toBeCloseTo(trackGain, 1)
    expect(await soundOf(file)).toBe(sound)
  })

  it('writes the gain of a whole album', async () => {
    const music = await openInline()
    const made = async (seed: number) =>
      Buffer.concat([id3Tag({ TALB: 'One', TPE1: 'A' }), await mp3Bytes(clip({ seed }), 64)])
    const { track } = await trackOf(music, 'a.mp3', await made(1))
    await trackOf(music, 'b.mp3', await made(2))
    const { albumGain = 0, albumPeak = 0 } = (await music.tracks.albums()).albums[0] ?? {}
    const { files } = await track.writeTags({ fields: ['albumGain'] })
    expect(files[0]?.error).toBeUndefined()
    expect(files[0]?.changes).toEqual([
      { tag: 'REPLAYGAIN_ALBUM_GAIN', from: null, to: `${albumGain.toFixed(2)} dB` },
      { tag: 'REPLAYGAIN_ALBUM_PEAK', from: null, to: (10 ** (albumPeak / 20)).toFixed(6) },
    ])
  })

  it('gives a new ID3v2 tag the names that an ID3v1 tag has, and leaves that', async () => {
    const music = await openInline()
    const name = Buffer.from('835483938376838b', 'hex')
    const old = id3v1(name, Buffer.from('B'), Buffer.from('C'))
    const mp3 = Buffer.concat([bytes('no-header.mp3'), old])
    const { track, file } = await trackOf(music, 'a.mp3', mp3)
    const { title } = await track.profile()
    await track.writeTags({ dryRun: false, comment: 'x' })
    expect(await valueIn(file, 'TIT2')).toBe(title)
    expect(readFileSync(file).subarray(-128).equals(old)).toBe(true)
    expect(await track.profile()).toMatchObject({ title, artist: 'B', release: 'C' })
  })

  it('changes what an APE tag beside the ID3v2 tag states', async () => {
    const music = await openInline()
    const ape = apeTag({ replaygain_track_gain: '-3.00 dB', Title: 'A' })
    const mp3 = Buffer.concat([id3v2Of(3, [frame('TIT2', 'A')]), bytes('no-header.mp3'), ape])
    const { track, file } = await trackOf(music, 'a.mp3', mp3)
    const { files } = await track.writeTags({ dryRun: false })
    const [gain] = files[0]?.changes.filter(({ tag }) => tag === 'REPLAYGAIN_TRACK_GAIN') ?? []
    expect(gain).toMatchObject({ from: '-3.00 dB', to: expect.stringMatching(/ dB$/) })
    const values = await valuesIn(file)
    const inApe = values.APEv2?.map(({ id, value }) => [id, value])
    expect(inApe).toEqual([
      ['replaygain_track_gain', gain?.to],
      ['Title', 'A'],
    ])
    expect((await track.writeTags()).files[0]?.changes).toEqual([])
  })

  it('changes a value of an m4a, in whatever case its name is written', async () => {
    const music = await openInline()
    const item = freeformItem('REPLAYGAIN_TRACK_GAIN', '1 dB')
    const { track, file } = await trackOf(music, 'a.m4a', m4aWith(bytes('stereo.m4a'), [item]))
    const { files } = await track.writeTags({ dryRun: false })
    const [gain] = files[0]?.changes.filter(({ from }) => from === '1 dB') ?? []
    const gains = (await valuesIn(file)).iTunes?.filter(({ id }) => /track_gain/i.test(id))
    expect(gains?.map(({ id, value }) => [id, value])).toEqual([
      ['----:com.apple.iTunes:REPLAYGAIN_TRACK_GAIN', gain?.to],
    ])
  })

  it('keeps comments with a description, and replaces the plain one', async () => {
    const music = await openInline()
    const comment = (description: string, text: string) =>
      id3Frame(3, 'COMM', Buffer.from(`\0eng${description}\0${text}`, 'latin1'))
    const tag = id3v2Of(3, [comment('iTunNORM', ' 00000B'), comment('', 'old')])
    const { track, file } = await trackOf(
      music,
      'a.mp3',
      Buffer.concat([tag, bytes('no-header.mp3')]),
    )
    const { files } = await track.writeTags({ dryRun: false, fields: [], comment: 'new' })
    expect(files[0]?.changes).toEqual([{ tag: 'COMMENT', from: 'old', to: 'new' }])
    const found = (await valuesIn(file))['ID3v2.3']?.map(({ value }) => value)
    expect(found).toEqual([
      { language: 'eng', descriptor: 'iTunNORM', text: ' 00000B' },
      { language: 'eng', descriptor: '', text: 'new' },
    ])
  })

  it('keeps the mode and a link, and the time shows the change', async () => {
    const music = await openInline()
    const { file } = await trackOf(music, 'a.wav', await waveBytes(clip()))
    const link = join(file, '..', 'link.wav')
    const own = join(scratch(), 'own.wav')
    writeFileSync(own, await waveBytes(clip({ seed: 3 })))
    chmodSync(own, 0o640)
    utimesSync(own, 1, 1)
    symlinkSync(own, link)
    const track = await music.tracks.upload({ file: link, wait: true })
    const { files } = await track.writeTags({ dryRun: false })
    expect(files).toMatchObject([{ path: link, written: true }])
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(statSync(own).mode & 0o777).toBe(0o640)
    expect(statSync(own).mtimeMs).toBeGreaterThan(1000)
    expect(await valueIn(own, 'TXXX:REPLAYGAIN_TRACK_GAIN')).toBeDefined()
  })
})

describe('track.writeTags keeps the library true', () => {
  const rescan = async (music: Audile, folder: string) => {
    const scan = music.tracks.scan(folder)
    for await (const _ of scan);
    return scan.sum
  }

  it('when three calls write at once', async () => {
    const music = await openInline()
    const { track, file } = await trackOf(music, 'a.wav', await waveBytes(long))
    const comments = ['one', 'two', 'three']
    const answers = await Promise.all(
      comments.map((comment) => track.writeTags({ fields: [], comment, dryRun: false })),
    )
    for (const { files } of answers) expect(files).toMatchObject([{ written: true }])
    expect((await valueIn(file, 'COMM')) as object).toMatchObject({ text: 'three' })
    expect(await rescan(music, join(file, '..'))).toMatchObject({ unchanged: 1, changed: 0 })
  })

  it('when another engine writes the same file', async () => {
    const database = join(scratch(), 'music.db')
    const music = await openInline({ database })
    const other = await openInline({ database })
    const { track, file } = await trackOf(music, 'a.wav', await waveBytes(long))
    const theirs = await other.tracks.get(track.id)
    for (let round = 0; round < 5; round++) {
      const write = (one: Track, comment: string) =>
        one.writeTags({ fields: [], comment, dryRun: false })
      const answers = await Promise.all([
        write(track, `ours ${round}`),
        write(theirs, `theirs ${round}`),
      ])
      const errors = answers.map(({ files }) => files[0]?.error)
      for (const error of errors) expect(error ?? '').toMatch(/^$|try again|changed since/)
      expect(errors).toContain(undefined)
      const { files } = await track.writeTags({ fields: [], comment: 'after', dryRun: false })
      expect(files[0]?.error).toBeUndefined()
    }
    expect(await rescan(music, join(file, '..'))).toMatchObject({ unchanged: 1, changed: 0 })
  })

  it('when two files would become the same', async () => {
    const music = await openInline()
    const made = async (bpm: string) =>
      Buffer.concat([id3v2Of(3, [frame('TBPM', bpm)]), await mp3Bytes(clip(), 64)])
    const { file } = await trackOf(music, 'a.mp3', await made('77'))
    const second = join(file, '..', 'b.mp3')
    writeFileSync(second, await made('78'))
    const other = await music.tracks.upload({ file: second, wait: true })
    await other.correct({ downbeat: 0.25 })
    const track = await music.tracks.get({ file })
    const query = { fields: ['bpm' as const], dryRun: false }
    expect((await track.writeTags(query)).files).toMatchObject([{ written: true }])
    const before = readFileSync(second)
    for (const dryRun of [true, false]) {
      const { files } = await other.writeTags({ ...query, dryRun })
      expect(files[0]?.error).toMatch(
        /the same bytes as .*a\.mp3 .*write a comment into one of them/,
      )
    }
    expect(readFileSync(second).equals(before)).toBe(true)
    const { files } = await other.writeTags({ ...query, comment: 'the other one' })
    expect(files).toMatchObject([{ written: true }])
    expect(await rescan(music, join(file, '..'))).toMatchObject({ unchanged: 2, changed: 0 })
    expect((await music.tracks.get({ file: second })).answer.corrections?.downbeat).toBe(0.25)
  })
})

describe('track.writeTags refuses', () => {
  it('a file with further names, unless asked', async () => {
    const music = await openInline()
    const { track, file } = await trackOf(music, 'a.wav', await waveBytes(clip()))
    const name = join(scratch(), 'b.wav')
    linkSync(file, name)
    const before = readFileSync(file)
    for (const dryRun of [true, false]) {
      const { files } = await track.writeTags({ dryRun })
      expect(files[0]?.error).toMatch(/has 2 names .* allow it by breakHardLinks/)
    }
    const { files } = await track.writeTags({ dryRun: false, breakHardLinks: true })
    expect(files[0]?.written).toBe(true)
    expect(readFileSync(name).equals(before)).toBe(true)
    expect(readFileSync(file).equals(before)).toBe(false)
  })

  const refused = async (track: Track, file: string, error: RegExp) => {
    const before = readFileSync(file)
    const { files } = await track.writeTags({ dryRun: false, comment: 'x' })
    expect(files[0]?.written).toBe(false)
    expect(files[0]?.error).toMatch(error)
    expect(files[0]?.error).toContain(basename(file))
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(join(file, '..'))).toEqual([basename(file)])
  }

  it('formats whose tags cannot be written', async () => {
    const music = await openInline()
    const content = au(tones, { encoding: 6, sampleRate: 22_050 })
    const one = await trackOf(music, 'a.au', content)
    await refused(one.track, one.file, /Tags of AU format cannot be written; convert it; audile/)
    const mp4 = await trackOf(music, 'a.m4a', bytes('fragmented.m4a'))
    await refused(mp4.track, mp4.file, /Tags of fragmented MP4 cannot be written; convert it/)
  })

  it('a copy that is damaged behind the worker', async () => {
    const music = await openInline()
    const { track, file } = await trackOf(music, 'a.wav', await waveBytes(clip()))
    const { track: other, file: second } = await trackOf(music, 'b.wav', await waveBytes(long))
    const writes = TASK_RUNNERS['write-tags']
    onTestFinished(() => void Object.assign(TASK_RUNNERS, { 'write-tags': writes }))
    const damaging: typeof writes = async (task, ...rest) => {
      const result = await writes(task, ...rest)
      if (task.copy !== undefined) truncateSync(task.copy, task.path === file ? 20_000 : 20)
      return result
    }
    Object.assign(TASK_RUNNERS, { 'write-tags': damaging })
    await refused(track, file, /Its copy is not what was written; check the disk/)
    await refused(other, second, /Its copy is not what was written; check the disk/)
  })

  it('a file that has changed since its analysis, or is gone', async () => {
    const music = await openInline()
    const { track, file } = await trackOf(music, 'a.wav', await waveBytes(clip()))
    appendFileSync(file, 'more')
    await refused(track, file, /a\.wav has changed since it was uploaded/)
    renameSync(file, join(scratch(), 'b.wav'))
    const { files } = await track.writeTags({ dryRun: false })
    expect(files).toEqual([
      { path: file, changes: [], written: false, error: expect.stringMatching(/the file is gone/) },
    ])
  })

  it.each(['a\0b', 'a\ud800b'])('a comment that no format can hold: %j', async (comment) => {
    const music = await openInline()
    const { track } = await trackOf(music, 'a.mp3', bytes('no-header.mp3'))
    const error = await failure(track.writeTags({ comment }))
    expect(error).toMatchObject({ code: 'invalid_parameter' })
    expect(error.message).toContain('must not contain NUL or half a surrogate pair')
  })

  it('tracks without a file', async () => {
    const database = join(scratch(), 'music.db')
    const music = await openInline({ database })
    const track = await music.tracks.upload({ bytes: await waveBytes(clip()), wait: true })
    const error = await failure(track.writeTags())
    expect(error).toMatchObject({ code: 'not_ready' })
    expect(error.message).toContain('upload it by its path')
    // With a file, the kept copy of the old bytes goes, and the file is analysed in its place.
    const file = await waveFile(scratch(), 'a.wav', clip())
    await music.tracks.upload({ file })
    expect((await track.writeTags({ dryRun: false })).files).toMatchObject([{ written: true }])
    expect(readdirSync(`${database}-audio`)).toEqual([])
    await music.close()
    const db = new Sqlite(database)
    db.exec("UPDATE analyses SET analyzer_version = '0.0.1'")
    db.close()
    const again = await openInline({ database })
    expect((await again.tracks.analyze(track.id, { wait: true })).answer.error).toBeUndefined()
  })

  it('to go on when it is aborted', async () => {
    const music = await openInline()
    const { track, file } = await trackOf(music, 'a.wav', await waveBytes(long))
    const before = readFileSync(file)
    const abort = new AbortController()
    const ended = failure(track.writeTags({ dryRun: false, signal: abort.signal }))
    abort.abort(new Error('enough'))
    expect((await ended).message).toBe('enough')
    // What had begun ends on its own.
    await expect.poll(() => readdirSync(join(file, '..'))).toEqual(['a.wav'])
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('removes the copies of processes that ended, and no others, even if it writes nothing', async () => {
    const music = await openInline()
    const { track, file } = await trackOf(music, 'a.wav', await waveBytes(long))
    const write = () => track.writeTags({ fields: [], comment: 'one', dryRun: false })
    await write()
    const folder = join(file, '..')
    const gone = PROCESS_NAME.replace(/^\d+/, '4194999')
    for (const name of [gone, PROCESS_NAME]) writeFileSync(join(folder, `.audile-${name}-1`), '')
    mkdirSync(join(folder, 'b'))
    const { files } = await write()
    expect(files[0]?.written).toBe(false)
    expect(readdirSync(folder).sort()).toEqual([`.audile-${PROCESS_NAME}-1`, 'a.wav', 'b'])
  })
})

describe('replaceFile', () => {
  it('keeps extended attributes and access control lists', async ({ skip }) => {
    skip(!hasAttributes())
    const file = join(scratch(), 'a')
    writeFileSync(file, 'old')
    chmodSync(file, 0o604)
    execFileSync('setfattr', ['-n', 'user.rating', '-v', '5', file])
    execFileSync('setfacl', ['-m', 'u:12345:rw', file])
    const seen = () => [
      execFileSync('getfattr', ['--absolute-names', '-d', file], { encoding: 'utf8' }),
      execFileSync('getfacl', ['--absolute-names', file], { encoding: 'utf8' }),
      statSync(file).mode,
    ]
    const before = seen()
    const change = async (copy: string) => writeFileSync(copy, 'new')
    const { signal } = new AbortController()
    await replaceFile(file, change, { signal, breakHardLinks: false })
    expect(readFileSync(file, 'utf8')).toBe('new')
    expect(seen()).toEqual(before)
  })

  const never = new AbortController().signal
  const setUp = () => {
    const file = join(scratch(), 'a')
    writeFileSync(file, 'old')
    return file
  }

  it.skipIf(process.geteuid?.() !== 0)('leaves a file of another user or group', async () => {
    const file = setUp()
    const change = async (copy: string) => writeFileSync(copy, 'new')
    const options = { signal: never, breakHardLinks: false }
    const nobody = 65_534
    chmodSync(join(file, '..'), 0o755)
    for (const [user, group] of [
      [nobody - 1, nobody],
      [nobody, nobody - 1],
    ] as const) {
      chownSync(file, user, group)
      process.seteuid?.(nobody)
      const { message } = await failure(replaceFile(file, change, options)).finally(() =>
        process.seteuid?.(0),
      )
      expect(message).toContain(`It belongs to the user ${user} and the group ${group}`)
      expect(readFileSync(file, 'utf8')).toBe('old')
    }
  })

  it('leaves a file that another program changes meanwhile', async () => {
    const file = setUp()
    const change = async (copy: string) => {
      writeFileSync(copy, 'new')
      writeFileSync(file, 'theirs')
    }
    expect(
      (await failure(replaceFile(file, change, { signal: never, breakHardLinks: false }))).message,
    ).toMatch(/Another program/)
    expect(readFileSync(file, 'utf8')).toBe('theirs')
    expect(readdirSync(join(file, '..'))).toEqual(['a'])
  })

  it('leaves the file when it is aborted before the end, or the change fails', async () => {
    const file = setUp()
    const abort = new AbortController()
    const change = async (copy: string) => {
      writeFileSync(copy, 'new')
      abort.abort()
    }
    await failure(replaceFile(file, change, { signal: abort.signal, breakHardLinks: false }))
    await failure(
      replaceFile(file, () => Promise.reject(new Error('no')), {
        signal: never,
        breakHardLinks: false,
      }),
    )
    expect(readFileSync(file, 'utf8')).toBe('old')
    expect(readdirSync(join(file, '..'))).toEqual(['a'])
  })
})
