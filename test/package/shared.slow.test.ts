import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../support/built.ts'
import { clip, waveFile } from '../support/clips.ts'
import { scratch } from '../support/scratch.ts'

it('two processes on one file share its work: each file is one track, analysed once', async () => {
  const folder = scratch()
  const files: string[] = []
  for (let i = 0; i < 8; i++) {
    files.push(await waveFile(folder, `${i}.wav`, clip({ seconds: 2, seed: i + 1 })))
  }
  const script = `
    import { Audile } from 'audile'
    const [database, ...files] = process.argv.slice(1).filter((a) => a !== '--')
    const music = await Audile.open({ database })
    let analysed = 0
    music.on('job', ({ state }) => { if (state === 'complete') analysed++ })
    const tracks = await Promise.all(files.map((file) => music.tracks.upload({ file })))
    const answers = await Promise.all(tracks.map((track) => track.analyzed()))
    await music.close()
    console.log(JSON.stringify({ analysed, ids: answers.map(({ id }) => id), statuses: answers.map(({ status }) => status) }))`
  const database = join(folder, 'music.db')
  const results = await Promise.all(
    [files, files.toReversed()].map((list) => run(script, [database, ...list])),
  )
  expect(results.map(({ stderr }) => stderr)).toEqual(['', ''])
  const [a, b] = results.map(({ stdout }) => JSON.parse(stdout))
  expect(a.statuses).toEqual(Array(8).fill('complete'))
  expect(b.ids).toEqual(a.ids.toReversed())
  expect(new Set(a.ids).size).toBe(8)
  expect(a.analysed + b.analysed).toBe(8)
})
