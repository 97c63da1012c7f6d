import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answers, ended, freePort } from './postgres.ts'

/** The server's program, under the names that systems install it by. */
const PROGRAM = ['redis-server', 'valkey-server'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
)

/** Why tests with Redis or Valkey are skipped; `undefined` where there is a server. */
export const NO_REDIS =
  PROGRAM === undefined ? 'neither redis-server nor valkey-server is installed' : undefined

/** Starts a server on a free port that keeps what it has across restarts. */
export async function startRedis() {
  const home = mkdtempSync(join(tmpdir(), 'audile-redis-'))
  const port = await freePort()
  let server: ChildProcess
  const start = async () => {
    server = spawn(
      PROGRAM as string,
      ['--port', String(port), '--bind', '127.0.0.1', '--dir', home, '--appendonly', 'yes'],
      { stdio: 'ignore' },
    )
    while (!(await answers(port, server))) await sleep(50)
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    async restart(pause = 0) {
      await ended(server, 'SIGTERM')
      await sleep(pause)
      await start()
    },
    async stop() {
      await ended(server, 'SIGTERM')
      rmSync(home, { recursive: true, force: true })
    },
  }
}
