import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Makes each simd-module.ts of the source out of kernel.as beside it, with the AssemblyScript compiler:
 *
 *   npm run build:wasm
 *
 * Another version of the compiler may make other bytes; package.json names the one that made these.
 */

/** A folder of src with a kernel.as, its constant, and the least and most pages of its memory. */
export const KERNELS = [
  { folder: 'recognition/systems/echoprint', constant: 'ECHOPRINT_MODULE', pages: [3, 3] },
  { folder: 'analysis/activation', constant: 'ACTIVATION_MODULE', pages: [1, 65_536] },
  { folder: 'analysis/k-weighting', constant: 'K_WEIGHTING_MODULE', pages: [1, 65_536] },
  { folder: 'analysis/state-space', constant: 'STATE_SPACE_MODULE', pages: [1, 65_536] },
  { folder: 'analysis/true-peak', constant: 'TRUE_PEAK_MODULE', pages: [1, 1] },
  { folder: 'track/vectors', constant: 'VECTORS_MODULE', pages: [6, 65_536] },
  { folder: 'audio/mixing', constant: 'MIXING_MODULE', pages: [3, 3] },
  { folder: 'audio/resampling', constant: 'RESAMPLING_MODULE', pages: [1, 65_536] },
  { folder: 'audio/spectra', constant: 'SPECTRA_MODULE', pages: [1, 65_536] },
  { folder: 'sounds/layers', constant: 'LAYERS_MODULE', pages: [1, 65_536] },
] as const
type Kernel = (typeof KERNELS)[number]

function pathOf({ folder }: Kernel, name: string): string {
  return fileURLToPath(new URL(`../../../src/${folder}/${name}`, import.meta.url))
}

/** What simd-module.ts holds now. */
export function checkedIn(kernel: Kernel): string {
  const path = pathOf(kernel, 'simd-module.ts')
  return existsSync(path) ? readFileSync(path, 'utf8').replaceAll('\r\n', '\n') : ''
}

/** Compiles the source: what simd-module.ts is to hold; undefined if the compiler is not installed. */
export async function compiled(kernel: Kernel): Promise<string | undefined> {
  const asc = await import('assemblyscript/asc').catch(() => undefined)
  if (!asc) return undefined
  // One kind of line end, as the compiler's limits and errors count them.
  const source = readFileSync(pathOf(kernel, 'kernel.as'), 'utf8').replaceAll('\r\n', '\n')
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
      `${kernel.pages[0]}`,
      '--maximumMemory',
      `${kernel.pages[1]}`,
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
  return `// Made of kernel.as by \`npm run build:wasm\`; run it again instead of editing this.

/** The module, ${bytes.length} bytes, as base64. */
export const ${kernel.constant} =
  '${text}'
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const kernel of KERNELS) {
    const text = await compiled(kernel)
    if (text === undefined) throw new Error('The compiler is not installed: npm install.')
    const path = pathOf(kernel, 'simd-module.ts')
    writeFileSync(path, text)
    console.log(`${path}: ${text.length} characters`)
  }
}
