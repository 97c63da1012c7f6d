import { appendFileSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Audile } from '../../../src/index.ts'
import { type Views, viewFlaws } from './compare-views.ts'
import type { OddFile } from './odd-files.ts'
import {
  type FfmpegView,
  hasProgram,
  MutagenReader,
  readByFfmpeg,
  readByMetaflac,
} from './readers.ts'
import { analyzeSound, registerFiles, type SoundAnalysis, type Trial, tryFile } from './trial.ts'

/** Files of one database. */
const BATCH = 60
/** Every so many files get three comments in a row instead of one. */
const GROWN = 3
/** Inputs of one run of ffmpeg. */
const INPUTS = 16

/** The programs that judge what audile wrote. */
export interface SecondReaders {
  mutagen: MutagenReader | undefined
  hasFfmpeg: boolean
  hasMetaflac: boolean
}

export function secondReaders(): SecondReaders {
  return {
    mutagen: MutagenReader.start(),
    hasFfmpeg: hasProgram('ffmpeg', '-version'),
    hasMetaflac: hasProgram('metaflac', '--version'),
  }
}

/** Writes tags into each file and judges it; broken ones are left in `keep`, before and after. */
export async function* judgeFiles(
  files: Iterable<OddFile>,
  {
    folder,
    keep,
    wav,
    readers,
  }: { folder: string; keep: string; wav: string; readers: SecondReaders },
): AsyncGenerator<Trial> {
  let analysis: SoundAnalysis | undefined
  for (const batch of batchesOf(files, BATCH)) {
    const [written, before] = ['written', 'before'].map((name) => join(folder, name)) as [
      string,
      string,
    ]
    for (const one of [written, before]) mkdirSync(one, { recursive: true })
    const placed = batch.map((file) => ({ file, path: join(written, file.name) }))
    for (const file of batch) writeFileSync(join(before, file.name), file.bytes)
    const music = await Audile.open({
      database: ':memory:',
      engine: 'inline',
      workers: 0,
      // Nothing else decodes AAC in ADTS frames.
      ffmpegPath: readers.hasFfmpeg ? 'ffmpeg' : undefined,
    })
    const trials: Trial[] = []
    try {
      analysis ??= await analyzeSound(music, wav)
      await registerFiles(music, placed, analysis)
      for (const [i, { file, path }] of placed.entries())
        trials.push(await tryFile(music, file, path, { growth: i % GROWN === 0 }))
    } finally {
      await music.close()
    }
    await addViews(trials, before, readers)
    for (const trial of trials) {
      if (trial.broken.length > 0) keepFile(trial, before, keep)
      yield trial
    }
    for (const one of [written, before]) rmSync(one, { recursive: true, force: true })
  }
}

function* batchesOf<T>(list: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = []
  for (const one of list) {
    batch.push(one)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function keepFile({ file, path, broken }: Trial, before: string, keep: string): void {
  mkdirSync(keep, { recursive: true })
  appendFileSync(
    join(keep, 'broken.txt'),
    `${file.name} [${file.oddities}]\n${broken.map((flaw) => `  ${flaw}\n`).join('')}`,
  )
  for (const [state, from] of [
    ['before', join(before, file.name)],
    ['after', path],
  ] as const) {
    const to = join(keep, file.name.replace(/(\.\w+)$/, `.${state}$1`))
    rmSync(to, { force: true })
    copyFileSync(from, to)
  }
}

async function addViews(
  trials: readonly Trial[],
  before: string,
  { mutagen, hasFfmpeg, hasMetaflac }: SecondReaders,
): Promise<void> {
  // Files that were not written were compared byte by byte.
  const written = trials.filter(({ outcome }) => outcome === 'written')
  const pairs = written.map(({ path, file }) => [join(before, file.name), path] as const)
  const paths = pairs.flat()
  const heard: FfmpegView[] = []
  for (let at = 0; hasFfmpeg && at < paths.length; at += INPUTS)
    heard.push(...readByFfmpeg(paths.slice(at, at + INPUTS), before))
  for (const [i, trial] of written.entries()) {
    const [old, now] = pairs[i] as readonly [string, string]
    const views: Views = {}
    const [heardBefore, heardAfter] = heard.slice(2 * i, 2 * i + 2)
    if (heardBefore && heardAfter) views.ffmpeg = { before: heardBefore, after: heardAfter }
    if (mutagen) views.mutagen = { before: await mutagen.read(old), after: await mutagen.read(now) }
    if (hasMetaflac && trial.file.kind === 'flac')
      views.metaflac = { before: readByMetaflac(old), after: readByMetaflac(now) }
    trial.broken.push(...viewFlaws(trial, views))
  }
}
