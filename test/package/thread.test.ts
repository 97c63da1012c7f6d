import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { PACKAGE, run } from '../support/built.ts'
import { waveFile } from '../support/clips.ts'
import { scratch } from '../support/scratch.ts'
import { tell } from '../support/told-by-program.ts'

describe('an engine in its thread', () => {
  it('analyses, tells events, and lets the process end', async () => {
    const { answer, steps, beats } = await tell(`
      const steps = []
      const music = await Audile.open({ database })
      music.on('track', ({ status }) => steps.push(status))
      const track = await music.tracks.upload({ file, wait: true, bucket: ['audio_summary'] })
      const { beats } = await track.analysis()
      await music.close()
      out({ answer: track.answer, steps, beats: beats.length })
    `)
    expect(answer).toMatchObject({ status: 'complete', audioSummary: { duration: 4 } })
    expect(steps[0]).toBe('pending')
    expect(steps.at(-1)).toBe('complete')
    expect(beats).toBeGreaterThan(3)
  })

  it('also without close(): nothing idle holds the process', async () => {
    expect(
      await tell(`
        const music = await Audile.open({ database })
        await music.tracks.upload({ file, wait: true })
        out('done')
      `),
    ).toBe('done')
  })

  it('rejects with the class, code, message and cause that the engine threw', async () => {
    const errors = await tell(`
      const music = await Audile.open({ database })
      out([
        await failure(music.tracks.get('TRAAAAA00000000000')),
        await failure(music.tracks.upload({ file: folder + '/no.mp3' })),
        await failure(music.as('nobody').tracks.list()),
        await failure(Audile.open({ database: folder + '/no/music.db' })),
      ])
      await music.close()
    `)
    expect(errors).toMatchObject([
      { name: 'ParameterError', code: 'unknown_identifier', status: 5 },
      { name: 'DecodeError', code: 'decode', cause: expect.stringMatching(/ENOENT/) },
      { name: 'KeyError', code: 'invalid_key', status: 1 },
      { name: 'DatabaseError', code: 'database', message: expect.stringMatching(/does not exist/) },
    ])
  })

  it('ends a download that hangs, with its connection, when it is told to', async () => {
    const result = await tell(`
      import { createServer } from 'node:http'
      const server = createServer((request, response) => response.write('RIFF'))
      await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
      const gone = new Promise((resolve) => server.on('connection', (s) => s.on('close', resolve)))
      const asked = new Promise((resolve) => server.once('request', resolve))
      const music = await Audile.open({ database })
      const url = 'http://127.0.0.1:' + server.address().port + '/'
      const abort = new AbortController()
      const uploading = failure(music.tracks.upload({ url, signal: abort.signal }))
      await asked
      abort.abort(new Error('enough'))
      const { message } = await uploading
      await gone
      server.close()
      await music.close()
      out(message)
    `)
    expect(result).toBe('enough')
  })

  it('that dies rejects every waiting call and leaves the database sound', async () => {
    const engine = join(scratch(), 'dying-engine.mjs')
    const built = pathToFileURL(join(PACKAGE, 'dist/engine.js')).href
    writeFileSync(
      engine,
      `import '${built}'
      import { existsSync } from 'node:fs'
      setInterval(() => existsSync(import.meta.dirname + '/die') && process.exit(7), 10)`,
    )
    // Of the tasks that it is given, it ends none.
    const worker = join(scratch(), 'busy-worker.mjs')
    writeFileSync(
      worker,
      `import { parentPort } from 'node:worker_threads'
      parentPort.on('message', () => {})`,
    )
    const result = await tell(
      `
      import { writeFileSync } from 'node:fs'
      import { dirname } from 'node:path'
      const [enginePath, workerPath] = process.argv.slice(-2)
      const limits = { tagSeconds: 1 }
      const music = await Audile.open({ database, enginePath, workerPath, limits })
      const samples = [new Float32Array(44100).map((_, i) => Math.sin(i / 20))]
      const track = await music.tracks.upload({ samples, sampleRate: 44100 })
      const waiting = [track.analyzed(), track.analyzed()].map(failure)
      await music.tracks.list()
      writeFileSync(dirname(enginePath) + '/die', '')
      const died = await Promise.all(waiting)
      const later = await failure(music.tracks.list())
      await music.close()
      const again = await Audile.open({ database })
      const { total } = await again.tracks.list()
      await again.close()
      out({ died, later, total })
    `,
      [engine, worker],
    )
    const closed = {
      name: 'ClosedError',
      code: 'closed',
      message: expect.stringMatching(
        /engine thread ended unexpectedly \(exit code 7\).*open a new/,
      ),
    }
    expect(result).toMatchObject({ died: [closed, closed], later: closed, total: 1 })
  })

  it('serves a CommonJS program too', async () => {
    const file = await waveFile(scratch(), 'song.wav')
    const script = `
      const { createRequire } = await import('node:module')
      const { Audile } = createRequire(process.cwd() + '/x.js')('audile')
      const music = await Audile.open({ database: ':memory:' })
      const track = await music.tracks.upload({ file: process.argv.at(-1), wait: true })
      console.log(track.answer.status)
      await music.close()`
    const { stdout, stderr } = await run(script, [file])
    expect(stderr).toBe('')
    expect(stdout.trim()).toBe('complete')
  })
})
