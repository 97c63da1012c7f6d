import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { auHeader } from '../../src/audio/au.ts'
import { fleet, type ServeFleetOptions, serveFleet } from '../../src/fleet-entry.ts'
import type { AudileOptions } from '../../src/options/options.ts'
import { clip, waveFile } from '../support/clips.ts'
import { fixture } from '../support/decoded.ts'
import { openInline } from '../support/open.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { scratch } from '../support/scratch.ts'

let server: Postgres
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

const places = (store: string) => ({ queue: server.url, store, silence: 2 })

async function serving(store: string, options: Partial<ServeFleetOptions> = {}) {
  const own = { workers: 0, temporary: scratch(), ...options }
  const worker = await serveFleet({ ...places(store), ...own })
  onTestFinished(() => worker.close())
  return worker
}

const owning = (store: string, options: Partial<AudileOptions> = {}) =>
  openInline({ analysis: fleet(places(store)), ...options })

/** How a file ends: `complete`, or the message of its error. */
async function outcome(options: Partial<AudileOptions>, file: string): Promise<string> {
  const music = await openInline(options)
  const track = await music.tracks.upload({ file })
  return track.analyzed().then(
    ({ status }) => status,
    (error: Error) => error.message,
  )
}

it('holds each owner to its own limits, with the errors of one machine', async () => {
  const store = scratch()
  await serving(store)
  const long = await waveFile(scratch(), 'long.wav', clip({ seconds: 4, seed: 3 }))
  const { samples, sampleRate } = clip({ seed: 4 })
  const pair = [...samples, ...samples]
  const stereo = await waveFile(scratch(), 'stereo.wav', { samples: pair, sampleRate })
  const analysis = fleet(places(store))
  const short = { decodedSeconds: 2 }
  const mono = { channels: 1 }
  const hasty = { analysisSeconds: 1e-6 }
  for (const [limits, file, name] of [
    [short, long, 'limits.decodedSeconds'],
    [mono, stereo, 'limits.channels'],
    [hasty, long, 'limits.analysisSeconds'],
  ] as const) {
    const said = await outcome({ analysis, limits }, file)
    expect(said).toContain(name)
    expect(said).toBe(await outcome({ limits }, file))
    expect(await outcome({ analysis }, file)).toBe('complete')
  }
})

/** A worker script that does one thing with every task. */
function script(deed: string): string {
  const path = join(scratch(), 'worker.mjs')
  const listen = `parentPort.on('message', () => { ${deed} })`
  writeFileSync(path, `import { parentPort } from 'node:worker_threads'\n${listen}\n`)
  return path
}

it.each([
  ['for (;;);', { stalledSeconds: 1 }, 'no progress for 1 s'],
  [
    'for (const hoard = [];;) hoard.push(new Array(1e5).fill(hoard.length))',
    { workerMegabytes: 32 },
    '32 MB',
  ],
])('ends a thread that does %s by the limits of the owner', async (deed, limits, message) => {
  const store = scratch()
  const workerPath = script(deed)
  await serving(store, { workers: 1, workerPath })
  const file = await waveFile(scratch(), 'a.wav')
  const said = await outcome({ analysis: fleet(places(store)), limits }, file)
  expect(said).toContain(message)
  expect(said).toContain(`limits.${Object.keys(limits)[0]}`)
})

/** A program in the place of ffmpeg, which makes the same three seconds of any file. */
function program(): string {
  const folder = scratch()
  const { samples, sampleRate } = clip({ seed: 9 })
  const [channel = new Float32Array()] = samples
  const sound = Buffer.alloc(4 * channel.length)
  for (const [i, value] of channel.entries()) sound.writeFloatBE(value, 4 * i)
  const bytes = Buffer.concat([auHeader(1, sampleRate), sound])
  writeFileSync(join(folder, 'sound.au'), bytes)
  const path = join(folder, 'ffmpeg')
  writeFileSync(path, `#!/bin/sh\nexec cat '${join(folder, 'sound.au')}'\n`)
  chmodSync(path, 0o755)
  return path
}

it.skipIf(process.platform === 'win32')(
  'reads by ffmpeg for owners that name one, and for no others',
  async () => {
    const store = scratch()
    const ffmpegPath = program()
    const file = fixture('adts.aac')
    const music = await owning(store, { ffmpegPath })
    const track = await music.tracks.upload({ file })
    const without = await serving(store)
    await expect.poll(() => without.status().failed, { timeout: 5000 }).toBeGreaterThan(0)
    await without.close()
    await serving(store, { ffmpegPath })
    expect((await track.analyzed()).status).toBe('complete')
    const said = await outcome({ analysis: fleet(places(store)) }, file)
    expect(said).toContain('ffmpegPath')
    expect(said).toBe(await outcome({}, file))
  },
)
