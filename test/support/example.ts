import { spawn } from 'node:child_process'
import { type Ended, ended, PACKAGE } from './built.ts'

/** Runs a script of the package's, as a user would, to its end. */
export function example(script: string, args: string[], variables = {}): Promise<Ended> {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  const env = { ...process.env, ...variables }
  return ended(spawn(process.execPath, [script, ...args], { cwd: PACKAGE, stdio, env }))
}
