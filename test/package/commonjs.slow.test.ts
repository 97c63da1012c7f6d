import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PACKAGE } from '../support/built.ts'
import { mp3Bytes } from '../support/encode.ts'
import { scratch } from '../support/scratch.ts'
import { taggedMp3 } from '../support/tagged-mp3.ts'
import { tune } from '../support/tune.ts'

// Before 20.19, Node's require() takes no ES modules, and so are the decoders and the reader of tags.
const WITHOUT = '--no-experimental-require-module'
const flags = process.allowedNodeEnvironmentFlags.has(WITHOUT) ? [WITHOUT] : []

it.each(['thread', 'inline'])(
  'decodes and reads tags where require() takes no ES modules: %s',
  async (engine) => {
    const file = join(scratch(), 'song.mp3')
    const tag = taggedMp3({ TIT2: 'Some Song' }, 0)
    const audio = await mp3Bytes(tune({ seed: 1, seconds: 5 }), 128)
    writeFileSync(file, Buffer.concat([tag, audio]))
    const script = `
      const { Audile } = require('audile')
      async function main() {
        const music = await Audile.open({ database: ':memory:', engine: '${engine}', workers: 1 })
        const { answer } = await music.tracks.upload({ file: process.argv.at(-1), wait: true })
        console.log(answer.status, answer.title)
        await music.close()
      }
      main()`
    const args = [...flags, '--input-type=commonjs', '-e', script, '--', file]
    const told = await new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: PACKAGE }, (_, stdout, stderr) =>
        resolve({ stdout, stderr }),
      )
    })
    expect(told).toEqual({ stdout: 'complete Some Song\n', stderr: '' })
  },
)
