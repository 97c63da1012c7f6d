import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runIn } from './process.ts'
import { lastLine, type Runtime, underNode } from './runtimes.ts'

/** A package manager that runs under any Node.js. */
export interface Manager {
  name: string
  version: string
  /** Installs a tarball into a project. */
  install(
    folder: string,
    tarball: string,
    node: Runtime,
  ): Promise<{ code: number | string; output: string }>
}

/** Gets the package managers from the registry; those that could not be got come with why. */
export async function getManagers(
  root: string,
  bun: Runtime | undefined,
): Promise<{ managers: Manager[]; missing: string[] }> {
  const managers: Manager[] = []
  const missing: string[] = []
  const own = {
    YARN_CACHE_FOLDER: join(root, 'cache-yarn'),
    YARN_ENABLE_GLOBAL_CACHE: 'false',
    YARN_ENABLE_TELEMETRY: '0',
    // A project in a workflow is made here: it has no lockfile to be kept to.
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    XDG_DATA_HOME: join(root, 'data'),
    XDG_CACHE_HOME: join(root, 'cache'),
    BUN_INSTALL_CACHE_DIR: join(root, 'cache-bun'),
  }
  const scripts = [
    { name: 'pnpm', spec: 'pnpm@latest', file: 'pnpm/pnpm', native: true },
    { name: 'pnpm 10', spec: 'pnpm@10', file: 'pnpm/bin/pnpm.cjs' },
    { name: 'yarn 1', spec: 'yarn@1', file: 'yarn/bin/yarn.js' },
    {
      name: 'yarn',
      spec: '@yarnpkg/cli-dist@4',
      file: '@yarnpkg/cli-dist/bin/yarn.js',
      berry: true,
    },
  ]
  for (const { name, spec, file, native, berry } of scripts) {
    const folder = join(root, name.replace(' ', '-'))
    const got = await runIn(folder, 'npm', ['install', '--no-audit', '--no-fund', spec])
    if (got.code !== 0) {
      missing.push(`${name}: ${lastLine(got.output)}`)
      continue
    }
    const script = join(folder, 'node_modules', file)
    const run = (project: string, args: string[], node: Runtime) =>
      native
        ? runIn(project, script, args, { ...own, ...underNode(node) })
        : runIn(project, node.program, [script, ...args], { ...own, ...underNode(node) })
    managers.push({
      name,
      version: await versionOf(run, folder),
      async install(project, tarball, node) {
        await runIn(project, node.program, ['--version'])
        if (berry) {
          writeFileSync(join(project, '.yarnrc.yml'), 'nodeLinker: node-modules\n')
          writeFileSync(join(project, 'yarn.lock'), '')
        }
        return run(project, ['add', tarball], node)
      },
    })
  }
  if (bun) {
    managers.push({
      name: 'bun',
      version: bun.version,
      install: (project, tarball, node) =>
        runIn(project, bun.program, ['add', tarball], { ...own, ...underNode(node) }),
    })
  }
  return { managers, missing }
}

async function versionOf(
  run: (project: string, args: string[], node: Runtime) => Promise<{ output: string }>,
  folder: string,
): Promise<string> {
  const here = {
    name: 'this',
    version: process.versions.node,
    program: process.execPath,
    flags: [],
  }
  return /\d+\.\d+\.\d+/.exec((await run(folder, ['--version'], here)).output)?.[0] ?? '?'
}
