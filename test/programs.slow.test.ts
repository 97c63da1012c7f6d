import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Ended, ended, PACKAGE } from './support/built.ts'
import { waveFile } from './support/clips.ts'
import { addTracks, assorted } from './support/mix-library.ts'
import { openInline } from './support/open.ts'
import { scratch } from './support/scratch.ts'
import { tune } from './support/tune.ts'

// Each program of test/programs/ runs, on little: what nobody runs rots.

const PROGRAMS = join(PACKAGE, 'test/programs')
/** Folder of labelled clips and the like, which is not part of the repository. */
const SHARED = join(PACKAGE, '../shared')
const TSX = import.meta.resolve('tsx')

function program(path: string, args: readonly string[] = [], env = {}): Promise<Ended> {
  const child = spawn(process.execPath, ['--import', TSX, join(PROGRAMS, path), ...args], {
    cwd: PACKAGE,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  return ended(child)
}

/** Runs a program to a good end; what it printed. */
async function printed(path: string, ...args: string[]): Promise<string> {
  const { stdout, stderr, code } = await program(path, args)
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

/** Where else a program runs in the checks. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  conformance: 'conformance.slow.test.ts',
  figures: 'figures.test.ts; it writes README',
  mutation: 'by hand: it tests each change of the source, which takes minutes',
  site: '.ci/run: npm run docs',
}

it('every program is run', () => {
  const test = readFileSync(import.meta.filename, 'utf8')
  const idle = readdirSync(PROGRAMS).filter(
    (name) => !(name in ELSEWHERE) && !test.includes(`'${name}/`),
  )
  expect(idle).toEqual([])
})

it('bench measures all parts, a little of each', async () => {
  const args = ['--small', '--songs', '60', '--data', scratch(), '--folder', scratch()]
  const text = await printed('bench/main.ts', ...args)
  for (const part of [
    'essentia.js',
    'event loop',
    'Echoprint',
    'kB a song',
    'MiniSearch',
    'page of',
  ])
    expect(text).toContain(part)
})

describe('evaluate', () => {
  it.each(['vectors', 'reference', 'resolution', 'rhythm', 'clips'])(
    'says that there is nothing to evaluate: %s',
    async (part) => {
      const text = await printed('evaluate/main.ts', '--data', scratch(), '--only', part)
      expect(text).toMatch(/^There (is|are) no /m)
    },
  )

  it('identifies excerpts of a corpus', async () => {
    const corpus = scratch()
    const pieces = [1, 2, 3].map((seed) => ({ id: `p${seed}`, file: `${seed}.wav`, duration: 20 }))
    for (const [i, { file }] of pieces.entries())
      await waveFile(corpus, file, tune({ seed: i + 1 }))
    writeFileSync(join(corpus, 'corpus.json'), JSON.stringify(pieces))
    const queries = join(corpus, 'queries-1')
    mkdirSync(queries)
    const asked = pieces.map(({ id, file }, i) => ({
      ...{ id: `${id}__whole`, file: `../${file}`, kind: 'made', duration: 20 },
      truth: i < 2 ? id : null,
    }))
    writeFileSync(join(queries, 'queries.json'), JSON.stringify(asked))
    writeFileSync(join(queries, 'reference.json'), JSON.stringify(pieces.slice(0, 2)))
    const args = ['--ident', corpus, '--added', '0', '--whole', '0', '--chroma']
    expect(await printed('evaluate/main.ts', ...args)).toMatch(/^ {2}all +100\.0 +0 +0 .*2 \+ 1/m)
  })

  it.skipIf(!existsSync(join(SHARED, 'eval/dev/manifest.json')))(
    'measures a labelled clip',
    async () => {
      const manifest = readFileSync(join(SHARED, 'eval/dev/manifest.json'), 'utf8')
      const [{ id }] = JSON.parse(manifest) as [{ id: string }]
      const text = await printed('evaluate/main.ts', '--data', SHARED, '--only', id)
      expect(text).toMatch(/^beat F .* n = 1$/m)
    },
  )
})

it('fleet measures its speed and what its owner needs', async () => {
  const speed = await printed('fleet/main.ts', '--only', 'speed', '--songs', '2', '--length', '10')
  expect(speed).toContain('throughputOfLocal')
  expect(await printed('fleet/main.ts', '--only', 'owner', '--results', '8')).toContain('results')
})

it('hostile attacks with files and texts', async () => {
  const text = await printed('hostile/main.ts', '--files', '3', '--texts', '3', '--short')
  expect(text).toMatch(/ tried, 0 rules broken$/m)
})

it('radio measures the lists of a small library', async () => {
  const database = join(scratch(), 'music.db')
  const music = await openInline({ database })
  const plans = assorted(8).map((plan, i) => ({
    ...plan,
    seconds: 40,
    file: `/music/package-${i % 4}/${i}.flac`,
  }))
  await addTracks(music, plans)
  await music.close()
  const text = await printed('radio/main.ts', database, '--seeds', '4', '--length', '5')
  expect(text).toMatch(/^32 recordings of 4 groups, 0 effects; 4 lists of 5$/m)
  expect(text).toContain('greedy with seed, mutual proximity')
})

it('notice finds the packages of the build, and asks for advisories', async () => {
  const before = readFileSync(join(PACKAGE, 'NOTICE'), 'utf8')
  expect(await printed('notice/main.ts')).toMatch(/^NOTICE: \d+ packages\.$/m)
  expect(readFileSync(join(PACKAGE, 'NOTICE'), 'utf8')).toBe(before)
})

it.skipIf(process.platform === 'win32')('notice reads what npm audit says', async () => {
  const folder = scratch()
  const npm = join(folder, 'npm')
  writeFileSync(
    npm,
    `#!/bin/sh\necho '{"vulnerabilities":{"meyda":{"severity":"low","range":"*","nodes":[]}}}'\n`,
  )
  chmodSync(npm, 0o755)
  const PATH = `${folder}${delimiter}${process.env.PATH}`
  const { stdout, code } = await program('notice/audit.ts', [], { PATH })
  expect(stdout).toMatch(/^\d+ bundled packages, 1 with advisories\.$/m)
  expect(code).toBe(1)
})

it('runtimes packs the package, and says that it was run nowhere', async () => {
  const { stdout, code } = await program('runtimes/main.ts', ['--only', 'none'])
  expect(stdout).toContain('0 passed, 0 failed')
  expect(code).toBe(1)
})

it('served counts plays over a kill and a deploy', async () => {
  const args = ['--clients', '2', '--kills', '1', '--deploys', '1', '--pause', '0.5']
  expect(await printed('served/main.ts', ...args)).toMatch(/lost: 0,[\s\S]*twice: 0/)
})

it('tags writes into a file of each kind, and asks other programs', async () => {
  const text = await printed('tags/main.ts', '--count', '24', '--kills', '1')
  expect(text).toMatch(/^all +24 +\d+ +\d+ +0$/m)
  expect(text).toMatch(/^kills: 1 of a process .* 0 BROKEN$/m)
  expect(text).toMatch(/^attributes: .* 0 BROKEN$/m)
})

it('torture kills a process', async () => {
  const args = ['--cycles', '1', '--seed', '3', '--lanes', '1', '--only', 'kill']
  expect(await printed('torture/main.ts', ...args)).toContain('kill')
})

it('walk counts the files that each operation enters', async () => {
  expect(await printed('walk/main.ts')).toMatch(/^\| upload with analysis \| \d{2,3} \|/m)
})

// Those that need music of others or write the source are only compiled: npm run typecheck.
describe('the trainers', () => {
  it('make music, hear it, record it again and are judged on it', async () => {
    const [music, again] = [join(scratch(), 'music'), join(scratch(), 'again')]
    await printed('trainers/rhythm-material.ts', '--out', music, '--hours', '0.02')
    await printed('trainers/rhythm-spectra.ts', music)
    await printed('trainers/recorded-again.ts', '--from', music, '--out', again)
    expect(readdirSync(music).filter((name) => name.endsWith('.u8')).length).toBe(2)
    expect(readdirSync(again).filter((name) => name.endsWith('.raw')).length).toBe(2)
    const data = ['--data', music, '--data', again]
    expect(await printed('trainers/rhythm-validation.ts', ...data)).toContain('CMLt')
  })

  it('weigh names', async () => {
    expect(await printed('trainers/names.ts', '--each', '1', '--rounds', '1')).toMatch(/\d/)
  })
})
