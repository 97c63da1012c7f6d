// What npm start runs: the command "audile" on what is named, or on a generated clip.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clipBytes } from './generated-clip.mjs'

// npm runs this in the package's folder; paths are meant from where the user stands.
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD)

if (process.argv.length === 2) {
  const folder = mkdtempSync(join(tmpdir(), 'audile-'))
  process.on('exit', () => rmSync(folder, { recursive: true }))
  const file = join(folder, 'a generated clip.wav')
  writeFileSync(file, clipBytes())
  console.error(
    'No path is given, so this analyses a generated clip: drums, 120 beats a minute, in C. Nothing is kept.\n',
  )
  process.argv.push('--database', ':memory:', file)
}
await import('../dist/cli.js')
