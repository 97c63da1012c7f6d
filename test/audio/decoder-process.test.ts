import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { decodeFile } from '../../src/audio/decode.ts'
import { attemptsFor } from '../../src/kernel/jobs/retry.ts'
import { DecodeError } from '../../src/values/errors.ts'
import { decoded, fixture, written } from '../support/decoded.ts'
import { scratch } from '../support/scratch.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Writes a script that runs the decoder process, from src/ without its types. */
function decoderScript(): string {
  const base = scratch()
  const folder = join(base, 'src')
  for (const room of ['audio', 'kernel', 'values'])
    mkdirSync(join(folder, room), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(base, 'node_modules'), 'junction')
  const rooms = ['audio/', 'kernel/', 'values/']
  const names = rooms.flatMap((room) =>
    readdirSync(join(root, 'src', room))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${room}${name}`),
  )
  for (const name of names) {
    const { outputText } = ts.transpileModule(readFileSync(join(root, 'src', name), 'utf8'), {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2022,
        rewriteRelativeImportExtensions: true,
      },
    })
    writeFileSync(
      join(folder, name.replace(/\.ts$/, '.js')),
      outputText.replace('../package.json', '../package.js'),
    )
  }
  writeFileSync(join(base, 'package.json'), '{"type":"module"}')
  // Node.js has no named imports of JSON, which bundlers have.
  const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const peers = `export const peerDependencies = ${JSON.stringify(peerDependencies)}`
  writeFileSync(join(base, 'package.js'), peers)
  const script = join(folder, 'main.js')
  writeFileSync(
    script,
    `import { runDecoderProcess } from './audio/decoder-process.js'
     await runDecoderProcess(process.argv.slice(2))`,
  )
  return script
}

/** A script that does something else. */
function otherScript(text: string): string {
  const path = join(scratch(), 'main.cjs')
  writeFileSync(path, text)
  return path
}

describe('the decoder process', () => {
  test('gives what this thread gives', async () => {
    const decoderProcess = decoderScript()
    for (const name of ['stereo.m4a', 'alac.m4a', 'fragmented.m4a']) {
      const here = await decoded(fixture(name))
      expect(await decoded(fixture(name), { decoderProcess })).toEqual(here)
    }
  })

  test('a failure in it is a DecodeError with its message', async () => {
    const file = Buffer.from(readFileSync(fixture('alac.m4a')))
    const sound = file.indexOf('mdat') + 4
    file.fill(0x5a, sound + 100)
    const path = written(file)
    const here = await decoded(path).catch((error: Error) => error.message)
    const there = await decoded(path, { decoderProcess: decoderScript() }).catch(
      (error: Error) => error.message,
    )
    expect(here).toMatch(/ALAC/)
    expect(there).toMatch(/The decoder of this MP4 file failed: .*ALAC/)
  })
})

describe('a process that', () => {
  test('dies after its sign of life is a DecodeError', async () => {
    const script = otherScript(`process.stdout.write('.snd', () => process.abort())`)
    const failure = decoded(fixture('stereo.m4a'), { decoderProcess: script })
    await expect(failure).rejects.toThrow(/The decoder of this MP4 file failed/)
    await expect(failure).rejects.toBeInstanceOf(DecodeError)
  })

  test.skipIf(process.platform === 'win32')('is killed by somebody else says so', async () => {
    const script = otherScript(
      `process.stdout.write('.snd', () => process.kill(process.pid, 'SIGKILL'))`,
    )
    const error = await decoded(fixture('stereo.m4a'), { decoderProcess: script }).catch(
      (thrown: Error) => thrown,
    )
    // The file may be fine: a job is tried again.
    expect(attemptsFor(error as Error)).toBe(3)
  })

  test('does not come up leaves the work to this thread', async () => {
    const here = await decoded(fixture('stereo.m4a'))
    for (const script of ['/nowhere.js', otherScript('process.exit(3)'), otherScript('')]) {
      expect(await decoded(fixture('stereo.m4a'), { decoderProcess: script })).toEqual(here)
    }
  })

  test('is silent ends with the abort, for its reason', async () => {
    const script = otherScript(`process.stdout.write('.snd'); setInterval(() => {}, 1000)`)
    const controller = new AbortController()
    const blocks = decodeFile(fixture('stereo.m4a'), {
      decoderProcess: script,
      signal: controller.signal,
    })
    const first = blocks.next()
    const reason = new Error('enough')
    controller.abort(reason)
    await expect(first).rejects.toBe(reason)
  })

  test('gives absurd channels is stopped', async () => {
    const script = otherScript(`
      const head = Buffer.alloc(24)
      head.write('.snd')
      for (const [i, v] of [24, 0xffffffff, 6, 44100, 500].entries()) head.writeUInt32BE(v, 4 + 4 * i)
      process.stdout.write(head)
      setInterval(() => {}, 1000)`)
    const failure = decoded(fixture('stereo.m4a'), { decoderProcess: script })
    await expect(failure).rejects.toThrow(/500 channels/)
  })
})

test('tables are checked before any process is started', async () => {
  const file = Buffer.from(readFileSync(fixture('stereo.m4a')))
  file.writeUInt32BE(0xffffff00, file.indexOf('stsz') + 12)
  const script = otherScript(`process.stdout.write('.snd')`)
  await expect(decoded(file, { decoderProcess: script })).rejects.toThrow(/"stsz" claims/)
})
