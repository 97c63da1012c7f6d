import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { PACKAGE } from '../support/built.ts'
import { assorted, mixLibrary } from '../support/mix-library.ts'
import { scratch } from '../support/scratch.ts'

it('play-next continues what is liked, without what was banned or just played', async () => {
  const folder = scratch()
  const plans = assorted(3).map((plan, i) => ({ ...plan, file: join(folder, `${i}.mp3`) }))
  for (const { file } of plans) writeFileSync(file, file)
  const { music, database } = await mixLibrary(plans)
  await music.close()
  const say = async (...args: string[]) => {
    const script = join(PACKAGE, 'examples/play-next.mjs')
    const { stdout } = await promisify(execFile)(process.execPath, [script, database, ...args])
    return stdout.split('\n').filter(Boolean)
  }
  const files = plans.map(({ file }) => file)
  const [liked = '', played = '', banned = ''] = files
  const any = await say()
  expect(new Set(any).size).toBe(10)
  for (const file of any) expect(files).toContain(file)
  await say('favorite', liked)
  expect((await say('next'))[0]).toBe(liked)
  await say('play', played)
  await say('ban', banned)
  expect((await say()).sort()).toEqual(
    files.filter((file) => ![played, banned].includes(file)).sort(),
  )
  await say('rate', files[11]!, '10')
  expect((await say()).slice(0, 2)).toContain(files[11])
  await say('skip', files[5]!)
  expect(await say()).toHaveLength(10)
})
