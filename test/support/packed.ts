import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { PACKAGE } from './built.ts'

const run = promisify(execFile)

/**
 * A fresh project in which the packed tarball is installed, as far as that goes without a network:
 * unpacked where npm would put it, with its dependencies linked. The caller removes it.
 */
export async function packedProject(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'audile-project-'))
  // A project of its own, or Node would look for one above.
  writeFileSync(join(folder, 'package.json'), '{ "name": "project", "private": true }\n')
  // The scripts would build anew, and take away the build from under the tests that run beside.
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    { cwd: PACKAGE, shell: process.platform === 'win32' },
  )
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  await run('tar', ['-xzf', filename], { cwd: folder })
  mkdirSync(join(folder, 'node_modules'))
  renameSync(join(folder, 'package'), join(folder, 'node_modules', 'audile'))
  const { dependencies } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) linkPackage(name, folder)
  return folder
}

/** Links a package of the repository into a project. */
export function linkPackage(name: string, folder: string): void {
  const link = join(folder, 'node_modules', name)
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(join(PACKAGE, 'node_modules', name), link, 'junction')
}
