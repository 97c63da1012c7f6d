import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** Gives a run of the tests the folder of {@link onceARun}, which is emptied when files change. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'audile-run-'))
  process.env.AUDILE_TEST_RUN = folder
  const clear = () => rmSync(folder, { recursive: true, force: true })
  project.onTestsRerun(() => {
    clear()
    mkdirSync(folder)
  })
  return clear
}
