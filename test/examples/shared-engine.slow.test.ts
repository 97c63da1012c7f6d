import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { PACKAGE } from '../support/built.ts'
import { clip, waveFile } from '../support/clips.ts'
import { example } from '../support/example.ts'
import { scratch } from '../support/scratch.ts'

it('shared-engine: processes ask one engine, near and far', async () => {
  const folder = scratch()
  const server = spawn(
    process.execPath,
    [
      join(PACKAGE, 'examples/shared-engine/server.mjs'),
      ...[join(folder, 'music.db'), join(folder, 'socket')],
    ],
    { cwd: PACKAGE, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  onTestFinished(() => void server.kill('SIGKILL'))
  const [line] = await once(server.stdout, 'data')
  const [, near = '', far = '', key = ''] =
    /^(unix:\S+)\n(ws:\S+) with the key ([A-Z0-9]{17})\n$/.exec(String(line)) ?? []
  const files = [1, 2].map((seed) => waveFile(folder, `${seed}.wav`, clip({ seconds: 6, seed })))
  const [one, two] = (await Promise.all(files)) as [string, string]
  const client = 'examples/shared-engine/client.mjs'
  const asked = await Promise.all([
    example(client, [near, 'local', one]),
    example(client, [far, key, two]),
  ])
  for (const { stdout, code } of asked) {
    expect(stdout).toMatch(/^complete: \d+ BPM, TR\w{16}\n[12] tracks there\n$/)
    expect(code).toBe(0)
  }
  const refused = await example(client, [far, 'local', two])
  expect(refused.stderr).toContain('is not secret')
  expect(refused.code).toBe(1)
  // As a reference, near and far.
  const songs = 'examples/shared-engine/identify.mjs'
  for (const [reference, SONGS_KEY] of [
    [near, ''],
    [far, key],
  ] as const) {
    const heard = await example(songs, [one, reference], { SONGS_KEY })
    expect(heard.stderr).toBe('')
    expect(heard.stdout).toMatch(new RegExp(`^SO\\w{16} 1 \\(\\d+\\), ${reference}\n$`))
  }
  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
})
