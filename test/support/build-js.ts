import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, type Options } from 'tsup'

// npm run build:js: the build without its declarations, which take nine tenths of the time and which
// no quick test reads.
const MANIFEST = fileURLToPath(new URL('../../package.json', import.meta.url))

const { tsup } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { tsup: Options[] }
for (const options of tsup.filter(({ dts }) => !dts)) {
  const clean = options.clean ? ['!**/*.d.{ts,cts}'] : false
  await build({ ...options, clean, config: false })
}
