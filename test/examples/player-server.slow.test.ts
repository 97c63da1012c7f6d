import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { Audile } from '../../src/index.ts'
import { album, HOSTILE, Player, song, Visitor } from '../support/player.ts'
import { scratch } from '../support/scratch.ts'

describe('the server of the player', () => {
  it('answers its own page alone, with the token of this run', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    const stranger = new Visitor(player)
    for (const path of ['/', '/?token=', '/?token=guess', '/app.mjs', '/player/state']) {
      expect((await stranger.get(path)).status, path).toBe(401)
    }
    expect((await stranger.get('/api/v4/catalog/list?api_key=local')).status).toBe(401)

    const page = await stranger.get(player.url.slice(player.origin.length))
    expect(page.status).toBe(200)
    expect(page.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Strict$/)
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors/)
    expect(page.headers['access-control-allow-origin']).toBeUndefined()

    const guest = await Visitor.invited(player)
    const { status, json, headers } = await guest.get('/api/v4/catalog/list')
    expect({ status, code: json.response.status.code }).toEqual({ status: 200, code: 0 })
    expect(headers['access-control-allow-origin']).toBeUndefined()

    // A name of somebody else's that was made to lead here.
    const rebound = { host: `evil.example:${new URL(player.url).port}` }
    expect((await guest.get('/player/state', rebound)).status).toBe(403)
    // A page of somebody else's, in the same browser.
    const foreign = { origin: 'https://evil.example' }
    const port = Number(new URL(player.url).port)
    for (const headers of [
      foreign,
      { origin: 'null' },
      { origin: `http://127.0.0.1:${port + 1}` },
      { origin: `http://localhost:${port}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const told = await guest.post('/player/scan', { folder: scratch() }, headers)
      expect(told.status, JSON.stringify(headers)).toBe(403)
      const form = new URLSearchParams({ name: 'x', type: 'song' })
      expect((await guest.post('/api/v4/catalog/create', form, headers)).status).toBe(403)
    }
    expect((await guest.get('/player/state', foreign)).status).toBe(403)
    const silent = { method: 'POST', body: '{}' }
    const cookieless = await fetch(`${player.origin}/player/scan`, silent)
    expect(cookieless.status).toBe(403)
    expect((await guest.get('/player/scan')).json.status).toBe('idle')

    // Of another run the token is worth nothing.
    const other = await Player.start(join(scratch(), 'music.db'))
    const { search } = new URL(player.url)
    expect((await new Visitor(other).get(`/${search}`)).status).toBe(401)
  })

  it('takes its usual port, and another where that is taken', async () => {
    // On this machine another player may run: then both are second.
    const start = () => Player.start(join(scratch(), 'music.db'), null)
    const [one, other] = [await start(), await start()]
    expect((await (await Visitor.invited(one)).get('/player/state')).status).toBe(200)
    expect(other.origin).not.toBe(one.origin)
  })

  it('serves the files of its page, and of the library, and no other', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    const guest = await Visitor.invited(player)
    const page = await guest.get('/')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect((await guest.get('/app.mjs')).headers['content-type']).toMatch('text/javascript')
    const head = await guest.get('/base.css', {}, 'HEAD')
    expect(Number(head.headers['content-length'])).toBeGreaterThan(1000)
    expect(head.bytes).toHaveLength(0)
    const escapes = [
      '/server.mjs',
      '/../server.mjs',
      '/page/index.html',
      '/..%2fserver.mjs',
      '/%2e%2e/server.mjs',
      '//etc/passwd',
      '/player/audio/../../../../etc/passwd',
      '/player/audio/..%2f..%2fetc%2fpasswd',
      '/player/audio//etc/passwd',
      '/player/audio/TRAAAAA00000000000',
      '/player/audio/',
      '/constructor',
      '/player/__proto__',
    ]
    for (const path of escapes) expect((await guest.get(path)).status, path).toBe(404)

    const folder = album()
    await guest.scan(folder)
    const [row] = await guest.library()
    // The page cannot have another path put into the library.
    const notes = join(folder, 'notes.txt')
    const query = new URLSearchParams({ filetype: 'wav', url: String(pathToFileURL(notes)) })
    const refused = await guest.post(`/api/v4/track/upload?${query}`, {})
    expect(refused.json.response.status.code).toBe(5)
    const made = await guest.post(
      '/api/v4/catalog/create',
      new URLSearchParams({ name: 'Mine', type: 'song' }),
    )
    const data = JSON.stringify([{ item: { item_id: row.id, track_id: row.id, url: notes } }])
    const form = new URLSearchParams({ id: made.json.response.id, data })
    expect((await guest.post('/api/v4/catalog/update', form)).status).toBe(200)
    const audio = await guest.get(`/player/audio/${row.id}`)
    expect(audio.bytes.equals(readFileSync(row.path))).toBe(true)
  })

  it('sends the part of a file that is asked for', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    const guest = await Visitor.invited(player)
    const folder = scratch()
    const path = song(folder, 'a.wav', { TIT2: 'A' }, { seconds: 3 })
    await guest.scan(folder)
    const [{ id }] = await guest.library()
    const address = `/player/audio/${id}`
    const whole = readFileSync(path)
    const size = whole.length

    const all = await guest.get(address)
    expect(all.status).toBe(200)
    expect(all.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-type': 'audio/wav' })
    expect(all.bytes.equals(whole)).toBe(true)
    const etag = String(all.headers.etag)

    const parts: [string, number, number][] = [
      ['bytes=0-0', 0, 1],
      ['bytes=100-199', 100, 200],
      [`bytes=${size - 5}-`, size - 5, size],
      ['bytes=-7', size - 7, size],
      [`bytes=-${size + 10}`, 0, size],
      [`bytes=10-${size + 10}`, 10, size],
    ]
    for (const [range, from, to] of parts) {
      const part = await guest.get(address, { range })
      expect(part.status, range).toBe(206)
      expect(part.headers['content-range']).toBe(`bytes ${from}-${to - 1}/${size}`)
      expect(part.headers['content-length']).toBe(String(to - from))
      expect(part.bytes.equals(whole.subarray(from, to)), range).toBe(true)
    }
    for (const range of [`bytes=${size}-`, 'bytes=-0']) {
      const none = await guest.get(address, { range })
      expect([none.status, none.headers['content-range']]).toEqual([416, `bytes */${size}`])
    }
    // What is no range, or several, is answered with all of it.
    for (const range of ['bytes=5-2', 'bytes=a-b', 'bytes=-', 'items=0-1', 'bytes=0-1,4-5']) {
      expect((await guest.get(address, { range })).bytes.length, range).toBe(size)
    }
    const range = 'bytes=0-9'
    expect((await guest.get(address, { range, 'if-range': etag })).bytes).toHaveLength(10)
    expect((await guest.get(address, { range, 'if-range': '"other"' })).bytes).toHaveLength(size)
    const head = await guest.get(address, { range }, 'HEAD')
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([206, '10', 0])

    rmSync(path)
    const gone = await guest.get(address)
    expect(gone.status).toBe(404)
    expect(gone.json.error).toBe(`${path} is not there any more: scan its new folder.`)
  })

  it('takes a folder in, and takes note of what changed since', async () => {
    const database = join(scratch(), 'music.db')
    const player = await Player.start(database)
    const guest = await Visitor.invited(player)
    const folder = album()
    const first = await guest.scan(folder)
    expect(first).toMatchObject({ status: 'done', folder, done: 4, total: 4, shown: 3, failed: 1 })
    expect(first.failures).toEqual([
      { file: join(folder, 'broken.mp3'), error: expect.stringMatching(/\w/) },
    ])
    const names = async () =>
      (await guest.library()).map(({ title }: { title: string }) => title).sort()
    expect(await names()).toEqual([HOSTILE, 'Evening Bus', 'Morning Train'])

    expect(await guest.scan(folder)).toMatchObject({ shown: 3, failed: 1, gone: 0 })
    expect(await guest.library()).toHaveLength(3)

    rmSync(join(folder, 'deeper'), { recursive: true })
    song(
      folder,
      'two.wav',
      { TIT2: 'Night Tram', TPE1: 'Else' },
      { seconds: 12, bpm: 100, seed: 2 },
    )
    expect(await guest.scan(folder)).toMatchObject({ status: 'done', shown: 2, gone: 1 })
    expect(await names()).toEqual(['Morning Train', 'Night Tram'])
  })

  it('answers ids in order, and rows, without what cannot be played', async () => {
    const database = join(scratch(), 'music.db')
    const folder = scratch()
    const track = { duration: 60, tempo: 120, loudness: -9, key: 0, mode: 1, time_signature: 4 }
    const records = Array.from({ length: 130 }, (_, i) => {
      const file = join(folder, `${i}.mp3`)
      if (i !== 50) writeFileSync(file, String(i))
      const names = { title: `Song ${i}`, artist: 'The Many', release: `Album ${i % 3}` }
      const summary = { energy: i / 130, valence: 0.5 }
      return { file, ...names, analysis: { track }, audioSummary: summary }
    })
    const music = await Audile.open({ database, engine: 'inline', workers: 0 })
    expect(await music.tracks.import(records)).toMatchObject({ imported: 130, rejected: [] })
    await music.close()

    const guest = await Visitor.invited(await Player.start(database))
    const idsOf = async (query: string) => (await guest.get(`/player/ids?${query}`)).json.ids
    const all = await idsOf('sort=created-asc')
    const { rows } = (await guest.post('/player/rows', { ids: all.slice(0, 100) })).json
    const present = records.filter((_, i) => i !== 50)
    expect(all).toHaveLength(present.length)
    expect(rows.map(({ path }: { path: string }) => path)).toEqual(
      present.slice(0, 100).map(({ file }) => file),
    )
    expect(rows[7]).toMatchObject({ title: 'Song 7', artist: 'The Many', tempo: 120 })
    expect((await idsOf('words=song+7'))[0]).toBe(rows[7].id)
    expect(await idsOf('words=the+mny&max=125')).toHaveLength(present.length)
    expect(await idsOf('words=song&min=125')).toEqual([])
    expect(await idsOf('words=song&genre=jazz')).toEqual([])
    const lively = await idsOf('mood=energetic&sort=energy-desc')
    expect(lively).toHaveLength(records.filter((_, i) => i / 130 >= 0.7).length)
    expect(lively[0]).toBe(all.at(-1))
    const refused = await guest.get('/player/ids?min=fast')
    expect([refused.status, refused.json.refused]).toEqual([200, expect.stringMatching('tempo')])

    const { total, cards } = (await guest.get('/player/albums?words=album')).json
    expect([total, cards[0]]).toMatchObject([3, { title: 'Album 0', artist: 'The Many' }])
    const own = await idsOf(`album=${cards[0].id}`)
    expect(own).toHaveLength(cards[0].tracks)
    expect((await guest.get('/player/artists')).json).toMatchObject({
      total: 1,
      cards: [{ title: 'The Many', tracks: 130 }],
    })
    const cover = await guest.get(`/player/cover/${all[0]}`)
    expect([cover.status, cover.headers['content-type']]).toEqual([200, 'image/svg+xml'])
  })

  it('says in words what it cannot take in', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    const guest = await Visitor.invited(player)
    for (const body of [{}, { folder: '  ' }, { folder: 7 }]) {
      const told = await guest.post('/player/scan', body)
      expect([told.status, told.json.error]).toEqual([
        400,
        'Give the path of a folder, as /home/you/Music.',
      ])
    }
    for (const body of [null, 'text', 3]) {
      expect((await guest.post('/player/scan', body)).status).toBe(400)
    }
    expect((await guest.post('/player/scan', { folder: 'x'.repeat(70_000) })).status).toBe(413)

    const folder = album()
    const missing = await guest.scan(join(folder, 'nowhere'))
    expect(missing).toMatchObject({
      status: 'failed',
      error: expect.stringMatching('no such file or folder'),
    })
    const file = await guest.scan(join(folder, 'one.wav'))
    expect(file).toMatchObject({ status: 'failed', error: expect.stringMatching('not a folder') })
    const similar = await guest.get('/player/similar?id=TRAAAAA00000000000')
    expect([similar.status, similar.json.refused]).toEqual([
      200,
      expect.stringMatching('not exist'),
    ])

    await guest.post('/player/scan', { folder })
    const second = await guest.post('/player/scan', { folder })
    expect([second.status, second.json.error]).toEqual([409, expect.stringMatching(folder)])
    const stopped = await guest.post('/player/scan/cancel', {})
    expect(stopped.json.status).toBe('cancelled')
    // What was begun can be gone on with.
    expect(await guest.scan(folder)).toMatchObject({ status: 'done', shown: 3 })
  })

  it('offers the folders that begin as typed', async () => {
    const player = await Player.start(join(scratch(), 'music.db'))
    const guest = await Visitor.invited(player)
    const folder = scratch()
    for (const name of ['Albums', 'albums old', '.hidden', 'Other']) mkdirSync(join(folder, name))
    const under = async (typed: string) =>
      (await guest.get(`/player/folders?under=${encodeURIComponent(typed)}`)).json.folders
    expect(await under(join(folder, 'alb'))).toEqual(
      ['Albums', 'albums old'].map((name) => join(folder, name)),
    )
    expect(await under(`${folder}/`)).toHaveLength(3)
    expect(await under(join(folder, 'nothing', 'here'))).toEqual([])
    expect(await under('')).toEqual([])
  })
})
