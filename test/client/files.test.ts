import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { DecodeError, ParameterError, type TrackReference } from '../../src/index.ts'
import { createHandler } from '../../src/wire-entry.ts'
import { clip, waveBytes, waveFile } from '../support/clips.ts'
import { failure } from '../support/failure.ts'
import { hearOnce } from '../support/heard-once.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

hearOnce()

const long = () => clip({ seconds: 12, seed: 5 })

describe('a track', () => {
  it('knows the files with its bytes, in every answer', async () => {
    const music = await openInline()
    const folder = scratch()
    const file = await waveFile(folder, 'a.wav', long())
    const copy = join(folder, 'copy.wav')
    copyFileSync(file, copy)
    const track = await music.tracks.upload({ file, wait: true })
    expect(track.files).toMatchObject([{ path: file, present: true, size: expect.any(Number) }])
    expect(track.files[0]?.modified).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    const paths = [{ path: file }, { path: copy }]
    expect((await music.tracks.upload({ file: copy })).files).toMatchObject(paths)
    expect((await track.profile()).files).toMatchObject(paths)
    expect((await music.tracks.list()).tracks[0]?.files).toMatchObject(paths)
    const other = await music.tracks.upload({ ...clip({ seed: 8 }), wait: true })
    expect(other.files).toEqual([])
    for (const near of await music.tracks.similar(other)) {
      expect(near.files).toMatchObject(paths)
    }
    await music.tracks.remove(track)
    expect(await failure(music.tracks.get({ file }))).toMatchObject({ code: 'unknown_identifier' })
    expect((await music.tracks.upload({ file })).answer.status).toBe('pending')
  })

  it('is analysed from any of them that still has its bytes', async () => {
    const database = join(scratch(), 'music.db')
    const folder = scratch()
    const first = await openInline({ database })
    const file = await waveFile(folder, 'a.wav')
    const copy = join(folder, 'b.wav')
    copyFileSync(file, copy)
    await first.tracks.upload({ file, wait: true })
    const { id } = await first.tracks.upload({ file: copy })
    await first.close()
    const db = new Sqlite(database)
    db.exec("UPDATE analyses SET analyzer_version = '0.0.1'")
    db.close()
    await waveFile(folder, 'a.wav', clip({ seed: 3 }))
    const music = await openInline({ database })
    const again = await music.tracks.analyze(id, { wait: true })
    expect(again.answer.status).toBe('complete')
    rmSync(copy)
    expect((await music.tracks.get({ file: copy })).id).toBe(id)
  })

  it('moves with its file when that is uploaded from its new path', async () => {
    const music = await openInline()
    const folder = scratch()
    const file = await waveFile(folder, 'a.wav')
    const { id } = await music.tracks.upload({ file, wait: true })
    const moved = join(folder, 'b.wav')
    renameSync(file, moved)
    const track = await music.tracks.upload({ file: moved })
    expect(track.id).toBe(id)
    expect(track.files.map(({ path }) => path)).toEqual([moved])
  })

  it('keeps audile’s copy as its source, and learns of a file with the same bytes', async () => {
    const music = await openInline()
    const samples = clip()
    const { id } = await music.tracks.upload({ bytes: await waveBytes(samples), wait: true })
    const file = await waveFile(scratch(), 'a.wav', samples)
    const track = await music.tracks.upload({ file })
    expect(track).toMatchObject({ id, files: [{ path: file, present: true }] })
    rmSync(file)
    expect((await music.tracks.list({ missing: true })).total).toBe(0)
  })

  it('is named by its id, its handle, an answer, its md5 or its file, alike everywhere', async () => {
    const music = await openInline()
    const folder = scratch()
    const file = await waveFile(folder, 'a b#1.wav', long())
    const track = await music.tracks.upload({ file, wait: true })
    const { id, answer } = track
    const md5 = answer.md5 as string
    const names: TrackReference[] = [
      id,
      track,
      answer,
      { id },
      { md5 },
      { md5: md5.toUpperCase() },
      { file },
      { file: pathToFileURL(file) },
      { file: pathToFileURL(file).href },
    ]
    for (const name of names) {
      expect((await music.tracks.get(name)).id).toBe(id)
      expect((await music.tracks.profile(name, { bucket: 'audio_summary' })).id).toBe(id)
      expect((await music.tracks.analyze(name, { wait: true })).id).toBe(id)
      expect(await music.tracks.similar(name)).toEqual([])
    }
    for (const wrong of [{ id, md5 }, { id, file }, { md5, file }, {}, 7, null, undefined, ['x']]) {
      expect(await failure(music.tracks.get(wrong as never))).toBeInstanceOf(ParameterError)
    }
    const unknown = await failure(music.tracks.get({ file: join(folder, 'other.wav') }))
    expect(unknown).toMatchObject({ code: 'unknown_identifier' })
    for (const name of names) {
      expect(await music.tracks.remove(name)).toEqual({ id: expect.any(String) })
      await music.tracks.upload({ file, wait: true }).then((again) => {
        names.splice(0, 4, again.id, again, again.answer, { id: again.id })
      })
    }
  })

  it('is listed by song, state and whether its audio is gone, in pages and one by one', async () => {
    const music = await openInline()
    const folder = scratch()
    const [one, other] = [await waveFile(folder, 'a.wav', long()), join(folder, 'b.wav')]
    const song = await music.tracks.upload({ file: one, wait: true })
    await waveFile(folder, 'b.wav', clip({ seed: 9 }))
    await music.tracks.upload({ file: other, wait: true })
    const damaged = await music.tracks.upload({
      bytes: (await waveBytes(clip())).subarray(0, 40),
      wait: true,
    })
    const ids = async (query: Parameters<typeof music.tracks.list>[0]) =>
      (await music.tracks.list(query)).tracks.map(({ id }) => id)
    const { songId } = (await song.profile()) as { songId: string }
    expect(await ids({ songId })).toEqual([song.id])
    expect(await ids({ songId: 'SOAAAAA000000000000' })).toEqual([])
    expect(await ids({ status: 'error' })).toEqual([damaged.id])
    const both = await music.tracks.list({ status: ['error', 'complete'], results: 1 })
    expect(both).toMatchObject({ total: 3, tracks: { length: 1 } })
    expect(await ids({ status: 'complete', songId })).toEqual([song.id])
    rmSync(other)
    for await (const _ of music.tracks.scan(folder));
    expect(await music.tracks.list({ missing: true, status: 'complete' })).toMatchObject({
      total: 1,
      tracks: [{ files: [{ path: other, present: false }] }],
    })
    expect((await music.tracks.list({ missing: false })).total).toBe(2)
    const seen: string[] = []
    for await (const track of music.tracks.all({ sort: 'created-desc' })) {
      // What is removed in the loop shifts nothing.
      if (track.id !== damaged.id) await music.tracks.remove(track)
      seen.push(track.id)
    }
    expect(seen).toHaveLength(3)
    expect(await ids({})).toEqual([damaged.id])
  })
})

