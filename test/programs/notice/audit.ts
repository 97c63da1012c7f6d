import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

// Fails where npm knows an advisory for a package that NOTICE names. `npm audit --omit=dev` does not
// ask for those, as they are development dependencies, and users' own audits cannot see them.

interface Report {
  message?: string
  error?: { summary: string }
  vulnerabilities?: Record<string, { severity: string; range: string; nodes: string[] }>
}

const notice = readFileSync(new URL('../../../NOTICE', import.meta.url), 'utf8')
const bundled = new Set([...notice.matchAll(/^-{80}\n(\S+) /gm)].map(([, name]) => name))
if (bundled.size === 0) throw new Error('NOTICE names no package: run npm run notice.')

const { stdout } = spawnSync('npm', ['audit', '--json'], {
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
  shell: process.platform === 'win32',
})
const { message, error, vulnerabilities } = JSON.parse(stdout) as Report
if (!vulnerabilities)
  throw new Error(`npm audit has no answer: ${error?.summary || message || stdout}`)

const found = Object.entries(vulnerabilities).filter(([name]) => bundled.has(name))
for (const [name, { severity, range, nodes }] of found) {
  process.stdout.write(`${name} ${range}: ${severity} (${nodes.join(', ')})\n`)
}
process.stdout.write(`${bundled.size} bundled packages, ${found.length} with advisories.\n`)
process.exitCode = found.length > 0 ? 1 : 0
