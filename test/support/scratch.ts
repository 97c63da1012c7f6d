import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of the running test's own, gone when the test is. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'audile-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