describe('a song', () => {
  it('leads to one’s own tracks and their files', async () => {
    const music = await openInline()
    const folder = scratch()
    const file = await waveFile(folder, 'a.wav', long())
    const { id } = await music.tracks.upload({ file, wait: true })
    const [heard] = await music.songs.identify({ file, bucket: 'own_tracks' })
    expect(heard?.ownTracks).toMatchObject([{ id, status: 'complete', files: [{ path: file }] }])
    expect((await heard?.tracks())?.map((track) => track.id)).toEqual([id])
    const [found] = await music.songs.search({ bucket: ['own_tracks'] })
    expect(found?.ownTracks?.[0]?.files[0]?.path).toBe(file)
    const [known] = await music.songs.profile({ trackId: id, bucket: 'own_tracks' })
    expect(known?.ownTracks).toHaveLength(1)
    await music.songs.import([{ title: 'Help!', artistName: 'The Beatles' }])
    const [help] = await music.songs.search({ title: 'help', bucket: 'own_tracks' })
    expect(help?.ownTracks).toEqual([])
    expect(await help?.tracks()).toEqual([])
  })
})

describe('the wire', () => {
  it('tells no path', async () => {
    const music = await openInline()
    const file = await waveFile(scratch(), 'a.wav', long())
    const { id } = await music.tracks.upload({ file, wait: true })
    const handler = createHandler(music)
    const ask = async (path: string) => {
      const base = 'http://localhost/api/v4'
      return (await handler(new Request(`${base}/${path}api_key=local`))).text()
    }
    const track = await ask(`track/profile?id=${id}&bucket=audio_summary&`)
    expect(track).toContain(id)
    expect(track).not.toMatch(/files|a\.wav/)
    const song = await ask('song/search?bucket=own_tracks&')
    expect(song).toMatch(/"code":\s*5/)
    expect(song).not.toMatch(/a\.wav/)
    const byFile = await ask(`track/profile?file=${encodeURIComponent(file)}&`)
    expect(byFile).not.toContain(id)
  })
})

describe('file: URLs', () => {
  it.each(['a b.wav', 'a%20b.wav', 'one#two?.wav', 'Café 夜 é.wav'])(
    'are taken for %s wherever a path is',
    async (name) => {
      const music = await openInline()
      const folder = join(scratch(), 'my #1 %41 music')
      mkdirSync(folder)
      const path = await waveFile(folder, name, long())
      for (const file of [pathToFileURL(path), pathToFileURL(path).href]) {
        const { files } = await music.tracks.upload({ file, wait: true })
        expect(files.map((one) => one.path)).toEqual([path])
        expect(await music.songs.identify({ file })).toHaveLength(1)
        expect((await music.songs.fingerprint({ file })).code.length).toBeGreaterThan(9)
      }
      for (const at of [pathToFileURL(folder), pathToFileURL(folder).href]) {
        const found = []
        for await (const { files } of music.tracks.uploadFolder(at)) found.push(files[0]?.path)
        expect(found).toEqual([path])
      }
    },
  )

  it.each([
    ['file://server/share/a.wav', /another machine/],
    ['file:///music/a#1.wav', /has a "#".*pathToFileURL/],
    ['file:///music/what?.wav', /has a "\?"/],
    ['file:///music/a%2Fb.wav', /names no path/],
    ['file://%zz', /names no path/],
  ])('are refused as %s', async (file, message) => {
    const music = await openInline()
    for (const call of [
      music.tracks.upload({ file }),
      music.songs.identify({ file }),
      music.tracks.get({ file }),
      music.tracks.uploadFolder(file).next(),
    ]) {
      const error = await failure(call)
      expect(error).toBeInstanceOf(ParameterError)
      expect(error.message).toMatch(message)
    }
  })

  it('say that there is no such file', async () => {
    const music = await openInline()
    const error = await failure(music.tracks.upload({ file: 'file:///nowhere/a%20b.wav' }))
    expect(error).toBeInstanceOf(DecodeError)
    expect(error.message).toMatch(/nowhere.a b\.wav: there is no such file/)
  })
})
