import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { run } from '../support/built.ts'
import { scratch } from '../support/scratch.ts'

const M4A = fileURLToPath(new URL('../audio/fixtures/stereo.m4a', import.meta.url))

it('an m4a whose sample table claims four thousand million entries harms nobody', async () => {
  const crafted = readFileSync(M4A)
  const stsz = crafted.indexOf('stsz')
  crafted.writeUInt32BE(0, stsz + 8) // sizes in a table
  crafted.writeUInt32BE(0xffffff00, stsz + 12)
  const path = join(scratch(), 'crafted.m4a')
  writeFileSync(path, crafted)
  const script = `
    import { Audile } from 'audile'
    const [crafted, good] = process.argv.slice(1).filter((a) => a !== '--')
    const music = await Audile.open({ database: ':memory:' })
    const bad = await music.tracks.upload({ file: crafted, wait: true })
    const after = await music.tracks.upload({ file: good, wait: true })
    await music.close()
    console.log(JSON.stringify([bad.answer.status, bad.answer.error, after.answer.status]))`
  const { stdout, stderr, code } = await run(script, [path, M4A])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual([
    'error',
    expect.stringMatching(/stsz.*4294967040|4294967040.*stsz/),
    'complete',
  ])
})
