import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const PACKAGE = fileURLToPath(new URL('../../..', import.meta.url))

/** What an owner says at its end. */
export interface OwnerReport {
  /** From the last registration to the last result. */
  seconds: number
  /** From the first result to the last. */
  between: number
  /** Processor time of the owner in that time, seconds. */
  cpu: number
  /** Processor time in which it added all files, seconds. */
  adding: number
}

/** Starts `owner.mjs` or `worker.mjs` on the built package. @param env - more of the environment */
export function start(
  name: 'owner' | 'worker',
  options: object,
  env: NodeJS.ProcessEnv = {},
): ChildProcess {
  const script = fileURLToPath(new URL(`./${name}.mjs`, import.meta.url))
  return fork(script, [JSON.stringify(options)], {
    cwd: PACKAGE,
    env: { ...process.env, ...env },
    execArgv: process.env.FLEET_PROFILE
      ? ['--cpu-prof', '--cpu-prof-dir', process.env.FLEET_PROFILE]
      : [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

/** Waits for the report of an owner; `undefined` when it ends without one. */
export function reportOf(owner: ChildProcess): Promise<OwnerReport | undefined> {
  return new Promise((resolve) => {
    owner.on('message', (message: OwnerReport & { done?: true }) => {
      if (message.done) resolve(message)
    })
    owner.once('exit', () => resolve(undefined))
  })
}

/** Ends a process at once and waits. */
export async function kill(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}
