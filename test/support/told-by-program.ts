import { expect } from 'vitest'
import { run } from './built.ts'
import { clip, waveFile } from './clips.ts'
import { scratch } from './scratch.ts'

const HEAD = `
import { Audile, ClosedError, DatabaseError, DecodeError, KeyError, ParameterError } from 'audile'
const [folder, file] = process.argv.slice(1).filter((a) => a !== '--')
const database = folder + '/music.db'
const told = (e) => ({ name: e?.name, code: e?.code, status: e?.status, message: e?.message, cause: e?.cause?.cause?.message })
const failure = (p) => p.then(() => ({ name: 'none' }), told)
const out = (value) => console.log(JSON.stringify(value))
`

/** What a program prints, as JSON, that is given a folder, a file and these arguments. */
export async function tell(script: string, args: string[] = []) {
  const folder = scratch()
  const file = await waveFile(folder, 'song.wav', clip({ seconds: 4 }))
  const { stdout, stderr, code } = await run(HEAD + script, [folder, file, ...args])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(stdout)
}
