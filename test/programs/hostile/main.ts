import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Dice } from './dice.ts'
import { hostileFiles } from './files.ts'
import { Host } from './host.ts'
import { LIMITS, runFiles, runTexts, type Trial } from './run.ts'
import { tableOf } from './table.ts'
import { hostileTexts } from './texts.ts'
import { runUploads } from './uploads.ts'

// npm run hostile: hostile files, codes, requests and feeds on the built package, and a table of what
// came of them. Exit code 1 when a rule is broken.
// npm run hostile -- [--seed N] [--files N] [--texts N] [--keep DIR]
// npm run hostile -- --uploads N: whether memory stays flat over so many uploads, and nothing else.
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    /** Of those that chance makes; giant tags and bombs come on top. */
    files: { type: 'string', default: '400' },
    texts: { type: 'string', default: '150' },
    /** One giant tag for each format, and no bombs. */
    short: { type: 'boolean', default: false },
    /** Where files that break a rule are left. */
    keep: { type: 'string' },
    uploads: { type: 'string' },
  },
})

const broken =
  values.uploads === undefined ? await attack() : await runUploads(Number(values.uploads))
for (const rule of broken) console.log(`BROKEN ${rule}`)
process.exitCode = broken.length > 0 ? 1 : 0

async function attack(): Promise<string[]> {
  const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'audile-hostile-'))
  const host = new Host({ database: ':memory:', workers: 1, limits: LIMITS })
  const trials: Trial[] = []
  const rules: string[] = []
  const add = (trial: Trial) => {
    trials.push(trial)
    for (const rule of trial.verdict.broken) {
      rules.push(`${trial.format}, ${trial.mutation} (${trials.length}): ${rule}`)
    }
  }
  const seed = Number(values.seed)
  try {
    const { short } = values
    const amounts = { chance: Number(values.files), tags: short ? 1 : 100, bombs: !short }
    const keep = ({ verdict }: Trial) => values.keep !== undefined && verdict.broken.length > 0
    for await (const trial of runFiles(hostileFiles(seed, amounts), host, folder, keep)) add(trial)
    const texts = hostileTexts(new Dice(seed), Number(values.texts))
    for await (const trial of runTexts(texts, host)) add(trial)
  } finally {
    await host.end()
    if (values.keep === undefined) rmSync(folder, { recursive: true, force: true })
  }
  console.log(tableOf(trials))
  console.log(`seed ${seed}: ${trials.length} tried, ${rules.length} rules broken`)
  return rules
}
