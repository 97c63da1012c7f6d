import type { WorkerOptions } from 'node:worker_threads'

/**
 * A thread inherits its process's flags, which is right but for one: under
 * `node --input-type=module -e …` it would refuse to load its own script. Naming the others instead
 * is no way, for Node rejects V8's among them.
 */
export function inheritedFlags(): Pick<WorkerOptions, 'execArgv'> {
  return process.execArgv.some((flag) => flag.startsWith('--input-type')) ? { execArgv: [] } : {}
}
