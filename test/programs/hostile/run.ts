import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Host, Outcome } from './host.ts'
import type { Mutant } from './mutant.ts'
import type { HostileText } from './texts.ts'
import { judge, judgeText, type Verdict } from './verdict.ts'

/** Something hostile and what came of it. */
export interface Trial {
  /** What it was: a format, or what the text was given to. */
  format: string
  mutation: string
  outcome: Outcome
  verdict: Verdict
}

/** The limits under which hostile files are taken in: small, so that bombs go off early. */
export const LIMITS = { decodedSeconds: 600, analysisSeconds: 15 }

/** Gives each file to the host and judges what comes of it. */
export async function* runFiles(
  files: AsyncIterable<Mutant>,
  host: Host,
  folder: string,
  keep: (trial: Trial) => boolean = () => false,
): AsyncGenerator<Trial> {
  let count = 0
  for await (const { bytes, ...mutant } of files) {
    const name = `${++count}-${mutant.mutation.replace(/\W+/g, '-')}.${mutant.extension}`
    const path = join(folder, `${mutant.format}-${name}`)
    writeFileSync(path, bytes)
    const outcome = await host.do({ kind: 'file', path })
    const { format, mutation } = mutant
    const verdict = judge({ ...mutant, bytes }, outcome)
    const trial = { format, mutation, outcome, verdict }
    if (!keep(trial)) rmSync(path)
    yield trial
  }
}

/** Gives each text to the host and judges what comes of it. */
export async function* runTexts(texts: Iterable<HostileText>, host: Host): AsyncGenerator<Trial> {
  for (const { kind, mutation, task } of texts) {
    const outcome = await host.do(task)
    yield { format: kind, mutation, outcome, verdict: judgeText(outcome) }
  }
}
