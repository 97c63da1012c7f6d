import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** How a program ended. */
export interface Ended {
  /** A signal counts as its own name. */
  code: number | string
  /** All that it printed, in the order it came. */
  output: string
}

/** A program that is stuck is ended after so many milliseconds. */
const PATIENCE = 30 * 60_000

/** Runs a program in a project folder, which is made if it is not there. */
export function runIn(
  folder: string,
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  mkdirSync(folder, { recursive: true })
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "name": "project", "private": true }\n')
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32' && program === 'npm',
      timeout: PATIENCE,
      killSignal: 'SIGKILL',
    })
    let output = ''
    const take = (chunk: Buffer) => {
      output += chunk
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code: code ?? signal ?? '?', output }))
  })
}
