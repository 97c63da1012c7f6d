import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** The package's own folder, from which `import 'audile'` finds the build. */
export const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

if (!existsSync(`${PACKAGE}/dist/index.js`)) {
  throw new Error('The package tests need the build: run them by npm test, or npm run build first.')
}

/** A Node process that runs a piece of ES module against the built package. */
export function start(script: string, args: string[] = []): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, '--', ...args], {
    cwd: PACKAGE,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

/** What a process printed and how it ended. */
export interface Ended {
  stdout: string
  stderr: string
  code: number | null
  signal: NodeJS.Signals | null
}

/** Runs a piece of ES module to its end. */
export function run(script: string, args: string[] = []): Promise<Ended> {
  return ended(start(script, args))
}

/** Waits for a process, gathering what it prints. */
export function ended(child: ChildProcess): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ stdout, stderr, code, signal }))
  })
}
