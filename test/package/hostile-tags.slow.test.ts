import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../support/built.ts'
import { scratch } from '../support/scratch.ts'
import { taggedMp3 } from '../support/tagged-mp3.ts'

it('tags that take for ever to read are passed over, and hold up nobody', async () => {
  const path = join(scratch(), 'genres.mp3')
  // The reader's time grows with the square of their number: this many take half a minute.
  writeFileSync(path, taggedMp3({ TCON: Array(100_000).fill('Jazz').join('\0') }))
  const script = `
    import { Audile } from 'audile'
    const [file] = process.argv.slice(1).filter((a) => a !== '--')
    const said = []
    const logger = { warn: (message) => said.push(message) }
    const music = await Audile.open({ database: ':memory:', logger, limits: { tagSeconds: 1 } })
    const uploading = music.tracks.upload({ file, wait: true })
    let served = 0
    while (said.length === 0) {
      await music.tracks.list()
      served++
    }
    const { answer } = await uploading
    await music.close()
    console.log(JSON.stringify({ status: answer.status, said, served }))`
  const { stdout, stderr, code } = await run(script, [path])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  const { status, said, served } = JSON.parse(stdout)
  expect(status).toBe('complete')
  expect(said).toEqual([expect.stringMatching(/longer than the 1 s of limits\.tagSeconds/)])
  // While the tags were read.
  expect(served).toBeGreaterThan(1)
})
