import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, isAbsolute, join } from 'node:path'
import vm from 'node:vm'
import { expect, it } from 'vitest'
import { PACKAGE } from '../support/built.ts'
import { fixture } from '../support/decoded.ts'
import { mp3Bytes } from '../support/encode.ts'
import { scratch } from '../support/scratch.ts'
import { taggedMp3 } from '../support/tagged-mp3.ts'
import { tune } from '../support/tune.ts'

const BUILD = join(PACKAGE, 'dist/index.cjs')

/**
 * Loads the CommonJS build as Jest does: in a context of its own that refuses `import()`, with the
 * globals that Jest hands over, and a `require()` that takes no ES modules.
 */
function loadedAsByJest(): typeof import('../../src/index.ts') {
  const node = createRequire(BUILD)
  const intrinsic = new Set(Object.getOwnPropertyNames(vm.runInNewContext('globalThis')))
  const names = Object.getOwnPropertyNames(globalThis).filter((name) => !intrinsic.has(name))
  const shared = Object.fromEntries(
    [...names, 'ArrayBuffer', 'Uint8Array'].map((name) => [name, Reflect.get(globalThis, name)]),
  )
  const context = vm.createContext(shared)
  context.globalThis = context
  const require = (name: string) => {
    const path = node.resolve(name)
    if (isAbsolute(path) && isEsModule(path)) {
      throw new SyntaxError(`Cannot use import statement outside a module: ${name}`)
    }
    return node(name)
  }
  const wrapped = `(function (module, exports, require, __filename, __dirname) {${readFileSync(BUILD, 'utf8')}\n})`
  const module = { exports: {} as typeof import('../../src/index.ts') }
  const run = new vm.Script(wrapped, { filename: BUILD }).runInContext(context)
  run(module, module.exports, require, BUILD, dirname(BUILD))
  return module.exports
}

function isEsModule(path: string): boolean {
  if (!path.endsWith('.js')) return path.endsWith('.mjs')
  let folder = dirname(path)
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).type === 'module'
}

const { Audile } = loadedAsByJest()

it.each(['stereo.mp3', 'stereo.ogg', 'mono.opus', 'mono-flac.ogg', 'stereo.flac', 'stereo.m4a'])(
  'under Jest with CommonJS, an inline engine analyses %s',
  async (name) => {
    const music = await Audile.open({ database: ':memory:', engine: 'inline', workers: 0 })
    const { answer } = await music.tracks.upload({ file: fixture(name), wait: true })
    expect(answer).toMatchObject({ status: 'complete' })
    await music.close()
  },
)

it('under Jest with CommonJS, an inline engine reads tags', async () => {
  const file = join(scratch(), 'song.mp3')
  const tag = taggedMp3({ TIT2: 'Some Song' }, 0)
  const sound = await mp3Bytes(tune({ seed: 1, seconds: 2 }), 128)
  writeFileSync(file, Buffer.concat([tag, sound]))
  const music = await Audile.open({ database: ':memory:', engine: 'inline', workers: 0 })
  const { answer } = await music.tracks.upload({ file, wait: true })
  expect(answer).toMatchObject({ status: 'complete', title: 'Some Song' })
  await music.close()
})
