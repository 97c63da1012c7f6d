import { expect, it } from 'vitest'
import { Dice } from '../programs/hostile/dice.ts'
import { hostileFiles } from '../programs/hostile/files.ts'
import { Host } from '../programs/hostile/host.ts'
import { runFiles, runTexts, type Trial } from '../programs/hostile/run.ts'
import { hostileTexts } from '../programs/hostile/texts.ts'
import '../support/built.ts'
import { scratch } from '../support/scratch.ts'

// A short form of `npm run hostile`: another seed, fewer files, smaller bombs.
it('hostile files and texts end in typed errors or in what is there, and the host lives', async () => {
  const limits = { decodedSeconds: 60, analysisSeconds: 5 }
  const host = new Host({ database: ':memory:', workers: 1, limits })
  const trials: Trial[] = []
  try {
    const files = hostileFiles(7, { chance: 36, tags: 1, bombs: true })
    for await (const trial of runFiles(files, host, scratch())) trials.push(trial)
    for await (const trial of runTexts(hostileTexts(new Dice(7), 45), host)) trials.push(trial)
  } finally {
    await host.end()
  }
  const broken = trials.flatMap(({ format, mutation, verdict }) =>
    verdict.broken.map((rule) => `${format}, ${mutation}: ${rule}`),
  )
  expect(broken).toEqual([])
  const count = (kind: string) => trials.filter(({ verdict }) => verdict.kind === kind).length
  expect(trials.length).toBeGreaterThan(100)
  for (const kind of ['whole', 'truncated', 'error']) expect(count(kind), kind).toBeGreaterThan(9)
  expect(count('died')).toBe(0)
})
