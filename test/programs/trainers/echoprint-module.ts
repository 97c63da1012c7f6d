import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Makes src/recognition/systems/echoprint/simd-module.ts out of kernel.as beside it, with the AssemblyScript
 * compiler:
 *
 *   npm run build:wasm
 *
 * Another version of the compiler may make other bytes; package.json names the one that made these.
 */

const FOLDER = new URL('../../../src/recognition/systems/echoprint/', import.meta.url)
const SOURCE = fileURLToPath(new URL('kernel.as', FOLDER))
const MODULE = fileURLToPath(new URL('simd-module.ts', FOLDER))
const WIDTH = 92

/** What simd-module.ts holds now. */
export function checkedIn(): string {
  return existsSync(MODULE) ? readFileSync(MODULE, 'utf8').replaceAll('\r\n', '\n') : ''
}

/** Compiles the source: what simd-module.ts is to hold; undefined if the compiler is not installed. */
export async function compiled(): Promise<string | undefined> {
  const asc = await import('assemblyscript/asc').catch(() => undefined)
  if (!asc) return undefined
  // One kind of line end, as the compiler's limits and errors count them.
  const source = readFileSync(SOURCE, 'utf8').replaceAll('\r\n', '\n')
  let bytes: Uint8Array | undefined
  const { error, stderr } = await asc.main(
    [
      'kernel.ts',
      '-O3',
      '--runtime',
      'stub',
      '--noAssert',
      '--enable',
      'simd',
      '--initialMemory',
      '3',
      '--maximumMemory',
      '3',
      '-o',
      'kernel.wasm',
    ],
    {
      readFile: (name) => (name === 'kernel.ts' ? source : null),
      writeFile: (name, contents) => {
        if (name === 'kernel.wasm') bytes = contents as Uint8Array
      },
      listFiles: () => [],
    },
  )
  if (error || !bytes) throw new Error(`kernel.as does not compile: ${stderr}`, { cause: error })
  const text = Buffer.from(bytes).toString('base64')
  const lines = text.match(new RegExp(`.{1,${WIDTH}}`, 'g')) ?? []
  return `// Made of kernel.as by \`npm run build:wasm\`; run it again instead of editing this.

/** The module, ${bytes.length} bytes, as base64. */
export const SIMD_MODULE = \`
${lines.join('\n')}
\`
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await compiled()
  if (text === undefined) throw new Error('The compiler is not installed: npm install.')
  writeFileSync(MODULE, text)
  console.log(`${MODULE}: ${text.length} characters`)
}
