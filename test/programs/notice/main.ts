import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledPackages } from './bundled.ts'
import { notice } from './notice.ts'

// Writes NOTICE anew from what the build holds: npm run notice.

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const packages = bundledPackages(ROOT)
writeFileSync(join(ROOT, 'NOTICE'), notice(ROOT, packages))
process.stdout.write(`NOTICE: ${packages.length} packages.\n`)
