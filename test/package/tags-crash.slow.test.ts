import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { parseFile } from 'music-metadata'
import { expect, it } from 'vitest'
import { TASK_RUNNERS } from '../../src/workers/tasks.ts'
import { run, start } from '../support/built.ts'
import { clip, waveFile } from '../support/clips.ts'
import { fixture } from '../support/decoded.ts'
import { mp3Bytes, oggBytes } from '../support/encode.ts'
import { seeded } from '../support/music.ts'
import { scratch } from '../support/scratch.ts'

const KILLS = Number(process.env.KILLS ?? 8)

/** Scans the folder, and writes the tags of its tracks `rounds` times, in turn with two comments. */
const WRITE = `
import { Audile } from 'audile'
const [database, folder, rounds] = process.argv.slice(1).filter((a) => a !== '--')
const music = await Audile.open({ database })
let analysed = 0
music.on('track', ({ progress }) => progress === 1 || analysed++)
for await (const change of music.tracks.scan(folder)) if (change.error) throw new Error(change.error)
const known = analysed
const tracks = []
for await (const track of music.tracks.all()) tracks.push(track)
console.log('writes')
for (let round = 0; round < Number(rounds); round++) {
  for (const track of tracks) {
    const { files } = await track.writeTags({ dryRun: false, comment: ['one', 'three'][round % 2] })
    if (files[0].error) throw new Error(files[0].error)
  }
  console.log('round')
}
await music.close()
console.log(JSON.stringify({ tracks: tracks.length, known }))
`

const md5 = (file: string) => createHash('md5').update(readFileSync(file)).digest('hex')
const soundOf = async (path: string) =>
  (await TASK_RUNNERS.sum({ path, decode: {} }, () => {})).audioMd5

it(`kill -9 at ${KILLS} moments while tags are written: each file is the old one or the new one`, async () => {
  const folder = join(scratch())
  const database = join(scratch(), 'music.db')
  const sound = clip({ seconds: 40, seed: 3, sampleRate: 44_100 })
  await waveFile(folder, 'a.wav', sound)
  writeFileSync(join(folder, 'b.mp3'), await mp3Bytes(sound, 128))
  writeFileSync(join(folder, 'c.ogg'), await oggBytes(clip({ seconds: 30, seed: 4 }), 4))
  for (const name of ['stereo.flac', 'stereo.m4a', 'mono.opus']) {
    copyFileSync(fixture(name), join(folder, `d${extname(name)}`))
  }
  const files = readdirSync(folder).map((name) => join(folder, name))
  const sounds = await Promise.all(files.map(soundOf))
  /** What a file may hold: its bytes before, and after each change of an undisturbed run. */
  const allowed = files.map((file) => new Set([md5(file)]))
  const look = () => {
    for (const [i, file] of files.entries()) allowed[i]?.add(md5(file))
  }
  let took = 0
  for (const rounds of [1, 2, 1, 2, 1, 2]) {
    const from = performance.now()
    const { stderr } = await run(WRITE, [database, folder, String(rounds)])
    expect(stderr).toBe('')
    took = (performance.now() - from) / rounds
    look()
  }

  const random = seeded(11)
  let midway = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const child = start(WRITE, [database, folder, '1000'])
    let stderr = ''
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    await once(child.stdout as NodeJS.ReadableStream, 'data')
    await new Promise((resolve) => setTimeout(resolve, random() * took))
    // A copy is there for a small part of the time, so most kills wait for one.
    while (kill % 4 !== 0 && readdirSync(folder).length === files.length) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(stderr).toBe('')
    if (readdirSync(folder).length > files.length) midway++
    for (const [i, file] of files.entries()) {
      // Each change makes an m4a longer, by space for tags.
      if (!file.endsWith('.m4a')) {
        expect([...(allowed[i] ?? [])], `${file} after kill ${kill}`).toContain(md5(file))
        continue
      }
      expect(await soundOf(file)).toBe(sounds[i])
      const { comment } = (await parseFile(file)).common
      expect(['one', 'three']).toContain(comment?.[0]?.text)
    }
  }
  expect(midway).toBeGreaterThan(KILLS / 4)

  const { stdout, stderr } = await run(WRITE, [database, folder, '1'])
  expect(stderr).toBe('')
  // The scan analyses nothing anew, and no copy is left.
  const last = stdout.trim().split('\n').at(-1) as string
  expect(JSON.parse(last)).toEqual({ tracks: files.length, known: 0 })
  expect(readdirSync(folder).length).toBe(files.length)
  expect(await Promise.all(files.map(soundOf))).toEqual(sounds)
}, 600_000)
