import { readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { Audile, TrackRecord } from '../../../src/index.ts'
import { lostParts } from './kept-parts.ts'
import type { OddFile } from './odd-files.ts'
import { structureFlaws } from './structure.ts'

/** What audile did with a file. */
export interface Trial {
  file: OddFile
  path: string
  /** The comment that stands in it now. */
  comment: string
  outcome: 'written' | 'refused'
  /** Why it was refused. */
  reason: string
  /** The values that were to be written, by their names in Vorbis comments; `null`: removed. */
  values: Record<string, string | null>
  /** Rules that were broken. */
  broken: string[]
}

const FIELDS = ['bpm', 'key', 'trackGain', 'albumGain', 'mood'] as const

/** What one call of `writeTags` answered for the one file of a track. */
type Answer =
  Awaited<ReturnType<Audile['tracks']['get']>> extends infer T
    ? T extends { writeTags: (...given: never[]) => Promise<{ files: (infer F)[] }> }
      ? F
      : never
    : never

/** Writes all fields into a file, three comments one after the other, and looks at its bytes. */
export async function tryFile(
  music: Audile,
  file: OddFile,
  path: string,
  { growth }: { growth: boolean },
): Promise<Trial> {
  const number = file.name.replace(/\W/g, '')
  const comments = ['first', 'other', 'third'].map((word) => `${word} comment of ${number}`)
  const broken: string[] = []
  const track = await music.tracks.get({ file: path })
  const write = async (comment: string, dryRun: boolean): Promise<Answer> => {
    const { files } = await track.writeTags({ dryRun, fields: [...FIELDS], comment })
    return files[0] as Answer
  }
  const [comment = ''] = comments
  const trial: Trial = { file, path, comment, outcome: 'refused', reason: '', values: {}, broken }
  try {
    const promised = await write(comment, true)
    if (!readFileSync(path).equals(file.bytes)) broken.push('the dry run changed the file')
    const { changes, written, error } = await write(comment, false)
    if (promised.error !== undefined && error === undefined)
      broken.push(`the dry run refused what was written: ${promised.error}`)
    if (promised.error === undefined && error !== undefined)
      broken.push(`the dry run promised what was refused: ${worded(error, path)}`)
    if (error !== undefined) return refused(trial, worded(error, path))
    if (!written) broken.push('nothing was written, and there is no error')
    if (!isDeepStrictEqual(promised.changes, changes))
      broken.push('the dry run promised other changes than were written')
    for (const { tag, to } of changes) trial.values[tag] = to
    trial.outcome = 'written'
    await judgeWritten(trial, write, growth ? comments : comments.slice(0, 1))
  } catch (error) {
    broken.push(`writeTags threw ${error instanceof Error ? error.message.slice(0, 150) : error}`)
  }
  return trial
}

function refused(trial: Trial, reason: string): Trial {
  if (!readFileSync(trial.path).equals(trial.file.bytes))
    trial.broken.push('it was refused, but its bytes changed')
  return { ...trial, reason }
}

async function judgeWritten(
  trial: Trial,
  write: (comment: string, dryRun: boolean) => Promise<Answer>,
  comments: readonly string[],
): Promise<void> {
  const { broken, path, file } = trial
  const first = readFileSync(path)
  broken.push(...lostParts(file.kept, first), ...structureFlaws(file.bytes, first))
  for (const comment of comments.slice(1)) {
    const { error, changes } = await write(comment, false)
    if (error !== undefined) broken.push(`a second write was refused: ${worded(error, path)}`)
    else if (changes.map(({ tag }) => tag).join() !== 'COMMENT')
      broken.push(`another comment changed ${changes.map(({ tag }) => tag).join()}`)
    trial.comment = comment
  }
  const last = readFileSync(path)
  if (last.length !== first.length)
    broken.push(`it grew from ${first.length} to ${last.length} bytes by comments of one length`)
  const again = await write(trial.comment, false)
  if (again.error !== undefined)
    broken.push(`a repeated write was refused: ${worded(again.error, path)}`)
  if (again.written || again.changes.length > 0)
    broken.push(`a repeated write changed ${again.changes.map(({ tag }) => tag).join()}`)
  if (!readFileSync(path).equals(last)) broken.push('a repeated write changed the bytes')
  const lost = comments.length > 1 ? lostParts(file.kept, last) : []
  broken.push(...lost.filter((part) => !broken.includes(part)))
}

const worded = (error: string, path: string) => error.replaceAll(path, 'FILE').slice(0, 200)

/** The analysis that all files of a run have, made of their sound. */
export type SoundAnalysis = Pick<TrackRecord, 'analysis' | 'audioSummary'>

export async function analyzeSound(music: Audile, wav: string): Promise<SoundAnalysis> {
  const track = await music.tracks.upload({ file: wav, wait: true })
  for await (const { analysis } of music.tracks.export()) {
    await music.tracks.remove(track.id)
    // Enough of both that a mood is sure.
    return { analysis, audioSummary: { energy: 0.95, valence: 0.95 } }
  }
  throw new Error(`${wav} has no analysis.`)
}

/** Writes the files, and imports a track with known values for each. */
export async function registerFiles(
  music: Audile,
  files: readonly { file: Pick<OddFile, 'name' | 'bytes'>; path: string }[],
  analysis: SoundAnalysis,
): Promise<void> {
  for (const { file, path } of files) writeFileSync(path, file.bytes)
  const records = files.map(({ file, path }) => ({
    ...{ file: path, title: file.name, artist: 'The Odd', release: 'Odd', ...analysis },
    corrections: { tempo: 121, key: 6, mode: 0 },
  }))
  const { rejected } = await music.tracks.import(records)
  const [first] = rejected
  if (first) throw new Error(`${files[first.index]?.file.name} was not imported: ${first.info}`)
}
