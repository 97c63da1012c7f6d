import { readFileSync, writeFileSync } from 'node:fs'
import { type Address, addressOf, obstacle, pageOf } from './address.ts'

// npm run address -- https://github.com/<owner>/<name>   writes the fields of package.json
// npm run address                                        refuses to publish without them

const FILE = new URL('../../../package.json', import.meta.url)

const [given] = process.argv.slice(2)
const manifest = JSON.parse(readFileSync(FILE, 'utf8')) as Address
if (given === undefined) {
  const fault = obstacle(pageOf(manifest), process.env.GITHUB_REPOSITORY)
  process.stdout.write(`${fault ?? pageOf(manifest)}\n`)
  process.exitCode = fault === undefined ? 0 : 1
} else {
  Object.assign(manifest, addressOf(given.replace(/\/$|\.git$/, '')))
  writeFileSync(FILE, `${JSON.stringify(manifest, null, 2)}\n`)
}
