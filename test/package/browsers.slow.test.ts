import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build as byEsbuild } from 'esbuild'
import { build as byVite } from 'vite'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { PACKAGE } from '../support/built.ts'
import { packedProject } from '../support/packed.ts'
import { scratch } from '../support/scratch.ts'

/** A worker as a user writes it. */
const WORKER = `import { analyze } from 'audile/analysis'

self.onmessage = ({ data: { samples, sampleRate } }) => {
  const { track, beats, sections } = analyze({ samples, sampleRate })
  self.postMessage({ tempo: track.tempo, beats, sections })
}
`
/** The page that starts it. */
const PAGE = `const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })

export async function analyzed(file) {
  const context = new OfflineAudioContext(1, 1, 44100)
  const audio = await context.decodeAudioData(await file.arrayBuffer())
  const samples = Array.from({ length: audio.numberOfChannels }, (_, i) => audio.getChannelData(i))
  worker.postMessage({ samples, sampleRate: audio.sampleRate })
  return new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data) })
}
document.querySelector('input').onchange = async ({ target }) => {
  document.body.append(JSON.stringify(await analyzed(target.files[0])))
}
`

/** What Node has and a browser does not. */
const OF_NODE = /\bBuffer\.|\bprocess\.|\brequire\(|["']node:/

describe.each(['analysis.js', 'analysis.cjs'])('dist/%s for a browser', (name) => {
  let code: string
  let warnings: unknown[]
  beforeAll(async () => {
    const built = await byEsbuild({
      entryPoints: [join(PACKAGE, 'dist', name)],
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'esm',
      write: false,
      logLevel: 'silent',
    })
    code = built.outputFiles[0]?.text ?? ''
    warnings = built.warnings
  })

  it('is bundled without a warning, and names nothing of Node', () => {
    expect(warnings).toEqual([])
    expect(OF_NODE.exec(code)?.[0]).toBeUndefined()
  })

  it('is smaller than 172 kB, minified and compressed', () => {
    const bytes = gzipSync(code, { level: 9 }).length
    expect(bytes).toBeGreaterThan(20_000)
    expect(bytes).toBeLessThan(172_000)
  })
})

it('is bundled by Vite for a worker as it is', { timeout: 600_000 }, async () => {
  const project = await packedProject()
  onTestFinished(() => rmSync(project, { recursive: true, force: true }))
  const out = scratch()
  writeFileSync(join(project, 'worker.js'), WORKER)
  writeFileSync(join(project, 'page.js'), PAGE)
  writeFileSync(
    join(project, 'index.html'),
    '<!doctype html><input type="file"><script type="module" src="/page.js"></script>',
  )
  const told: string[] = []
  const tell = (message: string) => told.push(message)
  await byVite({
    root: project,
    configFile: false,
    worker: { format: 'es' },
    build: { outDir: out, emptyOutDir: true },
    customLogger: {
      hasWarned: false,
      info: () => {},
      warn: tell,
      warnOnce: tell,
      error: tell,
      clearScreen: () => {},
      hasErrorLogged: () => false,
    },
  })
  expect(told).toEqual([])
  const worker = readdirSync(join(out, 'assets')).find((name) => name.startsWith('worker'))
  const code = readFileSync(join(out, 'assets', worker ?? 'none'), 'utf8')
  expect(code).toContain('onmessage')
  expect(code).not.toContain('audile/analysis')
  expect(OF_NODE.exec(code)?.[0]).toBeUndefined()
})
