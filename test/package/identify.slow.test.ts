import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../support/built.ts'
import { waveBytes } from '../support/clips.ts'
import { scratch } from '../support/scratch.ts'
import { tune } from '../support/tune.ts'

it('identifies in workers, beside a crowd of others, and stops when it is told to', async () => {
  const folder = scratch()
  for (const seed of [1, 2]) {
    writeFileSync(join(folder, `${seed}.wav`), await waveBytes(tune({ seed })))
  }
  const { stdout, stderr, code } = await run(
    `
    import { Audile, ClosedError } from 'audile'
    import { readFileSync, readdirSync } from 'node:fs'
    const [folder] = process.argv.slice(1).filter((a) => a !== '--')
    const database = folder + '/music.db'
    const music = await Audile.open({ database, workers: 1 })
    const known = await music.tracks.upload({ file: folder + '/1.wav', wait: true })
    const bytes = readFileSync(folder + '/1.wav')
    const asked = [...Array(8).keys()].map((i) =>
      music.songs.identify(i % 2 ? { bytes } : { file: folder + '/2.wav' }))
    const leave = new AbortController()
    const left = music.songs.identify({ bytes, signal: leave.signal }).catch((e) => e.message)
    leave.abort(new Error('enough'))
    const found = (await Promise.all(asked)).map((songs) => songs.map(({ id }) => id === known.answer.songId))
    const open = music.songs.identify({ bytes }).catch((e) => e instanceof ClosedError)
    await music.close()
    const spooled = readdirSync(folder + '/music.db-audio')
    console.log(JSON.stringify({ found, left: await left, closed: await open, spooled }))
    `,
    [folder],
  )
  expect(stderr).toBe('')
  expect(code).toBe(0)
  const { found, left, closed, spooled } = JSON.parse(stdout)
  expect(found).toEqual([...Array(8).keys()].map((i) => (i % 2 ? [true] : [])))
  expect(left).toBe('enough')
  expect(closed).toBe(true)
  // What was only asked about is not kept.
  expect(spooled).toEqual([])
})
