import { chmodSync, chownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pick, whole } from '../../../support/chance.ts'
import { type Fault, REFUSED } from './fault.ts'

/** Whom permissions mean something to: a driver that is root must work as somebody else. */
const NOBODY = process.getuid?.() === 0 ? 65_534 : undefined

/** The file or its folder may not be written. */
export const readOnly: Fault = {
  name: 'read-only',
  what: 'file, folder or both read-only, before the open or in the middle of work',
  share: 2,
  async run(cycle) {
    const { random } = cycle
    const stage = cycle.copy('read-only')
    const { folder, database } = stage
    if (NOBODY !== undefined) for (const path of below(folder)) chownSync(path, NOBODY, NOBODY)
    const what = pick(random, [[database], [folder], [database, folder]])
    const protect = () => {
      for (const path of what) chmodSync(path, path === folder ? 0o555 : 0o444)
    }
    const start = () => cycle.start(stage, NOBODY === undefined ? {} : { user: NOBODY })
    if (random() < 0.5) {
      const working = start()
      await working.answered(whole(random, 1, 20))
      protect()
      await Promise.race([working.answered(working.answers + whole(random, 1, 20)), working.ended])
      const ending = await (random() < 0.3 ? working.kill() : working.stop())
      cycle.take(working, ending, stage, { errors: REFUSED })
    }
    protect()
    const refused = start()
    const opened = await refused.opened
    // In a folder that may not be written the log of a killed process may be, and so the database.
    if (opened && what.includes(database)) cycle.complain('a read-only file was opened')
    await Promise.race([refused.failed(3), refused.answered(20)])
    cycle.take(refused, await refused.stop(), stage, { errors: REFUSED })
    chmodSync(folder, 0o755)
    chmodSync(database, 0o644)
    await cycle.check(stage)
  },
}

function below(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return [folder, ...names.map((name) => join(folder, name))]
}
