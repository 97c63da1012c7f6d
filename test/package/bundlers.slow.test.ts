import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { build as buildByVite } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import webpack from 'webpack'
import { PACKAGE } from '../support/built.ts'
import { clip } from '../support/clips.ts'
import { mp3Bytes } from '../support/encode.ts'
import { linkPackage, packedProject } from '../support/packed.ts'

/** Analyses a file with an engine thread and a worker; the options come as JSON. */
const BODY = `
async function main() {
  const [file, options] = process.argv.slice(2)
  const music = await Audile.open({ database: ':memory:', workers: 1, ...JSON.parse(options) })
  const track = await music.tracks.upload({ file, wait: true, bucket: ['audio_summary'] })
  console.log(track.answer.error ?? Math.round(track.answer.audioSummary.tempo))
  await music.close()
}
main().catch((error) => {
  console.log(error.message)
  process.exitCode = 1
})
`
const SOURCES = {
  'app.mjs': `import { Audile } from 'audile'\n${BODY}`,
  'app.cjs': `const { Audile } = require('audile')\n${BODY}`,
}

/** What dependencies in CommonJS need in a bundle of ES modules. */
const BANNER = `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)`

type Extension = 'mjs' | 'cjs'

/** The app, and beside it the two scripts for audile's threads. */
const entries = (project: string, app: Extension) => ({
  app: join(project, `app.${app}`),
  engine: join(project, 'node_modules/audile/dist/engine.js'),
  worker: join(project, 'node_modules/audile/dist/worker.js'),
})

async function byEsbuild(
  project: string,
  out: string,
  from: Extension,
  to: Extension,
  external = ['better-sqlite3'],
): Promise<void> {
  await build({
    entryPoints: entries(project, from),
    outdir: out,
    outExtension: { '.js': `.${to}` },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: to === 'mjs' ? 'esm' : 'cjs',
    external,
    // That import.meta is empty in CommonJS is what the options are for.
    logOverride: { 'empty-import-meta': 'silent' },
    ...(to === 'mjs' && { banner: { js: BANNER } }),
  })
}

function byWebpack(project: string, out: string, from: Extension, to: Extension): Promise<void> {
  const esm = to === 'mjs'
  return new Promise((resolve, reject) => {
    webpack(
      {
        mode: 'none',
        target: 'node20',
        context: project,
        entry: entries(project, from),
        externals: { 'better-sqlite3': `${esm ? 'module' : 'commonjs'} better-sqlite3` },
        output: {
          path: out,
          filename: `[name].${to}`,
          chunkFilename: `[name].${to}`,
          ...(esm && { module: true, chunkFormat: 'module' as const }),
        },
        ...(esm && {
          experiments: { outputModule: true },
          // Else it writes where the file was when it was bundled.
          module: { parser: { javascript: { importMeta: false } } },
        }),
      },
      (error, stats) => {
        const told = stats?.toString({ all: false, errors: true, warnings: true })
        if (error) reject(error)
        else if (told) reject(new Error(told))
        else resolve()
      },
    )
  })
}

/** As an application for Node whose dependencies are all in the bundle, but for the native one. */
async function byVite(project: string, out: string, input: Record<string, string>): Promise<void> {
  const warnings: string[] = []
  await buildByVite({
    configFile: false,
    logLevel: 'silent',
    root: project,
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: true,
      outDir: out,
      rollupOptions: {
        input,
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
        onwarn: ({ message }) => warnings.push(message),
      },
    },
  })
  if (warnings.length > 0) throw new Error(warnings.join('\n'))
}

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'audile-bundles-'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "bundles", "private": true }\n')
  const song = await mp3Bytes(clip({ seconds: 4, sampleRate: 44_100 }), 128)
  writeFileSync(join(folder, 'song.mp3'), song)
  const project = await packedProject()
  try {
    for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(project, name), text)
    const out = (name: string) => join(folder, name)
    await byEsbuild(project, out('esbuild-mjs-mjs'), 'mjs', 'mjs')
    await byEsbuild(project, out('esbuild-mjs-cjs'), 'mjs', 'cjs')
    await byEsbuild(project, out('esbuild-cjs-cjs'), 'cjs', 'cjs')
    await byEsbuild(project, out('esbuild-alone'), 'cjs', 'cjs', [])
    const all = entries(project, 'mjs')
    await byVite(project, out('vite-mjs-mjs'), all)
    await byVite(project, out('vite-app-mjs'), { app: all.app })
    await byWebpack(project, out('webpack-mjs-mjs'), 'mjs', 'mjs')
    await byWebpack(project, out('webpack-mjs-cjs'), 'mjs', 'cjs')
    await byWebpack(project, out('webpack-cjs-cjs'), 'cjs', 'cjs')
  } finally {
    // The bundles must do without it.
    rmSync(project, { recursive: true, force: true })
  }
  mkdirSync(join(folder, 'node_modules'))
  linkPackage('better-sqlite3', folder)
}, 3_600_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function start(bundle: string, options: object = {}): Promise<{ stdout: string; stderr: string }> {
  const app = join(folder, bundle, bundle.endsWith('mjs') ? 'app.mjs' : 'app.cjs')
  const args = [app, join(folder, 'song.mp3'), JSON.stringify(options)]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: tmpdir() }, (_, stdout, stderr) =>
      resolve({ stdout: stdout.trim(), stderr }),
    )
  })
}

/** The options that name the scripts of a bundle in CommonJS. */
const paths = (bundle: string) => ({
  enginePath: join(folder, bundle, 'engine.cjs'),
  workerPath: join(folder, bundle, 'worker.cjs'),
})

it('bundled alone by Vite, audile works without threads', async () => {
  const options = { engine: 'inline', workers: 0 }
  expect(await start('vite-app-mjs', options)).toEqual({ stdout: '120', stderr: '' })
})

describe('bundled with its two scripts, audile keeps its threads', () => {
  it.each(['esbuild-mjs-mjs', 'vite-mjs-mjs', 'webpack-mjs-mjs'])(
    'as ES modules beside each other: %s',
    async (bundle) => {
      expect(await start(bundle)).toEqual({ stdout: '120', stderr: '' })
    },
  )

  it.each(['esbuild-mjs-cjs', 'esbuild-cjs-cjs', 'webpack-mjs-cjs', 'webpack-cjs-cjs'])(
    'as CommonJS, with the scripts named: %s',
    async (bundle) => {
      expect(await start(bundle, paths(bundle))).toEqual({ stdout: '120', stderr: '' })
    },
  )

  it('and says which option names a script that it cannot find', async () => {
    const { stdout } = await start('esbuild-mjs-cjs')
    expect(stdout).toMatch(/engine script is not beside .*option enginePath/)
    const { enginePath } = paths('esbuild-mjs-cjs')
    const { stdout: next } = await start('esbuild-mjs-cjs', { enginePath })
    expect(next).toMatch(/worker script is not beside .*option workerPath/)
  })

  it('also with nothing left out, when the addon is named', async () => {
    const nativeBinding = join(folder, 'esbuild-alone', 'better_sqlite3.node')
    const addon = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'
    copyFileSync(join(PACKAGE, addon), nativeBinding)
    expect(await start('esbuild-alone', { ...paths('esbuild-alone'), nativeBinding })).toEqual({
      stdout: '120',
      stderr: '',
    })
  })
})
