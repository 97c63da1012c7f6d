import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TagValues } from '../../src/tagging/tag-values.ts'
import { writeFileTags } from '../../src/tagging/write-tags.ts'
import { failure } from './failure.ts'
import { scratch } from './scratch.ts'

const MAX_BYTES = 2 ** 24

/** A file after values were written into its tags. */
export async function tagged(content: Uint8Array, values: TagValues): Promise<Buffer> {
  const folder = scratch()
  const [path, copy] = [join(folder, 'original'), join(folder, 'copy')]
  writeFileSync(path, content)
  writeFileSync(copy, content)
  await writeFileTags({ path, values, bytes: MAX_BYTES, copy })
  return readFileSync(copy)
}

/** The message of the refusal to write, which a dry run gives too. */
export async function refusalOf(content: Uint8Array, values: TagValues): Promise<string> {
  const path = join(scratch(), 'original')
  writeFileSync(path, content)
  const dry = await failure(writeFileTags({ path, values, bytes: MAX_BYTES }))
  const { message } = await failure(tagged(content, values))
  return dry.message === message ? message : `dry run: ${dry.message}; write: ${message}`
}
