import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runIn } from './process.ts'

/** A runtime as the npm registry carries it: one package for each platform. */
interface Source {
  /** As `--only` names it. */
  name: string
  spec: string
  /** The program in the package. */
  program: string
  /** What comes before the script. */
  flags: string[]
}

/** A runtime that is there. */
export interface Runtime {
  name: string
  version: string
  program: string
  flags: string[]
}

const { platform, arch } = process
const exe = platform === 'win32' ? '.exe' : ''

function node(major: number): Source {
  const system = platform === 'win32' ? 'win' : platform
  const spec = `node-${system}-${arch}@${major}`
  return { name: `node${major}`, spec, program: `bin/node${exe}`, flags: [] }
}

const BUN_SYSTEM = platform === 'win32' ? 'windows' : platform
const BUN_ARCH = arch === 'arm64' ? 'aarch64' : arch
const DENO = `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`

export const SOURCES: readonly Source[] = [
  node(20),
  node(22),
  node(24),
  node(26),
  {
    name: 'bun',
    spec: `@oven/bun-${BUN_SYSTEM}-${BUN_ARCH}@latest`,
    program: `bin/bun${exe}`,
    flags: [],
  },
  { name: 'deno', spec: `${DENO}@latest`, program: `deno${exe}`, flags: ['run', '-A'] },
]

/**
 * Gets a runtime from the registry.
 *
 * @throws why it could not be got
 */
export async function getRuntime(
  { name, spec, ...source }: Source,
  root: string,
): Promise<Runtime> {
  const folder = join(root, name)
  const got = await runIn(folder, 'npm', ['install', '--no-audit', '--no-fund', spec])
  if (got.code !== 0) throw new Error(lastLine(got.output))
  const program = join(folder, 'node_modules', spec.replace(/@[^@/]*$/, ''), source.program)
  if (!existsSync(program)) throw new Error(`${spec} has no ${source.program}.`)
  const told = await runIn(folder, program, ['--version'])
  if (told.code !== 0) throw new Error(`${program} does not run: ${lastLine(told.output)}`)
  const version = /\d+\.\d+\.\d+/.exec(told.output)?.[0] ?? '?'
  return { name, version, program, flags: source.flags }
}

/** The environment in which `node` is this one. */
export function underNode({ program }: Runtime): NodeJS.ProcessEnv {
  const separator = platform === 'win32' ? ';' : ':'
  return { PATH: `${dirname(program)}${separator}${process.env.PATH}` }
}

/** What an install or a run says at its end. */
export function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? ''
}
