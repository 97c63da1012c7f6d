import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DatabaseError } from '../../src/index.ts'
import { clip, waveBytes } from '../support/clips.ts'
import { failure } from '../support/failure.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

it('refuses bytes that cannot be kept as the database refuses what it cannot write', async () => {
  const database = join(scratch(), 'music.db')
  const music = await openInline({ database })
  const bytes = await waveBytes(clip({ seconds: 1 }))
  // Where the folder belongs is a file.
  writeFileSync(`${database}-audio`, '')
  const refused = await failure(music.tracks.upload({ bytes }))
  expect(refused).toBeInstanceOf(DatabaseError)
  expect(refused.message).toMatch(/Cannot keep audio in .*music\.db-audio: EEXIST.*be writable/)
  expect((await music.tracks.list()).total).toBe(0)

  rmSync(`${database}-audio`)
  const { answer } = await music.tracks.upload({ bytes, wait: true })
  expect(answer.status).toBe('complete')
})

it('tells what the source of the bytes threw, as it threw it', async () => {
  const music = await openInline({ database: join(scratch(), 'music.db') })
  const reason = Object.assign(new Error('the card was pulled out'), { code: 'EIO' })
  const bytes = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(reason),
  })
  expect(await failure(music.tracks.upload({ bytes }))).toBe(reason)
})
